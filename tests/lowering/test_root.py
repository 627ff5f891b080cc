"""What providers demand of the outermost schema, where all else goes as declared."""

from typing import Any

import pytest

from prismpy import Change, Tool
from prismpy.schema import compile_schema

TEXT = {"type": "string"}


def tool_of(schema: Any) -> Tool:
    return Tool.from_schema("t", "", {"type": "object", **schema})


def test_what_must_not_stand_there_is_told_in_words() -> None:
    """It is enforced here; whatever would refuse more without it goes, too."""
    either = [{"required": ["a"]}, {"required": ["b"]}]
    made = tool_of({"properties": {"a": TEXT, "b": TEXT}, "anyOf": either, "unevaluatedProperties": False})
    low = made.lower("anthropic")

    assert low.schema == {
        "type": "object",
        "properties": {"a": TEXT, "b": TEXT},
        "description": 'anyOf [{"required": ["a"]}, {"required": ["b"]}]; unevaluatedProperties false',
    }
    assert [(change.rule, change.path, change.lossy) for change in low.changes] == [
        ("unsupported-keyword", "$.anyOf", True),
        ("unsupported-keyword", "$.unevaluatedProperties", True),
    ]
    assert made.using(lambda **_: "ok").run({}).is_error
    assert made.lower("mistral").schema == made.to("json-schema")


@pytest.mark.parametrize("provider", ["anthropic", "bedrock"])
@pytest.mark.parametrize("strict", [False, True])
def test_names_of_properties_are_sanitised(provider: str, strict: bool) -> None:
    """They come back as declared; a value under the new name of another trades places with it."""
    made = tool_of({"properties": {"filter[x]": TEXT, "odd name": TEXT, "fine": TEXT}, "required": ["odd name"]})
    low = made.lower(provider, strict=strict)
    sent = low.encode({"odd name": "a", "filter[x]": "b"})

    assert list(low.schema["properties"])[:3] == ["filter_x_", "odd_name", "fine"]
    assert low.schema["required"] == ["odd_name"]
    assert sent == {"odd_name": "a", "filter_x_": "b"}
    assert low.decode(sent) == {"odd name": "a", "filter[x]": "b"}
    assert Change("property-name", '$.properties["odd name"]', "odd name", "odd_name") in low.changes
    if not strict:
        both = {"odd name": "a", "odd_name": 1}
        assert compile_schema(low.schema)(low.encode(both)) == ()
        assert low.decode(low.encode(both)) == both


def test_references_follow_renamed_properties() -> None:
    """Those into what is told in words are told, too."""
    made = tool_of(
        {
            "properties": {
                "a b": {"type": "object", "properties": {"x": TEXT}},
                "same": {"$ref": "#/properties/a%20b/properties/x"},
                "other": {"$ref": "#/dependentSchemas/a b/properties/y", "description": "Other"},
                "whole": {"$ref": "#"},
            },
            "dependentSchemas": {"a b": {"properties": {"y": TEXT}}},
        }
    )
    low = made.lower("anthropic")

    assert low.schema == {
        "type": "object",
        "properties": {
            "a_b": {"type": "object", "properties": {"x": TEXT}},
            "same": {"$ref": "#/properties/a_b/properties/x"},
            "other": {"description": 'Other. valid under the JSON Schema {"type": "string"}'},
            "whole": {"$ref": "#"},
        },
        "description": 'dependentSchemas {"a b": {"properties": {"y": {"type": "string"}}}}',
    }


def test_nothing_changes_where_all_fits() -> None:
    """The schema is as declared, key by key."""
    schema = {"type": "object", "title": "T", "properties": {"a.b-c": TEXT}, "if": {"required": ["a.b-c"]}}

    assert tool_of(schema).lower("anthropic").schema == schema
    assert str(tool_of(schema).lower("openai")) == "openai, plain: nothing changes"
