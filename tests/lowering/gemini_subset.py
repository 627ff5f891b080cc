"""
A judge of what Gemini's function declarations take, written from Google's pages and types.

`openapi_faults` is about `parameters`: google-genai 3.6.1 `types.Schema`, the API reference "Schema", and reports of
refusals (formats, options that are no texts, keys beside `anyOf`, inner objects without properties). `json_faults` is
about `parametersJsonSchema`: google-genai 3.6.1 `types.GenerateContentConfig.response_json_schema`. Both read in
2026-11. It shares nothing with the passes that it judges.
"""

import re
from collections.abc import Iterator
from typing import Any

TYPES = {"string", "number", "integer", "boolean", "array", "object"}
OPENAPI = {
    "type", "format", "title", "description", "nullable", "enum", "items", "maxItems", "minItems", "properties",
    "required", "minProperties", "maxProperties", "minLength", "maxLength", "pattern", "minimum", "maximum", "anyOf",
}  # fmt: skip
JSON = {
    "type", "title", "description", "format", "enum", "items", "prefixItems", "minItems", "maxItems", "minimum",
    "maximum", "anyOf", "properties", "additionalProperties", "required",
}  # fmt: skip
NAME = re.compile("[a-zA-Z_][a-zA-Z0-9_]{0,63}")


def _nodes(schema: Any, path: str = "$") -> Iterator[tuple[str, Any]]:
    yield path, schema
    for name, node in schema.get("properties", {}).items():
        yield from _nodes(node, f"{path}.{name}")
    for position, node in enumerate((*schema.get("anyOf", ()), *schema.get("prefixItems", ()))):
        yield from _nodes(node, f"{path}|{position}")
    for keyword in ("items", "additionalProperties"):
        if isinstance(schema.get(keyword), dict):
            yield from _nodes(schema[keyword], f"{path}.{keyword}")


def openapi_faults(schema: Any) -> list[str]:
    """Name everything in `parameters` that Gemini refuses."""
    return [f"{path}: {fault}" for path, node in _nodes(schema) for fault in _openapi_faults(node, path == "$")]


def _openapi_faults(node: Any, is_root: bool) -> Iterator[str]:
    if unknown := node.keys() - OPENAPI:
        yield f"unknown {sorted(unknown)}"
    if "anyOf" in node:
        if node.keys() != {"anyOf"}:
            yield "something beside anyOf"
        return
    if node.get("type") not in TYPES:
        yield f"type is {node.get('type')}"
    if "enum" in node and (node["type"] != "string" or not all(o and isinstance(o, str) for o in node["enum"])):
        yield f"an enum of {node['enum']}"
    if node.get("format", "date-time") != "date-time":
        yield f"format {node['format']}"
    if node.get("type") == "array" and not isinstance(node.get("items"), dict):
        yield "an array without items"
    if node.get("type") == "object" and not is_root and not node.get("properties"):
        yield "an inner object without properties"
    yield from _object_faults(node)


def _object_faults(node: Any) -> Iterator[str]:
    names = node.get("properties", {}).keys()
    if odd := [name for name in names if not NAME.fullmatch(name)]:
        yield f"properties are called {odd}"
    if missing := set(node.get("required", ())) - names:
        yield f"required but not declared: {sorted(missing)}"
    if node.get("type") not in ("object", ["object", "null"]) and node.keys() & {"properties", "required"}:
        yield "properties of what is no object"


def json_faults(schema: Any) -> list[str]:
    """Name everything in `parametersJsonSchema` that Gemini would ignore or refuse."""
    return [f"{path}: {fault}" for path, node in _nodes(schema) for fault in _json_faults(node)]


def _json_faults(node: Any) -> Iterator[str]:
    if unknown := node.keys() - JSON:
        yield f"unknown {sorted(unknown)}"
    words = node.get("type", [])
    words = [words] if isinstance(words, str) else words
    if not set(words) <= TYPES | {"null"} or not (words or "anyOf" in node):
        yield f"type is {words}"
    if not all(option is None or isinstance(option, str | int | float) for option in node.get("enum", ())):
        yield f"an enum of {node['enum']}"
    if any(isinstance(option, bool) for option in node.get("enum", ())):
        yield "an enum of booleans"
    if node.get("format", "date") not in {"date-time", "date", "time"}:
        yield f"format {node['format']}"
    if "array" in words and not node.keys() & {"items", "prefixItems"}:
        yield "an array without items"
    yield from _object_faults(node)
