"""Nodes to JSON Schema, and back."""

import copy
import json
import pickle

import pytest
from hypothesis import given

from prismpy import (
    AnyOfSchema,
    ArraySchema,
    BooleanSchema,
    EnumSchema,
    IntegerSchema,
    NullSchema,
    NumberSchema,
    ObjectSchema,
    RawSchema,
    RefSchema,
    Schema,
    StringSchema,
    emit,
    parse,
)
from prismpy.schema import canonical
from tests.strategies import names, nodes

EXAMPLES = {
    "string": (
        StringSchema(
            "s", "Text", True, min_length=1, max_length=5, pattern="^a", format="email", default="a", examples=["ab"]
        ),
        {
            "type": ["string", "null"],
            "description": "Text",
            "minLength": 1,
            "maxLength": 5,
            "pattern": "^a",
            "format": "email",
            "default": "a",
            "examples": ["ab"],
        },
    ),
    "number": (
        NumberSchema("n", "Size", False, 0.5, 9, 10, 1, 0),
        {
            "type": "number",
            "description": "Size",
            "multipleOf": 0.5,
            "maximum": 9,
            "exclusiveMaximum": 10,
            "minimum": 1,
            "exclusiveMinimum": 0,
        },
    ),
    "integer": (IntegerSchema("i", minimum=0), {"type": "integer", "minimum": 0}),
    "boolean": (
        BooleanSchema("b", "Really?", default=None),
        {"type": "boolean", "description": "Really?", "default": None},
    ),
    "null": (NullSchema("z"), {"type": "null"}),
    "array": (
        ArraySchema("days", "Days", StringSchema("day", "A weekday"), False, 1, 7, unique_items=True),
        {
            "type": "array",
            "description": "Days",
            "items": {"type": "string", "description": "A weekday"},
            "minItems": 1,
            "maxItems": 7,
            "uniqueItems": True,
        },
    ),
    "object": (
        ObjectSchema("o", "Place", (StringSchema("city"), NumberSchema("lat")), ("city",)),
        {
            "type": "object",
            "description": "Place",
            "properties": {"city": {"type": "string"}, "lat": {"type": "number"}},
            "required": ["city"],
            "additionalProperties": False,
        },
    ),
    "open object": (
        ObjectSchema("o", None, None, None, IntegerSchema("of each")),
        {"type": "object", "additionalProperties": {"type": "integer"}},
    ),
    "enum": (EnumSchema("e", "Unit", ("c", "f")), {"type": "string", "enum": ["c", "f"], "description": "Unit"}),
    "nullable enum": (
        EnumSchema("e", "Unit", ("c", 1), True),
        {"type": ["string", "integer", "null"], "enum": ["c", 1, None], "description": "Unit"},
    ),
    "any of": (
        AnyOfSchema((StringSchema("text"), IntegerSchema()), "id", "An id", True),
        {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}], "description": "An id"},
    ),
    "reference": (
        RefSchema("tree", "#/$defs/Node", "The tree", extra={"maxProperties": 3}),
        {"$ref": "#/$defs/Node", "description": "The tree", "maxProperties": 3},
    ),
    "raw": (RawSchema("x", {"type": ["string", "number"]}), {"type": ["string", "number"]}),
    "never": (RawSchema("x", False), False),
    "unmodelled": (
        StringSchema("s", extra={"title": "S", "x-unit": "m"}),
        {"type": "string", "title": "S", "x-unit": "m"},
    ),
}


@pytest.mark.parametrize(("node", "schema"), EXAMPLES.values(), ids=EXAMPLES)
def test_each_kind_of_node_has_one_form(node: Schema, schema: object) -> None:
    """A node is written as expected, and what is written reads as the node."""
    assert emit(node) == schema
    assert parse(schema, node.name) == node


@given(nodes(names))
def test_parse_undoes_emit(node: Schema) -> None:
    """Whatever a node says, its JSON says too."""
    assert parse(emit(node), node.name) == node
    assert hash(parse(emit(node), node.name)) == hash(node)


@given(nodes())
def test_nodes_survive_copying(node: Schema) -> None:
    """Nodes can be deep-copied and pickled."""
    assert copy.deepcopy(node) == node
    assert pickle.loads(pickle.dumps(node)) == node  # noqa: S301  # our own


@given(nodes())
def test_emit_gives_new_containers(node: Schema) -> None:
    """Editing what was emitted touches neither the node nor what is emitted next."""
    before = canonical(emit(node))
    _wreck(emit(node))

    assert canonical(emit(node)) == before


def _wreck(value: object) -> None:
    items = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    for item in items:
        _wreck(item)
    if isinstance(value, dict | list):
        value.clear()


def test_property_order_is_kept() -> None:
    """Properties are written in the order in which they were declared."""
    node = ObjectSchema(properties=(StringSchema("z"), StringSchema("a"), StringSchema("m")))

    assert list(emit(node)["properties"]) == ["z", "a", "m"]
    assert json.dumps(emit(parse(emit(node)))) == json.dumps(emit(node))
