"""
Where schemas stand inside a schema.

A walk goes by position, never by the name of a key: properties may be called anything.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Final, Literal, TypeAlias
from urllib.parse import unquote

from ._json import JSON, MISSING, Missing, step

SUBSCHEMAS: Final[dict[str, Literal["schema", "schemas", "named", "either"]]] = {
    "additionalItems": "schema",
    "additionalProperties": "schema",
    "contains": "schema",
    "contentSchema": "schema",
    "else": "schema",
    "if": "schema",
    "items": "either",
    "not": "schema",
    "propertyNames": "schema",
    "then": "schema",
    "unevaluatedItems": "schema",
    "unevaluatedProperties": "schema",
    "allOf": "schemas",
    "anyOf": "schemas",
    "oneOf": "schemas",
    "prefixItems": "schemas",
    "$defs": "named",
    "definitions": "named",
    "dependencies": "named",
    "dependentSchemas": "named",
    "patternProperties": "named",
    "properties": "named",
}
"""
Keyword to what it holds: one schema, a list of them, a map to them, or one or a list (`items` before 2020-12).

Source: JSON Schema 2020-12 Core, sections 8.2.4, 10 and 11; Validation, section 8; draft-07, sections 6.4 and 6.5.
"""


def map_subschemas(schema: JSON, change: Callable[[JSON, str], JSON]) -> JSON:
    """
    Return a schema with every schema that stands directly in it changed.

    Args:
        schema: Dict or bool. It is not touched; a bool has no schemas in it.

        change: Takes a schema and the keyword it stands under.
    """
    return map_places(schema, lambda item, keyword, _: change(item, keyword))


Change: TypeAlias = Callable[[JSON, str, str | int | None], JSON]
"""Takes a schema, its keyword, and its name or index there, None where the keyword holds one schema."""


def map_places(schema: JSON, change: Change) -> JSON:
    """Return a schema with every schema that stands directly in it changed, by where it stands."""
    if not isinstance(schema, dict):
        return schema
    return {keyword: _change(keyword, value, change) for keyword, value in schema.items()}


def _change(keyword: str, value: JSON, change: Change) -> JSON:
    def each(item: JSON, key: str | int | None = None) -> JSON:
        return change(item, keyword, key) if isinstance(item, dict | bool) else item

    match SUBSCHEMAS.get(keyword), value:
        case (("schemas" | "either"), list()):
            return [each(item, place) for place, item in enumerate(value)]
        case "named", dict():
            return {name: each(item, name) for name, item in value.items()}
        case (("schema" | "either"), _):
            return each(value)
        case _:
            return value


def subschemas(schema: JSON, path: str = "$") -> Iterator[tuple[str, JSON]]:
    """Go through a schema and all schemas in it, outermost first, each with its JSON Path."""
    yield path, schema
    for keyword, key, inner in inner_schemas(schema):
        yield from subschemas(inner, place(path, keyword, key))


def place(path: str, keyword: str, key: str | int | None) -> str:
    """Extend a JSON Path to a schema that stands directly in another."""
    return step(path, keyword) if key is None else step(step(path, keyword), key)


def inner_schemas(schema: JSON) -> Iterator[tuple[str, str | int | None, JSON]]:
    """
    Go through the schemas that stand directly in a schema, in order.

    Returns:
        Each with its keyword, and its name or index there; None where the keyword holds one schema.
    """
    for keyword, value in schema.items() if isinstance(schema, dict) else ():
        kind = SUBSCHEMAS.get(keyword)
        inner: Iterable[tuple[str | int | None, JSON]] = ()
        if kind in {"schemas", "either"} and isinstance(value, list):
            inner = enumerate(value)
        elif kind == "named" and isinstance(value, dict):
            inner = value.items()
        elif kind in {"schema", "either"}:
            inner = [(None, value)]
        for key, item in inner:
            if isinstance(item, dict | bool):
                yield keyword, key, item


def item_schemas(schema: dict[str, JSON]) -> tuple[list[JSON], JSON]:
    """Return the schemas of the first items of a list, one each, and that of all others, in the words of any draft."""
    first, rest = schema.get("prefixItems"), schema.get("items", True)
    if isinstance(rest, list):  # before 2020-12
        first, rest = rest, schema.get("additionalItems", True)
    return first if isinstance(first, list) else [], rest


def follow(document: JSON, ref: str) -> JSON | Missing:
    """
    Follow a reference into a document.

    Args:
        document: A schema, whole.

        ref: `#`, or `#` and a JSON Pointer.

    Returns:
        What stands there; `MISSING` if nothing does, or the reference leads out of the document.

    Source: RFC 6901, sections 4 and 6.
    """
    if ref != "#" and not ref.startswith("#/"):
        return MISSING
    for part in ref.removeprefix("#").split("/")[1:]:
        key = unescaped(part)
        if isinstance(document, list) and key.isdecimal() and int(key) < len(document):
            document = document[int(key)]
        elif isinstance(document, dict) and key in document:
            document = document[key]
        else:
            return MISSING
    return document


def unescaped(part: str) -> str:
    """Return the name that a part of a JSON Pointer in a reference stands for."""
    return unquote(part).replace("~1", "/").replace("~0", "~")
