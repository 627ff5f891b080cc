"""What annotation, default, notes and docstring come to, together."""

import dataclasses
import enum
from collections.abc import Callable
from typing import Annotated, Any, Literal, Required, TypedDict, TypeVar, Unpack, overload

import attrs
import pydantic
import pytest
from pydantic import Field

from prismpy import DefinitionError, Injected, Param, RunContext, Tool, Toolbox, ToolCall, emit, tool


def documented(place, unit, size, names=(), rate=1, level=None, mode="fast", other=None, plain=3):
    """Do it.

    Parameters
    ----------
    place : str
        Where.
    unit : {'C', 'F'}, optional
        Scale.
    size : array-like
        How large.
    names : list of str
    rate : float, default 1
    level : int or None
    mode : {'slow', 'medium'}
    other : int, optional
    plain : str
    """


def test_a_docstring_tells_types_where_nothing_else_does() -> None:
    """Plain names, choices and lists are read; what is ambiguous, or contradicts the default, is not."""
    made = tool(documented)

    assert made.to("json-schema")["properties"] == {
        "place": {"type": "string", "description": "Where."},
        "unit": {"type": "string", "enum": ["C", "F"], "description": "Scale."},
        "size": {"description": "How large."},
        "names": {"type": "array", "items": {}, "default": []},
        "rate": {"type": "number", "default": 1},
        "level": {"type": ["integer", "null"], "default": None},
        "mode": {"type": "string", "default": "fast"},
        "other": {"type": ["integer", "null"], "default": None},
        "plain": {"type": "integer", "default": 3},
    }
    assert made.spec.notes == ("parameter 'size': its type is unknown, so any value is accepted",)


Item = TypeVar("Item")
Key = TypeVar("Key", bound=str)


class Unset(enum.Enum):
    TOKEN = "unset"  # noqa: S105  # the name that PEP 484 has for it


class Level(enum.Enum):
    LOW = 1
    HIGH = 2


def test_a_mark_for_nothing_given_is_kept_from_the_model() -> None:
    """The one member of an enum as the default beside other types; what has other members, or stands alone, is a choice."""

    def function(
        one: int | Unset = Unset.TOKEN,
        two: str | Literal[Unset.TOKEN] | None = Unset.TOKEN,
        three: Unset = Unset.TOKEN,
        four: int | Level = Level.LOW,
        five: int | Unset = 1,
        six: Unset | Literal[Unset.TOKEN] = Unset.TOKEN,  # as people write it
    ) -> list[Any]:
        return [one, two, three, four, five, six]

    made = tool(function)

    assert made.to("json-schema")["properties"] == {
        "one": {"type": "integer"},
        "two": {"type": ["string", "null"]},
        "three": {"type": "string", "enum": ["unset"], "default": "unset"},
        "four": {"anyOf": [{"type": "integer"}, {"type": "integer", "enum": [1, 2]}], "default": 1},
        "five": {"anyOf": [{"type": "integer"}, {"type": "string", "enum": ["unset"]}], "default": 1},
        "six": {"anyOf": [{"type": "string", "enum": ["unset"]}, {"type": "string", "enum": ["unset"]}]},
    }
    assert made.run({"two": None}).output.result == [Unset.TOKEN, None, Unset.TOKEN, Level.LOW, 1, Unset.TOKEN]


def test_a_variable_that_may_be_any_type_is_told() -> None:
    """Alone, within a type and in a union, which then takes everything; a bound says what is taken."""

    def function(one: Item, many: list[Item], other: int | Item, bound: Key) -> None: ...

    made = tool(function)
    remark = "Item may be any type, so any value is accepted"

    assert made.spec.notes == tuple(f"parameter {name!r}: {remark}" for name in ("one", "many", "other"))
    assert made.to("json-schema")["properties"] == {
        "one": {},
        "many": {"type": "array", "items": {}},
        "other": {},
        "bound": {"type": "string"},
    }


def test_an_annotation_wins_over_the_docstring() -> None:
    """Its type is the signature's, its text the docstring's, unless the annotation has one."""

    def scan(path: int, depth: Annotated[int, "How deep"] = 3) -> None:
        """Scan.

        Args:
            path (str): Where to.
            depth: Not this.
        """

    assert tool(scan).to("json-schema")["properties"] == {
        "path": {"type": "integer", "description": "Where to."},
        "depth": {"type": "integer", "description": "How deep", "default": 3},
    }


def test_pydantics_field_may_stand_as_the_default() -> None:
    """Its text, bounds and factory are read; the handler gets a value, not the Field."""

    def gather(
        labels: list[str] = Field(default_factory=list, description="Texts", max_length=3),
        size: int = Field(3, gt=0),
        name: str = Field(min_length=1),
    ) -> str:
        labels.append(name)
        return repr((labels, size))

    made = tool(gather)

    assert made.to("json-schema") == {
        "type": "object",
        "properties": {
            "labels": {
                "type": "array",
                "description": "Texts",
                "items": {"type": "string"},
                "maxItems": 3,
                "default": [],
            },
            "size": {"type": "integer", "exclusiveMinimum": 0, "default": 3},
            "name": {"type": "string", "minLength": 1},
        },
        "required": ["name"],
        "additionalProperties": False,
    }
    assert [made.run({"name": name}).text for name in "ab"] == ["(['a'], 3)", "(['b'], 3)"]


def test_a_parameter_may_have_another_name_for_the_model() -> None:
    """The alias stands in the schema and in the arguments, the Python name in the call."""

    def visit(
        town: Annotated[str, Field(alias="place", description="Where to")],
        from_: Annotated[str, Param(name="from")],
        /,
        *,
        class_: Annotated[int, Param(name="class", minimum=1)] = 1,
    ) -> str:
        return f"{from_} {town} {class_}"

    made = tool(visit)

    assert made.to("json-schema") == {
        "type": "object",
        "properties": {
            "place": {"type": "string", "description": "Where to"},
            "from": {"type": "string"},
            "class": {"type": "integer", "minimum": 1, "default": 1},
        },
        "required": ["place", "from"],
        "additionalProperties": False,
    }
    assert made.run({"from": "Oslo", "place": "Bergen", "class": 2}).text == "Oslo Bergen 2"
    assert [problem.path for problem in made.run({"from": "Oslo", "town": "Bergen"}).problems] == ["place", "town"]


class Database:
    def __init__(self, rows: int) -> None:
        self.rows = rows


class BigDatabase(Database):
    pass


def test_what_the_app_provides_is_no_parameter() -> None:
    """It is filled by its class, never by its name, and the run context comes by itself."""

    def count(
        db: Annotated[Database, Injected],
        context: RunContext,
        ctx: str,
        spare: Annotated[Database | None, Injected()] = None,
        log: Annotated[Callable[[], None], Injected] = print,
    ) -> str:
        return f"{ctx} {db.rows} {context.call.id} {spare and spare.rows}"

    made = tool(count)
    call = ToolCall("c1", "count", {"ctx": "x"})

    assert made.to("json-schema")["properties"] == {"ctx": {"type": "string"}}
    assert Toolbox([made]).run([call], provide=[3, BigDatabase(7), Database(9)])[0].text == "x 7 c1 7"
    with pytest.raises(
        DefinitionError, match="tool 'count': nothing was provided for parameter 'db'; pass a Database in provide"
    ):
        made.run({"ctx": "x"})
    assert made.run({"ctx": "x", "db": {}}, provide=[Database(1)]).is_error


def test_what_the_app_need_not_provide_is_none() -> None:
    """Where its annotation says that it may be; by name, by place, or under any name."""

    def count(
        place: Annotated[Database | None, Injected], /, name: Annotated[Database | None, Injected], word: str
    ) -> str:
        return f"{word} {place and place.rows} {name and name.rows}"

    def spread(word: str, **more: Annotated[Database, Injected]) -> str:
        return f"{word} {more}"

    assert tool(count).run({"word": "x"}).text == "x None None"
    assert tool(count).run({"word": "x"}, provide=[Database(3)]).text == "x 3 3"
    assert tool(spread).run({"word": "x"}).text == "x {}"
    assert dict(tool(spread).spec.omitted) == {"**more": "no model can fill it"}


def test_an_injected_parameter_of_any_type_takes_the_context() -> None:
    """A mark without a class to look for is filled by whatever comes first."""

    def peek(anything: Annotated[Any, Injected]) -> str:
        return type(anything).__name__

    assert tool(peek).run().text == "RunContext"


class Options(TypedDict, total=False):
    size: Required[int]
    name: str


def test_unpacked_keywords_are_parameters() -> None:
    """`**kwargs: Unpack[...]` stands for its keys; those that are not required may be left out, without a default."""

    def make(a: int, **options: Unpack[Options]) -> str:
        return repr((a, options))

    made = tool(make)

    assert made.to("json-schema") == {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "size": {"type": "integer"}, "name": {"type": "string"}},
        "required": ["a", "size"],
        "additionalProperties": False,
    }
    assert made.run({"a": 1, "size": 2}).text == "(1, {'size': 2})"
    assert [problem.path for problem in made.run({"a": 1, "more": 2}).problems] == ["size", "more"]


@overload
def either(a: int) -> int: ...
@overload
def either(a: str, b: Literal["x"] = ...) -> str: ...
def either(a, b="x"):  # type: ignore[no-untyped-def]  # as implementations of overloads are written
    return a


def test_overloads_say_what_their_implementation_does_not() -> None:
    """A parameter takes what any of them takes."""
    assert tool(either).to("json-schema")["properties"] == {
        "a": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
        "b": {"type": "string", "enum": ["x"], "default": "x"},
    }


def test_members_of_a_union_without_json_form_are_left_out_and_named() -> None:
    """The others remain; if none says anything, the parameter has no form."""

    def call(f: Callable[[int], int] | str = "x", g: Callable[[], int] | None = None) -> None: ...

    spec = tool(call).spec

    assert tool(call).to("json-schema")["properties"] == {"f": {"type": "string", "default": "x"}}
    assert spec.notes == (
        "parameter 'f': collections.abc.Callable[[int], int] has no JSON form, so it is left out of the type",
    )
    assert spec.omitted == {"g": "collections.abc.Callable[[], int] has no JSON form"}


@attrs.frozen
class Place:
    """A place on earth.

    Attributes:
        lat: Degrees north.
    """

    lat: float
    lon: float
    """Degrees east."""
    name: str = attrs.field(default="", metadata={"description": "For people."})
    kind: Annotated[str, Param(description="What it is.", name="type")] = "town"


@dataclasses.dataclass
class Plain:
    x: int
    """Across."""


class Typed(TypedDict):
    """A typed dict.

    Attributes:
        a: First.
    """

    a: int
    b: int
    """Second."""


class Model(pydantic.BaseModel):
    """A model."""

    a: int
    """First."""
    b: int = Field(description="Second.")


@pytest.mark.parametrize(
    ("kind", "description", "texts"),
    [
        (Place, "A place on earth.", {"lat": "Degrees north.", "lon": "Degrees east.", "name": "For people.", "type": "What it is."}),
        (Plain, None, {"x": "Across."}),
        (Typed, "A typed dict.", {"a": "First.", "b": "Second."}),
        (Model, "A model.", {"a": "First.", "b": "Second."}),
    ],
)  # fmt: skip
def test_fields_of_every_kind_of_class_carry_their_texts(kind: Any, description: str | None, texts: Any) -> None:
    """Docstring sections, strings below fields, metadata and notes: one rule for all."""

    def use(thing: Any) -> None: ...

    use.__annotations__["thing"] = kind
    schema = tool(use).to("json-schema")["properties"]["thing"]

    assert schema.get("description") == description
    assert {name: field.get("description") for name, field in schema["properties"].items()} == texts


def test_aliased_fields_load_under_their_own_name() -> None:
    """The model sees the alias, the class gets its field."""

    def use(place: Place) -> str:
        return place.kind

    assert tool(use).run({"place": {"lat": 1, "lon": 2, "type": "village"}}).text == "village"


@pytest.mark.parametrize(
    ("returns", "output"),
    [
        (dict[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}),
        (list[str], {"type": "array", "items": {"type": "string"}}),
        (None, None),
        (Any, None),
        (Callable[[], int], None),
    ],
)
def test_the_return_annotation_is_the_output(returns: Any, output: Any) -> None:
    """Where it says something that JSON knows."""

    def make() -> Any: ...

    make.__annotations__["return"] = returns
    found = tool(make).spec.output

    assert (None if found is None else emit(found)) == output


def test_a_tool_may_be_made_of_anything_with_a_signature() -> None:
    """Generators and classes are read like functions."""

    def numbers(n: int) -> Any:
        yield n

    assert [node.name for node in tool(numbers).spec.parameters.properties or ()] == ["n"]
    assert Tool.make(Plain).run({"x": 1}).text == '{"x": 1}'
