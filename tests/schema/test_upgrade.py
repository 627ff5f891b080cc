"""Older ways to say a schema, in the words of the newest draft."""

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from prismpy import Tool
from prismpy.schema import compile_schema, upgrade
from prismpy.schema._upgrade import NEWEST, Upgrade
from tests.strategies import json_values, names, schemas_nobody_would_write

D4, D6, D7 = (f"http://json-schema.org/draft-0{number}/schema#" for number in (4, 6, 7))
D2019 = "https://json-schema.org/draft/2019-09/schema"


@pytest.mark.parametrize(
    ("before", "after", "notes"),
    [
        ({"minimum": 1, "exclusiveMinimum": True}, {"exclusiveMinimum": 1}, ["exclusiveMinimum: true -> exclusiveMinimum"]),
        ({"maximum": 1, "exclusiveMaximum": False}, {"maximum": 1}, ["exclusiveMaximum: false -> maximum"]),
        ({"exclusiveMaximum": True}, {}, ["exclusiveMaximum: true -> exclusiveMaximum"]),
        ({"exclusiveMinimum": 2}, {"exclusiveMinimum": 2}, []),
        ({"items": [{"type": "string"}]}, {"prefixItems": [{"type": "string"}]}, ["items -> prefixItems"]),
        ({"items": [True], "additionalItems": False}, {"prefixItems": [True], "items": False}, ["items -> prefixItems", "additionalItems -> items"]),
        ({"items": [], "additionalItems": {"type": "null"}}, {"items": {"type": "null"}}, ["items -> prefixItems", "additionalItems -> items"]),
        (
            {"definitions": {"a": {"items": [True]}}, "$ref": "#/definitions/a/items/0"},
            {"$defs": {"a": {"prefixItems": [True]}}, "$ref": "#/$defs/a/prefixItems/0"},
            ["items -> prefixItems", "definitions -> $defs"],
        ),
        ({"definitions": {}, "$defs": {}}, {"definitions": {}, "$defs": {}}, []),
        ({"type": "string", "nullable": True}, {"type": ["string", "null"]}, ["nullable: true -> type"]),
        ({"type": ["string", "null"], "nullable": True}, {"type": ["string", "null"]}, ["nullable: true -> type"]),
        ({"type": "string", "enum": ["a"], "nullable": True}, {"type": ["string", "null"], "enum": ["a", None]}, ["nullable: true -> type"]),
        (
            {"properties": {"a": {"allOf": [{"minimum": 1}], "nullable": True}, "b": {"$ref": "#/properties/a/allOf/0"}}},
            {"properties": {"a": {"anyOf": [{"allOf": [{"minimum": 1}]}, {"type": "null"}]}, "b": {"$ref": "#/properties/a/anyOf/0/allOf/0"}}},
            ["nullable: true -> anyOf"],
        ),
        ({"type": "string", "nullable": False}, {"type": "string", "nullable": False}, []),
        (True, True, []),
    ],
)  # fmt: skip
def test_what_the_newest_draft_has_no_words_for_is_understood(before: Any, after: Any, notes: list[str]) -> None:
    """Whatever draft a schema names, or none."""
    upgraded, found = upgrade(before)

    assert upgraded == after
    assert [f"{each.before} -> {each.after}" for each in found] == notes
    assert notes or upgraded is before


@pytest.mark.parametrize(
    ("draft", "before", "after"),
    [
        (D4, {"id": "x"}, {"$id": "x"}),
        (D4, {"id": "#here"}, {"$anchor": "here"}),
        (D4, {"properties": {"id": {"id": "a#b"}}}, {"properties": {"id": {"$id": "a", "$anchor": "b"}}}),
        (D7, {"id": "kept"}, {"id": "kept"}),
        (D7, {"$id": "#here"}, {"$anchor": "here"}),
        (D6, {"$ref": "#", "minimum": 1, "description": "b"}, {"$ref": "#", "description": "b"}),
        (D7, {"dependencies": {"a": ["b"]}}, {"dependentRequired": {"a": ["b"]}}),
        (
            D7,
            {"properties": {"a": {"$ref": "#/dependencies/a"}}, "dependencies": {"a": False}},
            {"properties": {"a": {"$ref": "#/dependentSchemas/a"}}, "dependentSchemas": {"a": False}},
        ),
        (D7, {"items": {}, "additionalItems": False}, {"items": {}}),
        (
            D7,
            {"items": {"items": [True]}, "not": {"$ref": "#/items/items/0"}, "if": {"$ref": "#/enum/0/1"}},
            {"items": {"prefixItems": [True]}, "not": {"$ref": "#/items/prefixItems/0"}, "if": {"$ref": "#/enum/0/1"}},
        ),
        (
            D7,
            {"items": [True], "additionalItems": {"not": {}}, "not": {"$ref": "#/additionalItems/not"}},
            {"prefixItems": [True], "items": {"not": {}}, "not": {"$ref": "#/items/not"}},
        ),
        (
            D7,
            {"definitions": {"x": {"in": {"items": [True]}}}, "properties": {"a": {"$ref": "#/definitions/x/in"}}},
            {
                "$defs": {"x": {"in": {"items": [True]}}, "in": {"prefixItems": [True]}},
                "properties": {"a": {"$ref": "#/$defs/in"}},
            },
        ),
        (D2019, {"properties": {"a": {"$recursiveRef": "#"}}}, {"properties": {"a": {"$ref": "#"}}}),
        (
            D2019,
            {"$recursiveAnchor": True, "properties": {"a": {"$recursiveRef": "#"}, "b": {"$recursiveAnchor": False}}},
            {"$dynamicAnchor": "recursive", "properties": {"a": {"$dynamicRef": "#recursive"}, "b": {}}},
        ),
        (
            D2019,
            {"$id": "a", "$recursiveAnchor": True, "$defs": {"b": {"$id": "b", "items": {"$recursiveRef": "#"}}}},
            {"$id": "a", "$dynamicAnchor": "recursive", "$defs": {"b": {"$id": "b", "items": {"$ref": "#"}}}},
        ),
        (
            D2019,
            {"$id": "a", "$defs": {"b": {"$id": "b", "$recursiveAnchor": True, "items": {"$recursiveRef": "#"}}}},
            {
                "$id": "a",
                "$defs": {"b": {"$id": "b", "$dynamicAnchor": "recursive", "items": {"$dynamicRef": "#recursive"}}},
            },
        ),
        (D2019, {"$ref": "#", "minimum": 1}, {"$ref": "#", "minimum": 1}),
        (
            D7,
            {"$id": "urn:x", "items": [True], "not": {"$ref": "urn:x#/items/0"}},
            {"$id": "urn:x", "prefixItems": [True], "not": {"$ref": "urn:x#/prefixItems/0"}},
        ),
        (D7, {"items": [True], "not": {"$ref": "y#/items/0"}}, {"prefixItems": [True], "not": {"$ref": "y#/items/0"}}),
    ],
)
def test_drafts_are_said_in_the_words_of_the_newest(draft: str, before: Any, after: Any) -> None:
    """A keyword means what it meant in the draft that the schema names."""
    upgraded, notes = upgrade({"$schema": draft, **before})

    if "$defs" in after and "definitions" in before:  # the copy stands where the draft has its own
        assert upgraded["properties"] == after["properties"]
    else:
        assert upgraded == {"$schema": NEWEST, **after}
    assert notes[0] == Upgrade("$.$schema", draft, NEWEST)


@pytest.mark.parametrize("named", ["http://json-schema.org/draft-02/schema#", "https://example.org/own", 3])
def test_a_draft_that_nothing_is_known_about_stays(named: Any) -> None:
    """Its words may mean anything."""
    schema = {"$schema": named, "items": [True]}

    assert upgrade(schema) == (
        (schema, ())
        if isinstance(named, str)
        else ({"$schema": 3, "prefixItems": [True]}, (Upgrade("$.items", "items", "prefixItems"),))
    )


CLASSES = {D4: jsonschema.Draft4Validator, D6: jsonschema.Draft6Validator, D7: jsonschema.Draft7Validator}


@pytest.mark.parametrize("draft", [D4, D6, D7])
@settings(suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow], deadline=None)
@given(
    schema=schemas_nobody_would_write(),
    old=st.fixed_dictionaries(
        {},
        optional={
            "items": st.lists(st.sampled_from([{"type": "string"}, {"minimum": 2}]), max_size=2),
            "additionalItems": st.sampled_from([{"type": "null"}, {}]),
            "dependencies": st.dictionaries(names, st.sampled_from([["a"], {"required": ["b"]}]), max_size=2),
            "minimum": st.integers(-2, 2),
            "exclusiveMinimum": st.booleans(),
        },
    ),
    value=json_values(),
)
def test_an_upgraded_schema_accepts_the_same(draft: str, schema: Any, old: Any, value: Any) -> None:
    """Whatever the schema, and whatever the value."""
    assume(isinstance(schema, dict) and '"$ref"' not in json.dumps(schema))  # references here lead nowhere
    if draft != D4:
        old.pop("exclusiveMinimum", None)
    before = {**{word: item for word, item in schema.items() if word in _IN_ALL}, **old, "$schema": draft}
    try:
        CLASSES[draft].check_schema(before)
    except jsonschema.SchemaError:
        assume(False)
    upgraded, _ = upgrade(before)

    assert jsonschema.Draft202012Validator(upgraded).is_valid(value) == CLASSES[draft](before).is_valid(value)


_IN_ALL = {"type", "enum", "anyOf", "oneOf", "allOf", "not", "properties", "required", "minLength", "maxItems"}


def test_old_words_are_taken_without_a_name_for_their_draft() -> None:
    """A tool of such a schema keeps it as it is, and is run by what it means."""
    schema = {
        "type": "object",
        "properties": {
            "n": {"type": "integer", "minimum": 0, "exclusiveMinimum": True},
            "pair": {"type": "array", "items": [{"type": "string"}, {"type": "integer"}]},
            "note": {"type": "string", "nullable": True},
        },
    }
    made = Tool.from_schema("t", "", schema, lambda **given: repr(given))

    assert made.to("json-schema") == made.to("mcp")["inputSchema"] == schema
    assert made.run({"n": 1, "pair": ["a", 1], "note": None}).text == "{'n': 1, 'pair': ['a', 1], 'note': None}"
    assert [problem.path for problem in made.run({"n": 0, "pair": [1]}).problems] == ["n", "pair[0]"]
    assert compile_schema(made.to("openai")["function"]["parameters"])({"n": 1, "pair": ["a", 1], "note": None}) == ()
    assert [(change.rule, change.before, change.after) for change in made.lower("openai").changes] == [
        ("upgraded", "exclusiveMinimum: true", "exclusiveMinimum"),
        ("upgraded", "items", "prefixItems"),
        ("upgraded", "nullable: true", "type"),
    ]
