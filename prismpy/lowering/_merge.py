"""Two schemas that hold together, as one, where that is exact."""

from collections.abc import Callable
from typing import Any, Final

from prismpy.schema import JSON, canonical, json_type

from ._words import SILENT, about, joined

_TOGETHER: Final = (
    frozenset({"if", "then", "else"}),
    frozenset({"contains", "minContains", "maxContains"}),
    frozenset({"prefixItems", "items"}),
)
"""Keywords that mean something else beside each other."""

_SEEING: Final = frozenset({"patternProperties", "unevaluatedProperties", "unevaluatedItems"})
"""Keywords that are about what others beside them do, or that others beside them are about."""

_SHAPING: Final = frozenset(
    {"properties", "additionalProperties", "items", "prefixItems", "contains", "anyOf", "oneOf", "allOf", "not", "if"}
    | {"dependentSchemas", "$ref", "$dynamicRef"}
    | _SEEING
)
"""Keywords that look at what is in a value."""


def merge(one: JSON, other: JSON) -> JSON | None:
    """
    Merge two schemas that must both hold.

    Returns:
        A schema that accepts just what both accept; None where none can be made without a look at values.
    """
    if isinstance(one, bool) or isinstance(other, bool):
        return other if one is True else one if other is True else False
    if _interfere(one, other) or _interfere(other, one):
        return None
    merged = dict(one)
    for keyword, value in other.items():
        if keyword not in merged:
            merged[keyword] = value
        elif canonical(merged[keyword]) != canonical(value):
            rule = _RULES.get(keyword)
            both = None if rule is None else rule(merged[keyword], value)
            if both is None:
                return None
            merged[keyword] = both
    return {**merged, "description": joined([about(one), about(other)])} if "description" in merged else merged


def _interfere(one: dict[str, JSON], other: dict[str, JSON]) -> bool:
    """Tell whether something in one schema would mean something else beside the other."""
    if one.get("additionalProperties", True) not in ({}, True) and other.get("properties", {}).keys() - _names(one):
        return True
    if one.keys() & _SEEING and other.keys() & _SHAPING:
        return True
    return any(
        one.keys() & group and other.keys() & group and not one.keys() & group == other.keys() & group == {"items"}
        for group in _TOGETHER
    )


def _names(schema: dict[str, JSON]) -> set[str]:
    return set(schema.get("properties", ()))


def _types(one: JSON, other: JSON) -> JSON | None:
    left, right = _listed(one), _listed(other)
    both = [word for word in left if word in right or (word == "integer" and "number" in right)]
    both += [word for word in right if word == "integer" and "number" in left and word not in both]
    return None if not both else both[0] if len(both) == 1 else both


def _listed(words: JSON) -> list[str]:
    return [words] if isinstance(words, str) else list(words)


def _options(one: JSON, other: JSON) -> JSON | None:
    known = {equal_key(option) for option in other}
    return [option for option in one if equal_key(option) in known] or None


def equal_key(value: JSON) -> tuple[str, JSON]:
    """Tell JSON values apart as JSON Schema does, at least where they are no containers: 1 and 1.0 are one."""
    return ("number", value) if json_type(value) in {"integer", "number"} else ("", canonical(value))


def _properties(one: JSON, other: JSON) -> JSON | None:
    merged = {**one, **{name: merge(one[name], node) if name in one else node for name, node in other.items()}}
    return None if any(node is None for node in merged.values()) else merged


_RULES: Final[dict[str, Callable[[Any, Any], JSON | None]]] = {
    **dict.fromkeys(("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"), max),
    **dict.fromkeys(("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"), min),
    "type": _types,
    "enum": _options,
    "required": lambda one, other: [*one, *(name for name in other if name not in one)],
    "properties": _properties,
    "items": merge,
    "uniqueItems": lambda one, other: one or other,
    **{word: lambda one, _: one for word in (*SILENT, "title", "default", "examples", "example", "discriminator")},
}
"""Keyword to how two values of it become one; None where they cannot."""
