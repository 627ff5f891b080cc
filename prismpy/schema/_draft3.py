"""
The words of draft 3 that no later draft has, said in those of draft 4.

In a schema that names no draft they are understood, too, where they cannot mean
anything else: a flag under `required`, `divisibleBy`, `disallow`, `extends`, and
`any` or a schema among the types.

Source: draft-zyp-json-schema-03, sections 5.1, 5.7, 5.8 and 5.24 to 5.26; draft-fge-json-schema-validation-00, annex
"Changes" (read 2026-12).
"""

import json
from collections.abc import Callable, Iterator
from typing import Any, Final, TypeAlias

from ._json import JSON, step
from ._walk import map_places, place

Note: TypeAlias = tuple[str, str, str]
"""JSON Path into the schema as it was, the keyword as it was, and what says the same."""


def from_draft3(schema: JSON, *, named: bool) -> tuple[JSON, list[Note]]:
    """
    Say a schema of draft 3 in the words of draft 4, those that both know aside.

    Args:
        schema: Whole. It is not touched.

        named: Whether it names draft 3, so that all of its words mean what they meant there.

    Returns:
        A schema that accepts the same values, and what is said otherwise.
    """
    notes: list[Note] = []
    return _said(schema, "$", notes, named), notes


MARKS: Final = (
    '"required": true',
    '"required": false',
    '"divisibleBy"',
    '"disallow"',
    '"extends"',
    '"any"',
    '"type": [',
)
"""What stands in the text of a schema that has words of draft 3, and in few others."""


def _said(schema: JSON, path: str, notes: list[Note], named: bool, *, is_property: bool = False) -> JSON:
    if not isinstance(schema, dict):
        return schema
    required = [name for name, node in _properties(schema).items() if _flag(node) is True]
    node = map_places(
        schema,
        lambda inner, *keys: _said(inner, place(path, *keys), notes, named, is_property=keys[0] == "properties"),
    )
    if isinstance(flag := node.get("required"), bool):
        del node["required"]
        notes.append(
            (step(path, "required"), f"required: {json.dumps(flag)}", "required" if flag and is_property else "")
        )
    if required:
        listed = node.get("required", [])
        node["required"] = [*listed, *(name for name in required if name not in listed)]

    def inside(value: JSON, *keys: str | int) -> JSON:
        here = path
        for key in keys:
            here = step(here, key)
        return _said(value, here, notes, named)

    for keyword, rule in _RULES.items():
        if keyword in node and (named or keyword not in _BY_NAME):
            for before, after in rule(node, inside):
                notes.append((step(path, keyword), before, after))
    return node


def _properties(schema: dict[str, JSON]) -> dict[str, JSON]:
    found = schema.get("properties")
    return found if isinstance(found, dict) else {}


def _flag(node: JSON) -> JSON:
    return node.get("required") if isinstance(node, dict) else None


# --- the rules ----------------------------------------------------------------

_Rule: TypeAlias = Callable[[dict[str, Any], Callable[..., JSON]], Iterator[tuple[str, str]]]
"""Changes a node in place, with a function for schemas in it, and says what was there and what is now."""


def _type(node: dict[str, JSON], inside: Callable[..., JSON]) -> Iterator[tuple[str, str]]:
    found = node["type"]
    words = found if isinstance(found, list) else [found]
    schemas = [inside(each, "type", i) for i, each in enumerate(words) if isinstance(each, dict)]
    if "any" in words:
        del node["type"]
        yield "type: any", ""
    elif schemas:
        kinds = [each for each in words if isinstance(each, str)]
        del node["type"]
        _add(node, "anyOf", [*_of(kinds), *schemas])
        yield "type", "anyOf"


def _disallow(node: dict[str, JSON], inside: Callable[..., JSON]) -> Iterator[tuple[str, str]]:
    found = node["disallow"]
    words = found if isinstance(found, list) else [found]
    if not all(isinstance(each, str | dict) for each in words):
        return
    kinds = [each for each in words if isinstance(each, str)]
    schemas = [inside(each, "disallow", i) for i, each in enumerate(words) if isinstance(each, dict)]
    del node["disallow"]
    branches = [*([{}] if "any" in kinds else _of(kinds)), *schemas]
    _add(node, "not", branches[0] if len(branches) == 1 else {"anyOf": branches})
    yield "disallow", "not"


def _of(kinds: list[str]) -> list[JSON]:
    """Return a schema of some types; none for none."""
    return [{"type": kinds[0] if len(kinds) == 1 else kinds}] if kinds else []


def _extends(node: dict[str, JSON], inside: Callable[..., JSON]) -> Iterator[tuple[str, str]]:
    found = node["extends"]
    if isinstance(found, dict):
        parts = [inside(found, "extends")]
    elif isinstance(found, list) and all(isinstance(each, dict) for each in found):
        parts = [inside(each, "extends", i) for i, each in enumerate(found)]
    else:
        return
    del node["extends"]
    node["allOf"] = [*node.get("allOf", ()), *parts]
    yield "extends", "allOf"


def _divisible(node: dict[str, JSON], _inside: Callable[..., JSON]) -> Iterator[tuple[str, str]]:
    if isinstance(node["divisibleBy"], int | float):
        node["multipleOf"] = node.pop("divisibleBy")
        yield "divisibleBy", "multipleOf"


def _dependencies(node: dict[str, JSON], _inside: Callable[..., JSON]) -> Iterator[tuple[str, str]]:
    found = node["dependencies"]
    if isinstance(found, dict) and any(isinstance(each, str) for each in found.values()):
        node["dependencies"] = {name: [each] if isinstance(each, str) else each for name, each in found.items()}
        yield "dependencies", "dependencies, as lists"


def _format(node: dict[str, JSON], _inside: Callable[..., JSON]) -> Iterator[tuple[str, str]]:
    if (found := node["format"]) in _FORMATS:
        node["format"] = _FORMATS[found]
        yield f"format: {found}", f"format: {_FORMATS[found]}"


_FORMATS: Final = {"ip-address": "ipv4", "host-name": "hostname"}

_RULES: Final[dict[str, _Rule]] = {
    "type": _type,
    "disallow": _disallow,
    "extends": _extends,
    "divisibleBy": _divisible,
    "dependencies": _dependencies,
    "format": _format,
}

_BY_NAME: Final = frozenset({"dependencies", "format"})
"""Keywords that mean something in later drafts, or may."""


def _add(node: dict[str, JSON], keyword: str, value: JSON) -> None:
    """Say one thing more by a keyword that may be there already."""
    if keyword in node:
        node["allOf"] = [*node.get("allOf", ()), {keyword: value}]
    else:
        node[keyword] = value
