"""From JSON Schema to nodes. The inverse is `_emit`."""

from typing import Any

from prismpy.errors import DefinitionError

from ._json import JSON, cut, plain
from ._keywords import Keyword, fits
from ._node import SchemaNode
from ._nodes import (
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
)

_BY_TYPE: dict[str, type[SchemaNode]] = {
    kind.TYPE: kind
    for kind in (StringSchema, NumberSchema, IntegerSchema, BooleanSchema, NullSchema, ArraySchema, ObjectSchema)
}


def parse(schema: JSON, name: str = "") -> Schema:
    """
    Read a JSON Schema into nodes; `emit` gives the same JSON back.

    A keyword that the node has no field for, or that holds what the field
    cannot, stays in `extra`. A schema of no modelled shape becomes a `RawSchema`.

    Args:
        schema: A dict or a bool, of any draft. It is copied.

        name: Name of the property that the schema describes.

    Raises:
        DefinitionError: if the schema is neither a dict nor a bool, or is no JSON.
    """
    if not isinstance(schema, dict | bool):
        msg = f"schema {name!r} is {cut(repr(schema))}; a JSON Schema is an object or a bool"
        raise DefinitionError(msg, path="$")
    return _parse(plain(schema), name)


def _parse(schema: JSON, name: str) -> Schema:
    if isinstance(schema, bool):
        return RawSchema(name, schema)
    match schema:
        case {"$ref": str()}:
            return _read(RefSchema, name, schema)
        case {"enum": [_, *_] as options} if "type" not in schema or _is_type(schema["type"]):
            word = schema.get("type")
            words = tuple(word) if isinstance(word, list) else word
            return _read(EnumSchema, name, _without(schema, "enum", "type"), options=options, type=words)
        case {"type": str() as word} if word in _BY_TYPE:
            return _read(_BY_TYPE[word], name, _without(schema, "type"))
        case {"type": [str() as word, "null"]} if word in _BY_TYPE and word != "null":
            return _read(_BY_TYPE[word], name, _without(schema, "type"), nullable=True)
        case {"anyOf": branches} if "type" not in schema and fits("schemas", branches):
            return _read(AnyOfSchema, name, schema)
        case _:
            return RawSchema(name, schema)


def _without(schema: dict[str, JSON], *keywords: str) -> dict[str, JSON]:
    return {keyword: value for keyword, value in schema.items() if keyword not in keywords}


def _is_type(word: JSON) -> bool:
    return isinstance(word, str) or (isinstance(word, list) and all(isinstance(w, str) for w in word))


def _read(kind: type[SchemaNode], name: str, schema: dict[str, JSON], **fields: Any) -> Schema:
    extra = dict(schema)
    if kind is ObjectSchema:  # whose fields do not default to an absent keyword
        fields |= {"properties": None, "allow_additional_properties": None}
    for attribute, keyword in kind._keywords:
        if keyword.name in extra and fits(keyword.kind, extra[keyword.name]):
            fields[attribute] = _parse_value(keyword, extra.pop(keyword.name))
    build: Any = kind  # every subclass has a name, and is in the union
    node: Schema = build(name=name, extra=extra, **fields)
    return node


def _parse_value(keyword: Keyword, value: JSON) -> Any:
    match keyword.kind:
        case "schema":
            return _parse(value, "")
        case "closed":
            return value if isinstance(value, bool) else _parse(value, "")
        case "schemas":
            return tuple(_parse(item, "") for item in value)
        case "named":
            return tuple(_parse(item, name) for name, item in value.items())
        case _:
            return value
