"""What a provider demands of the outermost schema, where all else stays as declared."""

from typing import Final

import attrs

from prismpy.schema import JSON, MISSING, follow, map_subschemas, step, unescaped

from ._changes import Change
from ._lens import Lens
from ._objects import renamed
from ._subset import Root
from ._words import about, joined, worded, written

_NAMING: Final = frozenset(
    {"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas"}
    | {"patternProperties", "propertyNames", "unevaluatedProperties"}
)
"""Keywords beside `properties` that are about their names."""

_HANGING: Final = {
    "patternProperties": ("additionalProperties", "unevaluatedProperties"),
    **dict.fromkeys(("allOf", "anyOf", "oneOf", "not", "if", "dependentSchemas"), ("unevaluatedProperties",)),
}
"""Keyword to those that would refuse more without it."""


def at_root(lens: Lens, root: Root) -> tuple[Lens, tuple[Change, ...]]:
    """
    Let an outermost schema be what a provider takes.

    Args:
        lens: Of the whole parameters, strict or as declared.

        root: What is demanded of it.

    Returns:
        The lens with names that fit, and words for what must not stand there; and what changed.
    """
    schema, names = lens.schema, root.property_names
    odd = names is not None and not all(map(names.take, schema.get("properties", ())))
    moved = _moved(schema, {*root.without, *(_NAMING if odd else ())})
    told = {word: worded(word, schema[word]) for word in moved}
    changes = [Change("unsupported-keyword", step("$", word), schema[word], told[word], lossy=True) for word in moved]
    if moved:
        lens = attrs.evolve(lens, schema=_without(schema, moved, "; ".join(told.values())))
    if names is not None and odd:
        lens, new = renamed(lens, names)
        changes += [Change("property-name", step("$.properties", name), name, fit) for name, fit in new.items()]
    else:
        new = {}
    if changes:
        lens = attrs.evolve(lens, schema=_repointed(lens.schema, new, schema, lens.schema))
    return lens, tuple(changes)


def _moved(schema: JSON, without: set[str]) -> list[str]:
    """Return the keywords that go, in order."""
    gone = {word for word in schema if word in without}
    gone |= {other for word in gone for other in _HANGING.get(word, ())}
    return [word for word in schema if word in gone]


def _without(schema: JSON, moved: list[str], words: str) -> JSON:
    rest = {word: value for word, value in schema.items() if word not in moved}
    return {**rest, "description": joined([about(schema), words])}


def _repointed(schema: JSON, new: dict[str, str], before: JSON, after: JSON) -> JSON:
    """Let references lead to properties under their new names; one into what is gone is told in words."""
    if isinstance(schema, dict) and isinstance(ref := schema.get("$ref"), str):
        parts = ref.split("/")
        if parts[:2] == ["#", "properties"] and len(parts) > _NAME:
            name = unescaped(parts[_NAME])
            parts[_NAME] = new.get(name, parts[_NAME])
        target, ref = follow(before, ref), "/".join(parts)
        if target is not MISSING and follow(after, ref) is MISSING:
            rest = {word: value for word, value in schema.items() if word != "$ref"}
            return {**rest, "description": joined([about(rest), f"valid under the JSON Schema {written(target)}"])}
        schema = {**schema, "$ref": ref}
    return map_subschemas(schema, lambda inner, _: _repointed(inner, new, before, after))


_NAME: Final = 2
"""Where the name stands in a pointer to a property."""
