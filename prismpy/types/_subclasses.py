"""The row for subclasses of JSON's own types and of containers: `class Email(str)`, `class Tags(list[str])`."""

import collections
import inspect
from contextlib import suppress
from functools import partial
from typing import Any, Final

from prismpy.schema import JSON

from ._basic import bare
from ._errors import UnresolvedFormError, by_users_code
from ._names import evaluated, scope_of_class
from ._reader import Reader
from ._rule import Form, TypeRule, load_with, type_name
from ._special import bindings_of, substituted

_BASES: Final = (
    *(str, int, float, list, dict, set, frozenset, tuple),
    *(collections.deque, collections.UserDict, collections.UserList),
)
"""Classes whose instances are all that their subclasses are made of."""


def _base_of(annotation: Any) -> Any:
    """Return what a class extends, `list[str]` for `class Tags(list[str])`; None if that is nothing of these."""
    kind = bare(annotation)
    if not isinstance(kind, type) or kind in _BASES or not issubclass(kind, _BASES):
        return None
    owner = next((base for base in kind.__mro__ if "__orig_bases__" in vars(base)), kind)
    bases = getattr(owner, "__orig_bases__", owner.__bases__)
    base = next(base for base in bases if isinstance(bare(base), type) and issubclass(bare(base), _BASES))
    return substituted(evaluated(base, partial(scope_of_class, owner)), bindings_of(annotation))


def _taken_by(kind: Any) -> Any:
    """Return the annotation of the one argument that a class can be called with, `Any` where it has none."""
    try:
        signature = inspect.signature(kind)
        signature.bind(None)
    except TypeError:
        return None
    except ValueError:  # it has the constructor of its base, which tells nothing
        return Any
    annotation = next(iter(signature.parameters.values())).annotation
    return Any if annotation is inspect.Parameter.empty else evaluated(annotation, partial(scope_of_class, kind, kind))


def _is_subclass(annotation: Any) -> bool:
    return _base_of(annotation) is not None and _taken_by(bare(annotation)) is not None


def _subclass_form(annotation: Any, reader: Reader) -> Form:
    return reader.recursive(annotation, lambda: _build(annotation, reader))


def _build(annotation: Any, reader: Reader) -> Form:
    form = reader.form(_base_of(annotation))
    with suppress(UnresolvedFormError):
        reader.form(_taken_by(bare(annotation)))  # what is made of something else, such as its owner, has no form
    return Form(form.schema, partial(_load_as, bare(annotation), form))


def _load_as(kind: Any, form: Form, value: JSON) -> Any:
    loaded = load_with(form, value)
    with by_users_code(f"no {type_name(kind)} can be made of it"):
        return kind(loaded)


# no dump: subclasses of these are dumped as what they extend
SUBCLASS_RULES: Final = (TypeRule(_is_subclass, _subclass_form),)
