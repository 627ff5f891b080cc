"""The rows for what the standard library knows and JSON does not: times, ids, decimals, paths, bytes, tuples, sets."""

import base64
import collections.abc
import datetime
import decimal
import pathlib
import re
import uuid
from collections.abc import Callable
from functools import partial
from typing import Any, Final, get_args

import attrs

from prismpy.schema import AnyOfSchema, ArraySchema, NumberSchema, Schema, StringSchema, emit

from ._basic import bare, load_items
from ._rule import ConversionError, Form, Reader, TypeRule, in_order, inside, load_with, type_name

# --- types that JSON writes as text -------------------------------------------


@attrs.frozen
class _Text:
    """What is particular to one such type."""

    schema: Schema
    load: Callable[[Any], Any]
    dump: Callable[[Any], Any]
    example: str


_DURATION: Final = re.compile(
    r"(?P<sign>-?)P(?:(?P<weeks>[\d.]+)W)?(?:(?P<days>[\d.]+)D)?"
    r"(?:T(?=\d)(?:(?P<hours>[\d.]+)H)?(?:(?P<minutes>[\d.]+)M)?(?:(?P<seconds>[\d.]+)S)?)?"
)


def _load_duration(text: str) -> datetime.timedelta:
    """Read an ISO 8601 duration; years and months, whose length varies, are none."""
    match = _DURATION.fullmatch(text)
    if match is None or not any(part for name, part in match.groupdict().items() if name != "sign"):
        raise ValueError(text)
    parts = {name: float(part) for name, part in match.groupdict().items() if name != "sign" and part}
    return (-1 if match["sign"] else 1) * datetime.timedelta(**parts)


def _dump_duration(value: datetime.timedelta) -> str:
    sign, value = ("-", -value) if value.days < 0 else ("", value)
    seconds = f"{value.seconds}.{value.microseconds:06d}".rstrip("0").rstrip(".")
    return f"{sign}P{value.days}DT{seconds}S"


def _load_decimal(value: str | float) -> decimal.Decimal:
    number = decimal.Decimal(str(value))
    if not number.is_finite():
        raise ValueError(value)
    return number


def _load_path(text: str) -> pathlib.Path:
    if "\0" in text:
        raise ValueError(text)
    return pathlib.Path(text)


_DECIMAL: Final = AnyOfSchema((NumberSchema(), StringSchema(pattern=r"^-?\d+(\.\d+)?$")))

_TEXTS: Final = {
    # datetime comes before date, of which it is a subclass
    datetime.datetime: _Text(
        StringSchema(format="date-time"),
        datetime.datetime.fromisoformat,
        datetime.datetime.isoformat,
        "2024-05-06T07:08:09+00:00",
    ),
    datetime.date: _Text(
        StringSchema(format="date"), datetime.date.fromisoformat, datetime.date.isoformat, "2024-05-06"
    ),
    datetime.time: _Text(StringSchema(format="time"), datetime.time.fromisoformat, datetime.time.isoformat, "07:08:09"),
    datetime.timedelta: _Text(StringSchema(format="duration"), _load_duration, _dump_duration, "P1DT2H3M4S"),
    uuid.UUID: _Text(StringSchema(format="uuid"), uuid.UUID, str, "12345678-1234-5678-1234-567812345678"),
    decimal.Decimal: _Text(_DECIMAL, _load_decimal, str, "12.30"),
    pathlib.PurePath: _Text(StringSchema(format="path"), _load_path, str, "folder/file.txt"),
    bytes: _Text(
        StringSchema(extra={"contentEncoding": "base64"}),
        partial(base64.b64decode, validate=True),
        lambda value: base64.b64encode(value).decode("ascii"),
        "aGVsbG8=",
    ),
}


def _text_of(kind: Any) -> _Text | None:
    classes = kind.__mro__ if isinstance(kind, type) else ()
    return next((_TEXTS[base] for base in classes if base in _TEXTS), None)


def _is_text(annotation: Any) -> bool:
    return _text_of(annotation) is not None


def _text_form(annotation: Any, _: Reader) -> Form:
    text = _TEXTS[next(base for base in annotation.__mro__ if base in _TEXTS)]
    return Form(text.schema, partial(_load_text, text, annotation))


def _load_text(text: _Text, kind: type, value: Any) -> Any:
    try:
        return text.load(value)
    except (ValueError, ArithmeticError) as error:
        msg = f"expected a {type_name(kind)} such as {text.example!r}, got {value!r}"
        raise ConversionError(msg) from error


def _dump_text(value: Any) -> Any:
    text = _text_of(type(value))
    assert text is not None  # noqa: S101  # the rule applies only where there is one
    return text.dump(value)


# --- tuples and sets ----------------------------------------------------------

_SETS: Final = {set: set, frozenset: frozenset, collections.abc.Set: frozenset, collections.abc.MutableSet: set}


def _is_set(annotation: Any) -> bool:
    return bare(annotation) in _SETS


def _set_form(annotation: Any, reader: Reader) -> Form:
    """Accept repeated items too, since a set has them once anyway."""
    item = reader.form((get_args(annotation) or (Any,))[0])
    build = _SETS[bare(annotation)]
    return Form(ArraySchema(items=item.schema), lambda values: build(load_items(partial(load_with, item), values)))


def _is_tuple(annotation: Any) -> bool:
    return bare(annotation) is tuple


def _tuple_form(annotation: Any, reader: Reader) -> Form:
    parts = get_args(annotation)
    if annotation is tuple or parts[1:] == (...,):
        item = reader.form((parts or (Any,))[0])
        return Form(ArraySchema(items=item.schema), lambda values: tuple(load_items(partial(load_with, item), values)))
    forms = [reader.form(part) for part in parts]
    keywords = {"prefixItems": [emit(form.schema) for form in forms]} if forms else {}
    return Form(ArraySchema(min_items=len(forms), max_items=len(forms), extra=keywords), partial(_load_tuple, forms))


def _load_tuple(forms: list[Form], values: list[Any]) -> tuple[Any, ...]:
    loaded = []
    for i, (form, value) in enumerate(zip(forms, values, strict=True)):
        with inside(i):
            loaded.append(load_with(form, value))
    return tuple(loaded)


STANDARD_RULES: Final = (
    TypeRule(_is_text, _text_form, _dump_text),
    TypeRule(_is_set, _set_form, in_order),
    TypeRule(_is_tuple, _tuple_form, list),
)
