"""Going through the schemas in a schema."""

from hypothesis import given

from prismpy.schema import MISSING, canonical
from prismpy.schema._walk import SUBSCHEMAS, follow, item_schemas, map_subschemas, subschemas
from tests.strategies import schemas_nobody_would_write

SCHEMA = {
    "properties": {"properties": {"type": "string"}, "not": True},
    "items": [{}, {"not": {"const": {"not": {}}}}],
    "additionalProperties": False,
    "allOf": [{"if": {}}],
    "default": {"properties": {"a": {}}},
}


def test_schemas_are_found_by_position() -> None:
    """A property may be called like a keyword, and data may look like a schema."""
    assert [path for path, _ in subschemas(SCHEMA)] == [
        "$",
        "$.properties.properties",
        "$.properties.not",
        "$.items[0]",
        "$.items[1]",
        "$.items[1].not",
        "$.additionalProperties",
        "$.allOf[0]",
        "$.allOf[0].if",
    ]


def test_each_schema_can_be_changed_with_its_keyword() -> None:
    """What is no schema stays as it is."""
    assert map_subschemas(SCHEMA, lambda _, keyword: keyword) == {
        "properties": {"properties": "properties", "not": "properties"},
        "items": ["items", "items"],
        "additionalProperties": "additionalProperties",
        "allOf": ["allOf"],
        "default": {"properties": {"a": {}}},
    }
    assert map_subschemas(True, lambda *_: None) is True


@given(schemas_nobody_would_write())
def test_changing_nothing_changes_nothing(schema: object) -> None:
    """The walk rebuilds what it goes through, whatever it is."""
    assert canonical(map_subschemas(schema, lambda inner, _: inner)) == canonical(schema)


def test_every_kind_of_position_is_in_the_table() -> None:
    """The keywords of 2020-12 that hold schemas, and those of older drafts."""
    assert len(SUBSCHEMAS) == 22


def test_references_are_followed_as_json_pointers() -> None:
    """Escapes are undone, lists are counted, and what leads nowhere is MISSING."""
    document = {"$defs": {"a/b c": [{"x": 1}]}, "properties": {}}

    assert follow(document, "#") == document
    assert follow(document, "#/$defs/a~1b%20c/0") == {"x": 1}
    assert follow(document, "#/$defs/a~1b%20c/1") is MISSING
    assert follow(document, "#/properties/gone") is MISSING
    assert follow(document, "other.json#") is MISSING
    assert follow(document, "#anchor") is MISSING


def test_items_are_found_in_the_words_of_any_draft() -> None:
    """Drafts that are not upgraded have a list of them under `items`."""
    assert item_schemas({"prefixItems": [True], "items": False}) == ([True], False)
    assert item_schemas({"items": [True], "additionalItems": {"type": "null"}}) == ([True], {"type": "null"})
    assert item_schemas({"items": [True]}) == ([True], True)
    assert item_schemas({"type": "array"}) == ([], True)
