"""The rows for types that ask only for an ability, such as to be hashed or counted: JSON's own values have it."""

from typing import Any, Final

from prismpy.schema import (
    AnyOfSchema,
    ArraySchema,
    BooleanSchema,
    IntegerSchema,
    NumberSchema,
    ObjectSchema,
    StringSchema,
)

from ._basic import bare
from ._reader import Reader
from ._rule import Form, TypeRule

_NUMBER: Final = Form(NumberSchema())
_SCALAR: Final = Form(AnyOfSchema((StringSchema(), NumberSchema(), BooleanSchema()), nullable=True))
_SIZED: Final = Form(
    AnyOfSchema((StringSchema(), ArraySchema(), ObjectSchema(properties=None, allow_additional_properties=None)))
)
_WHOLE: Final = Form(IntegerSchema(), int)  # 5.0 is an integer by JSON Schema

_ABILITIES: Final[dict[str, Any]] = {
    "collections.abc.Hashable": _SCALAR,
    "collections.abc.Sized": _SIZED,
    "typing.SupportsAbs": _NUMBER,
    "typing.SupportsBytes": bytes,
    "typing.SupportsComplex": _NUMBER,
    "typing.SupportsFloat": _NUMBER,
    "typing.SupportsIndex": _WHOLE,
    "typing.SupportsInt": _NUMBER,
    "typing.SupportsRound": _NUMBER,
    "numbers.Number": _NUMBER,
    "numbers.Complex": _NUMBER,
    "numbers.Real": _NUMBER,
    "numbers.Rational": _WHOLE,
    "numbers.Integral": _WHOLE,
}
"""
Full name of a type to the annotation that is read in its place, or to its form.

By name, so that `numbers` is not imported before a user does.
"""


def _ability_of(annotation: Any) -> Any:
    kind = bare(annotation)  # SupportsAbs[int] asks for the same
    return _ABILITIES.get(f"{kind.__module__}.{kind.__qualname__}") if isinstance(kind, type) else None


def _is_ability(annotation: Any) -> bool:
    return _ability_of(annotation) is not None


def _ability_form(annotation: Any, reader: Reader) -> Form:
    found = _ability_of(annotation)
    return found if isinstance(found, Form) else reader.form(found)


ABSTRACT_RULES: Final = (TypeRule(_is_ability, _ability_form),)
