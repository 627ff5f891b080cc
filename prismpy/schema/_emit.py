"""From nodes to JSON Schema. The inverse is `_parse`."""

from typing import Any

from ._json import JSON, MISSING, plain
from ._keywords import Keyword
from ._node import SchemaNode
from ._nodes import EnumSchema, RawSchema, Schema


def emit(node: Schema) -> JSON:
    """
    Return a node as JSON Schema 2020-12.

    Returns:
        New containers at each call: a dict, or a bool for a `RawSchema` that holds one. `type` and the
        constraints come first, `extra` last; properties keep their order.
    """
    if isinstance(node, RawSchema):
        return plain(node.schema)
    out = _type_keyword(node)
    for attribute, keyword in node._keywords:
        value = getattr(node, attribute)
        if value is not (MISSING if keyword.kind == "json" else None):
            out[keyword.name] = _emit_value(keyword, value)
    return out | plain(dict(node.extra)) if node.extra else out


def _type_keyword(node: SchemaNode) -> dict[str, JSON]:
    match node:
        case EnumSchema(type=None, options=options):
            return {"enum": plain(options)}
        case EnumSchema(type=words, options=options):
            return {"type": plain(words), "enum": plain(options)}
        case SchemaNode(TYPE=""):
            return {}
        case _:
            nullable = getattr(node, "nullable", False)
            return {"type": [node.TYPE, "null"] if nullable else node.TYPE}


def _emit_value(keyword: Keyword, value: Any) -> JSON:
    match keyword.kind:
        case "schema":
            return emit(value)
        case "closed":
            return value if isinstance(value, bool) else emit(value)
        case "schemas":
            return [emit(node) for node in value]
        case "named":
            return {node.name: emit(node) for node in value}
        case "names":
            return list(value)
        case "json":
            return plain(value)
        case _:
            return value
