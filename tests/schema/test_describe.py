"""Schemas in a few words."""

from typing import Any

import pytest

from prismpy.schema import describe


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        (True, "any value"),
        (False, "nothing"),
        ({}, "any value"),
        ({"type": "string"}, "string"),
        ({"type": "string", "minLength": 1, "pattern": "^a"}, "string (length >= 1, matching ^a)"),
        ({"type": "integer", "minimum": 0, "maximum": 9}, "integer (>= 0, <= 9)"),
        ({"type": "number", "minimum": 0, "exclusiveMinimum": True}, "number (>= 0)"),
        ({"enum": ["c", 1, None]}, '"c" | 1 | null'),
        ({"enum": list(range(14))}, "0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | ... (2 more)"),
        ({"const": "ü"}, '"ü"'),
        ({"anyOf": [{"type": "string"}, {"type": "null"}, {"type": "string"}]}, "string | null"),
        ({"type": ["string", "null"]}, "string | null"),
        ({"type": "array", "items": {"type": "array", "items": {"type": "string"}}}, "list of list of string"),
        ({"type": "array"}, "list"),
        ({"type": "object"}, "object"),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, "object of integer"),
        (
            {
                "type": "object",
                "properties": {"a": {"type": "string"}, "b": {"$ref": "#/$defs/Node"}},
                "required": ["a"],
            },
            "{a: string, b?: Node}",
        ),
        ({"$ref": "#"}, "value"),
    ],
)
def test_each_shape_has_its_words(schema: Any, words: str) -> None:
    """The notation is TypeScript's, more or less."""
    assert describe(schema) == words


def test_what_is_deep_or_wide_is_cut() -> None:
    """Deep levels are named by their type, many properties by their number."""
    wide = {"type": "object", "properties": {f"p{i}": {} for i in range(14)}}
    deep = {
        "type": "object",
        "properties": {"a": {"type": "object", "properties": {"b": {"type": "object", "properties": {}}}}},
    }

    assert describe(wide).endswith("p11?: any value, ... 2 more}")
    assert describe(deep, depth=1) == "{a?: object}"
