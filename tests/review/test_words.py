"""Which descriptions are missing, and which say nothing."""

from typing import Any

import pytest

from prismpy import Tool
from prismpy.review import Finding
from prismpy.review._words import about_descriptions, says_nothing


@pytest.mark.parametrize(
    ("name", "description"),
    [
        ("query", "The query string"),
        ("query", "Query."),
        ("hotel_name", "The name of the hotel."),
        ("hotelName", "Name of hotel"),
        ("get_user", "Gets a user"),
        ("listFiles", "List files"),
        ("HTTPServer", "the HTTP server"),
        ("items", "An item"),
        ("straße", "the Straße"),
        ("x", "TODO"),
        ("x", "N/A"),
        ("x", "..."),
        ("x2", "x 2"),
    ],
)
def test_a_description_without_a_word_of_its_own_says_nothing(name: str, description: str) -> None:
    """The words of the name, articles, and words for any parameter do not count, in any case and number."""
    assert says_nothing(name, description)


@pytest.mark.parametrize(
    ("name", "description"),
    [
        ("query", "Words to look for"),
        ("city", "The city name"),
        ("days", "How many days"),
        ("unit", "c or f"),
        ("top_k", "At most 5"),
        ("city", "城市"),
        ("gcd", "Greatest Common Divisor."),
    ],
)
def test_one_word_more_is_enough(name: str, description: str) -> None:
    """Whether it is true or clear, no rule can tell."""
    assert not says_nothing(name, description)


def found(parameters: Any, description: str = "Look something up") -> list[tuple[str, str]]:
    tool = Tool.from_schema("t", description, {"type": "object", **parameters})
    return [(one.rule, one.path) for one in about_descriptions(tool.spec)]


def test_a_tool_and_its_parameters_are_judged() -> None:
    """Each finding says what it is about."""
    tool = Tool.as_("search").with_string_parameter("query", "The query").with_integer_parameter("limit")

    assert list(about_descriptions(tool.spec)) == [
        Finding("missing-description", "search", "", "the tool has no description"),
        Finding("vague-description", "search", "$.properties.query", "'The query' says no more than the name 'query'"),
        Finding("missing-description", "search", "$.properties.limit", "property 'limit' has no description"),
    ]


def test_properties_at_every_level_are_judged() -> None:
    """Those in lists, unions, maps and definitions, each under its path."""
    bare = {"type": "object", "properties": {"x": True}}
    said = {"description": "Something about it"}
    parameters = {
        "properties": {
            "a": {"type": "array", "items": bare, **said},
            "b": {"anyOf": [{"type": "null"}, bare], **said},
            "c": {"type": "object", "additionalProperties": bare, **said},
        },
        "$defs": {"D": bare},
    }

    assert found(parameters) == [
        ("missing-description", "$.properties.a.items.properties.x"),
        ("missing-description", "$.properties.b.anyOf[1].properties.x"),
        ("missing-description", "$.properties.c.additionalProperties.properties.x"),
        ("missing-description", "$.$defs.D.properties.x"),
    ]


def test_what_only_constrains_is_not_judged() -> None:
    """A property that `if` or `allOf` speaks of again is described elsewhere."""
    again = {"properties": {"x": {"const": 1}, "y": {"type": "string"}}}

    assert found({"if": again, "then": again, "not": again, "allOf": [again], "dependentSchemas": {"x": again}}) == []


@pytest.mark.parametrize("node", [False, {"const": "a"}, {"enum": ["a"]}, {"not": {}}])
def test_a_property_with_one_value_needs_no_description(node: Any) -> None:
    """There is nothing to choose: it is the tag of a branch, or forbidden."""
    assert found({"properties": {"x": node}}) == []


@pytest.mark.parametrize(
    "node",
    [
        {"$ref": "#/$defs/D"},
        {"anyOf": [{"$ref": "#/$defs/D"}, {"type": "null"}]},
        {"oneOf": [{"type": "string"}, {"type": "integer", "description": "How many pages"}]},
        {"allOf": [{"$ref": "#/$defs/D"}], "default": "a"},
    ],
)
def test_a_description_may_stand_in_what_is_referred_to(node: Any) -> None:
    """Or in a branch."""
    assert found({"properties": {"x": node}, "$defs": {"D": {"type": "string", "description": "In ISO form"}}}) == []


def test_a_circle_of_references_describes_nothing() -> None:
    """The search ends."""
    assert found({"properties": {"x": {"$ref": "#/properties/x"}}}) == [("missing-description", "$.properties.x")]
