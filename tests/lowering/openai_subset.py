"""
A judge of OpenAI's strict subset, written from the guide "Structured model outputs", section "Supported schemas".

Read in 2026-11, in the collected rules beside the checkout. It shares nothing with the passes that it judges.
"""

from collections.abc import Iterator
from typing import Any

TYPES = {"string", "number", "boolean", "integer", "object", "array", "null"}
FORMATS = {"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}
BY_TYPE = {
    "string": {"pattern", "format"},
    "number": {"multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"},
    "array": {"items", "minItems", "maxItems"},
    "object": {"properties", "required", "additionalProperties"},
}
ANYWHERE = {"type", "description", "enum", "anyOf", "$ref", "$defs"} | set().union(*BY_TYPE.values())


def faults(schema: Any) -> list[str]:
    """Name everything in a strict schema that the guide does not allow."""
    root = [] if schema.get("type") == "object" and "anyOf" not in schema else ["$: the root is no plain object"]
    root += [f"$: {fault}" for fault in _too_large(schema)]
    return root + [f"{path}: {fault}" for path, node in _nodes(schema, "$") for fault in _faults(node, schema)]


def _too_large(schema: Any) -> Iterator[str]:
    """Hold a schema against the limits; every object and list counts as a level, since the guide does not say."""
    nodes = [node for _, node in _nodes(schema, "$")]
    if (levels := max(_levels(schema), *map(_levels, schema.get("$defs", {}).values()), 0)) > 10:
        yield f"{levels} levels"
    if (count := sum(len(node.get("properties", ())) for node in nodes)) > 5000:
        yield f"{count} properties"
    enums = [node["enum"] for node in nodes if "enum" in node]
    names = [name for node in nodes for word in ("properties", "$defs") for name in node.get(word, ())]
    if (text := sum(map(len, names)) + sum(len(str(option)) for options in enums for option in options)) > 120_000:
        yield f"{text} characters in names and options"
    if (count := sum(map(len, enums))) > 1000:
        yield f"{count} options"
    for options in enums:
        if len(options) > 250 and sum(len(str(option)) for option in options) > 15_000:
            yield "a long enum of long texts"


def _levels(node: Any) -> int:
    words = node.get("type", [])
    own = bool({"object", "array"} & set([words] if isinstance(words, str) else words))
    inner = [
        *node.get("properties", {}).values(),
        *node.get("anyOf", ()),
        *([node["items"]] if "items" in node else []),
    ]
    return own + max(map(_levels, inner), default=0)


def _nodes(schema: Any, path: str) -> Iterator[tuple[str, Any]]:
    yield path, schema
    for name, node in (*schema.get("properties", {}).items(), *schema.get("$defs", {}).items()):
        yield from _nodes(node, f"{path}.{name}")
    for position, node in enumerate(schema.get("anyOf", ())):
        yield from _nodes(node, f"{path}|{position}")
    if "items" in schema:
        yield from _nodes(schema["items"], f"{path}[]")


def _faults(node: Any, root: Any) -> Iterator[str]:
    if "$ref" in node:
        if node.keys() != {"$ref"}:
            yield "keywords beside $ref"
        if node["$ref"].removeprefix("#/$defs/") not in root.get("$defs", {}):
            yield f"{node['$ref']} leads nowhere"
        return
    words = node.get("type", [])
    words = [words] if isinstance(words, str) else words
    if not words and "anyOf" not in node:
        yield "neither type nor anyOf"
    if not set(words) <= TYPES or len(set(words)) < len(words):
        yield f"type is {words}"
    if unknown := node.keys() - ANYWHERE:
        yield f"unsupported {sorted(unknown)}"
    if "object" in words:
        if node.get("additionalProperties") is not False:
            yield "an open object"
        if sorted(node.get("required", ())) != sorted(node.get("properties", {})):
            yield "not every property is required"
    if "array" in words and not isinstance(node.get("items"), dict):
        yield "an array without items"
    if node.get("format", "date") not in FORMATS:
        yield f"format {node['format']}"
    if any(mark in node.get("pattern", "") for mark in ("(?=", "(?!", "(?<")):
        yield "look-around in a pattern"
    if any(isinstance(option, dict | list) for option in node.get("enum", ())):
        yield "an enum of objects or lists"
