"""Functions that choose an implementation by the class of their first argument."""

import datetime
import functools
from collections.abc import Callable
from typing import Any

import pytest

from prismpy import DefinitionError, emit, tool


@functools.singledispatch
def measure(thing: Any, scale: int = 1, unit: Any = None) -> str:
    """Measure a thing.

    Args:
        thing: What to measure.
    """
    raise NotImplementedError


@measure.register
def _(thing: str, scale: int = 1, unit: Any = None) -> str:
    return f"text of {len(thing) * scale}"


@measure.register
def _(thing: float | int, scale: int = 10, unit: Any = None) -> str:
    return f"number of {thing * scale!r}"


@measure.register(list)
def _(thing: Any, scale: int = 1, unit: Any = None, deep: bool = False) -> str:
    return f"list of {len(thing) * scale}"


@measure.register(dict)
def _(thing: dict[str, datetime.date], scale: int = 1, unit: Any = None) -> str:
    return f"until {max(thing.values())!r}"


class Desk:
    def __init__(self, name: str) -> None:
        self.name = name

    @functools.singledispatchmethod
    def place(self, thing: object, times: int = 1) -> str:
        """Place a thing."""
        return f"{self.name} keeps {thing}"

    @place.register
    def _(self, thing: int, times: int = 1) -> str:
        return f"{self.name} counts {thing * times}"

    @place.register
    def _(self, thing: datetime.date, times: int = 1) -> str:
        return f"{self.name} dates {thing.year}"

    @functools.singledispatchmethod
    @classmethod
    def make(cls, thing: object) -> str:
        """Make a desk."""
        raise NotImplementedError

    @make.register
    @classmethod
    def _(cls, thing: str) -> str:
        return f"{cls.__name__} of {thing}"


@functools.singledispatch
def halve(thing: float | None) -> float | None:
    """Halve a number."""
    return thing


@halve.register
def _(thing: int) -> int:
    return thing // 2


@functools.singledispatch
def alone(thing: int) -> int:
    """Have no implementations."""
    return thing


@functools.singledispatch
def odd(thing: Any) -> str:
    """Have an implementation whose type cannot be evaluated."""
    return ""


@odd.register(int)
def _(thing: "Nowhere") -> str:  # type: ignore[name-defined]  # noqa: F821
    return "odd"


DATES = {"type": "object", "additionalProperties": {"type": "string", "format": "date"}}


@pytest.mark.parametrize(
    ("handler", "properties", "required"),
    [
        (
            measure,
            {
                "thing": {
                    "anyOf": [
                        {"type": "integer"},
                        {"type": "string"},
                        {"type": "number"},
                        {"type": "array", "items": {}},
                        DATES,
                    ],
                    "description": "What to measure.",
                },
                "scale": {"type": "integer"},
                "unit": {"default": None},
            },
            ["thing"],
        ),
        (
            Desk("oak").place,
            {
                "thing": {"anyOf": [{"type": "integer"}, {"type": "string", "format": "date"}]},
                "times": {"type": "integer", "default": 1},
            },
            ["thing"],
        ),
        (Desk.make, {"thing": {"type": "string"}}, ["thing"]),
        (halve, {"thing": {"anyOf": [{"type": "integer"}, {"type": "number"}, {"type": "null"}]}}, ["thing"]),
        (alone, {"thing": {"type": "integer"}}, ["thing"]),
        (odd, {"thing": {"type": "integer"}}, ["thing"]),
        (
            functools.partial(Desk("oak").place, times=2),
            {"thing": {"anyOf": [{"type": "integer"}, {"type": "string", "format": "date"}]}},
            ["thing"],
        ),
        (functools.partial(measure, "text", unit="m"), {"scale": {"type": "integer"}}, None),
    ],
)
def test_a_set_of_implementations_is_one_tool(handler: Callable[..., Any], properties: Any, required: Any) -> None:
    """The first parameter takes what any of them takes; a default counts that all of them have."""
    schema = tool(handler).to("json-schema")

    assert (schema["properties"], schema.get("required")) == (properties, required)


@pytest.mark.parametrize(
    ("handler", "arguments", "text"),
    [
        (measure, {"thing": "abc", "scale": 2}, "text of 6"),
        (measure, {"thing": 3}, "number of 30"),
        (measure, {"thing": 1.5, "scale": 2}, "number of 3.0"),
        (measure, {"thing": [1, 2]}, "list of 2"),
        (measure, {"thing": {"a": "2024-02-01"}}, "until datetime.date(2024, 2, 1)"),
        (Desk("oak").place, {"thing": 2, "times": 3}, "oak counts 6"),
        (Desk("oak").place, {"thing": "2024-02-01"}, "oak dates 2024"),
        (Desk.make, {"thing": "oak"}, "Desk of oak"),
        (halve, {"thing": 5}, "2"),
        (halve, {"thing": 0.5}, "0.5"),
        (functools.partial(measure, scale=3), {"thing": "abc"}, "text of 9"),
        (functools.partial(measure, "abc"), {"scale": 3}, "text of 9"),
        (odd, {"thing": 1}, "odd"),
    ],
)
def test_each_implementation_can_be_reached(handler: Callable[..., Any], arguments: Any, text: str) -> None:
    """The dispatcher gets the converted value, by place."""
    assert tool(handler).run(arguments).text == text


def test_what_only_some_implementations_take_is_left_out_and_named() -> None:
    """The others would fail with it."""
    assert dict(tool(measure).spec.omitted) == {"deep": "only the implementation for list takes it"}


def test_the_output_is_that_of_any_implementation() -> None:
    """The function itself says what it returns, or else they do."""

    @functools.singledispatch
    def read(source):  # type: ignore[no-untyped-def]  # its implementations are annotated
        """Read it."""

    @read.register
    def _(source: int) -> int:
        return source

    @read.register
    def _(source: str) -> str:
        return source

    output = tool(read).spec.output

    assert output is not None
    assert emit(output) == {"anyOf": [{"type": "integer"}, {"type": "string"}]}


def test_a_set_that_is_not_bound_is_refused() -> None:
    """As any other method."""
    with pytest.raises(DefinitionError, match="is a method of Desk and not bound; take it from an instance"):
        _ = tool(Desk.place).spec


class Odd:
    """What has no truth when it is compared, as arrays and columns of tables."""

    def __eq__(self, other: object) -> Any:
        raise TypeError

    __hash__ = object.__hash__


def test_defaults_that_cannot_be_compared_are_not_the_same() -> None:
    """Nobody can say what stands in for such a parameter that is left out."""

    @functools.singledispatch
    def sort(thing: Any, key: Any = Odd()) -> str:
        """Sort it."""
        return ""

    @sort.register
    def _(thing: int, key: Any = Odd()) -> str:
        return type(key).__name__

    assert tool(sort).run({"thing": 1}).text == "Odd"
