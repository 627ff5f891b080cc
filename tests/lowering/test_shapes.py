"""What becomes of each shape for providers that take a subset always, and how arguments get there and back."""

import json
from typing import Any

import pytest

from prismpy import Tool
from prismpy.lowering import Lowered, dialect
from prismpy.lowering._lower import _lower
from prismpy.schema import compile_schema
from tests.lowering.forms import JUDGES, readable

TEXT = {"type": "string"}
NUMBER = {"type": "integer"}


def lowered(node: Any, provider: str, **more: Any) -> Lowered:
    """Lower a tool with one required parameter."""
    schema = {"type": "object", "properties": {"x": node}, "required": ["x"], "additionalProperties": False, **more}
    return Tool.from_schema("t", "", schema).lower(provider)


def entries(value: Any, **about: Any) -> Any:
    entry = {"type": "object", "properties": {"name": TEXT, "value": value}, "required": ["name", "value"]}
    return {"type": "array", "items": entry, "description": "One entry for each name", **about}


JSON_TEXT = {"type": "string", "description": "Write it as JSON text: any value"}

GEMINI = [
    ({"type": ["string", "null"]}, {"type": "string", "nullable": True}, None, None),
    ({"enum": ["a", "b", None]}, {"type": "string", "enum": ["a", "b"], "nullable": True}, None, None),
    ({"enum": ["", "a"]}, {"type": "string", "description": 'one of "", "a"'}, "", ""),
    ({"enum": [1, 2]}, {"type": "integer", "description": "one of 1, 2"}, 2, 2),
    ({"enum": [True, False]}, {"type": "boolean"}, True, True),
    ({"enum": ["a", 1, 2.5]}, {"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "number", "description": "one of 1, 2.5"}]}, 2.5, 2.5),
    ({"enum": [None]}, {"type": "string", "description": "Write it as JSON text: null"}, None, "null"),
    ({"const": [1]}, {"type": "string", "description": "Write it as JSON text: [1]"}, [1], "[1]"),
    (
        {"anyOf": [TEXT, NUMBER, {"type": "null"}], "description": "D", "title": "T"},
        {"anyOf": [{"type": "string", "description": "D", "nullable": True}, {"type": "integer", "description": "D"}]},
        None,
        None,
    ),
    ({"type": "object", "additionalProperties": NUMBER}, entries(NUMBER), {"a b": 1}, [{"name": "a b", "value": 1}]),
    ({"type": "object"}, entries({"type": "string", "description": "The value, as JSON text"}), {"a": [1]}, [{"name": "a", "value": "[1]"}]),
    (
        {"type": "object", "patternProperties": {"^n": NUMBER}, "additionalProperties": False},
        entries(NUMBER) | {"items": {"type": "object", "properties": {"name": {"type": "string", "pattern": "^n"}, "value": NUMBER}, "required": ["name", "value"]}},
        {"n": 1},
        [{"name": "n", "value": 1}],
    ),
    ({"type": "object", "properties": {}, "additionalProperties": False}, {"type": "string", "description": "Write it as JSON text: object"}, {}, "{}"),
    (
        {"type": "object", "properties": {"odd name": TEXT}, "required": ["odd name"]},
        {"type": "object", "properties": {"odd_name": TEXT}, "required": ["odd_name"]},
        {"odd name": "a", "odd_name": 1},
        {"odd_name": "a", "odd name": 1},
    ),
    ({}, JSON_TEXT, {"a": None}, '{"a": null}'),
    ({"type": "array"}, {"type": "array", "items": {"type": "string", "description": "The item, as JSON text"}}, [1], ["1"]),
    ({"type": "string", "format": "email", "maxLength": 3}, {"type": "string", "maxLength": 3, "description": "in the format email"}, "a", "a"),
    ({"type": "number", "pattern": "a", "exclusiveMinimum": 1, "x-order": 3, "title": "Count"}, {"type": "number", "title": "Count", "description": "more than 1"}, 2, 2),
    ({"type": "integer", "exclusiveMinimum": 1, "minimum": 1, "exclusiveMaximum": 9}, {"type": "integer", "minimum": 2, "maximum": 8}, 2, 2),
    ({"type": "integer", "exclusiveMinimum": 1.5}, {"type": "integer", "description": "more than 1.5"}, 2, 2),
    ({"allOf": [{"type": "string", "minLength": 1}, {"minLength": 2, "description": "D"}]}, {"type": "string", "minLength": 2, "description": "D"}, "ab", "ab"),
]  # fmt: skip

GEMINI_JSON = [
    ({"type": ["string", "null"]}, {"type": ["string", "null"]}, None, None),
    ({"enum": ["a", True]}, {"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "boolean", "description": "one of true"}]}, True, True),
    ({"type": "object", "additionalProperties": NUMBER}, {"type": "object", "additionalProperties": NUMBER}, {"a": 1}, {"a": 1}),
    ({"type": "object", "additionalProperties": {}}, {"type": "object", "additionalProperties": True}, {"a": 1}, {"a": 1}),
    ({"type": "object", "additionalProperties": {"const": [1]}}, {"type": "object", "additionalProperties": {"type": "string", "description": "Write it as JSON text: [1]"}}, {"a": [1]}, {"a": "[1]"}),
    (
        {"type": "object", "properties": {"a": TEXT}, "patternProperties": {"^n": NUMBER}, "additionalProperties": False},
        {"type": "object", "properties": {"a": TEXT}, "required": [], "additionalProperties": True, "description": 'patternProperties {"^n": {"type": "integer"}}; additionalProperties false'},
        {"n": 1},
        {"n": 1},
    ),
    (
        {"type": "array", "prefixItems": [TEXT, {}], "items": False},
        {"type": "array", "prefixItems": [TEXT, JSON_TEXT], "maxItems": 2},
        ["a", [1]],
        ["a", "[1]"],
    ),
    (
        {"type": "array", "prefixItems": [TEXT], "items": {"const": [1]}},
        {"type": "array", "prefixItems": [TEXT], "items": {"type": "string", "description": "Write it as JSON text: [1]"}},
        ["a", [1]],
        ["a", "[1]"],
    ),
    ({"type": "array", "prefixItems": [TEXT]}, {"type": "array", "prefixItems": [TEXT]}, ["a", {"b": 1}], ["a", {"b": 1}]),
]  # fmt: skip

OLLAMA = [
    ({}, {}, {"a": 1}, {"a": 1}),
    ({"description": "D", "not": {"const": 1}}, {"description": 'D. valid under the JSON Schema {"description": "D", "not": {"const": 1}}'}, 2, 2),
    ({"type": "object", "additionalProperties": NUMBER}, {"type": "object", "description": "with other names, too: integer"}, {"a": 1}, {"a": 1}),
    ({"type": "object", "properties": {"a": TEXT}, "additionalProperties": True}, {"type": "object", "properties": {"a": TEXT}, "required": []}, {"b": 1}, {"b": 1}),
    ({"type": "array", "prefixItems": [TEXT, NUMBER]}, {"type": "array", "description": "in order: string, integer"}, ["a", 1], ["a", 1]),
    ({"type": "array"}, {"type": "array"}, [1, "a"], [1, "a"]),
    ({"type": "array", "items": NUMBER, "minItems": 1}, {"type": "array", "description": "at least 1 items", "items": NUMBER}, [1], [1]),
    ({"enum": ["a", 1, None]}, {"type": ["string", "integer", "null"], "enum": ["a", 1, None]}, None, None),
    ({"$ref": "#/$defs/T"}, {"type": "object", "properties": {"t": {"type": "object", "properties": {"t": {"description": "T"}}, "required": []}}, "required": []}, {"t": {"t": {"t": {}}}}, {"t": {"t": {"t": {}}}}),
]  # fmt: skip

TREE = {"T": {"type": "object", "properties": {"t": {"$ref": "#/$defs/T"}}}}


@pytest.mark.parametrize(
    ("provider", "node", "told", "value", "sent"),
    [
        (provider, *case)
        for provider, cases in (("gemini", GEMINI), ("gemini-json-schema", GEMINI_JSON), ("ollama", OLLAMA))
        for case in cases
    ],
)
def test_each_shape_is_said_as_the_provider_takes_it(
    provider: str, node: Any, told: Any, value: Any, sent: Any
) -> None:
    """The schema is as expected, a value goes there as expected, and comes back as it was."""
    low = lowered(node, provider, **({"$defs": TREE} if "$ref" in node else {}))

    assert low.schema["properties"]["x"] == told
    assert JUDGES[provider, False](low.schema) == []
    assert low.encode({"x": value}) == {"x": sent}
    assert compile_schema(readable(low.schema))({"x": sent}) == ()
    assert low.decode({"x": sent}) == {"x": value}


def test_what_is_not_told_is_reported() -> None:
    """Titles that say what a description says already, and keywords that only others know."""
    low = lowered({"type": "string", "title": "Text", "description": "D", "x-order": 1, "$comment": "c"}, "ollama")

    assert low.schema["properties"]["x"] == {"type": "string", "description": "D"}
    assert [(change.path, change.before, change.after, change.lossy) for change in low.changes] == [
        ("$.properties.x.title", "Text", "", False),
        ("$.properties.x.x-order", 1, "", False),
    ]
    union = lowered({"anyOf": [TEXT, NUMBER], "default": 1}, "ollama", title="Arguments")
    assert [(change.path, change.after) for change in union.changes] == [
        ("$.title", ""),
        ("$.properties.x.default", "by default 1"),
    ]
    assert lowered({"type": "string", "title": "Text"}, "ollama").schema["properties"]["x"]["description"] == "Text"


def test_a_description_beside_a_recursive_reference_stays() -> None:
    """In a union of one, since nothing may stand beside a reference; the definition keeps its own."""
    tree = {
        "type": "object",
        "description": "A tree",
        "properties": {"t": {"$ref": "#/$defs/T", "description": "Its left"}},
        "additionalProperties": False,
    }
    schema = {
        "type": "object",
        "properties": {"x": {"$ref": "#/$defs/T", "description": "The root"}},
        "required": ["x"],
        "additionalProperties": False,
        "$defs": {"T": tree},
    }
    low = Tool.from_schema("t", "", schema).lower("openai", strict=True)
    left = {"anyOf": [{"$ref": "#/$defs/T"}, {"type": "null"}], "description": "Its left"}

    assert low.schema["properties"]["x"]["description"] == "The root. A tree"
    assert low.schema["$defs"]["T"]["description"] == "A tree"
    assert low.schema["$defs"]["T"]["properties"]["t"] == left
    assert low.decode(low.encode({"x": {"t": {"t": {}}}})) == {"x": {"t": {"t": {}}}}


@pytest.mark.parametrize(
    ("node", "told", "lossy"),
    [
        ({"$ref": "#/$defs/S", "maxLength": 5, "pattern": "^x"}, {"type": "string", "pattern": "^x", "description": "at most 5 characters"}, ["$.properties.x.maxLength"]),
        ({"$ref": "#/$defs/P", "pattern": "^x"}, {"type": "string", "pattern": "a$", "description": "matching ^x"}, ["$.properties.x.pattern"]),
        ({"$ref": "#/$defs/S", "default": "a"}, {"type": "string", "description": 'at most 9 characters; by default "a"'}, ["$.properties.x.maxLength"]),
        ({"$ref": "#/$defs/Any", "title": "T"}, {"type": "string", "description": "Write it as JSON text: any value"}, []),
        ({"$ref": "#/$defs/None", "title": "T"}, {"type": "string", "description": "Write it as JSON text: nothing"}, ["$.properties.x"]),
        ({"allOf": [{"$ref": "#/$defs/S"}, {"pattern": "a"}, {"pattern": "b"}]}, {"type": "string", "pattern": "a", "description": 'at most 9 characters; allOf [{"pattern": "b"}]'}, ["$.properties.x.maxLength", "$.properties.x.allOf"]),
        ({"allOf": [{"allOf": [{"type": "string"}]}]}, {"type": "string"}, []),
        (
            {"type": "string", "pattern": "a", "allOf": [{"pattern": "b"}, {"allOf": [{"allOf": [{"allOf": [{"allOf": [{"allOf": [{"pattern": "c"}]}]}]}]}]}]},
            {"type": "string", "pattern": "a", "description": 'allOf [{"pattern": "b"}, {"pattern": "c"}]'},
            ["$.properties.x.allOf"],
        ),
    ],
)  # fmt: skip
def test_what_stands_together_is_said_together(node: Any, told: Any, lossy: list[str]) -> None:
    """Merged where that is exact, else in words; nothing is lost silently."""
    definitions = {
        "S": {"type": "string", "maxLength": 9},
        "P": {"type": "string", "pattern": "a$"},
        "Any": True,
        "None": False,
    }
    schema = {
        "type": "object",
        "properties": {"x": node},
        "required": ["x"],
        "additionalProperties": False,
        "$defs": definitions,
    }
    low = Tool.from_schema("t", "", schema).lower("openai", strict=True)

    assert low.schema["properties"]["x"] == told
    assert [change.path for change in low.changes if change.lossy] == lossy


@pytest.mark.parametrize(
    ("branches", "lossy"),
    [
        ([TEXT, NUMBER], False),
        ([{"type": "object", "properties": {"k": {"const": k}}, "required": ["k"]} for k in "ab"], False),
        ([NUMBER, {"type": "number"}], True),
        ([{"type": "object", "properties": {k: {}}, "required": [k]} for k in "ab"], True),
        ([TEXT], False),
        ([{"type": "string", "pattern": "a"}, {"type": "string", "pattern": "b"}], True),
    ],
)
def test_one_of_is_a_loss_where_branches_overlap(branches: list[Any], lossy: bool) -> None:
    """Where a value that fits one fits no other, any is one."""
    changes = lowered({"oneOf": branches}, "gemini-json-schema").changes

    assert [change.lossy for change in changes if change.rule == "one-of"] == [lossy]


def test_a_reference_out_of_the_document_accepts_nothing_here() -> None:
    """So what hangs on it is told as JSON text, and a union knows only its other branch."""
    elsewhere = {"$ref": "https://elsewhere.example/schema"}
    schema = {
        "type": "object",
        "properties": {"x": {"anyOf": [elsewhere, {"type": "array", "items": {}}]}},
        "required": ["x"],
    }
    low = _lower(json.dumps(schema), dialect("gemini"), False)

    assert low.schema["properties"]["x"]["anyOf"][0]["type"] == "string"
    assert low.decode(low.encode({"x": [1]})) == {"x": [1]}


@pytest.mark.parametrize("value", [3, None, "a", {"k": "c"}, {}])
def test_what_fits_no_branch_and_no_tuple_is_left_alone(value: Any) -> None:
    """In both directions."""
    tagged = {
        "anyOf": [{"type": "object", "properties": {"k": {"const": k}, "v": {}}, "required": ["k"]} for k in "ab"]
    }
    pair = {"type": "array", "prefixItems": [TEXT, {}], "items": False}
    for node, provider in ((tagged, "gemini"), (tagged, "gemini-json-schema"), (pair, "gemini-json-schema")):
        low = lowered(node, provider)
        assert low.decode({"x": value}) == low.encode({"x": value}) == {"x": value}


@pytest.mark.parametrize("provider", ["gemini", "gemini-json-schema"])
def test_open_branches_are_not_told_apart_by_names(provider: str) -> None:
    """A value of one may have the names of the other."""
    one = {"type": "object", "properties": {"a": {"type": "integer"}, "x": {}}, "required": ["a"]}
    two = {"type": "object", "properties": {"b": {}}, "required": ["b"]}
    low = lowered({"anyOf": [one, two]}, provider)
    value = {"x": {"a": "1", "b": [1], "x": "2"}}

    assert compile_schema(readable(low.schema))(low.encode(value)) == ()
    assert low.decode(low.encode(value)) == value
