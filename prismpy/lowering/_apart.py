"""How a value tells which of several lowered schemas it is of: by its JSON type, its names, or a tag."""

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from prismpy.schema import JSON, canonical, json_type

Meant: TypeAlias = Callable[[JSON], int | None]
"""Tells from a value which of several schemas it is of, by its place among them."""


def told_apart(schemas: list[dict[str, JSON]]) -> Meant | None:
    """Find out how to tell from a value which of several lowered schemas it is of; None if there is no way."""
    return _by_kind(schemas) or _by_names(schemas) or _by_tag(schemas) or _among_others(schemas)


def have_tags(schemas: list[dict[str, JSON]]) -> bool:
    """Tell whether the objects among lowered schemas have a tag each that no other has, open as they may be."""
    objects = [schema for schema in schemas if kinds_of(schema) == {"object"}]
    return bool(objects) and _by_tag(objects) is not None


def _among_others(schemas: list[dict[str, JSON]]) -> Meant | None:
    """Tell objects apart as objects, and all else by its type."""
    kinds = [kinds_of(schema) for schema in schemas]
    objects = [i for i, each in enumerate(kinds) if each == {"object"}]
    others = [i for i in range(len(schemas)) if i not in objects]
    if not (objects and others):
        return None
    by_kind = _by_kind([{"type": "object"}, *(schemas[i] for i in others)])
    among = told_apart([schemas[i] for i in objects])
    if by_kind is None or among is None:
        return None

    def meant(value: JSON) -> int | None:
        found, places = (among(value), objects) if isinstance(value, dict) else (by_kind(value), [-1, *others])
        return None if found is None else places[found]

    return meant


def _by_kind(schemas: list[dict[str, JSON]]) -> Meant | None:
    kinds = [kinds_of(schema) for schema in schemas]
    if all(kinds) and len({kind for each in kinds for kind in each}) == sum(map(len, kinds)):
        return lambda value: next((i for i, each in enumerate(kinds) if _kind_of(value) in each), None)
    return None


def _by_names(schemas: list[dict[str, JSON]]) -> Meant | None:
    names = [set(schema.get("required", ())) for schema in schemas]
    owners = Counter(name for schema in schemas for name in schema.get("properties", ()))
    closed = all(schema.get("additionalProperties") is False for schema in schemas)  # else it may have any name
    if closed and all(names) and all(owners[name] == 1 for each in names for name in each):
        return lambda value: next(
            (i for i, each in enumerate(names) if isinstance(value, dict) and each <= value.keys()), None
        )
    return None


def _by_tag(schemas: list[dict[str, JSON]]) -> Meant | None:
    for key in schemas[0].get("properties", {}):
        tags = [_tags_of(schema, key) for schema in schemas]
        if all(tags) and len({tag for each in tags for tag in each}) == sum(map(len, tags)):
            return partial(_position_by_tag, key, tags)
    return None


def _kind_of(value: JSON) -> str:
    kind = json_type(value)
    return "number" if kind == "integer" else kind


def kinds_of(schema: dict[str, JSON]) -> set[str]:
    """Return the JSON types that a lowered schema takes, integers among the numbers; empty if it does not tell."""
    null = {"null"} if schema.get("nullable") is True else set()
    match schema:
        case {"type": str() as word}:
            return {"number" if word == "integer" else word} | null
        case {"type": [*words]}:
            return {"number" if word == "integer" else word for word in words}
        case {"anyOf": [*branches]}:
            kinds = [kinds_of(branch) for branch in branches]
            return set[str]().union(*kinds) if all(kinds) else set()
        case _:
            return set()


def _tags_of(schema: dict[str, JSON], key: str) -> set[str]:
    """Return the values, as canonical text, that a required property may have; empty if it may have any."""
    found = schema.get("properties", {}).get(key, {})
    if key not in schema.get("required", ()) or "enum" not in found:
        return set()
    return {str(canonical(option)) for option in found["enum"]}


def _position_by_tag(key: str, tags: list[set[str]], value: JSON) -> int | None:
    if not isinstance(value, dict) or key not in value:
        return None
    tag = canonical(value[key])
    return next((i for i, each in enumerate(tags) if tag in each), None)
