"""Python types as JSON: schema, the way in and the way out, row by row."""

import argparse
import asyncio
import collections
import collections.abc
import dataclasses
import datetime
import decimal
import enum
import fractions
import io
import ipaddress
import numbers
import os
import pathlib
import re
import sys
import types
import uuid
import zoneinfo
from collections.abc import Callable
from typing import (
    Annotated,
    Any,
    Generic,
    Literal,
    LiteralString,
    NamedTuple,
    NewType,
    NotRequired,
    Optional,
    Required,
    Self,
    SupportsAbs,
    SupportsBytes,
    SupportsFloat,
    SupportsIndex,
    TypedDict,
    TypeVar,
    Union,
)

import annotated_types
import attrs
import msgspec
import pydantic
import pytest
import typing_extensions
from pydantic import BaseModel
from typing_extensions import ReadOnly

from prismpy.schema import NullSchema, StringSchema, emit
from prismpy.types import (
    ConversionError,
    Form,
    NoJSONFormError,
    Param,
    Reader,
    TypeRule,
    load_with,
    read,
    register,
    to_json,
)


class Access(enum.Flag):
    READ = 1
    WRITE = 2


UserId = NewType("UserId", int)
Number = TypeVar("Number", int, float)
Bounded = TypeVar("Bounded", bound=str)
Anything = TypeVar("Anything")


@attrs.frozen
class Box(Generic[Anything]):
    item: Anything
    more: list[Anything]


class DateBox(Box[datetime.date]):
    pass


class GenericJob(TypedDict, Generic[Anything]):
    item: ReadOnly[Anything]


class Struct(msgspec.Struct, rename="camel"):
    first_name: Annotated[str, msgspec.Meta(min_length=1)]
    size: int = 3


class Color(enum.Enum):
    RED = "red"
    ONE = 1


class Level(enum.IntEnum):
    LOW = 0
    HIGH = 1


@dataclasses.dataclass
class Point:
    x: int
    kids: "list[Point]" = dataclasses.field(default_factory=list)
    made: str = dataclasses.field(default="", init=False)


@attrs.frozen
class Money:
    _amount: decimal.Decimal
    color: Color = Color.RED
    note: str | None = attrs.field(default=None, metadata={"description": "What for"})
    tags: list[str] = attrs.field(factory=list)
    size: int = attrs.field(default=0, init=False)


class Job(TypedDict):
    queue: Required[int]
    label: NotRequired[str]


class Pair(NamedTuple):
    left: int
    right: str = "r"


class Model(BaseModel):
    at: datetime.date
    inner: "Model | None" = None


class Distance:
    """How far."""

    class Unmade:
        def __eq__(self, other: object) -> bool:
            return True

        __hash__ = None  # type: ignore[assignment]

    def __init__(self, metres: float, via: "list[Distance] | None" = None, *, unit: Literal["m", "km"] = "m") -> None:
        """
        Measure.

        Args:
            metres: In metres.
        """
        self._metres = metres
        self.via = via
        self.unit = unit

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Distance) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(self._metres)


class Client:
    def __init__(self, url: str) -> None:
        self.url = url

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return 1

    def close(self) -> None: ...


class Query:
    def __init__(self, table: str) -> None:
        self.table = table

    def __eq__(self, other: object) -> "Query":  # type: ignore[override]
        return self

    def __hash__(self) -> int:
        return 1


class Untold:
    def __init__(self, name) -> None:
        self.name = name

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 1


class Vague:
    def __init__(self, name: str) -> None:
        self.words = name.split()

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 1


class Needy(str):
    __slots__ = ()

    def __new__(cls, text: str, language: str) -> Self:
        return super().__new__(cls, text + language)


class Email(str):
    __slots__ = ()

    def __new__(cls, text: str) -> Self:
        if "@" not in text:
            raise ValueError("no @ in it")
        return super().__new__(cls, text)


class Slug(Client, str):
    __slots__ = ()

    def __init__(self, text: str) -> None: ...

    __eq__ = str.__eq__
    __hash__ = str.__hash__


class Palette(collections.UserDict[str, Color]):
    pass


class Tags(list[Anything]):
    pass


class DayTags(Tags[datetime.date]):
    pass


class Ranks(dict[str, Color]):
    pass


class Size(enum.StrEnum):
    SMALL = "s"


class Rights(enum.IntFlag):
    READ = 1
    WRITE = 2


@attrs.frozen
class Cat:
    kind: Literal["cat"]
    lives: int = 9


@attrs.frozen
class Dog:
    kind: Literal["dog"]
    tricks: list[str] = attrs.field(factory=list)


class CatModel(BaseModel):
    kind: Literal["cat"] = "cat"
    lives: int = pydantic.Field(9, alias="livesLeft", description="How many")


class DogModel(BaseModel):
    kind: Literal["dog"] = "dog"


class Names(pydantic.RootModel[list[str]]):
    pass


@attrs.frozen
class AttrsTree:
    kids: "tuple[AttrsTree, ...]" = ()


class DictTree(TypedDict, total=False):
    kids: "list[DictTree]"


class TupleTree(NamedTuple):
    kids: "list[TupleTree]"


class StructTree(msgspec.Struct):
    kids: "list[StructTree]" = []


@attrs.frozen
class SelfTree:
    kids: list[Self] = attrs.field(factory=list)


class Extended(typing_extensions.TypedDict):
    made: typing_extensions.ReadOnly[datetime.date]
    size: typing_extensions.NotRequired[int]


Defaulted = typing_extensions.TypeVar("Defaulted", default=datetime.date)
Day = typing_extensions.TypeAliasType("Day", datetime.date)
Row = typing_extensions.TypeAliasType("Row", list[Anything], type_params=(Anything,))
Doc = typing_extensions.TypeAliasType("Doc", "str | list[Doc]")

STRING = {"type": "string"}
INTEGER = {"type": "integer"}
COLOR = {"type": ["string", "integer"], "enum": ["red", 1]}

ROWS: list[tuple[Any, Any, Any, Any]] = [
    # annotation, schema, JSON, value
    (str, STRING, "a", "a"),
    (int, INTEGER, 3, 3),
    (float, {"type": "number"}, 1.5, 1.5),
    (bool, {"type": "boolean"}, True, True),
    (None, {"type": "null"}, None, None),
    (Any, {}, {"a": [1]}, {"a": [1]}),
    (object, {}, "a", "a"),
    (Optional[int], {"type": ["integer", "null"]}, None, None),
    (Union[int, str], {"anyOf": [INTEGER, STRING]}, "a", "a"),
    (int | str | None, {"anyOf": [INTEGER, STRING, {"type": "null"}]}, None, None),
    (str | bool, {"anyOf": [STRING, {"type": "boolean"}]}, True, True),
    (Any | None, {}, None, None),
    (datetime.date | str, {"anyOf": [{"type": "string", "format": "date"}, STRING]}, "soon", "soon"),
    (datetime.date | None, {"type": ["string", "null"], "format": "date"}, "2024-05-06", datetime.date(2024, 5, 6)),
    (Model | None, None, None, None),
    (Literal["a", 0, None], {"type": ["string", "integer", "null"], "enum": ["a", 0, None]}, 0, 0),
    (Literal["a"] | Literal["b"] | None, {"type": ["string", "null"], "enum": ["a", "b", None]}, "b", "b"),
    (Literal[Color.RED], {"type": "string", "enum": ["red"]}, "red", Color.RED),
    (Color, {"type": ["string", "integer"], "enum": ["red", 1]}, 1, Color.ONE),
    (Color | None, {"type": ["string", "integer", "null"], "enum": ["red", 1, None]}, "red", Color.RED),
    (Level, {"type": "integer", "enum": [0, 1]}, 1, Level.HIGH),
    (Annotated[int, "How many"], {"type": "integer", "description": "How many"}, 1, 1),
    (Annotated[int, object()], INTEGER, 1, 1),
    (list[int], {"type": "array", "items": INTEGER}, [1], [1]),
    (list, {"type": "array", "items": {}}, [1, "a"], [1, "a"]),
    (collections.abc.Sequence[str], {"type": "array", "items": STRING}, ["a"], ["a"]),
    (dict[str, Color], {"type": "object", "additionalProperties": {"type": ["string", "integer"], "enum": ["red", 1]}},
     {"a": "red"}, {"a": Color.RED}),
    (dict, {"type": "object"}, {"a": 1}, {"a": 1}),
    (collections.abc.Mapping[str, str], {"type": "object", "additionalProperties": STRING}, {"a": "b"}, {"a": "b"}),
    (tuple[int, str], {"type": "array", "minItems": 2, "maxItems": 2, "prefixItems": [INTEGER, STRING]}, [1, "a"], (1, "a")),
    (tuple[()], {"type": "array", "minItems": 0, "maxItems": 0}, [], ()),
    (dict[int, str], {"type": "object", "additionalProperties": STRING, "propertyNames": {"type": "string", "pattern": r"^-?\d+$"}},
     {"3": "a"}, {3: "a"}),
    (dict[Literal["a", "b"], int], {"type": "object", "additionalProperties": INTEGER, "propertyNames": {"type": "string", "enum": ["a", "b"]}},
     {"a": 1}, {"a": 1}),
    (dict[datetime.date, int], None, {"2024-05-06": 1}, {datetime.date(2024, 5, 6): 1}),
    (collections.OrderedDict[str, int], None, {"a": 1}, collections.OrderedDict(a=1)),
    (collections.defaultdict[str, Color], None, {"a": "red"}, collections.defaultdict(None, a=Color.RED)),
    (collections.Counter[str], {"type": "object", "additionalProperties": INTEGER}, {"a": 1}, collections.Counter("a")),
    (collections.deque[Color], None, ["red"], collections.deque([Color.RED])),
    (collections.abc.Set[int], None, [1], frozenset({1})),
    (Access, {"type": "array", "items": {"type": "string", "enum": ["READ", "WRITE"]}}, ["READ", "WRITE"], Access.READ | Access.WRITE),
    (range, None, {"start": 1, "stop": 9, "step": 2}, range(1, 9, 2)),
    (complex, {"anyOf": [{"type": "number"}, STRING]}, "1+2j", 1 + 2j),
    (fractions.Fraction, None, "3/4", fractions.Fraction(3, 4)),
    (re.Pattern[str], {"type": "string", "format": "regex"}, "^a$", re.compile("^a$")),
    (ipaddress.IPv4Address, {"type": "string", "format": "ipv4"}, "192.0.2.1", ipaddress.IPv4Address("192.0.2.1")),
    (ipaddress.IPv6Network, STRING, "2001:db8::/32", ipaddress.IPv6Network("2001:db8::/32")),
    (datetime.timezone, STRING, "+02:00", datetime.timezone(datetime.timedelta(hours=2))),
    (datetime.timezone, STRING, "UTC", datetime.UTC),
    (bytearray, None, "aGk=", bytearray(b"hi")),
    (pathlib.PurePosixPath, None, "a/b", pathlib.PurePosixPath("a/b")),
    (int, None, 1, 1),
    (LiteralString, STRING, "a", "a"),
    (UserId, INTEGER, 3, 3),
    (Number, {"anyOf": [INTEGER, {"type": "number"}]}, 1.5, 1.5),
    (Bounded, STRING, "a", "a"),
    (Anything, {}, ["a"], ["a"]),
    (Box[int], {
        "type": "object",
        "properties": {"item": INTEGER, "more": {"type": "array", "items": INTEGER}},
        "required": ["item", "more"],
        "additionalProperties": False,
     }, {"item": 1, "more": [2]}, Box(1, [2])),
    (DateBox, None, {"item": "2024-05-06", "more": []}, DateBox(datetime.date(2024, 5, 6), [])),
    (GenericJob[Color], None, {"item": "red"}, {"item": Color.RED}),
    (Struct, {
        "type": "object",
        "properties": {"firstName": {"type": "string", "minLength": 1}, "size": {"type": "integer", "default": 3}},
        "required": ["firstName"],
        "additionalProperties": False,
     }, {"firstName": "a", "size": 3}, Struct("a")),
    (Annotated[int, annotated_types.Ge(0), pydantic.Field(lt=9), "Size"],
     {"type": "integer", "minimum": 0, "exclusiveMaximum": 9, "description": "Size"}, 3, 3),
    (Annotated[str, msgspec.Meta(min_length=1, pattern="^a", description="A", examples=["ab"])],
     {"type": "string", "description": "A", "minLength": 1, "pattern": "^a", "examples": ["ab"]}, "ab", "ab"),
    (Annotated[list[int], annotated_types.Len(1, 3)], {"type": "array", "items": INTEGER, "minItems": 1, "maxItems": 3}, [1], [1]),
    (Annotated[dict[str, int], Param(min_length=1)], {"type": "object", "additionalProperties": INTEGER, "minProperties": 1}, {"a": 1}, {"a": 1}),
    (Annotated[int | str, Param(max_length=3, maximum=9)],
     {"anyOf": [INTEGER, STRING], "maximum": 9, "maxLength": 3, "maxItems": 3, "maxProperties": 3}, "abc", "abc"),
    (Annotated[Any, Param(description="Free")], {"description": "Free"}, 1, 1),
    (Annotated[decimal.Decimal, pydantic.Field(max_digits=3)], {"anyOf": [{"type": "number"}, STRING]}, "1.5", decimal.Decimal("1.5")),
    (tuple[Color, ...], None, ["red"], (Color.RED,)),
    (tuple, {"type": "array", "items": {}}, [1], (1,)),
    (set[int], {"type": "array", "items": INTEGER}, [1, 2], {1, 2}),
    (frozenset[str], {"type": "array", "items": STRING}, ["a"], frozenset({"a"})),
    (datetime.date, {"type": "string", "format": "date"}, "2024-05-06", datetime.date(2024, 5, 6)),
    (datetime.datetime, {"type": "string", "format": "date-time"}, "2024-05-06T07:08:09", datetime.datetime(2024, 5, 6, 7, 8, 9)),
    (datetime.time, {"type": "string", "format": "time"}, "07:08:09", datetime.time(7, 8, 9)),
    (datetime.timedelta, {"type": "string", "format": "duration"}, "P1DT3.5S", datetime.timedelta(days=1, seconds=3.5)),
    (datetime.timedelta, None, "-P0DT60S", -datetime.timedelta(minutes=1)),
    (uuid.UUID, {"type": "string", "format": "uuid"}, "00000000-0000-0000-0000-000000000001", uuid.UUID(int=1)),
    (decimal.Decimal, {"anyOf": [{"type": "number"}, {"type": "string", "pattern": r"^-?\d+(\.\d+)?([eE][+-]?\d+)?$"}]},
     "12.30", decimal.Decimal("12.30")),
    (pathlib.Path, {"type": "string", "format": "path"}, "a/b", pathlib.Path("a/b")),
    (bytes, {"type": "string", "contentEncoding": "base64"}, "aGk=", b"hi"),
    (Money, {
        "type": "object",
        "properties": {
            "amount": {"anyOf": [{"type": "number"}, {"type": "string", "pattern": r"^-?\d+(\.\d+)?([eE][+-]?\d+)?$"}]},
            "color": {"type": ["string", "integer"], "enum": ["red", 1], "default": "red"},
            "note": {"type": ["string", "null"], "description": "What for", "default": None},
            "tags": {"type": "array", "items": STRING},
        },
        "required": ["amount"],
        "additionalProperties": False,
     }, {"amount": "1.5", "color": 1, "note": None, "tags": []}, Money(decimal.Decimal("1.5"), Color.ONE)),
    (Job, {
        "type": "object",
        "properties": {"queue": INTEGER, "label": STRING},
        "required": ["queue"],
        "additionalProperties": False,
     }, {"queue": 1}, {"queue": 1}),
    (Pair, {
        "type": "object",
        "properties": {"left": INTEGER, "right": {"type": "string", "default": "r"}},
        "required": ["left"],
        "additionalProperties": False,
     }, {"left": 1, "right": "r"}, Pair(1)),
    (list[Pair], None, [{"left": 1, "right": "b"}], [Pair(1, "b")]),
    (Size, {"type": "string", "enum": ["s"]}, "s", Size.SMALL),
    (Rights, {"type": "array", "items": {"type": "string", "enum": ["READ", "WRITE"]}}, ["WRITE"], Rights.WRITE),
    (Cat | Dog, None, {"kind": "dog", "tricks": ["roll"]}, Dog("dog", ["roll"])),
    (Annotated[CatModel | DogModel, pydantic.Field(discriminator="kind")], None, {"kind": "cat", "livesLeft": 3}, CatModel(livesLeft=3)),
    (CatModel, {
        "type": "object",
        "properties": {
            "kind": {"type": "string", "const": "cat", "default": "cat"},
            "livesLeft": {"type": "integer", "description": "How many", "default": 9},
        },
        "additionalProperties": False,
     }, {"kind": "cat", "livesLeft": 3}, CatModel(livesLeft=3)),
    (Names, {"type": "array", "items": STRING}, ["a"], Names(["a"])),
    (AttrsTree, {"$ref": "#/$defs/AttrsTree"}, {"kids": [{"kids": []}]}, AttrsTree((AttrsTree(),))),
    (DictTree, {"$ref": "#/$defs/DictTree"}, {"kids": [{}]}, {"kids": [{}]}),
    (TupleTree, {"$ref": "#/$defs/TupleTree"}, {"kids": [{"kids": []}]}, TupleTree([TupleTree([])])),
    (StructTree, {"$ref": "#/$defs/StructTree"}, {"kids": [{"kids": []}]}, StructTree([StructTree()])),
    (SelfTree, {"$ref": "#/$defs/SelfTree"}, {"kids": [{"kids": []}]}, SelfTree([SelfTree()])),
    (Extended, None, {"made": "2024-05-06"}, {"made": datetime.date(2024, 5, 6)}),
    (Defaulted, {"type": "string", "format": "date"}, "2024-05-06", datetime.date(2024, 5, 6)),
    (Day, {"type": "string", "format": "date"}, "2024-05-06", datetime.date(2024, 5, 6)),
    (Row[datetime.date], None, ["2024-05-06"], [datetime.date(2024, 5, 6)]),
    (Doc, {"$ref": "#/$defs/Doc"}, ["a", ["b"]], ["a", ["b"]]),
    (ipaddress.IPv6Address, {"type": "string", "format": "ipv6"}, "2001:db8::1", ipaddress.IPv6Address("2001:db8::1")),
    (ipaddress.IPv4Network, STRING, "192.0.2.0/24", ipaddress.IPv4Network("192.0.2.0/24")),
    (ipaddress.IPv4Interface, {"type": "string", "format": "ipv4"}, "192.0.2.1/24", ipaddress.IPv4Interface("192.0.2.1/24")),
    (zoneinfo.ZoneInfo, STRING, "Europe/Oslo", zoneinfo.ZoneInfo("Europe/Oslo")),
    (datetime.tzinfo, STRING, "Europe/Oslo", zoneinfo.ZoneInfo("Europe/Oslo")),
    (os.PathLike[str], {"type": "string", "format": "path"}, "a/b", pathlib.Path("a/b")),
    (int | Callable[[], int], INTEGER, 3, 3),
    (collections.abc.Hashable, {"anyOf": [STRING, {"type": "number"}, {"type": "boolean"}, {"type": "null"}]}, 1, 1),
    (collections.abc.Sized, {"anyOf": [STRING, {"type": "array"}, {"type": "object"}]}, [1], [1]),
    (SupportsIndex, INTEGER, 3, 3),
    (SupportsFloat, {"type": "number"}, 1.5, 1.5),
    (SupportsAbs[int], {"type": "number"}, 1, 1),
    (SupportsBytes, {"type": "string", "contentEncoding": "base64"}, "aGk=", b"hi"),
    (numbers.Real, {"type": "number"}, 1.5, 1.5),
    (numbers.Integral, INTEGER, 1, 1),
    (memoryview, {"type": "string", "contentEncoding": "base64"}, "aGk=", memoryview(b"hi")),
    (typing_extensions.Buffer, {"type": "string", "contentEncoding": "base64"}, "aGk=", b"hi"),
    (bytes | str, STRING, "word", "word"),
    (bytes | int, None, "aGk=", b"hi"),
    (collections.ChainMap[str, Color], {"type": "object", "additionalProperties": COLOR}, {"a": "red"}, collections.ChainMap({"a": Color.RED})),
    (collections.UserDict, {"type": "object"}, {"a": 1}, collections.UserDict(a=1)),
    (collections.UserDict[int, Color], None, {"1": "red"}, collections.UserDict({1: Color.RED})),
    (collections.UserList[Color], {"type": "array", "items": COLOR}, ["red"], collections.UserList([Color.RED])),
    (collections.UserString, {"type": "string"}, "abc", collections.UserString("abc")),
    (types.MappingProxyType[str, Color], None, {"a": "red"}, types.MappingProxyType({"a": Color.RED})),
    (types.SimpleNamespace, {"type": "object"}, {"a": [1]}, types.SimpleNamespace(a=[1])),
    (argparse.Namespace, {"type": "object"}, {"a": [1]}, argparse.Namespace(a=[1])),
    (Palette, {"type": "object", "additionalProperties": COLOR}, {"a": "red"}, Palette({"a": Color.RED})),
    (collections.abc.KeysView[Color], {"type": "array", "items": COLOR}, ["red"], {Color.RED: 1}.keys()),
    (slice, None, {"start": None, "stop": 3, "step": None}, slice(3)),
    (dict[float, str], None, {"1.5": "a"}, {1.5: "a"}),
    (dict[bool, str], {"type": "object", "additionalProperties": STRING, "propertyNames": {"type": "string", "enum": ["true", "false"]}},
     {"true": "a"}, {True: "a"}),
    (dict[Level, str], {"type": "object", "additionalProperties": STRING, "propertyNames": {"type": "string", "enum": ["0", "1"]}},
     {"1": "a"}, {Level.HIGH: "a"}),
    (dict[Color, str], None, {"red": "a", "1": "b"}, {Color.RED: "a", Color.ONE: "b"}),
    (dict[int | None, str], {"type": "object", "additionalProperties": STRING, "propertyNames": {
        "anyOf": [{"type": "string", "pattern": r"^-?\d+$"}, {"type": "string", "enum": ["null"]}]}}, {"3": "a", "null": "b"}, {3: "a", None: "b"}),
    (dict[str | int, str], {"type": "object", "additionalProperties": STRING}, {"3": "a"}, {"3": "a"}),
    (dict[Email, int], {"type": "object", "additionalProperties": INTEGER}, {"a@b": 1}, {Email("a@b"): 1}),
    (dict[collections.abc.Hashable, str], {"type": "object", "additionalProperties": STRING}, {"a": "b"}, {"a": "b"}),
    (collections.abc.Mapping[Anything, Anything], {"type": "object"}, {"a": 1}, {"a": 1}),
    (Email, STRING, "a@b", Email("a@b")),
    (Slug, STRING, "a", Slug("a")),
    (dict[bool | None, int], None, {"true": 1, "null": 2}, {True: 1, None: 2}),
    (dict[str | None, int], {"type": "object", "additionalProperties": INTEGER}, {"a": 1}, {"a": 1}),
    (Tags[int], {"type": "array", "items": INTEGER}, [1], Tags([1])),
    (DayTags, None, ["2024-05-06"], DayTags([datetime.date(2024, 5, 6)])),
    (Ranks, None, {"a": "red"}, Ranks(a=Color.RED)),
    (pydantic.HttpUrl, {"type": "string", "format": "uri", "minLength": 1, "maxLength": 2083}, "http://a.b/", pydantic.HttpUrl("http://a.b/")),
    (Distance, {"$ref": "#/$defs/Distance"}, {"metres": 1.5, "via": [{"metres": 2.0, "via": None, "unit": "m"}], "unit": "km"},
     Distance(1.5, [Distance(2.0)], unit="km")),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(("annotation", "schema", "json", "value"), ROWS, ids=[str(row[0]) for row in ROWS])
def test_each_row_knows_both_directions(annotation: Any, schema: Any, json: Any, value: Any) -> None:
    """The schema is as expected and accepts the JSON, which loads to the value, which dumps to the JSON."""
    reader = read()
    form = reader.form(annotation)

    assert schema is None or emit(form.schema) == schema
    assert reader.judge(form)(json) == ()
    assert load_with(form, json) == value
    assert type(load_with(form, json)) is type(value)
    assert to_json(value) == json


def test_a_type_that_contains_itself_is_a_reference() -> None:
    """A recursive class is defined once, and loads to any depth."""
    reader = read()
    form = reader.form(Point)
    tree = {"x": 1, "kids": [{"x": 2, "kids": [{"x": 3, "kids": []}]}]}

    assert emit(form.schema) == {"$ref": "#/$defs/Point"}
    assert reader.definitions == {
        "Point": {
            "type": "object",
            "properties": {"x": INTEGER, "kids": {"type": "array", "items": {"$ref": "#/$defs/Point"}}},
            "required": ["x"],
            "additionalProperties": False,
        }
    }
    assert reader.judge(form)(tree) == ()
    assert load_with(form, tree) == Point(1, [Point(2, [Point(3)])])
    assert reader.form(Point) is form


class Branches(list["Branches"]):
    pass


class Kinds(dict[str, "Point"]):
    def __init__(self, kinds: "Nowhere") -> None:  # type: ignore[name-defined]  # noqa: F821
        super().__init__(kinds)


def test_texts_in_the_bases_of_a_class_are_looked_up() -> None:
    """A class may be a list of its own kind; what its constructor takes need not be known."""
    reader = read()
    form, kinds = reader.form(Branches), read().form(Kinds)
    items = {"type": "array", "items": {"$ref": "#/$defs/Branches"}}

    assert (emit(form.schema), reader.definitions) == ({"$ref": "#/$defs/Branches"}, {"Branches": items})
    assert load_with(form, [[], [[]]]) == Branches([Branches(), Branches([Branches()])])
    assert load_with(kinds, {"a": {"x": 1}}) == {"a": Point(1)}


def test_pydantic_writes_the_schema_of_its_models() -> None:
    """A model's definitions move to the root; titles that repeat a name are left out."""
    reader = read()
    form = reader.form(Model)
    json = {"at": "2024-05-06", "inner": {"at": "2024-05-07", "inner": None}}

    assert emit(form.schema) == {"$ref": "#/$defs/Model"}
    assert reader.definitions["Model"]["properties"]["at"] == {"type": "string", "format": "date"}
    assert "title" not in reader.definitions["Model"]
    assert load_with(form, json) == Model(at=datetime.date(2024, 5, 6), inner=Model(at=datetime.date(2024, 5, 7)))
    assert to_json(load_with(form, json)) == json


@pytest.mark.parametrize(
    ("annotation", "json", "path", "message"),
    [
        (datetime.date, "2024-02-30", "", "expected a date such as '2024-05-06', got '2024-02-30'"),
        (list[uuid.UUID], ["x"], "[0]", "expected a UUID such as '12345678-1234-5678-1234-567812345678', got 'x'"),
        (dict[str, datetime.timedelta], {"a": "P"}, "a", "expected a timedelta such as 'P1DT2H3M4S', got 'P'"),
        (datetime.timedelta, "1 day", "", "expected a timedelta such as 'P1DT2H3M4S', got '1 day'"),
        (decimal.Decimal, "NaN", "", "expected a Decimal such as '12.30', got 'NaN'"),
        (pathlib.Path, "a\0b", "", "expected a Path such as 'folder/file.txt', got 'a\\x00b'"),
        (bytes, "***", "", "expected a bytes such as 'aGVsbG8=', got '***'"),
        (tuple[int, datetime.date], [1, "x"], "[1]", "expected a date such as '2024-05-06', got 'x'"),
        (datetime.date | uuid.UUID, "x", "", "expected a UUID such as '12345678-1234-5678-1234-567812345678', got 'x'"),
        (datetime.date | int, [], "", "[] fits no member of the union"),
        (Color, "blue", "", "expected one of 'red', 1, got 'blue'"),
        (Model, {"at": "2024-05-06", "inner": {"at": 3.5}}, "inner.at", "Datetimes provided to dates should have zero time - e.g. be exact dates, got 3.5"),
    ],
)  # fmt: skip
def test_what_the_schema_let_through_is_caught_with_its_path(
    annotation: Any, json: Any, path: str, message: str
) -> None:
    """A value that fits the schema and is yet none of the type says where, what was expected, and what came."""
    with pytest.raises(ConversionError) as caught:
        load_with(read().form(annotation), json)

    assert (caught.value.path, str(caught.value)) == (path, message)


def test_a_constructor_that_refuses_is_a_conversion_error() -> None:
    """What the class itself says is wrong is passed on."""

    @attrs.frozen
    class Even:
        number: int = attrs.field(validator=attrs.validators.gt(3))

    with pytest.raises(ConversionError, match=r"no .*Even can be made of it: 'number' must be > 3: 2"):
        load_with(read().form(Even), {"number": 2})


class Opaque:
    @staticmethod
    def check(value: Any) -> bool:
        raise LookupError("gone")


@dataclasses.dataclass
class Holder:
    opaque: Opaque


@dataclasses.dataclass
class Careless:
    missing: "Nowhere"  # type: ignore[name-defined]  # noqa: F821  # the point of it


class Owned(dict[str, int]):
    def __init__(self, owner: Opaque) -> None:
        self.owner = owner


class Empty(enum.Enum):
    pass


class Odd(enum.Enum):
    PAIR = (1, 2)


@pytest.mark.parametrize(
    ("annotation", "reason"),
    [
        (Opaque, "Opaque has no JSON form"),
        (list[Opaque], "Opaque has no JSON form"),
        (collections.abc.Callable[[], int], "collections.abc.Callable[[], int] has no JSON form"),
        (Holder, "Holder.opaque: Opaque has no JSON form"),
        (Careless, "Careless.missing: 'Nowhere' cannot be evaluated: name 'Nowhere' is not defined"),
        (dict[tuple[int], str], "dict[tuple[int], str] has keys of type tuple[int], and JSON objects have text keys only; use dict[str, ...]"),
        (dict[int | list[int], str], "dict[int | list[int], str] has keys of type int | list[int], and JSON objects have text keys only; use dict[str, ...]"),
        (Owned, "Opaque has no JSON form"),
        (Client, "Client has no JSON form"),
        (Query, "Query has no JSON form"),
        (Untold, "Untold has no JSON form"),
        (Vague, "Vague has no JSON form"),
        (Needy, "Needy has no JSON form"),
        (Distance.Unmade, "Distance.Unmade has no JSON form"),
        (type[int], "type[int] has no JSON form"),
        (Empty, "Empty is an enum without members, so no value could be right"),
        (Odd, "Odd has the choice (1, 2), which JSON does not know"),
        (5, "5 has no JSON form"),
        ([int], "[<class 'int'>] has no JSON form"),
    ],
)  # fmt: skip
def test_a_type_without_json_form_says_why(annotation: Any, reason: str) -> None:
    """A type is read right, or refused with its name and the reason."""
    with pytest.raises(NoJSONFormError) as caught:
        read().form(annotation)

    assert str(caught.value) == reason


@dataclasses.dataclass
class Ordered:
    low: int
    scale: dataclasses.InitVar[int]
    extra: dataclasses.InitVar[int] = 2

    def __post_init__(self, scale: int, extra: int) -> None:
        assert self.low < scale, "low must be below scale"
        self.low *= scale * extra


class Picky(BaseModel):
    name: str

    @pydantic.field_validator("name")
    @classmethod
    def known(cls, name: str) -> str:
        return {"a": "b"}[name]


def test_a_constructor_may_raise_anything() -> None:
    """It is a mistake of the value, in the words of the class; init-only fields reach the constructor."""
    form = read().form(Ordered)

    assert load_with(form, {"low": 1, "scale": 3}) == Ordered(1, 3, 2)
    with pytest.raises(ConversionError, match=r"no Ordered can be made of it: low must be below scale"):
        load_with(form, {"low": 4, "scale": 3})
    with pytest.raises(ConversionError, match="a validator refused it: z"):
        load_with(read().form(Picky), {"name": "z"})
    with pytest.raises(ConversionError, match=r"expected something that Opaque\.check accepts, got 1: gone"):
        load_with(read().form(Annotated[int, annotated_types.Predicate(Opaque.check)]), 1)
    with pytest.raises(ConversionError, match=r"expected items that can be in a set"):
        load_with(read().form(set), [[1]])


class Unwritable(BaseModel):
    callback: Callable[[], int]


def test_a_model_that_pydantic_cannot_write_has_no_form() -> None:
    """The reason is pydantic's."""
    with pytest.raises(NoJSONFormError, match="pydantic cannot write the schema of Unwritable: Cannot generate"):
        read().form(Unwritable)


def test_what_contains_itself_ends() -> None:
    """A value met within itself has no form, however many ways lead to it."""
    loop: list[Any] = []
    loop[:] = [loop, loop]
    parent = Point(1)
    parent.kids = [Point(2, [parent]), Point(3, [parent])]

    assert to_json(loop, lambda _: "again") == ["again", "again"]
    assert to_json(parent, lambda _: "again")["kids"][1] == {"x": 3, "kids": ["again"], "made": ""}
    with pytest.raises(NoJSONFormError):
        to_json(loop)


def test_our_own_marks_can_be_hashed() -> None:
    """So they may stand inside of other types."""
    assert emit(read().form(list[Annotated[str, Param(examples=["a"])]]).schema)["items"] == {
        "type": "string",
        "examples": ["a"],
    }


def test_an_optional_field_without_json_form_is_left_out() -> None:
    """A record keeps its default there."""

    @dataclasses.dataclass
    class Half:
        a: int = 1
        sink: Opaque = dataclasses.field(default_factory=Opaque)
        at: datetime.date = datetime.date(2024, 5, 6)
        other: Any = print

    form = read().form(Half)

    assert emit(form.schema)["properties"] == {
        "a": {"type": "integer", "default": 1},
        "at": {"type": "string", "format": "date", "default": "2024-05-06"},
        "other": {},
    }
    assert isinstance(load_with(form, {"a": 2}).sink, Opaque)


@pytest.mark.parametrize(
    ("annotation", "json", "message"),
    [
        (Annotated[datetime.date, annotated_types.Ge(datetime.date(2024, 1, 1))], "2023-01-01", "expected at least 2024-01-01, got datetime.date(2023, 1, 1)"),
        (Annotated[decimal.Decimal, Param(maximum=3)], "3.5", "expected at most 3, got Decimal('3.5')"),
        (Annotated[str, annotated_types.Predicate(str.islower)], "A", "expected something that str.islower accepts, got 'A'"),
        (Annotated[decimal.Decimal, pydantic.Field(max_digits=3)], "12.345", "Decimal input should have no more than 3 digits in total, got '12.345'"),
        (Annotated[int, pydantic.AfterValidator(lambda value: value + 1)], 1, None),
    ],
)  # fmt: skip
def test_what_the_schema_has_no_word_for_is_checked_when_loading(
    annotation: Any, json: Any, message: str | None
) -> None:
    """Bounds of dates and decimals, predicates, and whatever pydantic's own notes demand."""
    form = read().form(annotation)

    if message is None:
        assert load_with(form, json) == 2
        return
    with pytest.raises(ConversionError) as caught:
        load_with(form, json)
    assert str(caught.value) == message


def test_two_bounds_of_a_kind_both_hold() -> None:
    """The tighter one stands in the schema; two patterns hold together."""
    twice = Annotated[Annotated[int, Param(minimum=3)], Param(minimum=5, maximum=9), Param(maximum=7)]
    patterns = Annotated[str, Param(pattern="^a")] | None

    assert emit(read().form(twice).schema) == {"type": "integer", "minimum": 5, "maximum": 7}
    assert emit(read().form(Annotated[patterns, Param(pattern="z$")]).schema) == {
        "type": ["string", "null"],
        "pattern": "^a",
        "allOf": [{"pattern": "z$"}],
    }


def test_a_registered_rule_goes_first() -> None:
    """Users teach prismpy their own types, for both directions."""

    class Celsius(float):
        pass

    def form(annotation: Any, reader: Reader) -> Form:
        return Form(StringSchema(pattern=r"^-?\d+ C$"), lambda text: Celsius(text.removesuffix(" C")))

    register(TypeRule(lambda kind: kind is Celsius, form, lambda value: f"{value:g} C"))
    loaded = load_with(read().form(Celsius), "20 C")

    assert (loaded, type(loaded)) == (20.0, Celsius)
    assert to_json([loaded]) == ["20 C"]


class Cursor(collections.abc.Sequence[int]):
    def __getitem__(self, index: Any) -> Any:
        return (1, 2)[index]

    def __len__(self) -> int:
        return 2


class Shout(str):
    __slots__ = ()


@pytest.mark.parametrize(
    ("value", "json"),
    [
        ({0: "a", None: "b", True: "c", 1.5: "d", Color.RED: "e", datetime.date(2024, 5, 6): "f", (1, 2): "g"},
         {"0": "a", "true": "c", "null": "b", "1.5": "d", "red": "e", "2024-05-06": "f", "[1, 2]": "g"}),
        (collections.OrderedDict(a=1), {"a": 1}),
        ({"b", "a"}, ["a", "b"]),
        (Cursor(), [1, 2]),
        (range(3), {"start": 0, "stop": 3, "step": 1}),
        ({}.keys(), []),
        (Shout("a"), "a"),
        (Level.HIGH, 1),
        (Money(decimal.Decimal("1.50"), note="x"), {"amount": "1.50", "color": "red", "note": "x", "tags": [], "size": 0}),
        (Point(1), {"x": 1, "kids": [], "made": ""}),
    ],
)  # fmt: skip
def test_values_dump_by_their_class(value: Any, json: Any) -> None:
    """Keys are written as JSON writers do, sets in order, records as objects."""
    assert to_json(value, str) == json


def test_what_has_no_json_form_is_refused_or_told_otherwise() -> None:
    """NaN, opaque objects and values nested beyond the limit are up to `otherwise`."""
    loop: list[Any] = []
    loop.append(loop)

    for value in (float("nan"), float("inf"), Opaque(), b"".join, loop):
        with pytest.raises(NoJSONFormError, match="has no JSON form"):
            to_json(value)
    assert to_json([float("nan"), 1], repr) == ["nan", 1]
    assert NullSchema() == read().form(type(None)).schema


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the syntax came with Python 3.12")
def test_a_type_statement_is_an_alias() -> None:
    """`type X = ...` is read as what it stands for: plain, with parameters, and containing itself."""
    space: dict[str, Any] = {"__name__": __name__, "date": datetime.date}
    exec("type Day = date\ntype Pairs[T] = dict[str, T]\ntype Doc = str | list[Doc]", space)  # noqa: S102
    reader = read()
    forms = [reader.form(annotation) for annotation in (space["Day"], space["Pairs"][int], space["Doc"])]

    assert [emit(form.schema) for form in forms] == [
        {"type": "string", "format": "date"},
        {"type": "object", "additionalProperties": INTEGER},
        {"$ref": "#/$defs/Doc"},
    ]
    assert load_with(forms[0], "2024-05-06") == datetime.date(2024, 5, 6)
    assert reader.judge(forms[2])(["a", ["b"]]) == ()


def test_items_may_be_iterated_in_any_way() -> None:
    """A list becomes an iterator, sync or async; a generator function gets what it asks for."""

    async def collect(values: collections.abc.AsyncIterator[datetime.date]) -> list[datetime.date]:
        return [value async for value in values]

    for kind in (collections.abc.AsyncIterator, collections.abc.AsyncGenerator):
        loaded = load_with(read().form(kind[datetime.date]), ["2024-05-06"])
        assert isinstance(loaded, kind)
        assert asyncio.run(collect(loaded)) == [datetime.date(2024, 5, 6)]
    for kind in (collections.abc.Iterator, collections.abc.Generator, collections.abc.ValuesView):
        loaded = load_with(read().form(kind[datetime.date]), ["2024-05-06"])
        assert isinstance(loaded, kind)
        assert list(loaded) == [datetime.date(2024, 5, 6)]


class Version:
    """Keeps what it has made of a text."""

    def __init__(self, text: str) -> None:
        self._text = tuple(map(int, text.split(".")))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Version) and self._text == other._text

    __hash__ = None  # type: ignore[assignment]


def test_a_value_that_keeps_no_text_is_not_written_as_one() -> None:
    """It can be made of the text, yet what it has made of it is another thing."""
    value = load_with(read().form(Version), {"text": "1.2"})

    assert value == Version("1.2")
    with pytest.raises(NoJSONFormError, match="Version keeps something else than the text 'text' that it was made of"):
        to_json(value)


def test_results_that_are_views_are_shown_as_lists() -> None:
    """A `map` or the values of a dict are gone through for the model; they are no default, and a file is no list."""
    assert to_json([map(str, [1, 2]), {"a": 1}.values(), reversed([1])], str) == [["1", "2"], [1], [1]]
    assert to_json(io.StringIO("a"), lambda _: "a file") == "a file"
    for value in (map(str, [1]), {}.values()):
        with pytest.raises(NoJSONFormError, match="has no JSON form"):
            to_json(value)
    with pytest.raises(NoJSONFormError, match="map has no JSON form"):
        read().form(map)


class Written(TypedDict, total=False):
    """Python does not look into texts, as all annotations are under `from __future__ import annotations`."""

    must: "Required[int]"
    read: "ReadOnly[Required[int]]"
    may: int


class Demanding(Written):
    more: "NotRequired[Annotated[int, 'A number']]"
    other: int


def test_keys_are_required_as_they_were_written() -> None:
    """In a text as well, and by what the base of a TypedDict says of its own."""
    schema: Any = emit(read().form(Demanding).schema)

    assert list(schema["properties"]) == ["must", "read", "may", "more", "other"]
    assert schema["required"] == ["must", "read", "other"]
