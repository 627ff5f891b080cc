"""Measuring what was lowered, and holding it against what a provider takes."""

from collections.abc import Iterator
from typing import TypeAlias

import attrs

from prismpy.schema import JSON, inner_schemas

from ._subset import Limits

Excess: TypeAlias = frozenset[str]
"""Names of the fields of `Limits` that are exceeded."""


@attrs.frozen
class Size:
    """How large a lowered schema is; see `Limits`."""

    levels: int
    properties: int
    text: int
    options: int
    longest: tuple[int, int]
    """Options and characters of the enum with the most characters."""

    def exceeds(self, limits: Limits) -> Excess:
        """Return what goes beyond some limits."""
        found = {name: getattr(self, name) for name in ("levels", "properties", "text", "options")}
        over = {name for name, size in found.items() if (most := getattr(limits, name)) is not None and size > most}
        count, characters = self.longest
        if limits.long_enum is not None and limits.long_enum_text is not None:
            over |= {"options"} if count > limits.long_enum and characters > limits.long_enum_text else set()
        return frozenset(over)


def size_of(schema: JSON) -> Size:
    """Measure a lowered schema, its definitions apart: a reference counts as a leaf."""
    nodes = list(_nodes(schema, 0))
    names = [name for _, node in nodes for word in ("properties", "$defs") for name in node.get(word, ())]
    enums = [[str(option) for option in node["enum"]] for _, node in nodes if "enum" in node]
    return Size(
        levels=max((level for level, _ in nodes), default=0),
        properties=sum(len(node.get("properties", ())) for _, node in nodes),
        text=sum(map(len, names)) + sum(len(option) for options in enums for option in options),
        options=sum(map(len, enums)),
        longest=max(
            ((len(options), sum(map(len, options))) for options in enums), key=lambda pair: pair[1], default=(0, 0)
        ),
    )


def strictness(schema: JSON) -> tuple[int, int]:
    """Count what a request may hold few of: optional properties, and schemas with `anyOf` or several types."""
    nodes = [node for _, node in _nodes(schema, 0)]
    optional = sum(len(node.get("properties", {}).keys() - set(node.get("required", ()))) for node in nodes)
    unions = sum("anyOf" in node or isinstance(node.get("type"), list) for node in nodes)
    return optional, unions


def _nodes(schema: JSON, level: int) -> Iterator[tuple[int, dict[str, JSON]]]:
    """Go through a schema and all in it, each with the objects and lists that it is in or is."""
    if not isinstance(schema, dict):
        return
    words = schema.get("type")
    own = level + bool({"object", "array"} & set([words] if isinstance(words, str) else words or ()))
    yield own, schema
    for keyword, _, inner in inner_schemas(schema):
        yield from _nodes(inner, 0 if keyword == "$defs" else own)
