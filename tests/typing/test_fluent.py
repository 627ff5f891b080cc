"""What type checkers see. mypy and basedpyright run over this file; pytest runs it, too."""

from typing import assert_type

import pytest

from prismpy import (
    AnyOfSchema,
    DefinitionError,
    FunctionTool,
    NullSchema,
    Review,
    StringSchema,
    Tool,
    Toolbox,
    ToolOutput,
    ToolResult,
    tool,
)


class Mine(Tool):
    def __init__(self, db: str) -> None:
        self.db = db
        self.as_("mine").with_string_parameter("a", "A text").using(self)

    def __call__(self, a: str) -> ToolOutput:
        return ToolOutput(a)


def test_the_chain_keeps_its_class() -> None:
    """Every method returns the class it was called on."""
    assert_type(Tool.as_("x"), Tool)
    assert_type(Tool().as_("x"), Tool)
    assert_type(Mine("db").as_("x"), Mine)
    assert_type(Mine("db").for_("x").concurrent().with_timeout(3), Mine)
    assert_type(
        Mine("db")
        .with_string_parameter("b", "", False, min_length=1, default="x")
        .with_integer_parameter("c", minimum=0)
        .with_enum_parameter("d", "", ["x"], nullable=True)
        .with_array_parameter("e", "", StringSchema("f"), min_items=1)
        .with_object_parameter("g", "", [StringSchema("h")], ["h"])
        .with_any_of_parameter("i", "", [StringSchema(), NullSchema()])
        .with_raw_parameter("j", "", {}),
        Mine,
    )
    assert_type(Tool.from_schema("x", "", {}), Tool)


def test_a_function_keeps_its_signature() -> None:
    """Decorating changes no types of the call."""

    @tool
    def search(query: str, top_k: int = 5) -> list[str]:
        return [query] * top_k

    @tool(name="find")
    def find(query: str) -> int:
        return len(query)

    assert_type(search("a", top_k=2), list[str])
    assert_type(find("a"), int)
    assert_type(search.run({"query": "a"}), ToolResult)
    assert_type(Tool.make(search), Tool)
    found: FunctionTool[[str], int] = find
    assert_type(Toolbox([search, found]).run([]), tuple[ToolResult, ...])
    assert_type(Toolbox([search, found]).check("mcp"), Review)
    _written: FunctionTool[[str], int] = found.takes_free_text('start: "a"')


def test_wrong_calls_are_told() -> None:
    """A wrong type, an unknown option and a missing argument need an ignore."""
    with pytest.raises(TypeError):
        Tool.as_("x").with_string_parameter("a", "", min_lenght=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Tool.as_()  # type: ignore[call-arg]
    with pytest.raises(DefinitionError):
        Tool.as_("x").takes_free_text("a", syntax="ebnf")  # type: ignore[arg-type]
    AnyOfSchema((StringSchema("text"), NullSchema()))
    StringSchema("name", "description", True, max_length=3)
