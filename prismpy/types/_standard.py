"""The rows for what the standard library knows and JSON does not: times, ids, decimals, paths, bytes, ranges."""

import base64
import binascii
import cmath
import datetime
import re
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import attrs

from prismpy.schema import AnyOfSchema, IntegerSchema, NumberSchema, ObjectSchema, Schema, StringSchema

from ._basic import BASE64, bare
from ._errors import ConversionError
from ._reader import Reader
from ._rule import Form, TypeRule, type_name

# --- from text, and back ------------------------------------------------------


def _construct(kind: Any, text: Any) -> Any:
    return kind(text)


def _from_iso(kind: Any, text: str) -> Any:
    return kind.fromisoformat(text)


def _to_iso(value: Any) -> str:
    text: str = value.isoformat()
    return text


_DURATION: Final = re.compile(
    r"(?P<sign>-?)P(?:(?P<weeks>[\d.]+)W)?(?:(?P<days>[\d.]+)D)?"
    r"(?:T(?=\d)(?:(?P<hours>[\d.]+)H)?(?:(?P<minutes>[\d.]+)M)?(?:(?P<seconds>[\d.]+)S)?)?"
)


def _load_duration(kind: Any, text: str) -> datetime.timedelta:
    """Read an ISO 8601 duration; years and months, whose length varies, are none."""
    match = _DURATION.fullmatch(text)
    if match is None or not any(part for name, part in match.groupdict().items() if name != "sign"):
        raise ValueError(text)
    parts = {name: float(part) for name, part in match.groupdict().items() if name != "sign" and part}
    duration: datetime.timedelta = kind(**parts)
    return -duration if match["sign"] else duration


def _dump_duration(value: datetime.timedelta) -> str:
    sign, value = ("-", -value) if value.days < 0 else ("", value)
    seconds = f"{value.seconds}.{value.microseconds:06d}".rstrip("0").rstrip(".")
    return f"{sign}P{value.days}DT{seconds}S"


def _load_number(kind: Any, value: str | float) -> Any:
    """Read a decimal or a fraction from its digits, without a detour over a float."""
    number = kind(str(value))
    if not getattr(number, "is_finite", lambda: True)():
        raise ValueError(value)
    return number


def _load_path(kind: Any, text: str) -> Any:
    from pathlib import Path, PurePath

    if "\0" in text:
        raise ValueError(text)
    return kind(text) if issubclass(kind, PurePath) else Path(text)


def _load_bytes(kind: Any, text: str) -> Any:
    value = base64.b64decode(text, validate=True)
    return value if isinstance(value, kind) else kind(value)  # what only asks for a buffer cannot be made


def _dump_bytes(value: bytes) -> str:
    return base64.b64encode(value).decode("ascii")


def _load_timezone(kind: Any, text: str) -> datetime.tzinfo:
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    if re.fullmatch(r"UTC|Z|[+-]\d{2}:\d{2}", text, flags=re.IGNORECASE) and issubclass(datetime.timezone, kind):
        zone = datetime.datetime.fromisoformat(f"2000-01-01T00:00{text.upper().replace('UTC', 'Z')}").tzinfo
        assert zone is not None  # noqa: S101  # the text has one
        return zone
    try:
        return ZoneInfo(text)
    except (ZoneInfoNotFoundError, OSError) as error:
        raise ValueError(text) from error


def _dump_timezone(zone: datetime.tzinfo) -> str:
    """Write a zone by its name in the IANA database, or by its offset: `Europe/Oslo`, `UTC`, `+02:00`."""
    return str(zone).removeprefix("UTC") or "UTC"


def _load_complex(kind: Any, value: str | float) -> Any:
    number = kind(value.replace(" ", "") if isinstance(value, str) else value)
    if not cmath.isfinite(number):
        raise ValueError(value)
    return number


def _dump_complex(value: complex) -> str:
    return str(value).strip("()")


def _load_pattern(_: Any, text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(text) from error


def _dump_pattern(pattern: re.Pattern[Any]) -> Any:
    return pattern.pattern


def _dump_path(path: Any) -> Any:
    return path.__fspath__()


# --- the table ----------------------------------------------------------------


@attrs.frozen
class _Text:
    """What is particular to a type that JSON writes as text, or as a number where it can."""

    schema: Schema
    load: Callable[[Any, Any], Any]
    """Takes the annotated class, and text."""

    dump: Callable[[Any], Any]
    example: str


_DECIMAL: Final = AnyOfSchema((NumberSchema(), StringSchema(pattern=r"^-?\d+(\.\d+)?([eE][+-]?\d+)?$")))
_COMPLEX: Final = AnyOfSchema((NumberSchema(), StringSchema()))
_FRACTION: Final = AnyOfSchema((NumberSchema(), StringSchema(pattern=r"^-?\d+(/[1-9]\d*|\.\d+)?$")))
_BYTES: Final = _Text(BASE64, _load_bytes, _dump_bytes, "aGVsbG8=")
_PATH: Final = _Text(StringSchema(format="path"), _load_path, _dump_path, "folder/file.txt")

_TEXTS: Final = {
    "datetime.datetime": _Text(StringSchema(format="date-time"), _from_iso, _to_iso, "2024-05-06T07:08:09+00:00"),
    "datetime.date": _Text(StringSchema(format="date"), _from_iso, _to_iso, "2024-05-06"),
    "datetime.time": _Text(StringSchema(format="time"), _from_iso, _to_iso, "07:08:09"),
    "datetime.timedelta": _Text(StringSchema(format="duration"), _load_duration, _dump_duration, "P1DT2H3M4S"),
    "datetime.tzinfo": _Text(StringSchema(), _load_timezone, _dump_timezone, "+02:00"),
    "decimal.Decimal": _Text(_DECIMAL, _load_number, str, "12.30"),
    "fractions.Fraction": _Text(_FRACTION, _load_number, str, "3/4"),
    "builtins.complex": _Text(_COMPLEX, _load_complex, _dump_complex, "1+2j"),
    "builtins.bytes": _BYTES,
    "builtins.bytearray": _BYTES,
    "builtins.memoryview": _BYTES,
    "collections.abc.Buffer": _BYTES,
    "collections.abc.ByteString": _BYTES,
    "typing_extensions.Buffer": _BYTES,
    "re.Pattern": _Text(StringSchema(format="regex"), _load_pattern, _dump_pattern, "^a.*z$"),
    "uuid.UUID": _Text(StringSchema(format="uuid"), _construct, str, "12345678-1234-5678-1234-567812345678"),
    "ipaddress.IPv4Address": _Text(StringSchema(format="ipv4"), _construct, str, "192.0.2.1"),
    "ipaddress.IPv6Address": _Text(StringSchema(format="ipv6"), _construct, str, "2001:db8::1"),
    "ipaddress.IPv4Network": _Text(StringSchema(), _construct, str, "192.0.2.0/24"),
    "ipaddress.IPv6Network": _Text(StringSchema(), _construct, str, "2001:db8::/32"),
    "os.PathLike": _PATH,
    "pathlib.PurePath": _PATH,
    "pathlib._local.PurePath": _PATH,  # where Python 3.13 keeps it
}
"""
Full name of a class to what is known of it. By name, so that none of these modules is imported before a user does.

The nearest base class counts: an `IPv4Interface` is an address, a `datetime` no date.
"""


def _text_of(annotation: Any) -> _Text | None:
    kind = bare(annotation)  # re.Pattern[str] is a pattern
    names = (f"{base.__module__}.{base.__qualname__}" for base in kind.__mro__) if isinstance(kind, type) else ()
    return next((_TEXTS[name] for name in names if name in _TEXTS), None)


def _is_text(annotation: Any) -> bool:
    return _text_of(annotation) is not None


def _text_form(annotation: Any, _: Reader) -> Form:
    text = _text_of(annotation)
    assert text is not None  # noqa: S101  # the rule applies only where there is one
    return Form(text.schema, partial(_load_text, text, bare(annotation)))


def _load_text(text: _Text, kind: type, value: Any) -> Any:
    try:
        loaded = text.load(kind, value)
    except (ValueError, ArithmeticError, binascii.Error) as error:
        raise _unfit(text, kind, value) from error
    if not isinstance(loaded, kind):
        raise _unfit(text, kind, value)
    return loaded


def _unfit(text: _Text, kind: type, value: Any) -> ConversionError:
    return ConversionError(f"expected a {type_name(kind)} such as {text.example!r}, got {value!r}")


def _dump_text(value: Any) -> Any:
    text = _text_of(type(value))
    assert text is not None  # noqa: S101  # the rule applies only where there is one
    return text.dump(value)


# --- ranges and slices --------------------------------------------------------

_STEP: Final = IntegerSchema("step", default=1, extra={"not": {"const": 0}})
_RANGE: Final = ObjectSchema(
    properties=(IntegerSchema("start", default=0), IntegerSchema("stop"), _STEP), required_fields=("stop",)
)


def _is_range(annotation: Any) -> bool:
    return annotation is range


def _load_range(value: dict[str, Any]) -> range:
    return range(int(value.get("start", 0)), int(value["stop"]), int(value.get("step", 1)))


def _dump_range(value: range) -> dict[str, int]:
    return {"start": value.start, "stop": value.stop, "step": value.step}


_ENDS: Final = ("start", "stop", "step")
_SLICE: Final = ObjectSchema(properties=tuple(IntegerSchema(end, None, True, default=None) for end in _ENDS))


def _is_slice(annotation: Any) -> bool:
    return bare(annotation) is slice


def _load_slice(value: dict[str, Any]) -> slice:
    return slice(*(None if value.get(end) is None else int(value[end]) for end in _ENDS))


def _dump_slice(value: slice) -> dict[str, Any]:
    return {end: getattr(value, end) for end in _ENDS}


STANDARD_RULES: Final = (
    TypeRule(_is_text, _text_form, _dump_text),
    TypeRule(_is_range, lambda _, __: Form(_RANGE, _load_range), _dump_range),
    TypeRule(_is_slice, lambda _, __: Form(_SLICE, _load_slice), _dump_slice),
)
