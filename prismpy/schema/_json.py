"""
JSON values as such: copying, comparing, cutting. Nothing here knows what a schema is.

Python says `1 == True == 1.0`; JSON texts do not. Whatever compares or caches
JSON values in this package therefore goes through `canonical`.
"""

import enum
import json
import math
from typing import Any, Final, TypeAlias

from prismpy.errors import DefinitionError

JSON: TypeAlias = Any
"""None, bool, int, float, str, or lists and str-keyed dicts of them."""

MAX_DEPTH: Final = 200
"""Levels of containers in a schema or default; deeper ones are refused, as they would exhaust the stack."""


JSON_TYPES: Final = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})
"""The words that `type` knows. Source: JSON Schema 2020-12 Validation, section 6.1.1."""


class Missing(enum.Enum):
    """Type of `MISSING`, which marks a keyword that is absent; None is the value null."""

    MISSING = "missing"

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = Missing.MISSING


def plain(value: Any, where: str = "$") -> JSON:
    """
    Copy a value that must be JSON into new containers; tuples become lists.

    Args:
        value: What should be JSON.

        where: JSON Path of the value, for the error.

    Raises:
        DefinitionError: for NaN, infinities, keys that are no strings, other types, more than `MAX_DEPTH` levels.
    """
    try:
        return _quickly_plain(value, MAX_DEPTH)
    except _NotQuicklyError:
        return _plain(value, where, MAX_DEPTH)


class _NotQuicklyError(Exception):
    """There is something in a value that is no JSON, or has to become it."""


_ATOMS: Final = frozenset({str, int, bool, type(None)})
_TEXT: Final = frozenset({str})


def _quickly_plain(value: Any, depth: int) -> JSON:
    """Copy what is JSON already, as most values are, without keeping account of where it stands."""
    kind = type(value)
    if kind in _ATOMS or (kind is float and math.isfinite(value)):
        return value
    if depth and kind is dict and set(map(type, value)) <= _TEXT:
        return {key: item if type(item) in _ATOMS else _quickly_plain(item, depth - 1) for key, item in value.items()}
    if depth and (kind is list or kind is tuple):
        return [item if type(item) in _ATOMS else _quickly_plain(item, depth - 1) for item in value]
    raise _NotQuicklyError


def _plain(value: Any, where: str, depth: int) -> JSON:
    match value:
        case None | bool():
            return value
        case str():  # a member of a str enum becomes the bare text
            return str.__str__(value)
        case int():
            return int(value)
        case float() if math.isfinite(value):
            return float(value)
        case dict() | list() | tuple() if depth == 0:
            msg = f"{where[:80]}...: JSON nested more than {MAX_DEPTH} levels deep; flatten it or use $ref"
            raise DefinitionError(msg, path=where)
        case list() | tuple():
            return [_plain(item, step(where, i), depth - 1) for i, item in enumerate(value)]
        case dict() if all(isinstance(key, str) for key in value):
            return {_plain(key, where, 1): _plain(item, step(where, key), depth - 1) for key, item in value.items()}
        case _:
            msg = f"{where}: {cut(repr(value))} is no JSON; use None, bool, int, finite float, str, list or dict of str"
            raise DefinitionError(msg, path=where)


def copied(value: JSON) -> JSON:
    """Copy JSON into new containers; whatever else is in them stays as it is."""
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    return [copied(item) for item in value] if isinstance(value, list) else value


def canonical(value: JSON | Missing) -> str | None:
    """Return a text equal for equal JSON only, key order aside; `MISSING` gives None."""
    return None if value is MISSING else json.dumps(value, sort_keys=True)


def json_type(value: JSON) -> str:
    """
    Name the JSON Schema type of a value, the narrowest: 1 is `integer`, 1.5 and 1.0 are `number`.

    Source: JSON Schema 2020-12 Core, section 4.2.1.
    """
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "number"
        case str():
            return "string"
        case list() | tuple():
            return "array"
        case _:
            return "object"


def is_deep(value: JSON) -> bool:
    """Tell whether a value has more than `MAX_DEPTH` levels of containers: not everything walks that deep safely."""
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [
            inner
            for outer in level
            if isinstance(outer, dict | list)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return False
    return True


def step(path: str, key: str | int) -> str:
    """
    Extend a path by one key or index: `a`, `a.b`, `a.b[0]`, `a["odd key"]`.

    Args:
        path: JSON Path so far; "" starts a path that has no `$`.

        key: Property name or list index.
    """
    if isinstance(key, int):
        return f"{path}[{key}]"
    if key.replace("-", "_").replace("$", "_").isidentifier():
        return f"{path}.{key}" if path else key
    return f"{path}[{json.dumps(key, ensure_ascii=False)}]"


def cut(text: str, length: int = 80) -> str:
    """Shorten a text for a message to at most `length` characters, with `...` where something is missing."""
    return text if len(text) <= length else text[: length - 3] + "..."
