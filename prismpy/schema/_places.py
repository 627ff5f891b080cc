"""
What a schema leaves possible at one place of a value.

Read by whoever tries to understand a value that is wrong. Where the schema is
hard to follow (conditions, negations, references out of the document), more is
left possible than there is, never less.
"""

import re
from collections.abc import Iterable
from functools import cached_property, reduce
from typing import Any, Final, TypeAlias

import attrs

from ._json import JSON, JSON_TYPES, MISSING, Missing, canonical, json_type
from ._keywords import compiles
from ._walk import follow, item_schemas

Alternative: TypeAlias = tuple[dict[str, JSON], ...]
"""Schemas that hold together, references and `allOf` followed."""

_LIMIT: Final = 64
"""Alternatives that are told apart; where there are more, anything counts as possible."""


@attrs.frozen(eq=False, slots=False)
class Place:
    """A place in a value, as the alternatives that the schema has for it."""

    document: JSON
    """The whole schema, which references lead into."""

    alternatives: tuple[Alternative, ...]
    """What a value may obey here; empty where nothing may stand."""

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The JSON types that may stand here; where `number` may, `integer` may."""
        return frozenset[str]().union(*map(_kinds, self.alternatives))

    def meant_for(self, value: JSON) -> "Place":
        """Keep the alternatives that a value can be meant for, by its type, its tags and the names it has."""
        if len(self.alternatives) == 1:
            return self
        fitting = tuple(one for one in self.alternatives if json_type(value) in _kinds(one))
        agreeing = tuple(one for one in fitting if isinstance(value, dict) and not _contradicts(one, value))
        return Place(self.document, agreeing or fitting)

    def property(self, name: str) -> "Place":
        """Return the place of a property of an object that stands here."""
        found = self._declared.get(name)
        if found is None:
            found = self._inner(
                [node for schema in one for node in property_schemas(schema, name)] for one in self.alternatives
            )
            if self.declares(name):  # no model may fill the memory with names it makes up
                self._declared[name] = found
        return found

    @cached_property
    def _declared(self) -> dict[str, "Place"]:
        """The places of declared properties that were asked for."""
        return {}

    def item(self, index: int) -> "Place":
        """Return the place of an item of a list that stands here."""
        return self._inner([_item_schema(schema, index) for schema in one] for one in self.alternatives)

    def declares(self, name: str) -> bool:
        """Tell whether a property is named in the schema."""
        return any(name in _named(schema, "properties") for one in self.alternatives for schema in one)

    def requires(self, name: str) -> bool:
        """Tell whether every alternative requires a property."""
        return all(name in _required(one) for one in self.alternatives)

    def default(self, name: str) -> JSON | Missing:
        """Return the default that the schema gives a property."""
        inner = (_named(schema, "properties").get(name) for one in self.alternatives for schema in one)
        return next((node["default"] for node in inner if isinstance(node, dict) and "default" in node), MISSING)

    def _inner(self, schemas: Iterable[list[JSON]]) -> "Place":
        found = [one for together in schemas for one in _together(together, self.document)]
        return Place(self.document, tuple(found) if len(found) <= _LIMIT else ((),))


def place_of(schema: JSON, document: JSON | Missing = MISSING) -> Place:
    """
    Return the place of a whole value.

    Args:
        schema: What the value should obey.

        document: The whole schema, where `schema` is a part of it.
    """
    document = schema if document is MISSING else document
    return Place(document, tuple(_alternatives(schema, document, frozenset())))


# --- alternatives -------------------------------------------------------------


def _together(schemas: Iterable[JSON], document: JSON) -> list[Alternative]:
    return reduce(_crossed, (_alternatives(schema, document, frozenset()) for schema in schemas), [()])


def _alternatives(schema: JSON, document: JSON, followed: frozenset[str]) -> list[Alternative]:
    if not isinstance(schema, dict):
        return [] if schema is False else [()]
    found: list[Alternative] = [(schema,)]
    ref = schema.get("$ref")
    if isinstance(ref, str) and ref not in followed:
        found = _crossed(found, _alternatives(_target(document, ref), document, followed | {ref}))
    for part in _list(schema, "allOf"):
        found = _crossed(found, _alternatives(part, document, followed))
    for keyword in ("anyOf", "oneOf"):
        if branches := _list(schema, keyword):
            found = _crossed(found, [one for branch in branches for one in _alternatives(branch, document, followed)])
    return found


def _crossed(left: list[Alternative], right: list[Alternative]) -> list[Alternative]:
    return [one + other for one in left for other in right] if len(left) * len(right) <= _LIMIT else [()]


def _target(document: JSON, ref: str) -> JSON:
    """Follow a reference within the document; one that leads anywhere else says nothing."""
    found = follow(document, ref)
    return True if found is MISSING else found


def _contradicts(alternative: Alternative, value: dict[str, JSON]) -> bool:
    """Tell whether an object cannot be meant for an alternative: it lacks a name, has one too many or another tag."""
    if any(name not in value for name in _required(alternative)):
        return True
    for schema in alternative:
        known = _named(schema, "properties")
        closed = schema.get("additionalProperties") is False and not _named(schema, "patternProperties")
        if closed and value.keys() - known.keys():
            return True
        if any(not _is_listed(value[name], node) for name, node in known.items() if name in value):
            return True
    return False


def _is_listed(value: JSON, schema: JSON) -> bool:
    options = _options(schema) if isinstance(schema, dict) and isinstance(value, str | int | float | None) else None
    return options is None or canonical(value) in map(canonical, options)


# --- single schemas -----------------------------------------------------------


def _kinds(alternative: Alternative) -> frozenset[str]:
    return reduce(frozenset.intersection, map(_kinds_of, alternative), JSON_TYPES)


def _kinds_of(schema: dict[str, JSON]) -> frozenset[str]:
    words = schema.get("type", list(JSON_TYPES))
    by_type = frozenset([words] if isinstance(words, str) else [word for word in words if isinstance(word, str)])
    options = _options(schema)
    by_value = JSON_TYPES if options is None else frozenset(map(json_type, options))
    return _with_integer(by_type) & _with_integer(by_value)


def _with_integer(kinds: frozenset[str]) -> frozenset[str]:
    return kinds | {"integer"} if "number" in kinds else kinds


def _options(schema: dict[str, JSON]) -> list[JSON] | None:
    return [schema["const"]] if "const" in schema else schema.get("enum")


def property_schemas(schema: dict[str, JSON], name: str) -> list[JSON]:
    """
    Return the schemas that a property has by its name alone, which hold together.

    Args:
        schema: Of an object. Its references, branches and conditions are not looked at.

        name: Of the property, declared or not. A pattern that Python cannot compile fits no name.
    """
    known, patterns = _named(schema, "properties"), _named(schema, "patternProperties")
    own = [known[name]] if name in known else []
    own += [node for pattern, node in patterns.items() if compiles(pattern) and re.search(pattern, name)]
    return own or [schema.get("additionalProperties", True)]


def _item_schema(schema: dict[str, JSON], index: int) -> JSON:
    first, rest = item_schemas(schema)
    return first[index] if index < len(first) else rest


def _required(alternative: Alternative) -> set[str]:
    return {name for schema in alternative for name in _list(schema, "required")}


def _named(schema: dict[str, JSON], keyword: str) -> dict[str, Any]:
    found = schema.get(keyword)
    return found if isinstance(found, dict) else {}


def _list(schema: dict[str, JSON], keyword: str) -> list[JSON]:
    found = schema.get(keyword)
    return found if isinstance(found, list) else []
