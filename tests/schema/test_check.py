"""Holding schemas against the metaschema, and values against schemas."""

import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from prismpy import DefinitionError, Problem
from prismpy.schema import check, check_references, compile_schema, describe, emit, holds
from prismpy.schema._check import _metaschema_accepts, _validator_class
from tests.strategies import json_values, names, nodes

DRAFT_2020 = "https://json-schema.org/draft/2020-12/schema"
DRAFT_7 = "http://json-schema.org/draft-07/schema#"


@pytest.mark.parametrize(
    ("schema", "path", "message"),
    [
        (
            {"type": "object", "properties": {"a": {"type": "strin"}}},
            "$.properties.a.type",
            "tool 't': $.properties.a.type is no valid JSON Schema: 'strin' is not valid under any of the given schemas",
        ),
        (
            {"minLength": -1},
            "$.minLength",
            "tool 't': $.minLength is no valid JSON Schema: -1 is less than the minimum of 0",
        ),
        (
            {"properties": {"a": {"$ref": "#/$defs/b"}}},
            "$.properties.a.$ref",
            "tool 't': $.properties.a.$ref: '#/$defs/b' leads nowhere inside the schema; put what it names under $defs",
        ),
        (
            {"$id": "x", "$defs": {"y": {"$id": "y", "items": {"$dynamicRef": "x#a"}}}},
            "$.$defs.y.items.$dynamicRef",
            "tool 't': $.$defs.y.items.$dynamicRef: 'x#a' leads nowhere inside the schema; put what it names under $defs",
        ),
        (
            {"items": {"$ref": "https://example.com/other.json"}},
            "$.items.$ref",
            "tool 't': $.items.$ref: 'https://example.com/other.json' leads nowhere inside the schema; "
            "put what it names under $defs",
        ),
    ],
)
def test_a_broken_schema_is_refused_by_path(schema: Any, path: str, message: str) -> None:
    """The error names the path of the mistake, and what is wrong there."""
    with pytest.raises(DefinitionError) as caught:  # noqa: PT012  # either may raise
        check(schema, tool="t")
        check_references(schema, tool="t")

    assert (caught.value.path, str(caught.value)) == (path, message)


DRAFTS = [  # jsonschema-rs does not know those before
    *(f"http://json-schema.org/draft-0{number}/schema#" for number in (4, 6, 7)),
    *(f"https://json-schema.org/draft/{year}/schema" for year in ("2019-09", "2020-12")),
]
KEYWORDS = st.sampled_from(["type", "enum", "required", "items", "properties", "minimum", "pattern", "$ref", "default"])


@given(st.sampled_from(DRAFTS), st.dictionaries(KEYWORDS, json_values(4) | nodes().map(emit), max_size=3))
def test_a_schema_that_is_accepted_at_once_is_right(draft: str, keywords: dict[str, Any]) -> None:
    """The reference accepts it too, whatever its draft."""
    schema = {**keywords, "$schema": draft}
    reference = _validator_class(schema)
    at_once = _metaschema_accepts(reference)

    assert at_once is not None
    assert not holds(at_once, schema) or reference(reference.META_SCHEMA).is_valid(schema)


OBJECTS = st.dictionaries(names, json_values(4), max_size=4)
TYPE_ONLY = st.fixed_dictionaries(
    {},
    optional={"type": st.sampled_from(["string", "integer", "boolean", "number", "null"]), "description": st.just("x")},
)
PROPERTIES = st.dictionaries(names, TYPE_ONLY | nodes().map(emit), max_size=3)


@given(PROPERTIES, st.booleans() | TYPE_ONLY, OBJECTS)
def test_the_reference_is_not_changed_by_making_it_faster(properties: Any, more: Any, value: Any) -> None:
    """Ours finds the same errors in the same order as jsonschema's own class, whatever it need not look at."""
    schema = {
        "properties": {name: _without_references(node) for name, node in properties.items()},
        "additionalProperties": more,
    }
    ours = _validator_class(schema)(schema)

    assert [*map(_told, ours.iter_errors(value))] == [*map(_told, Draft202012Validator(schema).iter_errors(value))]


def _without_references(node: Any) -> Any:
    """Leave out what leads nowhere, and patterns, which ours skips where Python cannot read them."""
    if isinstance(node, list):
        return [_without_references(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {
        key: _without_references(item)
        for key, item in node.items()
        if key not in {"$ref", "pattern", "not", "oneOf", "$defs"}
    }


def _told(error: Any) -> Any:
    return list(error.absolute_path), list(error.absolute_schema_path), error.validator, error.message


@pytest.mark.parametrize(
    ("schema", "right"),
    [
        (True, 3),
        ({}, 3),
        ({"$ref": "#/$defs/n", "$defs": {"n": {"properties": {"kid": {"$ref": "#"}}}}}, {"kid": {"kid": {}}}),
        ({"$id": "https://example.com/here.json", "properties": {"a": {"$ref": "#/$defs/b"}}, "$defs": {"b": {}}}, {"a": 3}),
        ({"$schema": DRAFT_7, "items": [{"type": "string"}], "definitions": {"a": {"exclusiveMinimum": 3}}}, ["a", 3]),
        ({"properties": {"$ref": {"type": "string"}, "default": {"$ref": "#/properties/$ref"}}}, {"$ref": "a", "default": "b"}),
        ({"default": {"$ref": "just data"}, "enum": [{"$ref": "data too"}]}, {"$ref": "data too"}),
        ({"$schema": "https://example.com/made-up", "type": "object"}, {}),
        ({"$schema": DRAFT_2020, "$ref": DRAFT_2020}, {"type": "object"}),
        ({"$id": "https://example.com/all", "$ref": "one", "$defs": {"a": {"$id": "one", "items": {"$ref": "#/$defs/b"}, "$defs": {"b": {}}}}}, [3]),
        ({"properties": {"a": {"$id": "a", "$dynamicAnchor": "n", "items": {"$dynamicRef": "#n"}}}}, {"a": [[]]}),
        ({"$defs": {"a": {"$id": "one", "items": {"$ref": "#b"}, "$defs": {"b": {"$anchor": "b", "not": {"$ref": "one"}}}}}}, 3),
        (
            {"$schema": DRAFT_7, "$id": "http://a.b/c", "properties": {"a": {"$id": "#/properties/a", "not": {"$ref": "#/definitions/b"}}}, "definitions": {"b": False}},
            {"a": 3},
        ),
        ({"$schema": "http://json-schema.org/draft-04/schema#", "id": "http://example.com/a#", "items": {"$ref": "http://example.com/a"}}, [[]]),
    ],
)  # fmt: skip
def test_a_sound_schema_passes(schema: Any, right: Any) -> None:
    """References within the schema and into the drafts' own documents resolve; data that looks like one is data."""
    check(schema)
    check_references(schema)

    assert compile_schema(schema)(right) == ()


def test_the_draft_that_a_schema_names_is_obeyed() -> None:
    """In draft 7 a list under `items` means a tuple; in 2020-12 it is a mistake."""
    tuple_of_text = {"items": [{"type": "string"}]}

    assert compile_schema({"$schema": DRAFT_7, **tuple_of_text})([3]) == (
        Problem("[0]", "type", "expected string, got 3", "string", "3"),
    )
    with pytest.raises(DefinitionError):
        check(tuple_of_text)


def test_a_pattern_that_python_cannot_compile_is_not_enforced() -> None:
    """ECMA-262 knows patterns that Python does not; they neither crash nor refuse."""
    schema = {"properties": {"a": {"pattern": r"^\p{L}+$"}}, "patternProperties": {r"\p{L}": False, "b": False}}

    assert compile_schema(schema)({"a": "3", "b": 1}) == ()
    assert compile_schema({**schema, "additionalProperties": False})({"a": "3", "c": 1}) == ()
    assert compile_schema({"allOf": [schema], "unevaluatedProperties": False})({"c": 1}) == ()


def test_nothing_is_right_for_a_schema_that_allows_nothing() -> None:
    """`false` has its sentence, alone and as every branch of a union."""
    assert compile_schema({"properties": {"a": False}})({"a": 1}) == (
        Problem("a", "not", "expected nothing here, got 1", {}, "1"),
    )
    assert compile_schema({"anyOf": [False, False]})(1) == (
        Problem("", "anyOf", "expected nothing, got 1", [{"not": {}}, {"not": {}}], "1"),
    )


def test_a_reference_that_leads_nowhere_at_run_time_names_itself() -> None:
    """A schema that nobody checked fails as a definition, not as a crash of the validator."""
    with pytest.raises(DefinitionError, match="a reference of the schema leads nowhere"):
        compile_schema({"$ref": "#/$defs/gone"})({})


def test_a_value_nested_beyond_the_stack_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    """A schema that goes round in circles ends in a problem for jsonschema; jsonschema-rs takes it for no demand."""
    monkeypatch.setitem(sys.modules, "jsonschema_rs", None)
    problems = compile_schema({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}})({})

    assert problems == (Problem("", "depth", "nested too deeply to be checked; send a flatter value"),)


def test_a_schema_too_deep_to_be_checked_is_refused() -> None:
    """The metaschema recurses, too."""
    schema: Any = {"type": "object"}
    for _ in range(400):
        schema = {"not": schema}

    with pytest.raises(DefinitionError, match="nested too deeply to be checked; flatten it or use \\$ref"):
        check(schema)


@pytest.mark.usefixtures("fast")
@pytest.mark.parametrize("dialect", ["http://[", "made up", 3, None])
def test_a_dialect_that_nobody_knows_is_taken_as_the_newest(dialect: Any) -> None:
    """Whatever stands in `$schema` does not crash."""
    assert compile_schema({"$schema": dialect, "type": "string"})("x") == ()


def test_the_required_of_draft_3_does_not_crash() -> None:
    """Old schemas are described, too."""
    schema = {
        "$schema": "http://json-schema.org/draft-03/schema#",
        "properties": {"a": {"type": "object", "required": True, "properties": {"b": {"required": True}}}},
    }

    assert [problem.rule for problem in compile_schema(schema)({"a": {}})] == ["required"]
    assert describe(schema["properties"]["a"]) == "{b?: any value}"


# --- jsonschema-rs ------------------------------------------------------------


@pytest.fixture(params=[True, False], ids=["with jsonschema-rs", "without"])
def fast(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Run a test with jsonschema-rs and without."""
    if not request.param:
        monkeypatch.setitem(sys.modules, "jsonschema_rs", None)
    return bool(request.param)


@pytest.mark.usefixtures("fast")
@pytest.mark.parametrize(
    ("schema", "value", "rules"),
    [
        ({"type": "integer"}, 3, []),
        ({"type": "integer"}, "3", ["type"]),
        ({"type": "integer"}, 2**70, []),
        ({"type": "number"}, float("nan"), []),
        ({"type": "string"}, "\ud800", []),
        ({"properties": {"a": {"type": "string"}}}, {"\ud800": 1}, []),
        ({"properties": {"a": {"type": "integer"}}}, {"a": object()}, ["type"]),
        ({"pattern": r"^\p{L}+$"}, "3", []),
        ({"pattern": r"(?P<a>x)(?P=a)"}, "xy", ["pattern"]),
        ({"format": "email"}, "no email", []),
        ({"$schema": DRAFT_7, "items": [{"type": "string"}]}, [3], ["type"]),
        ({"$schema": DRAFT_7, "contentMediaType": "application/json"}, "{", []),
        ({"$schema": "http://json-schema.org/draft-04/schema#", "type": "integer"}, 5.0, ["type"]),
        ({"$schema": "http://json-schema.org/draft-03/schema#", "properties": {"a": {"required": True}}}, {}, ["required"]),
        ({"$schema": "https://example.com/made-up", "type": "integer"}, "3", ["type"]),
        (True, 3, []),
        (False, 3, ["not"]),
    ],
)  # fmt: skip
def test_both_validators_come_to_the_same(schema: Any, value: Any, rules: list[str]) -> None:
    """What jsonschema-rs does not accept, or cannot read, jsonschema judges; so the outcome is that of the reference."""
    assert [problem.rule for problem in compile_schema(schema)(value)] == rules


def test_nothing_is_fetched(fast: bool) -> None:
    """A reference that leads out of the schema is an error, with either validator."""
    with pytest.raises(DefinitionError, match="leads nowhere"):
        compile_schema({"$ref": "http://localhost:1/schema.json"})({})
    assert fast is (sys.modules["jsonschema_rs"] is not None)
