"""
Dynamic references, said as plain ones.

Where a `$dynamicRef` leads hangs on the schemas that were entered before it, the
outermost first, and never on a value. So a schema that is entered in several
ways is copied for each, and what is dynamic in a copy has one place to lead to.

Source: JSON Schema 2020-12 Core, sections 7.1 (dynamic scope), 8.2.2 and 8.2.3.2.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Final, TypeAlias
from urllib.parse import quote, urljoin

import attrs

from ._json import JSON
from ._walk import inner_schemas, map_subschemas, unescaped

NAMES: Final = ("$anchor", "$dynamicAnchor")
"""Keywords that name a place in a document."""

_GONE: Final = frozenset({"$id", *NAMES, "$defs", "definitions", "$ref", "$dynamicRef"})
"""What a copy has no use for: references lead to copies, which stand in `$defs` of their own."""

MOST: Final = 500
"""Copies that are made: scopes within scopes can multiply without end."""


@attrs.frozen(eq=False)
class Spot:
    """A schema within the document."""

    schema: JSON
    base: str
    """Name of the resource that it is in."""


Scope: TypeAlias = dict[str, Spot]
"""Name of a dynamic anchor to the outermost schema of that name that was entered."""


def settled(document: JSON) -> JSON:
    """
    Say every reference of a document, dynamic or not, as `#` and a JSON Pointer.

    Args:
        document: A schema of the newest draft, whole. It is not touched.

    Returns:
        A schema that accepts the same values, without names. A reference that leads out of the document stays, and so
        does as a `$dynamicRef` what needs more than 500 copies.
    """
    return _Settling(document).whole()


class _Settling:
    def __init__(self, document: JSON) -> None:
        self._resources: dict[str, Spot] = {}
        self._anchors: dict[str, Spot] = {}
        self._dynamic: dict[str, Scope] = {}
        self._root = Spot(document, base_of(document, ""))
        for spot in _spots(self._root):
            self._note(spot)
        self._pointers: dict[tuple[object, ...], str] = {}
        self._named: Counter[str] = Counter()
        self._todo: list[tuple[str, Spot, Scope]] = []
        self._copies: dict[str, JSON] = {}

    def _note(self, spot: Spot) -> None:
        schema = spot.schema
        self._resources.setdefault(spot.base, spot)  # the outermost comes first
        for keyword in NAMES:
            if isinstance(name := schema.get(keyword), str):
                self._anchors[f"{spot.base}#{name}"] = spot
                if keyword == "$dynamicAnchor":
                    self._dynamic.setdefault(spot.base, {})[name] = spot

    def whole(self) -> JSON:
        scope = self._entered(self._root.base, {})
        self._pointers[_key(self._root, scope)] = "#"
        root = self._copied(self._root, scope)
        while self._todo:
            name, spot, inner = self._todo.pop()
            self._copies[name] = self._copied(spot, inner)
        return {**root, "$defs": dict(sorted(self._copies.items()))} if self._copies else root

    def _entered(self, base: str, scope: Scope) -> Scope:
        return {**self._dynamic.get(base, {}), **scope}

    def _copied(self, spot: Spot, scope: Scope) -> JSON:
        schema = spot.schema
        if not isinstance(schema, dict):
            return schema
        bare = {keyword: value for keyword, value in schema.items() if keyword not in _GONE}
        new = map_subschemas(bare, lambda inner, _: self._inner(inner, spot.base, scope))
        references = [
            self._reference(keyword, schema[keyword], spot.base, scope)
            for keyword in ("$ref", "$dynamicRef")
            if isinstance(schema.get(keyword), str)
        ]
        if len(references) > 1:
            return {**new, "allOf": [*new.get("allOf", ()), *references]}
        return {**references[0], **new} if references else new

    def _inner(self, schema: JSON, base: str, scope: Scope) -> JSON:
        own = base_of(schema, base)
        return self._copied(Spot(schema, own), scope if own == base else self._entered(own, scope))

    def _reference(self, keyword: str, ref: str, base: str, scope: Scope) -> JSON:
        target = self._target(ref, base)
        if target is None:
            return {keyword: ref}
        name = ref.partition("#")[2]
        if keyword == "$dynamicRef" and self._dynamic.get(target.base, {}).get(name) is target:
            target = scope.get(name, target)
        inner = self._entered(target.base, scope)
        key = _key(target, inner)
        if key not in self._pointers:
            if len(self._pointers) > MOST:
                return {"$dynamicRef": ref}  # which nothing takes for a place in what was copied
            copy = self._free(ref)
            self._pointers[key] = f"#/$defs/{escaped(copy)}"
            self._todo.append((copy, target, inner))
        return {"$ref": self._pointers[key]}

    def _free(self, ref: str) -> str:
        """Name a copy after the last word of the reference that leads there."""
        name = unescaped(ref.rstrip("#").replace("#", "/").rsplit("/", 1)[-1]) or "root"
        self._named[name] += 1
        return name if self._named[name] == 1 else self._free(f"{name}_{self._named[name]}")

    def _target(self, ref: str, base: str) -> Spot | None:
        name = joined(base, ref)
        url, _, fragment = name.partition("#")
        if name in self._anchors:
            return self._anchors[name]
        spot = self._resources.get(url)
        if spot is None or (fragment and not fragment.startswith("/")):
            return None
        return _followed(spot, fragment)


def _followed(spot: Spot, pointer: str) -> Spot | None:
    """Follow a JSON Pointer from a schema, and know in which resource it ends."""
    found, base = spot.schema, spot.base
    for part in pointer.split("/")[1:]:
        key = unescaped(part)
        if isinstance(found, list) and key.isdecimal() and int(key) < len(found):
            found = found[int(key)]
        elif isinstance(found, dict) and key in found:
            found = found[key]
        else:
            return None
        base = base_of(found, base)
    return Spot(found, base)


def _spots(spot: Spot) -> Iterator[Spot]:
    if isinstance(spot.schema, dict):
        yield spot
        for _, _, inner in inner_schemas(spot.schema):
            yield from _spots(Spot(inner, base_of(inner, spot.base)))


def _key(spot: Spot, scope: Scope) -> tuple[object, ...]:
    """Tell copies apart: by the schema itself, and by where all that is dynamic leads."""
    return (id(spot.schema), spot.base, *sorted((name, id(other.schema)) for name, other in scope.items()))


# --- names of resources -------------------------------------------------------


def base_of(schema: JSON, base: str) -> str:
    """
    Return the name of the resource that a schema is in, or is the root of.

    Fragments in it, as generators for draft 7 write, mean nothing.
    """
    name = schema.get("$id") if isinstance(schema, dict) else None
    return joined(base, name).partition("#")[0] if isinstance(name, str) else base


def joined(base: str, name: str) -> str:
    """Join a name to that of the resource it stands in."""
    if name.startswith("#"):  # where urljoin would give up on a URN
        return f"{base}{name}"
    try:
        return urljoin(base, name)
    except ValueError:  # no URL
        return name


def escaped(key: str) -> str:
    """Write a key as a part of a JSON Pointer in a reference."""
    return quote(key.replace("~", "~0").replace("/", "~1"), safe="~/$")
