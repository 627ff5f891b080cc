"""Schemas that are too large for a provider, and requests that are."""

from typing import Any

import pytest

from prismpy import LoweringError, Tool, Toolbox
from prismpy.lowering._limits import size_of, strictness
from tests.lowering.openai_subset import faults

TEXT = {"type": "string"}


def an_object(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def tool_of(schema: Any, name: str = "t") -> Tool:
    return Tool.from_schema(name, "", schema)


def nested(levels: int) -> Any:
    node: Any = TEXT
    for _ in range(levels):
        node = an_object(inner=node)
    return node


def value_of(levels: int) -> Any:
    return {"inner": value_of(levels - 1)} if levels else "x"


@pytest.mark.parametrize(("levels", "texts"), [(10, 0), (11, 1), (30, 1)])
def test_what_is_too_deep_becomes_json_text(levels: int, texts: int) -> None:
    """Ten levels are spelled out, and no value is out of reach."""
    low = tool_of(nested(levels)).lower("openai", strict=True)

    assert faults(low.schema) == []
    assert [change.rule for change in low.changes] == ["json-text"] * texts
    assert low.decode(low.encode(value_of(levels))) == value_of(levels)
    assert size_of(low.schema).levels == min(levels, 10)


def test_what_gets_deeper_by_rewriting_counts() -> None:
    """A list of entries has two levels more than the map that it says."""
    node: Any = TEXT
    for _ in range(5):
        node = {"type": "object", "additionalProperties": node}
    low = tool_of(an_object(map=node)).lower("openai", strict=True)
    value = {"map": {"a": {"b": {"c": {"d": {"e": "x"}}}}}}

    assert faults(low.schema) == []
    assert low.decode(low.encode(value)) == value


@pytest.mark.parametrize(
    "options", [[f"option {i}" for i in range(1001)], [f"{i}{'x' * 100}" for i in range(251)], list(range(1001))]
)
def test_an_enum_that_is_too_long_is_told_in_words(options: list[Any]) -> None:
    """It is enforced here."""
    low = tool_of(an_object(x={"enum": options}, y={"enum": ["a", "b"]})).lower("openai", strict=True)

    assert faults(low.schema) == []
    assert low.schema["properties"]["x"]["description"].startswith(f"one of {options[0]!r}".replace("'", '"'))
    assert low.schema["properties"]["y"] == {"type": "string", "enum": ["a", "b"]}
    assert [(change.path, change.lossy) for change in low.changes] == [("$.properties.x.enum", True)]


def test_too_many_properties_within_become_json_text() -> None:
    """The outermost ones stay."""
    wide = an_object(**{f"p{i}": TEXT for i in range(5001)})
    low = tool_of(an_object(x=wide)).lower("openai", strict=True)

    assert low.schema["properties"]["x"]["type"] == "string"
    assert low.decode({"x": '{"p0": "a"}'}) == {"x": {"p0": "a"}}


@pytest.mark.parametrize(
    "schema",
    [
        pytest.param(an_object(**{f"p{i}": TEXT for i in range(5001)}), id="properties"),
        pytest.param(an_object(**{f"p{i}{'x' * 300}": TEXT for i in range(500)}), id="characters"),
    ],
)
def test_what_nothing_makes_small_enough_is_not_strict(schema: Any) -> None:
    """It goes as it is, which is told and can be refused."""
    made = tool_of(schema)
    low = made.lower("openai", strict=True)

    assert (low.strict, low.schema) == (False, schema)
    assert [(change.rule, change.after, change.lossy) for change in low.changes] == [
        ("too-large", "not strict: the schema is larger than the strict mode takes", True)
    ]
    assert "strict" not in made.to("openai", strict=True)["function"]
    with pytest.raises(LoweringError, match=r"tool 't': openai cannot say \$ \(too-large\)"):
        made.to("openai", strict=True, on_loss="raise")


def test_anthropic_counts_optional_properties_and_unions_of_one_tool() -> None:
    """One that has more than a request may hold is not strict."""
    optional = {**an_object(**{f"p{i}": TEXT for i in range(25)}), "required": []}
    unions = an_object(**{f"p{i}": {"type": ["string", "null"]} for i in range(17)})
    fitting = {**an_object(**{f"p{i}": TEXT for i in range(25)}), "required": ["p0"]}

    assert [tool_of(each).lower("anthropic", strict=True).strict for each in (optional, unions, fitting)] == [
        False,
        False,
        True,
    ]
    assert strictness(an_object(a=unions, b=optional)) == (25, 17)


def test_a_request_holds_so_many_strict_tools() -> None:
    """The first ones are strict, the others go as they are; each change names its tool."""
    offered = Toolbox(tool_of(an_object(x=TEXT), f"t{i}") for i in range(22)).offer("anthropic", strict=True)

    assert [name for name, low in offered.lowered.items() if not low.strict] == ["t20", "t21"]
    assert ["strict" in each for each in offered.tools] == [True] * 20 + [False] * 2
    assert [(change.tool, change.rule, change.lossy) for change in offered.changes] == [
        ("t20", "request-limit", True),
        ("t21", "request-limit", True),
    ]


def test_a_request_holds_so_many_optional_properties() -> None:
    """A tool that does not fit any more does not keep later ones out."""
    sizes = [20, 5, 4]
    box = Toolbox(
        tool_of({**an_object(**{f"p{i}": TEXT for i in range(size)}), "required": []}, f"t{size}") for size in sizes
    )

    assert {name: low.strict for name, low in box.offer("anthropic", strict=True).lowered.items()} == {
        "t20": True,
        "t5": False,
        "t4": True,
    }
    with pytest.raises(LoweringError, match="tool 't5': anthropic cannot say"):
        box.offer("anthropic", strict=True, on_loss="raise")
    automatic = box.offer("anthropic", strict="auto", on_loss="raise")
    assert [(change.tool, change.rule, change.lossy) for change in automatic.changes] == [
        ("t5", "request-limit", False)
    ]
