"""
The rows for numpy: scalars, and arrays as nested lists.

Nothing here imports it before the user has: an array cannot be asked for without.
"""

import sys
from functools import partial
from typing import Any, Final, Union, get_args

import attrs

from prismpy.schema import (
    JSON,
    AnyOfSchema,
    ArraySchema,
    BooleanSchema,
    IntegerSchema,
    NumberSchema,
    Schema,
    StringSchema,
)

from ._basic import bare, is_union
from ._errors import OpaqueFormError, by_users_code
from ._reader import Reader
from ._rule import Form, TypeRule, type_name
from ._special import is_alias

# --- numpy: scalars -----------------------------------------------------------


@attrs.frozen
class _Scalar:
    """How a kind of numpy scalars looks as JSON, and what makes one where the class itself is abstract."""

    schema: Schema
    maker: str = ""


_SCALARS: Final = {
    "bool": _Scalar(BooleanSchema()),
    "integer": _Scalar(IntegerSchema(), "int64"),
    "floating": _Scalar(NumberSchema(), "float64"),
    "complexfloating": _Scalar(AnyOfSchema((NumberSchema(), StringSchema())), "complex128"),
    "str_": _Scalar(StringSchema(), "str_"),
    "datetime64": _Scalar(StringSchema(format="date-time")),
}
"""Name in numpy to what is known of it and its subclasses; the nearest base counts."""

_ANY_NUMBER: Final = _Scalar(NumberSchema(), "float64")


def _numpy(annotation: Any) -> Any:
    """Return numpy, if it is loaded and an annotation may be of it."""
    return sys.modules.get("numpy") if isinstance(bare(annotation), type) else None


def _scalar_of(kind: type) -> tuple[_Scalar, Any]:
    """Return what is known of a class of numpy scalars, and what makes one of JSON."""
    numpy: Any = sys.modules["numpy"]
    if kind in (numpy.number, numpy.generic):
        return _ANY_NUMBER, numpy.float64
    for base in () if issubclass(kind, numpy.timedelta64) else kind.__mro__:
        scalar = _SCALARS.get(base.__name__)
        if scalar is not None and issubclass(base, numpy.generic):
            return scalar, getattr(numpy, scalar.maker) if base is kind and scalar.maker else kind
    msg = f"numpy.{type_name(kind)} has no JSON form"
    raise OpaqueFormError(msg)


def _is_scalar(annotation: Any) -> bool:
    numpy = _numpy(annotation)
    return numpy is not None and issubclass(bare(annotation), numpy.generic)


def _scalar_form(annotation: Any, _: Reader) -> Form:
    scalar, maker = _scalar_of(bare(annotation))
    return Form(scalar.schema, partial(make, maker, bare(annotation)))


def make(maker: Any, kind: Any, value: JSON) -> Any:
    with by_users_code(f"no {type_name(kind)} can be made of it"):
        return maker(value)


def _scalar_value(value: Any) -> Any:
    return str(value) if value.dtype.kind == "M" else value.item()


# --- numpy: arrays ------------------------------------------------------------


@attrs.frozen
class _Nested:
    """Lists of lists of ... of scalars, as deep as one likes."""

    item: Schema
    name: str

    def __str__(self) -> str:
        return self.name


def _is_array(annotation: Any) -> bool:
    numpy = _numpy(annotation)
    return numpy is not None and bare(annotation) is numpy.ndarray


def _array_form(annotation: Any, reader: Reader) -> Form:
    shape, kind = _shape_and_kind(annotation)
    scalar, maker = _scalar_of(kind)
    if shape is None:
        schema = reader.form(_Nested(scalar.schema, f"{type_name(kind)}_array")).schema
    else:
        schema = scalar.schema
        for _ in range(shape):
            schema = ArraySchema(items=schema)
    numpy: Any = sys.modules["numpy"]
    untyped = kind in (numpy.generic, numpy.number)
    return Form(schema, partial(make, partial(numpy.array, dtype=None if untyped else maker), numpy.ndarray))


def _shape_and_kind(annotation: Any) -> tuple[int | None, Any]:
    """Take `ndarray[tuple[int, int], dtype[float64]]` apart: dimensions, None for any; class of the items."""
    numpy: Any = sys.modules["numpy"]
    shape, dtype = (*get_args(annotation), Any, Any)[:2]
    sizes = get_args(shape)
    kind = (*get_args(dtype), Any)[0]
    known = isinstance(kind, type) and issubclass(kind, numpy.generic)
    return (len(sizes) if sizes and ... not in sizes else None), kind if known else numpy.generic


def _nested_form(annotation: _Nested, reader: Reader) -> Form:
    return reader.recursive(annotation, lambda: _lists(annotation, reader))


def _lists(annotation: _Nested, reader: Reader) -> Form:
    return Form(ArraySchema(items=AnyOfSchema((annotation.item, reader.form(annotation).schema))))


def _array_values(value: Any) -> Any:
    return value.astype(str).tolist() if value.dtype.kind == "M" else value.tolist()


class _ArrayLike:
    """Stands for what numpy makes an array of: scalars and nested lists of them, as they are."""


def _is_array_like(annotation: Any) -> bool:
    numpys = is_union(annotation) and "numpy" in sys.modules
    return numpys and any(_is_numpys_own(part) for part in annotation.__args__)


def _is_array_like_alias(annotation: Any) -> bool:
    """Recognise `ArrayLike` where it is a name of its own, since Python 3.12, and the like of it for some kinds."""
    alias = getattr(annotation, "__origin__", annotation)
    return is_alias(alias) and str(alias.__module__).startswith("numpy._typing") and "ArrayLike" in alias.__name__


def _is_numpys_own(annotation: Any) -> bool:
    """Recognise a member that only `numpy.typing.ArrayLike` has. Source: numpy 2.4, `_typing` (read 2026-11)."""
    kind = bare(annotation)
    return isinstance(kind, type) and kind.__module__.startswith("numpy._typing._") and kind.__name__ in _OWN


_OWN: Final = frozenset({"_Buffer", "_NestedSequence", "_SupportsArray"})
_BESIDE: Final = (bool, int, float, complex, bytes, str)


def _array_like_form(annotation: Any, reader: Reader) -> Form:
    """Read `ArrayLike`, and whatever else is in the union with it."""
    beside = [part for part in annotation.__args__ if not _is_part_of_array_like(part)]
    return reader.form(Union[(_ArrayLike, *beside)])


def _is_part_of_array_like(annotation: Any) -> bool:
    return annotation in _BESIDE or _is_numpys_own(annotation) or getattr(annotation, "__name__", "") == "Buffer"


def _any_array_form(_: Any, reader: Reader) -> Form:
    item = AnyOfSchema((NumberSchema(), BooleanSchema(), StringSchema()))
    return Form(AnyOfSchema((*item.schemas, reader.form(_Nested(item, "nested_list")).schema)))


# --- numpy: types of items ----------------------------------------------------


def _is_dtype(annotation: Any) -> bool:
    numpy = _numpy(annotation)
    return numpy is not None and issubclass(bare(annotation), numpy.dtype)


def _dtype_form(_: Any, __: Reader) -> Form:
    numpy: Any = sys.modules["numpy"]
    return Form(StringSchema(examples=["float64", "int64", "bool"]), partial(make, numpy.dtype, numpy.dtype))


ARRAY_RULES: Final = (
    TypeRule(_is_scalar, _scalar_form, _scalar_value),
    TypeRule(_is_array, _array_form, _array_values),
    TypeRule(_is_dtype, _dtype_form, str),
    TypeRule(lambda annotation: type(annotation) is _Nested, _nested_form),
    TypeRule(lambda annotation: annotation is _ArrayLike, _any_array_form),
)

ARRAY_LIKE_RULE: Final = TypeRule(_is_array_like, _array_like_form)
"""Stands before the row for unions."""

ARRAY_LIKE_ALIAS_RULE: Final = TypeRule(_is_array_like_alias, _any_array_form)
"""Stands before the row for aliases."""
