"""Draft 3 in the words of the newest."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft3Validator, Draft202012Validator

from prismpy import DefinitionError, Tool
from prismpy.schema import upgrade
from tests.strategies import json_values

D3 = "http://json-schema.org/draft-03/schema#"
NEWEST = "https://json-schema.org/draft/2020-12/schema"

NAMED: list[tuple[Any, Any]] = [
    ({"properties": {"a": {"required": True}, "b": {"required": False}}}, {"properties": {"a": {}, "b": {}}, "required": ["a"]}),
    ({"items": {"required": True}, "required": True}, {"items": {}}),
    ({"divisibleBy": 2}, {"multipleOf": 2}),
    ({"minimum": 1, "exclusiveMinimum": True}, {"exclusiveMinimum": 1}),
    ({"disallow": "string"}, {"not": {"type": "string"}}),
    ({"disallow": ["string", "null"]}, {"not": {"type": ["string", "null"]}}),
    ({"disallow": ["string", {"divisibleBy": 2}]}, {"not": {"anyOf": [{"type": "string"}, {"multipleOf": 2}]}}),
    ({"disallow": "any"}, {"not": {}}),
    ({"extends": {"type": "string"}}, {"allOf": [{"type": "string"}]}),
    (
        {"extends": [{"type": "object"}, {"properties": {"a": {"required": True}}}]},
        {"allOf": [{"type": "object"}, {"properties": {"a": {}}, "required": ["a"]}]},
    ),
    ({"type": "any"}, {}),
    ({"type": ["string", "any"]}, {}),
    ({"type": ["string", {"properties": {"a": {"required": True}}}]}, {"anyOf": [{"type": "string"}, {"properties": {"a": {}}, "required": ["a"]}]}),
    ({"type": [{"type": "string"}]}, {"anyOf": [{"type": "string"}]}),
    ({"dependencies": {"a": "b", "c": ["d"]}}, {"dependentRequired": {"a": ["b"], "c": ["d"]}}),
    ({"format": "ip-address"}, {"format": "ipv4"}),
    ({"items": [{"divisibleBy": 2}], "additionalItems": False}, {"prefixItems": [{"multipleOf": 2}], "items": False}),
    ({"id": "urn:x", "extends": {"$ref": "#"}}, {"$id": "urn:x", "allOf": [{"$ref": "#"}]}),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after"), NAMED)
def test_a_schema_of_draft_3_is_said_in_the_words_of_the_newest(before: Any, after: Any) -> None:
    """Every keyword that later drafts say otherwise, in all places where a schema stands."""
    assert upgrade({"$schema": D3, **before})[0] == {"$schema": NEWEST, **after}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"properties": {"a": {"required": True}}, "required": ["b"]}, {"properties": {"a": {}}, "required": ["b", "a"]}),
        ({"properties": {"a": {"required": True}}, "required": ["a"]}, {"properties": {"a": {}}, "required": ["a"]}),
        ({"type": "any", "divisibleBy": 2}, {"multipleOf": 2}),
        ({"type": ["string", {}], "anyOf": [True]}, {"anyOf": [True], "allOf": [{"anyOf": [{"type": "string"}, {}]}]}),
        # what may mean something else
        ({"extends": "base.json", "divisibleBy": "two"}, {"extends": "base.json", "divisibleBy": "two"}),
        ({"disallow": [1], "extends": [1]}, {"disallow": [1], "extends": [1]}),
        ({"format": "ip-address"}, {"format": "ip-address"}),
        ({"properties": {"extends": {}, "disallow": {"enum": ["any"]}}}, {"properties": {"extends": {}, "disallow": {"enum": ["any"]}}}),
        ({"type": ["string", "null"], "dependencies": {"a": "b"}}, {"type": ["string", "null"], "dependencies": {"a": "b"}}),
    ],
)  # fmt: skip
def test_what_cannot_mean_anything_else_needs_no_name(before: Any, after: Any) -> None:
    """Words of draft 3 are understood in a schema that names none, but for those that may mean something else."""
    assert upgrade(before)[0] == after


def test_every_change_is_noted_where_it_stood() -> None:
    """By the path in the schema as it was."""
    schema = {"$schema": D3, "properties": {"a": {"type": ["null", {"divisibleBy": 2}], "required": True}}}

    assert [(note.path, note.before, note.after) for note in upgrade(schema)[1]] == [
        ("$.$schema", D3, NEWEST),
        ("$.properties.a.required", "required: true", "required"),
        ("$.properties.a.type[1].divisibleBy", "divisibleBy", "multipleOf"),
        ("$.properties.a.type", "type", "anyOf"),
    ]


KINDS = st.sampled_from(["any", "string", "integer", "number", "null", "array", "object", "boolean"])
NUMBERS = st.integers(1, 4)


def drafts_3() -> st.SearchStrategy[Any]:
    """Schemas of draft 3, with each of its own words."""

    def deeper(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        named = st.dictionaries(st.sampled_from("ab"), inner, max_size=2)
        return st.fixed_dictionaries(
            {},
            optional={
                "type": KINDS | st.lists(KINDS | inner, min_size=1, max_size=3),
                "disallow": KINDS | st.lists(KINDS | inner, min_size=1, max_size=2),
                "extends": inner | st.lists(inner, max_size=2),
                "properties": named,
                "items": inner | st.lists(inner, max_size=2),
                "additionalProperties": inner | st.booleans(),
                "dependencies": st.dictionaries(st.sampled_from("ab"), inner | st.sampled_from("ab") | st.just(["a"]), max_size=2),
                "required": st.booleans(),
                "divisibleBy": NUMBERS,
                "minimum": NUMBERS,
                "exclusiveMinimum": st.booleans(),
                "uniqueItems": st.booleans(),
            },
        )  # fmt: skip

    return st.recursive(st.just({}), deeper, max_leaves=6)


def values() -> st.SearchStrategy[Any]:
    """JSON without 1.0 and the like, which became whole numbers with draft 6."""

    def has_none(value: Any) -> bool:
        floats: list[str] = []
        json.loads(json.dumps(value), parse_float=floats.append)
        return not any(float(text).is_integer() for text in floats)

    return json_values(4).filter(has_none)


@given(drafts_3(), st.lists(values(), min_size=3, max_size=6))
def test_the_same_values_are_accepted(schema: Any, given_values: list[Any]) -> None:
    """As jsonschema's own validator of draft 3 judges."""
    declared = {**schema, "$schema": D3}
    before, after = Draft3Validator(declared), Draft202012Validator(upgrade(declared)[0])

    for value in given_values:
        assert before.is_valid(value) is after.is_valid(value)


def test_a_tool_may_be_described_in_draft_3() -> None:
    """Its handler needs what is required so; MCP is told it as it is, others in the words of the newest."""
    words = {"type": "object", "properties": {"count": {"type": "integer", "required": True, "divisibleBy": 2}}}
    new = {"type": "object", "properties": {"count": {"type": "integer", "multipleOf": 2}}, "required": ["count"]}
    for schema in (words, {"$schema": D3, **words}):
        tool = Tool.from_schema("halve", "Halve", schema, lambda count: count // 2)

        assert (tool.run({"count": 6}).text, tool.run({}).is_error, tool.run({"count": 3}).is_error) == (
            "3",
            True,
            True,
        )
        assert tool.to("mcp")["inputSchema"] == tool.to("json-schema") == schema
        assert tool.to("anthropic")["input_schema"] == {**new, **({"$schema": NEWEST} if "$schema" in schema else {})}
    with pytest.raises(DefinitionError, match="is optional, but its handler"):
        Tool.from_schema("t", "", {"properties": {"a": {"required": False}}}, lambda a: a).run({})
