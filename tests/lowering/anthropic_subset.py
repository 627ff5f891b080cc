"""
A judge of Anthropic's strict tools, written from its docs "Structured outputs", section "JSON Schema limitations".

Read in 2026-11, in the collected rules beside the checkout. Bedrock documents the same. What the docs list in neither
list is held to be refused. It shares nothing with the passes that it judges.
"""

import re
from collections.abc import Iterator
from typing import Any

TYPES = {"object", "array", "string", "integer", "number", "boolean", "null"}
FORMATS = {"date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"}
KNOWN = {
    "type", "description", "enum", "const", "anyOf", "properties", "required", "additionalProperties", "items",
    "minItems", "format",
}  # fmt: skip
NAME = re.compile(r"[a-zA-Z0-9_.-]{1,64}")


def faults(schema: Any) -> list[str]:
    """Name everything in a strict schema that the docs do not allow."""
    root = [] if schema.get("type") == "object" and "anyOf" not in schema else ["$: the root is no plain object"]
    root += [f"$: a property called {name!r}" for name in schema["properties"] if not NAME.fullmatch(name)]
    return root + [f"{path}: {fault}" for path, node in _nodes(schema, "$") for fault in _faults(node)]


def _nodes(schema: Any, path: str) -> Iterator[tuple[str, Any]]:
    yield path, schema
    for name, node in schema.get("properties", {}).items():
        yield from _nodes(node, f"{path}.{name}")
    for position, node in enumerate(schema.get("anyOf", ())):
        yield from _nodes(node, f"{path}|{position}")
    if "items" in schema:
        yield from _nodes(schema["items"], f"{path}[]")


def _faults(node: Any) -> Iterator[str]:
    if unknown := node.keys() - KNOWN:
        yield f"unsupported {sorted(unknown)}"
    words = node.get("type", [])
    words = [words] if isinstance(words, str) else words
    if not set(words) <= TYPES or not (words or "anyOf" in node):
        yield f"type is {words}"
    if "object" in words and node.get("additionalProperties") is not False:
        yield "an open object"
    if set(node.get("required", ())) - node.get("properties", {}).keys():
        yield "something required is not declared"
    if "array" in words and not isinstance(node.get("items"), dict):
        yield "an array without items"
    if node.get("minItems", 0) not in {0, 1}:
        yield f"minItems {node['minItems']}"
    if node.get("format", "date") not in FORMATS:
        yield f"format {node['format']}"
    if any(isinstance(option, dict | list) for option in node.get("enum", ())):
        yield "an enum of objects or lists"
