"""Nothing is lost silently: what a provider cannot say is told and reported, what it can say is no loss."""

from typing import Any

import pytest

from prismpy import Tool
from prismpy.lowering import Lowered
from tests.lowering.forms import JUDGES

TEXT = {"type": "string"}
NUMBER = {"type": "integer"}
NULL = {"type": "null"}
ANY_VALUE = {"type": "string", "description": "The value, as JSON text"}


def lowered(node: Any, provider: str) -> Lowered:
    """Lower a tool with one required parameter, strictly where the provider can."""
    schema = {"type": "object", "properties": {"x": node}, "required": ["x"], "additionalProperties": False}
    return Tool.from_schema("t", "", schema).lower(provider, strict=provider in {"openai", "anthropic"})


def entries(description: str, value: Any = ANY_VALUE, **about: Any) -> Any:
    entry = {"type": "object", "properties": {"name": TEXT, "value": value}, "required": ["name", "value"]}
    return {"type": "array", "items": entry, **about, "description": description}


TWO_PATTERNS = {"^n": NUMBER, "^s": TEXT}
TOLD_PATTERNS = 'patternProperties {"^n": {"type": "integer"}, "^s": {"type": "string"}}; additionalProperties false'


@pytest.mark.parametrize(
    ("provider", "node", "told", "lost"),
    [
        # names
        (
            "gemini",
            {"type": "object", "patternProperties": TWO_PATTERNS, "additionalProperties": False},
            entries(f"One entry for each name. {TOLD_PATTERNS}"),
            [".patternProperties", ".additionalProperties"],
        ),
        (
            "gemini",
            {"type": "object", "properties": {"a": TEXT}, "patternProperties": TWO_PATTERNS, "additionalProperties": False},
            {
                "type": "object",
                "properties": {
                    "a": TEXT,
                    "additional_properties": entries(f"Properties with other names, if there are any. {TOLD_PATTERNS}"),
                },
                "required": [],
            },
            [".patternProperties", ".additionalProperties"],
        ),
        (
            "gemini-json-schema",
            {"type": "object", "properties": {"ab": TEXT, "b": TEXT}, "patternProperties": {"^a": {"enum": ["x"]}, "(": False}},
            {
                "type": "object",
                "properties": {"ab": {**TEXT, "enum": ["x"]}, "b": TEXT},
                "required": [],
                "additionalProperties": True,
                "description": 'patternProperties {"^a": {"enum": ["x"]}, "(": false}',
            },
            [".patternProperties"],
        ),
        (
            "gemini",
            {"type": "object", "required": ["n1"], "patternProperties": {"^n": NUMBER}, "additionalProperties": False},
            {
                "type": "object",
                "properties": {
                    "n1": NUMBER,
                    "additional_properties": {
                        **entries("Properties with other names, if there are any"),
                        "items": {
                            "type": "object",
                            "properties": {"name": {**TEXT, "pattern": "^n"}, "value": NUMBER},
                            "required": ["name", "value"],
                        },
                    },
                },
                "required": ["n1"],
            },
            [],
        ),
        (
            "gemini-json-schema",
            {"type": "object", "required": ["z"], "additionalProperties": NUMBER},
            {"type": "object", "properties": {"z": NUMBER}, "required": ["z"], "additionalProperties": NUMBER},
            [],
        ),
        (
            "gemini-json-schema",
            {"type": "object", "required": ["z"], "additionalProperties": False},
            {
                "type": "object",
                "properties": {"z": {**TEXT, "description": "Write it as JSON text: nothing"}},
                "required": ["z"],
                "additionalProperties": False,
            },
            [".properties.z"],
        ),
        (
            "gemini-json-schema",
            {"type": "object", "properties": {"a": False, "b": TEXT, "c": {"not": {}}}},
            {"type": "object", "properties": {"b": TEXT}, "required": [], "description": "without a; without c"},
            [".properties.a", ".properties.c"],
        ),
        (
            "gemini-json-schema",
            {"type": "object", "properties": {"a": False, "b": TEXT}, "additionalProperties": {"not": {}}},
            {"type": "object", "properties": {"b": TEXT}, "required": [], "additionalProperties": False},
            [],
        ),
        (
            "gemini",
            {"type": "object", "additionalProperties": NUMBER, "title": "Map"},
            entries("One entry for each name", NUMBER, title="Map"),
            [],
        ),
        # lists
        (
            "openai",
            {"type": "array", "items": False},
            {"type": "array", "maxItems": 0, "items": {**TEXT, "description": "The item, as JSON text"}},
            [],
        ),
        (
            "anthropic",
            {"type": "array", "items": False},
            {"type": "array", "description": "at most 0 items", "items": {**TEXT, "description": "The item, as JSON text"}},
            [".maxItems"],
        ),
        (
            "anthropic",
            {"type": "array", "prefixItems": [TEXT], "minItems": 1, "maxItems": 1},
            {"type": "object", "properties": {"item_1": TEXT}, "required": ["item_1"], "additionalProperties": False},
            [],
        ),
        (
            "gemini",
            {"type": "array", "prefixItems": [TEXT], "minItems": 1, "items": False, "title": "One"},
            {"type": "object", "properties": {"item_1": TEXT}, "required": ["item_1"], "title": "One"},
            [],
        ),
        # choices
        ("gemini", {"anyOf": [{**TEXT, "maxLength": 5}, NULL], "maxLength": 9}, {**TEXT, "maxLength": 5, "nullable": True}, []),
        (
            "gemini",
            {"anyOf": [{"type": ["string", "integer"]}, NULL], "minLength": 1},
            {"anyOf": [{**TEXT, "minLength": 1, "nullable": True}, NUMBER]},
            [],
        ),
        ("openai", {"anyOf": [TEXT, {"type": "null", "enum": ["a"]}]}, TEXT, []),
        ("openai", {"anyOf": [TEXT, {"type": "null", "minLength": 1}]}, {"type": ["string", "null"]}, []),
        ("openai", {"oneOf": [NULL, {"type": ["string", "null"]}]}, {"type": ["string", "null"]}, [""]),
        (
            "openai",
            {"oneOf": [NUMBER, {}]},
            {"anyOf": [NUMBER, {**TEXT, "description": "Write it as JSON text: any value"}]},
            [""],
        ),
        ("openai", {"oneOf": [{"type": "array", "items": TEXT}, {"enum": [1, None]}]}, {"anyOf": [{"type": "array", "items": TEXT}, {"type": ["integer", "null"], "enum": [1, None]}]}, []),
        ("openai", {"anyOf": [{**TEXT, "minLength": 1}, NULL]}, {"type": ["string", "null"], "description": "at least 1 characters"}, [".anyOf[0].minLength"]),
        (
            "openai",
            {"type": ["string", "integer"], "minLength": 1},
            {"anyOf": [{**TEXT, "description": "at least 1 characters"}, NUMBER]},
            [".minLength"],
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_said_is_told_and_reported(provider: str, node: Any, told: Any, lost: list[str]) -> None:
    """The schema is as expected, and each loss is named where it stands."""
    low = lowered(node, provider)

    assert low.schema["properties"]["x"] == told
    assert [change.path.removeprefix("$.properties.x") for change in low.changes if change.lossy] == lost
    assert JUDGES[provider, low.strict](low.schema) == []


def test_notes_beside_a_nullable_schema_are_told_where_they_stand() -> None:
    """Its default is that of the whole, not of the branch that is not null."""
    low = lowered({"anyOf": [TEXT, NULL], "default": None, "title": "X", "description": "A text"}, "gemini")

    assert low.schema["properties"]["x"] == {
        **TEXT,
        "title": "X",
        "description": "A text. by default null",
        "nullable": True,
    }
    assert [change.path for change in low.changes] == ["$.properties.x.default"]


def test_a_title_does_not_come_to_stand_beside_a_union() -> None:
    """Where nothing may; the only branch is a union itself."""
    low = lowered({"anyOf": [{"anyOf": [TEXT, NUMBER]}], "title": "X"}, "gemini")

    assert low.schema["properties"]["x"] == {"anyOf": [{**TEXT, "description": "X"}, {**NUMBER, "description": "X"}]}


def test_tagged_branches_are_distinct_beside_null() -> None:
    """Tags tell them apart, and null is of none of them."""
    tagged = [{"type": "object", "properties": {"k": {"const": k}}, "required": ["k"]} for k in "ab"]

    assert [c.lossy for c in lowered({"oneOf": [*tagged, NULL]}, "openai").changes if c.rule == "one-of"] == [False]
    assert [c.lossy for c in lowered({"oneOf": [*tagged, {}]}, "openai").changes if c.rule == "one-of"] == [True]
