"""Whether a value already is what an annotation asks for, as far as that can be told without making anything."""

import collections.abc
from typing import Any, Final, Literal, NewType, TypeVar, get_args

from ._annotated import is_annotated
from ._basic import bare, is_union
from ._names import hints_of
from ._special import aliased, bindings_of, is_alias, standing_for, substituted, unqualified


def is_of(value: Any, annotation: Any) -> bool:
    """Tell whether a value is of an annotated type; where nobody can tell, it is taken at its word."""
    annotation = _settled(annotation)
    if is_union(annotation):
        return any(is_of(value, member) for member in get_args(annotation))
    kind = bare(annotation)
    if kind is Literal:
        return any(type(value) is type(choice) and value == choice for choice in get_args(annotation))
    if not isinstance(kind, type) or kind is Any or kind is object:
        return True
    if issubclass(kind, dict) and hasattr(kind, "__required_keys__"):  # a TypedDict, of which there are no instances
        return isinstance(value, dict) and _has_keys_of(value, annotation)
    if isinstance(value, bool) or kind in _TOWER:
        return isinstance(value, _TOWER.get(kind, kind)) and (kind is bool or not isinstance(value, bool))
    return _is_instance(value, kind) and _holds(value, get_args(annotation))


_TOWER: Final[dict[Any, Any]] = {float: (int, float), complex: (int, float, complex)}
"""Classes to those whose instances do as well. Source: typing, "Special cases for float and complex" (read 2026-12)."""


def _settled(annotation: Any) -> Any:
    """Take off what says nothing about the class of values, and put types in the place of their names."""
    while True:
        within = unqualified(annotation)
        if is_annotated(within):
            within = within.__origin__
        elif isinstance(within, NewType):
            within = within.__supertype__
        elif isinstance(within, TypeVar):
            within = standing_for(within)
        elif is_alias(within):
            within = aliased(within)
        if within is annotation:
            return annotation
        annotation = within


def _is_instance(value: Any, kind: type) -> bool:
    try:
        return isinstance(value, kind)
    except TypeError:  # a protocol that cannot be asked
        return True


def _has_keys_of(value: dict[Any, Any], typed_dict: Any) -> bool:
    bindings = bindings_of(typed_dict)
    hints = hints_of(bare(typed_dict))
    return all(is_of(value[name], substituted(hint, bindings)) for name, hint in hints.items() if name in value)


def _holds(value: Any, parts: tuple[Any, ...]) -> bool:
    """Tell whether what is in a container is of the types in an annotation: `list[int]`, `dict[str, int]`."""
    if isinstance(value, collections.abc.Mapping):
        return len(parts) != _PAIR or all(is_of(key, parts[0]) and is_of(item, parts[1]) for key, item in value.items())
    if isinstance(value, tuple) and parts and ... not in parts and len(parts) == len(value):
        return all(map(is_of, value, parts))
    if not isinstance(value, collections.abc.Sequence | collections.abc.Set) or isinstance(value, str):
        return True
    return not parts or (len(parts) > 1 and ... not in parts) or all(is_of(item, parts[0]) for item in value)


_PAIR: Final = 2
