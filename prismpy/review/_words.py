"""
Descriptions that are missing, or say nothing that the name does not say.

A description is vague if nothing is left of it without the words of the name
and the words that fit any parameter: "The query string" for `query`, "Get user"
for `get_user`, "TODO". Whether the rest is true or clear, no rule can tell.
"""

import re
from collections.abc import Iterator
from typing import Final

from prismpy.schema import JSON, MISSING, emit, follow, inner_schemas, step
from prismpy.tools import ToolSpec

from ._finding import Finding


def _words_of(text: str) -> frozenset[str]:
    """Split a text, `snake_case` and `camelCase` into words in lower case, without the s of a plural."""
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+", text)
    return frozenset(part.lower().removesuffix("s") for part in parts)


_ANYWHERE: Final = _words_of(
    """
    a an any and are as at be been being by can each for from has have if in into is it its of on or our some that
    the their there these this those to was were which will with you your
    api arg argument call called data entry field function given input item method object option
    param parameter passed property provided required optional specified tool use used using value
    array bool boolean dict dictionary double float int integer json list number str string text type
    description desc fixme fix me todo tbd tba na n none placeholder undocumented unknown xxx
    """
)
"""Words that say nothing about one parameter rather than another, nor more than its type does."""


def about_descriptions(spec: ToolSpec) -> Iterator[Finding]:
    """Judge the descriptions of a tool and of everything in its parameters that has a name."""
    yield from _judged(spec, "", spec.name, spec.description)
    document = emit(spec.parameters)
    for path, name, node in _properties(document, "$"):
        if not _is_fixed(node):
            yield from _judged(spec, path, name, _description_of(node, document))


def _judged(spec: ToolSpec, path: str, name: str, description: str) -> Iterator[Finding]:
    if not description.strip():
        what = f"property {name!r} has" if path else "the tool has"
        yield Finding("missing-description", spec.name, path, f"{what} no description")
    elif says_nothing(name, description):
        yield Finding(
            "vague-description", spec.name, path, f"{description.strip()!r} says no more than the name {name!r}"
        )


def says_nothing(name: str, description: str) -> bool:
    """Tell whether a description has no word of its own: see the top of this file."""
    return _words_of(description) <= _words_of(name) | _ANYWHERE


# --- what has a name ----------------------------------------------------------

_INSIDE: Final = frozenset(
    {"items", "prefixItems", "additionalProperties", "patternProperties", "properties", "anyOf", "oneOf"}
    | {"$defs", "definitions"}
)
"""
Keywords whose schemas describe values. The others, such as `if`, `not` and `allOf`, say more about what is described
elsewhere.
"""


def _properties(schema: JSON, path: str) -> Iterator[tuple[str, str, JSON]]:
    """Go through the properties at every level: JSON Path, name and schema."""
    for keyword, key, inner in inner_schemas(schema):
        if keyword in _INSIDE:
            here = step(path, keyword) if key is None else step(step(path, keyword), key)
            if keyword == "properties" and isinstance(key, str):
                yield here, key, inner
            yield from _properties(inner, here)


def _is_fixed(node: JSON) -> bool:
    """Tell whether a property has one value only, as the tag of a branch has, or none at all."""
    match node:
        case False | {"const": _} | {"enum": [_]} | {"not": {}}:
            return True
        case _:
            return False


def _description_of(node: JSON, document: JSON, depth: int = 5) -> str:
    """Find what is said of a property: by itself, by what it refers to, or by a branch of it."""
    if not isinstance(node, dict) or depth == 0:
        return ""
    if node.get("description"):
        return str(node["description"])
    inner = [follow(document, node["$ref"])] if isinstance(node.get("$ref"), str) else []
    branches = [one for keyword in ("anyOf", "oneOf", "allOf") for one in node.get(keyword, ())]
    found = (_description_of(one, document, depth - 1) for one in (*inner, *branches) if one is not MISSING)
    return next(filter(None, found), "")
