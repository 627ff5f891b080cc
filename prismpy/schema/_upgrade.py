"""
Older ways to say a schema, said in the words of JSON Schema 2020-12.

What a draft means by a keyword is taken from `$schema`. Without one, only what
2020-12 has no meaning for is understood in the old way, and OpenAPI's `nullable`.

Sources: the drafts' own documents, and "Release notes" of drafts 2019-09 and
2020-12, sections on keywords that were split or renamed; OpenAPI 3.0.3,
section 4.7.24, `nullable` (read 2026-11).
"""

import json
from collections.abc import Callable, Iterator
from typing import Any, Final, TypeAlias

import attrs

from ._draft3 import MARKS, from_draft3
from ._json import JSON, step
from ._pointers import hoisted
from ._walk import SUBSCHEMAS, map_places, place, unescaped

NEWEST: Final = "https://json-schema.org/draft/2020-12/schema"

_D3, _D4, _D6, _D7, _D2019, _UNNAMED = range(6)
"""The drafts in order; the last stands for a schema that names none, or the newest."""

_DRAFTS: Final = {
    "http://json-schema.org/draft-03/schema": _D3,
    "http://json-schema.org/draft-04/schema": _D4,
    "http://json-schema.org/draft-06/schema": _D6,
    "http://json-schema.org/draft-07/schema": _D7,
    "https://json-schema.org/draft/2019-09/schema": _D2019,
}
"""What `$schema` names, without a `#` at its end."""


@attrs.frozen
class Upgrade:
    """One thing that is said otherwise in the newest draft."""

    path: str
    """Where, as a JSON Path into the schema as it was."""

    before: str
    """The keyword as it was, or `keyword: value`."""

    after: str
    """What says the same now; "" where nothing needs to."""


def upgrade(schema: JSON) -> tuple[JSON, tuple[Upgrade, ...]]:
    """
    Say a schema in the words of JSON Schema 2020-12.

    Args:
        schema: A JSON Schema of draft 3 or newer, dict or bool. It is not touched.

    Returns:
        A schema that accepts the same values, and what is said otherwise; the schema itself if that is nothing.
    """
    named = schema.get("$schema") if isinstance(schema, dict) else None
    draft = _draft(named)
    if draft is None or (draft == _UNNAMED and not _looks_old(schema)):
        return schema, ()
    notes: list[Upgrade] = []
    whole = hoisted(schema)
    if draft in {_D3, _UNNAMED}:
        whole, found = from_draft3(whole, named=draft == _D3)
        notes += [Upgrade(*note) for note in found]
    upgraded = _upgraded(whole, _Document(whole, max(draft, _D4)), "$", notes)
    if draft < _UNNAMED:
        notes.insert(0, Upgrade("$.$schema", str(named), NEWEST))
        upgraded["$schema"] = NEWEST
    return (upgraded, tuple(notes)) if notes else (schema, ())


@attrs.frozen
class _Document:
    """A whole schema as it was."""

    schema: JSON
    draft: int

    is_recursive: bool = False
    """Whether what extends the schema at hand is meant by a `$recursiveRef` in it, too."""

    @property
    def base(self) -> str:
        """Its own name, by which references may call it."""
        return str(self.schema.get("id" if self.draft == _D4 else "$id", "")).rstrip("#")

    def within(self, schema: dict[str, JSON]) -> "_Document":
        """Return the same document as it is seen from a schema in it, which may have a name of its own."""
        if schema is not self.schema and not isinstance(schema.get("$id"), str):
            return self
        return attrs.evolve(self, is_recursive=schema.get("$recursiveAnchor") is True)


def _draft(named: JSON) -> int | None:
    """Return the draft that `$schema` names; None for one that nothing is known about."""
    if not isinstance(named, str):
        return _UNNAMED
    bare = named.rstrip("#")
    return _UNNAMED if bare == NEWEST else _DRAFTS.get(bare)


def _looks_old(schema: JSON) -> bool:
    """Tell at a glance that there may be something to upgrade in a schema that names no older draft."""
    text = json.dumps(schema)
    words = ("nullable", "definitions", "exclusiveMinimum", "exclusiveMaximum")
    return any(mark in text for mark in ('"items": [', *MARKS, *(f'"{word}"' for word in words)))


def _upgraded(schema: JSON, document: _Document, path: str, notes: list[Upgrade]) -> JSON:
    if not isinstance(schema, dict):
        return schema
    document = document.within(schema)
    if document.draft <= _D7 and isinstance(schema.get("$ref"), str):
        schema = _without_siblings(schema, path, notes)
    new = map_places(schema, lambda inner, *keys: _upgraded(inner, document, place(path, *keys), notes))
    if isinstance(ref := new.get("$ref"), str):
        new["$ref"] = _redirected(document, ref)
    for rule in _RULES:
        for before, after in rule(new, document):
            notes.append(Upgrade(step(path, before.partition(":")[0]), before, after))
    return {"anyOf": [new, {"type": "null"}]} if _wraps(schema) else new


_BESIDE: Final = frozenset(
    {"$ref", "$schema", "$comment", "title", "description", "default", "examples", "definitions", "$defs", "nullable"}
)
"""What means something beside `$ref` in draft 7 and before: annotations, and what references lead to."""


def _without_siblings(schema: dict[str, JSON], path: str, notes: list[Upgrade]) -> dict[str, JSON]:
    notes += [Upgrade(step(path, keyword), keyword, "") for keyword in schema if keyword not in _BESIDE]
    return {keyword: value for keyword, value in schema.items() if keyword in _BESIDE}


# --- the rules ----------------------------------------------------------------

_Rule: TypeAlias = Callable[[dict[str, Any], _Document], Iterator[tuple[str, str]]]
"""Changes a node in place, its own copy, and says for each change what was there and what is now."""


def _exclusive(node: dict[str, JSON], _document: _Document) -> Iterator[tuple[str, str]]:
    for bound, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
        if isinstance(flag := node.get(exclusive), bool):
            del node[exclusive]
            if flag and bound in node:
                node[exclusive] = node.pop(bound)
            yield f"{exclusive}: {json.dumps(flag)}", exclusive if flag else bound


def _tuples(node: dict[str, JSON], document: _Document) -> Iterator[tuple[str, str]]:
    if isinstance(node.get("items"), list):
        node["prefixItems"] = node.pop("items")
        if not node["prefixItems"]:  # which 2020-12 does not allow
            del node["prefixItems"]
        yield "items", "prefixItems"
        if "additionalItems" in node:
            node["items"] = node.pop("additionalItems")
            yield "additionalItems", "items"
    elif document.draft < _UNNAMED and "additionalItems" in node:  # means nothing without a list before it
        del node["additionalItems"]
        yield "additionalItems", ""


def _identifiers(node: dict[str, JSON], document: _Document) -> Iterator[tuple[str, str]]:
    own = "id" if document.draft == _D4 else "$id"
    if document.draft <= _D7 and isinstance(name := node.get(own), str) and (own == "id" or name.startswith("#")):
        del node[own]
        base, _, anchor = name.partition("#")
        node |= ({"$id": base} if base else {}) | ({"$anchor": anchor} if anchor else {})
        yield own, "$anchor" if anchor else "$id"
    if document.draft == _D2019 and node.get("$recursiveRef") == "#":
        del node["$recursiveRef"]
        keyword, ref = ("$dynamicRef", "#recursive") if document.is_recursive else ("$ref", "#")
        node[keyword] = ref
        yield "$recursiveRef", keyword
    if document.draft == _D2019 and isinstance(flag := node.get("$recursiveAnchor"), bool):
        del node["$recursiveAnchor"]
        node |= {"$dynamicAnchor": "recursive"} if flag else {}
        yield "$recursiveAnchor", "$dynamicAnchor" if flag else ""


def _definitions(node: dict[str, JSON], _document: _Document) -> Iterator[tuple[str, str]]:
    if isinstance(node.get("definitions"), dict) and "$defs" not in node:
        node["$defs"] = node.pop("definitions")
        yield "definitions", "$defs"


def _dependencies(node: dict[str, JSON], document: _Document) -> Iterator[tuple[str, str]]:
    found = node.get("dependencies")
    if document.draft > _D7 or not isinstance(found, dict):
        return
    del node["dependencies"]
    for keyword, kind in (("dependentRequired", list), ("dependentSchemas", dict | bool)):
        if some := {name: value for name, value in found.items() if isinstance(value, kind)}:
            node[keyword] = some
            yield "dependencies", keyword


def _nullable(node: dict[str, JSON], _document: _Document) -> Iterator[tuple[str, str]]:
    if node.get("nullable") is not True:
        return
    del node["nullable"]
    if isinstance(words := node.get("type"), str | list):
        words = [words] if isinstance(words, str) else words
        node["type"] = words if "null" in words else [*words, "null"]
        if isinstance(node.get("enum"), list) and None not in node["enum"]:
            node["enum"] = [*node["enum"], None]
        yield "nullable: true", "type"
    else:
        yield "nullable: true", "anyOf"


_RULES: Final[tuple[_Rule, ...]] = (_exclusive, _tuples, _identifiers, _definitions, _dependencies, _nullable)


def _wraps(schema: dict[str, JSON]) -> bool:
    """Tell whether a schema becomes one of two branches, null the other."""
    return schema.get("nullable") is True and not isinstance(schema.get("type"), str | list)


# --- references ---------------------------------------------------------------


def _redirected(document: _Document, ref: str) -> str:
    """Let a JSON Pointer lead to where its target has gone."""
    base, _, pointer = ref.partition("#")
    if not pointer.startswith("/") or base != (document.base if base else ""):
        return ref
    parts, new, here, kind = pointer[1:].split("/"), [f"{base}#"], document.schema, "schema"
    for part in parts:
        if kind == "schema" and isinstance(here, dict):
            if _wraps(here):
                new += ["anyOf", "0"]
            renamed = _renamed(here, part, document.draft)
            kind = "held" if part in SUBSCHEMAS and SUBSCHEMAS[part] != "schema" else "schema"
            new.append(renamed)
        else:
            new.append(part)
            kind = "schema"
        here = _inside(here, part)
        if kind == "held" and isinstance(here, bool | dict) and SUBSCHEMAS.get(part) == "either":
            kind = "schema"
    return "/".join(new)


def _inside(value: JSON, part: str) -> JSON:
    key = unescaped(part)
    if isinstance(value, list):
        return value[int(key)] if key.isdecimal() and int(key) < len(value) else None
    return value.get(key) if isinstance(value, dict) else None


def _renamed(node: dict[str, JSON], keyword: str, draft: int) -> str:
    listed = isinstance(node.get("items"), list)
    match keyword:
        case "definitions" if "$defs" not in node:
            return "$defs"
        case "items" if listed:
            return "prefixItems"
        case "additionalItems" if listed:
            return "items"
        case "dependencies" if draft <= _D7:
            return "dependentSchemas"
        case _:
            return keyword
