"""Types as tools."""

import abc
import dataclasses
import enum
import numbers
from collections.abc import Callable, Sequence
from typing import (
    Annotated,
    Any,
    Generic,
    Literal,
    NamedTuple,
    NewType,
    NotRequired,
    Optional,
    Protocol,
    TypedDict,
    TypeVar,
)

import attrs
import pydantic
import pytest

from prismpy import DefinitionError, Tool, tool

T = TypeVar("T")


class Colour(enum.Enum):
    """A colour."""

    RED = "red"
    BLUE = 2


class Rights(enum.IntFlag):
    READ = 1
    WRITE = 2


class Film(TypedDict):
    """A film.

    Attributes:
        title: Its name.
    """

    title: str
    year: NotRequired[int]


class Pair(TypedDict, Generic[T]):
    left: T
    right: list[T]


@dataclasses.dataclass
class Box(Generic[T]):
    """A box."""

    item: T
    more: list[T] = dataclasses.field(default_factory=list)


class NumberBox(Box[int]):
    """A box of a number."""


class Stack(Generic[T]):
    def __init__(self, *, first: T) -> None:
        self.items = [first]

    def push(self, item: T) -> list[T]:
        """Push it."""
        self.items.append(item)
        return self.items

    def __call__(self, item: T) -> T:
        """Return it."""
        return item


class NumberStack(Stack[int]):
    """A stack of numbers."""


UserId = NewType("UserId", int)


@pytest.mark.parametrize(
    ("handler", "name", "properties", "required"),
    [
        (Colour, "Colour", {"value": {"type": ["string", "integer"], "enum": ["red", 2]}}, ["value"]),
        (
            Rights,
            "Rights",
            {"value": {"type": "array", "items": {"type": "string", "enum": ["READ", "WRITE"]}}},
            ["value"],
        ),
        (
            Film,
            "Film",
            {"title": {"type": "string", "description": "Its name."}, "year": {"type": "integer"}},
            ["title"],
        ),
        (
            Pair[int],
            "Pair",
            {"left": {"type": "integer"}, "right": {"type": "array", "items": {"type": "integer"}}},
            ["left", "right"],
        ),
        (
            Box[str],
            "Box",
            {"item": {"type": "string"}, "more": {"type": "array", "items": {"type": "string"}}},
            ["item"],
        ),
        (
            NumberBox,
            "NumberBox",
            {"item": {"type": "integer"}, "more": {"type": "array", "items": {"type": "integer"}}},
            ["item"],
        ),
        (Stack[float], "Stack", {"first": {"type": "number"}}, ["first"]),
        (Annotated[Stack[float], "A stack"], "Stack", {"first": {"type": "number"}}, ["first"]),
        (Annotated[Stack, "A stack"], "Stack", {"first": {}}, ["first"]),
        (NumberStack(first=1).push, "push", {"item": {"type": "integer"}}, ["item"]),
        (NumberStack(first=1), "number_stack", {"item": {"type": "integer"}}, ["item"]),
        (Stack[str](first="a").push, "push", {"item": {"type": "string"}}, ["item"]),
        (UserId, "UserId", {"value": {"type": "integer"}}, ["value"]),
    ],
)
def test_a_type_is_read_as_what_makes_its_values(handler: Any, name: str, properties: Any, required: Any) -> None:
    """An enum takes a value, a TypedDict its keys, a generic class what stands for its variables."""
    made = Tool.make(handler)
    schema = made.to("json-schema")

    assert (made.spec.name, schema["properties"], schema.get("required")) == (name, properties, required)
    assert schema["additionalProperties"] is False


@pytest.mark.parametrize(
    ("handler", "arguments", "text"),
    [
        (Colour, {"value": 2}, "2"),
        (Rights, {"value": ["READ", "WRITE"]}, '["READ", "WRITE"]'),
        (Film, {"title": "Ran", "year": 1985}, '{"title": "Ran", "year": 1985}'),
        (Pair[int], {"left": 1, "right": [2]}, '{"left": 1, "right": [2]}'),
        (Box[str], {"item": "a"}, '{"item": "a", "more": []}'),
        (NumberStack(first=1).push, {"item": 2}, "[1, 2]"),
        (UserId, {"value": 3}, "3"),
    ],
)
def test_a_type_makes_a_value(handler: Any, arguments: Any, text: str) -> None:
    """It is called with converted arguments."""
    assert tool(handler).run(arguments).text == text


class Abstract(abc.ABC):
    @abc.abstractmethod
    def read(self) -> str: ...

    @abc.abstractmethod
    def close(self) -> None: ...


class Whole(Abstract):
    def __init__(self, n: int) -> None: ...
    def read(self) -> str:
        return "read"

    def close(self) -> None: ...


class Chooser(Abstract):
    """An abstract class that makes an instance of another."""

    def __new__(cls, n: int) -> Any:
        return Whole(n)


class Mapped(dict[str, int], Abstract):
    """Python asks no built-in class whether it is abstract."""


class Speaks(Protocol):
    def __call__(self, n: int) -> int: ...


class Started(Protocol):
    def __init__(self, n: int) -> None: ...


class Empty(enum.Enum): ...


@pytest.mark.parametrize(
    ("handler", "message"),
    [
        (Abstract, "Abstract is abstract, as it does not define close, read; pass a class of which"),
        (numbers.Complex, "Complex is abstract, as it does not define __abs__, __add__, __complex__ and 13 more; pass"),
        (Speaks, "Speaks is a protocol, and no instance of it can be made; pass a class"),
        (Sequence[int], "is a type that does not tell what it is made of"),
        (
            list[int],
            r"list\[int\] is a type that does not tell what it is made of; pass a class of your own, or a function",
        ),
        (Optional[int], "is a type that does not tell"),  # `int | None` cannot be called
        (Literal["a"], "is a type that does not tell"),
        (Callable[[int], int], "is a type that does not tell"),
        (Empty, "parameter 'value': Empty is an enum without members"),
    ],
)
def test_what_makes_nothing_is_refused(handler: Any, message: str) -> None:
    """The error says why it cannot be called."""
    with pytest.raises(DefinitionError, match=message):
        tool(handler)


@pytest.mark.parametrize(("handler", "names"), [(Whole, {"n"}), (Chooser, {"n"}), (Mapped, set()), (Started, {"n"})])
def test_what_may_make_something_is_read(handler: Any, names: set[str]) -> None:
    """A class that chooses for itself what it makes may be abstract, and a protocol may have a constructor."""
    assert {*tool(handler).to("json-schema")["properties"]} == names


def test_an_enum_makes_no_other_one() -> None:
    """What calling it could do beside is left out, and named."""
    omitted = dict(tool(Colour).spec.omitted)

    assert set(omitted.values()) <= {"it makes another enum"}
    assert "value" not in omitted


@dataclasses.dataclass
class Told:
    """Told below."""

    below: int
    """Below."""

    meta: int = dataclasses.field(default=1, metadata={"description": "Meta."})
    beside: Annotated[int, "Beside."] = 2


class Keyed(TypedDict):
    """Keyed."""

    below: int
    """Below."""


@attrs.define
class Defined:
    meta: int = attrs.field(metadata={"description": "Meta."})


class Model(pydantic.BaseModel):
    named: int = pydantic.Field(alias="other", description="Named.")
    below: int = 1
    """Below."""

    silent: int = 2


class Root(pydantic.RootModel[list[int]]):
    """A list."""


@pytest.mark.parametrize(
    ("kind", "texts"),
    [
        (Told, {"below": "Below.", "meta": "Meta.", "beside": "Beside."}),
        (Keyed, {"below": "Below."}),
        (Defined, {"meta": "Meta."}),
        (Model, {"other": "Named.", "below": "Below.", "silent": None}),
        (Root, {"root": None}),
    ],
)
def test_what_fields_say_of_themselves_describes_the_parameters(kind: Any, texts: Any) -> None:
    """As it describes the fields where the class is the type of a parameter."""
    properties = tool(kind).to("json-schema")["properties"]

    assert {name: node.get("description") for name, node in properties.items()} == texts


def test_a_root_model_takes_its_root() -> None:
    """By place, as pydantic has no name for it."""
    made = tool(Root)

    assert made.to("json-schema")["properties"] == {"root": {"type": "array", "items": {"type": "integer"}}}
    assert made.run({"root": [1]}).text == "[1]"


@dataclasses.dataclass
class Unsaid:
    n: int = 0


class UnsaidTuple(NamedTuple):
    n: int = 0


class Plain:
    """Plain(n) makes one."""

    def __init__(self, n: int = 0) -> None: ...


@pytest.mark.parametrize(
    ("kind", "description"),
    [(Unsaid, ""), (UnsaidTuple, ""), (Plain, "Plain(n) makes one.")],
)
def test_what_python_writes_about_a_record_is_no_description(kind: type, description: str) -> None:
    """It is its signature, which the parameters say."""
    assert tool(kind).spec.description.split("\n")[0] == description
