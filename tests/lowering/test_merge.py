"""Two schemas that hold together, as one."""

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from prismpy.lowering._merge import merge
from tests.strategies import json_values, schemas_nobody_would_write

SOME = [
    True, {}, {"type": "object"}, {"type": ["integer", "string"]}, {"type": "number"}, {"minimum": 1}, {"minimum": 3, "maximum": 9},
    {"properties": {"a": {"type": "integer"}}}, {"properties": {"a": {"minimum": 2}, "b": {}}, "required": ["b"]},
    {"additionalProperties": False}, {"additionalProperties": {"type": "null"}, "properties": {"b": True}},
    {"required": ["a"]}, {"enum": [1, 2, "a"]}, {"enum": [2, 3]}, {"items": {"type": "integer"}}, {"prefixItems": [{"type": "null"}]},
    {"patternProperties": {"a": {"type": "integer"}}}, {"unevaluatedProperties": False}, {"contains": {"type": "null"}}, {"minContains": 0},
    {"if": {"type": "integer"}}, {"then": False}, {"uniqueItems": True}, {"pattern": "a"}, {"pattern": "b"}, {"not": {"type": "null"}},
    {"description": "d"}, {"description": "e", "title": "t"}, {"default": 1}, {"default": 2}, {"anyOf": [{"type": "null"}, {"minimum": 2}]},
]  # fmt: skip


@settings(max_examples=300)
@given(
    st.sampled_from(SOME) | schemas_nobody_would_write(),
    st.sampled_from(SOME) | schemas_nobody_would_write(),
    st.lists(json_values() | st.sampled_from([{}, {"a": 1}, {"a": 2, "b": 1}, [None], [1], 1, 2, 3, "a"]), max_size=6),
)
def test_a_merged_schema_accepts_what_both_accept(one: Any, other: Any, values: list[Any]) -> None:
    """No value more, and none less."""
    assume(all(Draft202012Validator(Draft202012Validator.META_SCHEMA).is_valid(each) for each in (one, other)))
    assume('"$ref"' not in repr([one, other]).replace("'", '"'))
    merged = merge(one, other)
    assume(merged is not None)

    for value in values:
        both = all(Draft202012Validator(each).is_valid(value) for each in (one, other))
        assert Draft202012Validator(merged).is_valid(value) == both


@pytest.mark.parametrize(
    ("one", "other", "merged"),
    [
        ({"type": "string", "minLength": 2}, {"minLength": 3, "pattern": "x"}, {"type": "string", "minLength": 3, "pattern": "x"}),
        ({"type": ["integer", "null"]}, {"type": "number"}, {"type": "integer"}),
        ({"type": "string"}, {"type": "null"}, None),
        ({"pattern": "a"}, {"pattern": "b"}, None),
        ({"enum": [1, 2, "a"]}, {"enum": [1.0, "a"]}, {"enum": [1, "a"]}),
        ({"enum": [1]}, {"enum": [True]}, None),
        ({"description": "One"}, {"description": "two", "title": "T"}, {"description": "One. two", "title": "T"}),
        ({"properties": {"a": {}}, "additionalProperties": False}, {"properties": {"b": {}}}, None),
        ({"properties": {"a": {"minimum": 1}}}, {"properties": {"a": {"minimum": 2}}}, {"properties": {"a": {"minimum": 2}}}),
        ({"properties": {"a": {"pattern": "x"}}}, {"properties": {"a": {"pattern": "y"}}}, None),
        (False, {"type": "string"}, False),
        ({"items": {"type": "string"}}, {"items": {"minLength": 1}}, {"items": {"type": "string", "minLength": 1}}),
    ],
)  # fmt: skip
def test_what_is_exact_is_merged(one: Any, other: Any, merged: Any) -> None:
    """Anything else is left apart."""
    assert merge(one, other) == merged
