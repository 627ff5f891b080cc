"""A schema in a few words, for people and for the messages that models read."""

import json
from collections.abc import Iterable

from ._json import JSON, cut

TYPE_ONLY = frozenset({"type", "title", "description", "default", "examples"})
"""Keywords of a schema that asks for a type and no more."""

_MANY = 12
"""How many choices or properties a description lists before it says how many more there are."""


def describe(schema: JSON, depth: int = 3) -> str:
    """
    Say in one line what a JSON Schema asks for.

    Args:
        schema: A JSON Schema, dict or bool.

        depth: Levels of objects and lists to spell out; deeper ones are named by their type only.

    Returns:
        A notation close to TypeScript's: `string`, `"c" | "f"`, `list of integer`, `{city: string, days?: integer}`.
    """
    match schema:
        case bool():
            return "any value" if schema else "nothing"
        case {"type": "string" | "integer" | "number" | "boolean" as word} if schema.keys() <= TYPE_ONLY:
            return str(word)  # as most are
        case {"enum": [*options]}:
            return _either(json.dumps(option, ensure_ascii=False) for option in options)
        case {"not": {**rest}} if len(schema) == 1 and not rest:
            return "nothing"
        case {"const": value}:
            return json.dumps(value, ensure_ascii=False)
        case {"anyOf": [*branches]} | {"oneOf": [*branches]}:
            return _either(describe(branch, depth) for branch in branches)
        case {"type": [*words]}:
            return _either(describe({**schema, "type": word}, depth) for word in words)
        case {"type": "null"}:
            return "null"
        case {"type": "array", "items": items} if depth > 0 and isinstance(items, dict | bool):
            return f"list of {describe(items, depth - 1)}"
        case {"type": "array"}:
            return "list"
        case {"type": "object", "properties": dict() as properties} if depth > 0 and properties:
            return _describe_object(properties, schema.get("required", ()), depth - 1)
        case {"type": "object", "additionalProperties": dict() as values} if depth > 0:
            return f"object of {describe(values, depth - 1)}"
        case {"type": str() as word}:
            return word + _describe_bounds(schema)
        case {"$ref": str() as ref}:
            return ref.rsplit("/", 1)[-1].lstrip("#") or "value"
        case _:
            return "any value"


def _either(words: Iterable[str]) -> str:
    distinct = list(dict.fromkeys(words))
    more = [f"... ({len(distinct) - _MANY} more)"] if len(distinct) > _MANY else []
    return " | ".join(distinct[:_MANY] + more)


def _describe_object(properties: dict[str, JSON], required: JSON, depth: int) -> str:
    required = required if isinstance(required, list) else ()  # draft 3 has a bool there
    parts = [f"{name}{'' if name in required else '?'}: {describe(node, depth)}" for name, node in properties.items()]
    more = [f"... {len(parts) - _MANY} more"] if len(parts) > _MANY else []
    return "{" + ", ".join(parts[:_MANY] + more) + "}"


_BOUNDS = {
    "minimum": ">= {}",
    "exclusiveMinimum": "> {}",
    "maximum": "<= {}",
    "exclusiveMaximum": "< {}",
    "multipleOf": "multiple of {}",
    "minLength": "length >= {}",
    "maxLength": "length <= {}",
    "pattern": "matching {}",
    "format": "{}",
}


def _describe_bounds(schema: dict[str, JSON]) -> str:
    words = [
        text.format(cut(str(schema[keyword])))
        for keyword, text in _BOUNDS.items()
        if keyword in schema and not isinstance(schema[keyword], bool)  # as draft 4 writes exclusive bounds
    ]
    return f" ({', '.join(words)})" if words else ""
