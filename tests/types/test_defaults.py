"""Defaults: what a schema shows of them, and what stands in for what is left out."""

import collections
import dataclasses
import datetime
import decimal
import enum
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, NewType, Protocol, TypedDict

import annotated_types
import attrs
import pydantic
import pytest

from prismpy import Tool, tool
from prismpy.schema import MISSING
from prismpy.types import default_of, is_of, read


class Unit(enum.Enum):
    C = "c"
    PAIR = (1, 2)


class Option(TypedDict):
    n: int


@dataclasses.dataclass
class Point:
    x: int
    tags: list[str] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(frozen=True)
class Fixed:
    day: datetime.date


class Sized(Protocol):
    size: int


class Opaque:
    """Stands for itself alone."""

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = None  # type: ignore[assignment]  # may change


LOCK = threading.Lock()
DAY = datetime.date(2024, 1, 2)
UserId = NewType("UserId", int)
Even = Annotated[int, annotated_types.MultipleOf(2)]


def handed_over(annotation: Any, value: Any) -> tuple[Any, Any]:
    """Return a default as the schema shows it, and as two calls get it."""
    got = []

    def handler(it: Any = value) -> None:
        got.append(it)

    handler.__annotations__["it"] = annotation
    made = tool(handler)
    assert not made.run({}).is_error
    assert not made.run({}).is_error
    assert got[0] is got[1] or got[0] == got[1]
    return made.to("json-schema")["properties"]["it"].get("default", MISSING), got[0]


@pytest.mark.parametrize(
    ("annotation", "value", "json", "own"),
    [
        (int, 5, 5, 5),
        (float, 1, 1, 1),
        (int, 5.0, 5.0, 5),
        (str | None, None, None, None),
        (str, "x", "x", "x"),
        (datetime.date, "2024-01-02", "2024-01-02", DAY),
        (datetime.date | None, "2024-01-02", "2024-01-02", DAY),
        (Annotated[datetime.date, "When"], "2024-01-02", "2024-01-02", DAY),
        (datetime.date, DAY, "2024-01-02", DAY),
        (Path, ".", ".", Path()),
        (str | Path, ".", ".", "."),
        (Path | str, ".", ".", "."),
        (Unit, "c", "c", Unit.C),
        (Unit, Unit.C, "c", Unit.C),
        (decimal.Decimal, 1, 1, decimal.Decimal(1)),
        (set[int], [1, 1], [1, 1], {1}),
        (list[str], (), [], []),
        (Sequence[str], (), [], ()),
        (Sequence[Path], ("a",), ["a"], [Path("a")]),
        (tuple[int, str], (1, "a"), [1, "a"], (1, "a")),
        (tuple[int, Path], (1, "a"), [1, "a"], (1, Path("a"))),
        (tuple[datetime.date, ...], [], [], ()),
        (dict[str, datetime.date], {"a": "2024-01-02"}, {"a": "2024-01-02"}, {"a": DAY}),
        (Mapping[str, int], {"a": 1}, {"a": 1}, {"a": 1}),
        (Point, {"x": 1}, {"x": 1}, Point(1)),
        (Point, Point(1), {"x": 1, "tags": []}, Point(1)),
        (list[Point], [{"x": 1}], [{"x": 1}], [Point(1)]),
        (Option, {"n": 1}, {"n": 1}, {"n": 1}),
        (UserId, 1, 1, 1),
        (Even, 4, 4, 4),
        (Literal["a", "b"], "a", "a", "a"),
        (Any, {"a": [DAY]}, {"a": ["2024-01-02"]}, {"a": [DAY]}),
        (bytes, b"", "", b""),
    ],
)
def test_a_default_means_the_same_as_sending_it(annotation: Any, value: Any, json: Any, own: Any) -> None:
    """It comes as the annotated type, whatever it was written as; what is of that type stays as it is."""
    shown, got = handed_over(annotation, value)

    assert (shown, got) == (json, own)
    assert type(got) is type(own)


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        (int, "5"),
        (int, True),
        (str, 5),
        (str, ["a"]),
        (int, None),
        (Even, 3),
        (float, float("nan")),
        (datetime.date, "tomorrow"),
        (Unit, Unit.PAIR),
        (Literal["a", "b"], "c"),
        (dict[str, int], {"a": "b"}),
        (Point, {"y": 1}),
        (tuple[int, int], (1,)),
        (list[int], [LOCK]),
    ],
)
def test_what_could_not_be_sent_is_no_default_of_a_schema(annotation: Any, value: Any) -> None:
    """The parameter may be left out all the same, and is then what was written."""
    reader = read()
    default = default_of(value, annotation, reader.form(annotation), reader)

    assert (default.json, default.converts) == (MISSING, False)
    assert handed_over(annotation, value)[1] is value or default.make is not None


def test_none_for_a_field_that_takes_none_is_no_default() -> None:
    """As dataclasses let one write."""

    @dataclasses.dataclass
    class Careless:
        n: int = None  # type: ignore[assignment]  # the point of it

    assert tool(lambda it: it, name="f").spec  # a field is not a parameter, whose `None` adds to its type
    assert read().form(Careless).schema.properties[0].default is MISSING  # type: ignore[union-attr]  # an object


@attrs.define
class Loose:
    points: list[Point] = [Point(1)]  # noqa: RUF008  # attrs shares it
    since: datetime.date = "2024-01-02"  # type: ignore[assignment]  # as people write
    hooks: list[Callable[[], None]] = []  # noqa: RUF008


class Pair(NamedTuple):
    left: int
    right: list[int] = []  # noqa: RUF012


class Value:
    def __init__(self, items: list[int] = []) -> None:
        self.items = items

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Value) and self.items == other.items

    __hash__ = None  # type: ignore[assignment]  # may change


class Model(pydantic.BaseModel):
    items: list[int] = []


def changing(  # one for each kind
    point: Point = Point(1),
    loose: Loose = Loose(),
    pair: Pair = Pair(1),
    value: Value = Value(),
    model: Model = Model(),
    queue: collections.deque[int] = collections.deque(),
    nested: tuple[list[int], ...] = ([],),
    hooks: list[Callable[[], None]] = [],
    table: dict[str, Callable[[], None]] = {},
    field: Annotated[list[int], pydantic.Field(default=[])] = pydantic.Field(default=[]),
) -> list[int]:
    """Change all that it gets, and say how large it was."""
    containers: list[Any] = [point.tags, loose.points, loose.hooks, pair.right, value.items, model.items, queue]
    containers += [nested[0], hooks, field]
    sizes = [*map(len, containers), len(table)]
    for container in containers:
        container.append(1)
    table["a"] = print
    return sizes


def test_no_call_sees_what_another_did_to_a_default() -> None:
    """Whatever it is in: a record, a tuple, a field, a parameter that is left out of the schema."""
    made = tool(changing)
    sizes = [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]

    assert set(made.spec.omitted) == {"hooks", "table"}
    assert [made.run({}).output.result for _ in range(2)] == [sizes, sizes]  # type: ignore[union-attr]  # no error


def test_no_call_sees_what_another_did_to_the_default_of_a_field() -> None:
    """That attrs, a NamedTuple or a constructor would share, and that is left out of an argument."""

    def change(loose: Loose, pair: Pair, value: Value) -> list[Any]:
        sizes = [len(loose.points), len(loose.hooks), len(pair.right), len(value.items), [*loose.points[0].tags]]
        loose.points.append(Point(2))
        loose.points[0].tags.append("seen")
        loose.hooks.append(print)
        pair.right.append(1)
        value.items.append(1)
        return [*sizes, loose.since]

    made = tool(change)
    arguments: Any = {"loose": {}, "pair": {"left": 1}, "value": {}}

    assert [made.run(arguments).output.result for _ in range(2)] == [[1, 0, 0, 0, [], DAY]] * 2  # type: ignore[union-attr]  # no error


def test_what_stands_for_itself_is_shared() -> None:
    """A connection is no value, in a list or alone; what refuses to be copied stays one, too."""
    shared = Opaque()

    @dataclasses.dataclass
    class Stubborn:
        n: int = 0

        def __deepcopy__(self, memo: Any) -> Any:
            raise RuntimeError

    stubborn = Stubborn()
    got: list[Any] = []

    def use(
        one: Opaque = shared,
        some: list[Opaque] = [shared],
        locks: dict[str, Any] = {"lock": LOCK, "list": [LOCK], "none": None},
        value: Stubborn = stubborn,
    ) -> None:
        got.append((one, some, locks, value))

    made = tool(use)
    made.run({})
    made.run({})
    (one, some, locks, value), (_, others, more, _) = got

    assert (one, some[0], locks["lock"], locks["list"][0], value) == (shared, shared, LOCK, LOCK, stubborn)
    assert value is stubborn
    assert some is not others
    assert locks["list"] is not more["list"]


def test_what_cannot_change_is_shared() -> None:
    """So the handler's own default does, and a call costs nothing for it."""

    def use(day: datetime.date = DAY, fixed: Fixed = Fixed(DAY), unit: Unit = Unit.C, names: tuple[str, ...] = ()) -> None: ...  # fmt: skip

    binding = tool(use).spec.binding

    assert binding is not None
    assert binding.fills == {}


def test_a_parameter_that_is_left_out_keeps_its_place() -> None:
    """One by place stands before others that a call may give."""

    def use(one: threading.Thread = threading.current_thread(), n: int = 0, /) -> tuple[str, int]:
        return type(one).__name__, n

    assert tool(use).run({"n": 5}).output.result == ("_MainThread", 5)  # type: ignore[union-attr]  # no error


@pytest.mark.parametrize(
    ("value", "annotation", "answer"),
    [
        (True, bool, True),
        (True, int, False),
        (True, float, False),
        (1, complex, True),
        (1, Literal[True], False),
        ("a", Sequence[int], True),
        ((1, "a"), tuple[int, int], False),
        ((1, 2), tuple[int], True),
        ({"a": 1}, dict, True),
        ({"a": 1}, dict[str, str], False),
        ({1}, set[str], False),
        ([1], "list[int]", True),
        (1, Sized, True),
        ([], list[Sized], True),
    ],
)
def test_what_is_of_a_type(value: Any, annotation: Any, answer: bool) -> None:
    """A value is taken at its word where nobody can tell."""
    assert is_of(value, annotation) is answer


def test_what_a_tool_does_not_declare_is_the_handlers_own() -> None:
    """It may keep there what it needs from call to call."""
    got: list[Any] = []
    made = Tool.as_("keep").for_("Keep it").with_string_parameter("word", "A word")
    made.using(lambda got=got, **given: got.append(given))
    made.run({"word": "tea"})

    assert got == [{"word": "tea"}]


def test_what_is_remembered_of_a_default_is_not_the_default() -> None:
    """A function that is called by hand may change its own, and no tool of another has it."""

    def one(items: list[int] = []) -> list[int]:
        items.append(1)
        return items

    def two(items: list[int] = []) -> list[int]:
        return items

    made = tool(one)
    one()

    assert [made.run({}).text, tool(two).run({}).text] == ["[1]", "[]"]
    assert tool(two).to("json-schema")["properties"]["items"]["default"] == []


def test_defaults_that_are_remembered_are_forgotten() -> None:
    """Functions that are made at run time do not pile up."""
    reader = read()
    form = reader.form(str | int)
    found = {default_of(str(n), str | int, form, reader).json for n in range(5_000)}

    assert len(found) == 5_000
    assert 0 < len(reader.defaults) <= 4_096


def test_defaults_are_told_apart_by_their_class() -> None:
    """Though they are equal, as `True` and 1 are."""
    reader = read()
    form = reader.form(str | int | bool)

    assert [type(default_of(value, str | int | bool, form, reader).json) for value in (1, True, 1)] == [int, bool, int]
