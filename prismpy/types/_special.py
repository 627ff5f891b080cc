"""The rows for what typing says about types: names, variables, qualifiers, and types that nothing belongs to."""

import dataclasses
from collections.abc import Mapping
from typing import Any, Final, LiteralString, Never, NewType, NoReturn, TypeVar, Union, get_args, get_origin

from prismpy.schema import RawSchema, StringSchema

from ._attributes import is_class, is_made_up
from ._errors import OpaqueFormError, UnresolvedFormError
from ._names import Named, Unevaluable, in_definition
from ._reader import Reader
from ._rule import Form, TypeRule, type_name

Bindings = Mapping[Any, Any]
"""Type variables to what stands for them."""


def bindings_of(annotation: Any) -> Bindings:
    """
    Tell what stands for the type variables of a generic class: those of the annotation, and of the bases it names.

    `Box[int]` binds Box's own variable; in `class IntBox(Box[int])` the base does.
    """
    origin = get_origin(annotation) or annotation
    bases = getattr(origin, "__orig_bases__", ())
    # class Tags(list[T]) has variables, though it does not tell them as class Tags(Generic[T]) does
    of_bases = dict.fromkeys(variable for base in bases for variable in getattr(base, "__parameters__", ()))
    own = dict(zip(getattr(origin, "__parameters__", of_bases), get_args(annotation), strict=False))
    bound: dict[Any, Any] = {}
    for base in bases:
        bound |= {variable: substituted(value, own) for variable, value in bindings_of(base).items()}
    return bound | own


def substituted(annotation: Any, bindings: Bindings) -> Any:
    """Put types in the place of variables, at any depth."""
    if isinstance(annotation, TypeVar):
        return bindings.get(annotation, annotation)
    variables = getattr(annotation, "__parameters__", ()) if get_origin(annotation) else ()
    if not any(variable in bindings for variable in variables):
        return annotation
    return annotation[tuple(bindings.get(variable, variable) for variable in variables)]


def _is_new_type(annotation: Any) -> bool:
    return isinstance(annotation, NewType)


def _new_type_form(annotation: Any, reader: Reader) -> Form:
    return reader.form(in_definition(annotation.__supertype__, annotation))


def is_alias(annotation: Any) -> bool:
    """Recognise `type X = ...` (3.12 and later) and its backport, also with arguments."""
    return type(get_origin(annotation) or annotation).__name__ == "TypeAliasType"


def aliased(annotation: Any) -> Any:
    """Return what an alias stands for."""
    alias = get_origin(annotation) or annotation
    bindings = dict(zip(alias.__type_params__, get_args(annotation), strict=False))
    return substituted(in_definition(alias.__value__, alias), bindings)


def _alias_form(annotation: Any, reader: Reader) -> Form:
    return reader.recursive(annotation, lambda: reader.form(aliased(annotation)))


def _is_variable(annotation: Any) -> bool:
    return isinstance(annotation, TypeVar)


def standing_for(variable: Any) -> Any:
    """Return the default of a type variable, else its bound, else any of its constraints, else any value."""
    default = getattr(variable, "__default__", None)
    if default is not None and not repr(default).endswith("NoDefault"):
        return in_definition(default, variable)
    if variable.__bound__ is not None:
        return in_definition(variable.__bound__, variable)
    if not variable.__constraints__:
        return Any
    return Union[tuple(in_definition(part, variable) for part in variable.__constraints__)]  # noqa: UP007  # of a tuple


def _variable_form(annotation: Any, reader: Reader) -> Form:
    standing = standing_for(annotation)
    if standing is Any:
        reader.remarks[f"{annotation.__name__} may be any type, so any value is accepted"] = None
    return reader.form(standing)


_QUALIFIERS: Final = frozenset({"ClassVar", "Final", "NotRequired", "ReadOnly", "Required"})


def _is_qualified(annotation: Any) -> bool:
    return getattr(get_origin(annotation), "_name", None) in _QUALIFIERS


def unqualified(annotation: Any) -> Any:
    """Take `Required`, `NotRequired`, `ReadOnly` and `Final` off a type; `typing_extensions` has its own of each."""
    return unqualified(get_args(annotation)[0]) if _is_qualified(annotation) else annotation


def qualifiers_of(annotation: Any) -> list[str]:
    """Name what `unqualified` takes off."""
    name = getattr(get_origin(annotation), "_name", None)
    return [name, *qualifiers_of(get_args(annotation)[0])] if name in _QUALIFIERS else []


def _qualified_form(annotation: Any, reader: Reader) -> Form:
    return reader.form(unqualified(annotation))


_NOTHING: Final = (Never, NoReturn)


def _is_init_var(annotation: Any) -> bool:
    return isinstance(annotation, dataclasses.InitVar)


def _init_var_form(annotation: Any, reader: Reader) -> Form:
    return reader.form(annotation.type)


def _is_never(annotation: Any) -> bool:
    return any(annotation is nothing for nothing in _NOTHING)


def _is_literal_string(annotation: Any) -> bool:
    return annotation is LiteralString


# --- names --------------------------------------------------------------------


def _is_unevaluable(annotation: Any) -> bool:
    return isinstance(annotation, Unevaluable)


def _unevaluable_form(annotation: Unevaluable, reader: Reader) -> Form:
    reader.provisional = True
    raise UnresolvedFormError(annotation.reason)


def _is_named(annotation: Any) -> bool:
    return isinstance(annotation, Named)


def _named_form(annotation: Named, reader: Reader) -> Form:
    return reader.recursive(annotation, lambda: reader.form(annotation.value))


# --- no types -----------------------------------------------------------------

_ANSWERING: Final = frozenset({"types", "typing", "typing_extensions", Named.__module__})
"""Modules whose special forms answer for what is in them."""


def is_no_type(annotation: Any) -> bool:
    """Tell whether an object may answer as a type would, and is none: a mock, a proxy."""
    kind = type(annotation)
    return (
        kind is not type and kind.__module__ not in _ANSWERING and is_made_up(annotation) and not is_class(annotation)
    )


def _no_form(annotation: Any, _: Reader) -> Form:
    msg = f"{type_name(annotation)} is no type"
    raise OpaqueFormError(msg)


NO_TYPE_RULE: Final = TypeRule(is_no_type, _no_form)
"""Stands before all that ask an annotation what it is: a mock would say yes."""

SPECIAL_RULES: Final = (
    TypeRule(_is_unevaluable, _unevaluable_form),
    TypeRule(_is_named, _named_form),
    TypeRule(_is_new_type, _new_type_form),
    TypeRule(is_alias, _alias_form),
    TypeRule(_is_variable, _variable_form),
    TypeRule(_is_qualified, _qualified_form),
    TypeRule(_is_init_var, _init_var_form),
    TypeRule(_is_never, lambda _, __: Form(RawSchema("", schema=False))),
    TypeRule(_is_literal_string, lambda _, __: Form(StringSchema())),
)
