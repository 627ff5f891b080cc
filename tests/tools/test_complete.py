"""From a draft and its handler to a complete tool."""

import dataclasses
import datetime
import enum
import functools
from collections.abc import Callable
from typing import Annotated, Any, Literal, ParamSpec

import attrs
import pytest

from prismpy import DefinitionError, EnumSchema, IntegerSchema, ObjectSchema, StringSchema, ToolSpec, emit, tool
from prismpy.errors import OpaqueError, UnresolvedError
from prismpy.tools import Fill, complete


class Unit(enum.Enum):
    CELSIUS = "c"
    FAHRENHEIT = "f"


def forecast(
    city: str,
    unit: Unit = Unit.CELSIUS,
    *days: str,
    start: datetime.date | None = None,
    limit: int = None,  # type: ignore[assignment]  # as people write it
    labels: list[str] = [],  # as people write it
    sink: Any = print,
    **more: Any,
) -> str:
    """Tell the weather.

    As far as it is known.

    Args:
        city: Where.
        unit: Of temperature.
        labels: Free text,
            one a line.
    """
    return city


def test_a_function_tells_everything() -> None:
    """Name, description, types, defaults and texts become the tool; variadics do not."""
    spec = complete(ToolSpec(handler=forecast, infers=True))

    assert (spec.name, spec.description) == ("forecast", "Tell the weather.\n\nAs far as it is known.")
    assert emit(spec.parameters) == {
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "Where."},
            "unit": {"type": "string", "enum": ["c", "f"], "description": "Of temperature.", "default": "c"},
            "start": {"type": ["string", "null"], "format": "date", "default": None},
            "limit": {"type": ["integer", "null"], "default": None},
            "labels": {
                "type": "array",
                "description": "Free text,\none a line.",
                "items": {"type": "string"},
                "default": [],
            },
            "sink": {},
        },
        "required": ["city"],
    }
    assert spec.omitted == {"*days": "a model passes arguments by name only"}


def test_a_function_without_variadics_is_closed() -> None:
    """What the schema accepts, the function can take."""
    spec = complete(ToolSpec(name="t", handler=lambda a, b=True: a, infers=True))

    assert emit(spec.parameters) == {
        "type": "object",
        "properties": {"a": {}, "b": {"type": "boolean", "default": True}},
        "required": ["a"],
        "additionalProperties": False,
    }


def test_a_declared_parameter_wins() -> None:
    """What was declared replaces what the signature says, in the signature's order."""

    def handler(a: int, b: int = 2, **more: Any) -> int:
        return a

    declared = ObjectSchema(
        properties=(StringSchema("b", "As text"), StringSchema("extra")), required_fields=("b", "extra")
    )
    spec = complete(ToolSpec(handler=handler, parameters=declared, infers=True))

    assert emit(spec.parameters) == {
        "type": "object",
        "properties": {
            "a": {"type": "integer"},
            "b": {"type": "string", "description": "As text"},
            "extra": {"type": "string"},
        },
        "required": ["a", "b", "extra"],
    }


@attrs.frozen
class Tree:
    value: int
    kids: "list[Tree]" = attrs.field(factory=list)


def test_recursive_types_are_defined_at_the_root() -> None:
    """References lead into `$defs` of the parameters object."""

    def grow(tree: Tree) -> int:
        return tree.value

    schema = emit(complete(ToolSpec(handler=grow, infers=True)).parameters)

    assert schema["properties"] == {"tree": {"$ref": "#/$defs/Tree"}}
    assert list(schema["$defs"]) == ["Tree"]


class Opaque:
    pass


def test_an_optional_parameter_without_json_form_is_left_out_and_named() -> None:
    """It stays at its default, and the tool says why."""

    def handler(a: int, sink: Opaque = Opaque(), later: "Nowhere" = None) -> int:  # type: ignore[name-defined]  # noqa: F821
        return a

    spec = complete(ToolSpec(handler=handler, infers=True))

    assert [node.name for node in spec.parameters.properties or ()] == ["a"]
    assert spec.omitted == {
        "sink": "Opaque has no JSON form",
        "later": "'Nowhere' cannot be evaluated: name 'Nowhere' is not defined",
    }


class Parent:
    """
    Something that has children.

    Attributes:
        first: A text of the class.
        second: Of the class, too.
    """

    def __init__(self, first: int, second: int, third: int = 0) -> None:
        """
        Begin.

        Args:
            first: A text of the constructor.
        """


class Child(Parent):
    """
    What is described anew.

    Attributes:
        third: A text of the child.
    """


def test_parameters_are_described_where_a_base_says_what_they_are() -> None:
    """The constructor comes first, then the class itself, then its bases."""
    spec = complete(ToolSpec(handler=Child, infers=True))

    assert spec.description == "What is described anew."
    assert {node.name: node.description for node in spec.parameters.properties or ()} == {
        "first": "A text of the constructor.",
        "second": "Of the class, too.",
        "third": "A text of the child.",
    }


def opaque(sink: Opaque) -> None: ...


def unresolved(a: "Nowhere") -> None: ...  # type: ignore[name-defined]  # noqa: F821


def needs(a: int, b: int) -> None: ...


@pytest.mark.parametrize(
    ("draft", "message"),
    [
        (
            ToolSpec(description="Something", handler=lambda: None),
            "a tool has no name (description: 'Something'); name it with as_()",
        ),
        (ToolSpec(), "a tool has no name (description: ''); name it with as_()"),
        (
            ToolSpec(handler=opaque, infers=True),
            "tool 'opaque': parameter 'sink': Opaque has no JSON form; annotate it with a type that JSON knows, "
            "mark it as Injected, give it a default, or bind it with functools.partial",
        ),
        (
            ToolSpec(handler=unresolved, infers=True),
            "tool 'unresolved': parameter 'a': 'Nowhere' cannot be evaluated: name 'Nowhere' is not defined; annotate it "
            "with a type that JSON knows, mark it as Injected, give it a default, or bind it with functools.partial",
        ),
        (
            ToolSpec("t", parameters=ObjectSchema(properties=(StringSchema("c"),)), handler=needs),
            "tool 't': its handler 'needs' takes no parameter 'c'; it takes 'a', 'b'",
        ),
        (
            ToolSpec("t", parameters=ObjectSchema(properties=(StringSchema("c"),)), handler=lambda: None),
            "tool 't': its handler 'lambda' takes no parameter 'c'; it takes none",
        ),
        (
            ToolSpec("t", parameters=ObjectSchema(properties=(IntegerSchema("a"),)), handler=needs),
            "tool 't': parameter 'a' is optional, but its handler 'needs' needs it; give it a default there or here",
        ),
        (
            ToolSpec(
                "t", parameters=ObjectSchema(properties=(IntegerSchema("a"),), required_fields=("a",)), handler=needs
            ),
            "tool 't': its handler 'needs' needs a parameter 'b' that is not declared; declare it or give it a default",
        ),
    ],
)
def test_what_does_not_fit_is_refused_naming_both(draft: ToolSpec, message: str) -> None:
    """The error names the tool, the parameter, the handler, and what to do."""
    with pytest.raises(DefinitionError) as caught:
        complete(draft)

    assert str(caught.value) == message


def keyed(kinds: dict[tuple[int], str]) -> None: ...


@pytest.mark.parametrize(
    ("handler", "kind"), [(opaque, OpaqueError), (unresolved, UnresolvedError), (keyed, DefinitionError)]
)
def test_the_class_of_a_refusal_tells_what_is_wrong_with_the_type(handler: Any, kind: type[DefinitionError]) -> None:
    """That no JSON stands for its values, that its name means nothing, or anything else."""
    with pytest.raises(DefinitionError) as caught:
        complete(ToolSpec(handler=handler, infers=True))

    assert type(caught.value) is kind


def test_a_tool_without_handler_is_complete_once_named() -> None:
    """A tool may be described only."""
    draft = ToolSpec("t", "Text", ObjectSchema(properties=(StringSchema("a"),)))

    assert complete(draft) == draft


def test_the_binding_holds_what_differs_from_the_plain_case() -> None:
    """Conversions, defaults that must be copied or passed by place, and names, each only where needed."""

    def handler(a: str, b: int = 1, /, c: Literal["x"] = "x", d: list[int] = [], *, e: Unit = Unit.CELSIUS) -> None:
        pass

    binding = complete(ToolSpec(handler=handler, infers=True)).binding

    assert binding is not None
    assert binding.names == {name: name for name in "abcde"}
    assert set(binding.loads) == {"b", "d", "e"}
    assert binding.fills == {"b": Fill(1), "d": Fill([])}
    assert binding.positional == ("a", "b")
    assert not binding.takes_any


def test_a_declared_parameter_is_converted_by_the_annotation_if_it_fits() -> None:
    """A declared text reaches a handler that wants a date as a date, anything else as it is."""

    def handler(day: datetime.date, size: int) -> None: ...

    declared = ObjectSchema(properties=(StringSchema("day"), StringSchema("size")), required_fields=("day", "size"))
    binding = complete(ToolSpec("t", parameters=declared, handler=handler)).binding

    assert binding is not None
    assert binding.loads["day"]("2024-05-06") == datetime.date(2024, 5, 6)
    assert binding.loads["size"]("large") == "large"
    assert binding.loads["day"](3) == 3


def test_declared_defaults_win() -> None:
    """A default in the schema reaches the handler, whether or not it has one of its own."""
    declared = ObjectSchema(properties=(StringSchema("a", default="x"), StringSchema("b", default="y")))
    binding = complete(ToolSpec("t", parameters=declared, handler=lambda a, b="own": a + b)).binding

    assert binding is not None
    assert binding.fills == {"a": Fill("x"), "b": Fill("y")}


def test_a_declared_default_is_converted_like_an_argument() -> None:
    """The handler gets an enum member for a default that is declared by its value."""
    declared = ObjectSchema(properties=(EnumSchema("unit", None, ("c", "f"), default="f"),))

    def handler(unit: Unit) -> None: ...

    binding = complete(ToolSpec("t", parameters=declared, handler=handler)).binding

    assert binding is not None
    assert binding.fills["unit"].fill() is Unit.FAHRENHEIT


def test_what_is_bound_or_left_out_is_closed_to_the_model() -> None:
    """Also where the handler takes any name."""

    def handler(sql: str, *, tenant: str, sink: Opaque = Opaque(), spare: int = 1, **more: Any) -> None: ...

    bound = complete(ToolSpec(handler=functools.partial(handler, tenant="acme"), infers=True)).binding
    declared = ObjectSchema(properties=(StringSchema("sql"),), required_fields=("sql",))
    partly = complete(ToolSpec("t", parameters=declared, handler=functools.partial(handler, tenant="acme"))).binding

    assert bound is not None
    assert partly is not None
    assert bound.closed == {"tenant", "sink"}
    assert partly.closed == {"tenant", "sink", "spare"}


@attrs.frozen
class Made:
    tags: list[str] = attrs.field(factory=list)


@dataclasses.dataclass
class AlsoMade:
    tags: list[str] = dataclasses.field(default_factory=list)


@pytest.mark.parametrize("kind", [Made, AlsoMade])
def test_a_default_that_a_factory_makes_has_no_json(kind: type) -> None:
    """The mark that stands for it in the constructor's signature does not reach the schema."""
    spec = complete(ToolSpec("made", handler=kind, infers=True))

    assert emit(spec.parameters) == {
        "type": "object",
        "properties": {"tags": {"type": "array", "items": {"type": "string"}}},
        "additionalProperties": False,
    }


@pytest.mark.parametrize(
    ("annotation", "others", "omitted"),
    [
        (int, {"type": "integer"}, {}),
        (datetime.date, {"type": "string", "format": "date"}, {}),
        (Annotated[datetime.date, "When"], {"type": "string", "format": "date", "description": "When"}, {}),
        (Any, None, {}),
        (ParamSpec("P").kwargs, None, {}),
        (Callable[[], int], False, {"**dates": "collections.abc.Callable[[], int] has no JSON form"}),
    ],
)
def test_keywords_of_any_name_are_of_their_type(annotation: Any, others: Any, omitted: Any) -> None:
    """What is said of `**kwargs` is said of what a model may add; nothing may be added that it could not send."""

    def plan(**dates: Any) -> None: ...

    plan.__annotations__["dates"] = annotation
    spec = complete(ToolSpec(handler=plan))

    assert emit(spec.parameters) == {
        "type": "object",
        "properties": {},
        **({} if others is None else {"additionalProperties": others}),
    }
    assert dict(spec.omitted) == omitted


def test_keywords_of_any_name_are_converted() -> None:
    """As parameters are; the error names them."""

    @tool
    def plan(first: datetime.date, **more: datetime.date) -> str:
        """Plan it."""
        return repr((first, more))

    @tool
    def add(**numbers: float) -> str:
        """Add them."""
        return repr(numbers)

    assert plan.run({"first": "2024-01-02", "then": "2024-01-03"}).text == (
        "(datetime.date(2024, 1, 2), {'then': datetime.date(2024, 1, 3)})"
    )
    assert [problem.path for problem in plan.run({"first": "2024-01-02", "then": "soon"}).problems] == ["then"]
    assert add.run({"a": 1}).text == "{'a': 1.0}"
    assert [problem.message for problem in add.run({"a": 10**400}).problems] == ["the number is too large"]
