"""The root of a hand-written schema: what makes it fit to describe the arguments of a call."""

from typing import Final

from prismpy.errors import DefinitionError
from prismpy.schema import JSON, ObjectSchema, check, check_references, follow, parse, plain, upgrade


def root_of(schema: JSON, *, tool: str) -> ObjectSchema:
    """
    Read a JSON Schema of an arguments object.

    A root that is a reference into its own `$defs` is replaced by what it refers to.

    Args:
        schema: A JSON Schema, of any draft. Where it names none, older words for what the newest has no meaning for are
            understood, too.

        tool: Name of the tool, for messages.

    Raises:
        DefinitionError: if it breaks the metaschema of its draft, or describes anything but an object.
    """
    schema = plain(schema)  # which refuses what is no JSON, or too deep
    check(schema if isinstance(schema, dict) and "$schema" in schema else upgrade(schema)[0], tool=tool)
    check_references(schema, tool=tool)
    root = parse(_with_type(_dereferenced(schema, tool)))
    if isinstance(root, ObjectSchema) and not root.nullable:
        return root
    msg = f"tool {tool!r}: the schema describes no object; arguments need a root of type 'object', so wrap it in one"
    raise DefinitionError(msg, tool=tool, path="$")


def _with_type(schema: JSON) -> JSON:
    """Say `type: object` for a root that only implies it, by its properties or by saying nothing."""
    if isinstance(schema, dict) and not schema.keys() & {
        "type",
        "enum",
        "const",
        "anyOf",
        "oneOf",
        "allOf",
        "not",
        "if",
    }:
        return {"type": "object", **schema}
    return schema


def _dereferenced(schema: JSON, tool: str) -> JSON:
    seen: set[str] = set()
    while isinstance(schema, dict) and isinstance(ref := schema.get("$ref"), str):
        if ref in seen or not ref.startswith("#/"):
            msg = f"tool {tool!r}: the root refers to {ref!r}, which leads to no object; describe it in place"
            raise DefinitionError(msg, tool=tool, path="$.$ref")
        seen.add(ref)
        target, beside = follow(schema, ref), {key: value for key, value in schema.items() if key != "$ref"}
        if not isinstance(target, dict) or any(key in target for key in beside.keys() - _SHARED):
            msg = f"tool {tool!r}: the root refers to {ref!r} and says more beside it; describe it in one place"
            raise DefinitionError(msg, tool=tool, path="$.$ref")
        schema = {**target, **beside}
    return schema


_SHARED: Final = frozenset({"$schema", "$id", "$comment", "$defs", "definitions", "title", "description"})
"""Keywords of a root that may stand there and in what it refers to: they constrain nothing."""
