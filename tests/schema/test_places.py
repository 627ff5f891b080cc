"""What a schema leaves possible at a place. What is made of it is tested where arguments are repaired."""

from typing import Any

import pytest

from prismpy.schema import place_of

ALL = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})


@pytest.mark.parametrize(
    ("schema", "kinds"),
    [
        (True, ALL),
        (False, frozenset()),
        ({}, ALL),
        ({"type": "number"}, {"number", "integer"}),
        ({"type": ["string", "null"]}, {"string", "null"}),
        ({"type": "string", "enum": ["a", 1]}, {"string"}),
        ({"const": None}, {"null"}),
        ({"anyOf": [{"type": "string"}, {"type": "array"}]}, {"string", "array"}),
        ({"type": "string", "anyOf": [{"type": "string"}, {"type": "array"}]}, {"string"}),
        ({"allOf": [{"type": ["string", "null"]}, {"type": ["null", "array"]}]}, {"null"}),
        ({"$ref": "#/$defs/a~1b", "$defs": {"a/b": {"type": "string"}}}, {"string"}),
        ({"$ref": "#/$defs/a/anyOf/1", "$defs": {"a": {"anyOf": [True, {"type": "null"}]}}}, {"null"}),
        ({"$ref": "#/$defs/gone"}, ALL),
        ({"$ref": "other.json"}, ALL),
        ({"not": {"type": "string"}}, ALL),
        ({"if": {}, "then": {"type": "string"}}, ALL),
    ],
)
def test_the_types_that_may_stand_there(schema: Any, kinds: Any) -> None:
    """References, unions and intersections are followed; what is hard to follow leaves everything possible."""
    assert place_of(schema).kinds == kinds


@pytest.mark.parametrize(
    ("schema", "name", "declares", "requires", "default"),
    [
        ({"properties": {"a": {"default": 3}}}, "a", True, False, 3),
        ({"properties": {"a": True}, "required": ["a"]}, "a", True, True, "missing"),
        ({"anyOf": [{"required": ["a"]}, {}]}, "a", False, False, "missing"),
        ({"anyOf": [{"required": ["a"]}, {"required": ["a", "b"]}]}, "a", False, True, "missing"),
    ],
)
def test_what_is_said_of_a_property(schema: Any, name: str, declares: bool, requires: bool, default: Any) -> None:
    """It is required if every alternative requires it."""
    place = place_of(schema)
    told = place.default(name)

    assert (place.declares(name), place.requires(name)) == (declares, requires)
    assert (told if default != "missing" else default) == default


def test_names_that_are_made_up_are_not_remembered() -> None:
    """Places of declared properties are worked out once; no other name takes memory."""
    place = place_of({"properties": {"a": {}}})

    assert place.property("a") is place.property("a")
    assert place.property("b") is not place.property("b")
