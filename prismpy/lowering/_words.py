"""Keywords that a provider does not know, in words for descriptions."""

import json
from collections.abc import Iterable
from typing import Final

from prismpy.schema import JSON, cut

WORDS: Final = {
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minimum": "at least {}",
    "maximum": "at most {}",
    "exclusiveMinimum": "more than {}",
    "exclusiveMaximum": "less than {}",
    "multipleOf": "a multiple of {}",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "uniqueItems": "no item twice",
    "minProperties": "at least {} entries",
    "maxProperties": "at most {} entries",
    "pattern": "matching {}",
    "format": "in the format {}",
    "enum": "one of {}",
    "const": "exactly {}",
    "required": "with {}",
    "default": "by default {}",
    "examples": "for example {}",
    "deprecated": "deprecated",
}
"""Keywords in words; any other is quoted with its value."""

SILENT: Final = frozenset(
    {"$comment", "$schema", "$id", "$anchor", "$dynamicAnchor", "$defs", "definitions", "$vocabulary", "description"}
)
"""Keywords that say nothing a model needs, or are seen to elsewhere."""

ANNOTATIONS: Final = frozenset(
    {"title", "default", "examples", "deprecated", "readOnly", "writeOnly", "contentEncoding", "contentMediaType"}
)
"""Keywords that constrain nothing."""

_OF_TYPE: Final = {
    "string": {"minLength", "maxLength", "pattern", "format"},
    "number": {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"},
    "array": {
        "items", "prefixItems", "additionalItems", "minItems", "maxItems", "uniqueItems", "contains", "minContains",
        "maxContains", "unevaluatedItems",
    },
    "object": {
        "properties", "required", "additionalProperties", "patternProperties", "propertyNames", "minProperties",
        "maxProperties", "dependentRequired", "dependentSchemas", "dependencies", "unevaluatedProperties",
    },
}  # fmt: skip
"""Keywords that constrain values of one type only."""

_TYPE_OF: Final = {keyword: kind for kind, keywords in _OF_TYPE.items() for keyword in keywords}

_CONSTRAINING: Final = frozenset(_TYPE_OF) | {
    "type", "enum", "const", "anyOf", "oneOf", "allOf", "not", "if", "then", "else", "$ref", "$dynamicRef",
}  # fmt: skip


def constrains(keyword: str) -> bool:
    """Tell whether a keyword can make a value wrong. Those that JSON Schema does not know cannot."""
    return keyword in _CONSTRAINING


def is_nothing(schema: JSON) -> bool:
    """Tell whether a schema says of itself that it accepts nothing."""
    return schema is False or (isinstance(schema, dict) and schema.get("not", False) in ({}, True))


def is_idle(keyword: str, kind: str | None) -> bool:
    """Tell whether a keyword constrains nothing of a type, as `minimum` does for texts."""
    own = _TYPE_OF.get(keyword)
    return kind is not None and own is not None and own != ("number" if kind == "integer" else kind)


def worded(keyword: str, value: JSON) -> str:
    """Say a keyword and its value in words."""
    if keyword in {"uniqueItems", "deprecated"} and value is False:
        return ""
    if keyword == "enum":
        return WORDS[keyword].format(written(", ".join(json.dumps(option, ensure_ascii=False) for option in value)))
    if keyword == "const":
        return WORDS[keyword].format(cut(json.dumps(value, ensure_ascii=False), 200))
    if keyword == "default":  # of which "5" is not 5, and "" would be unseen
        return WORDS[keyword].format(cut(json.dumps(value, ensure_ascii=False), 200))
    return WORDS[keyword].format(written(value)) if keyword in WORDS else f"{keyword} {written(value)}"


def written(value: JSON) -> str:
    """Write a value into a sentence, cut where it is long."""
    return cut(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False), 200)


def joined(sentences: Iterable[str]) -> str:
    """Make one text of what is said in several places."""
    said = [sentence for sentence in sentences if sentence]
    return ". ".join([*(sentence.rstrip(". ") for sentence in said[:-1]), *said[-1:]])


def described(schema: JSON, description: str) -> JSON:
    """Put what is said beside a schema before what it says of itself."""
    if not description or schema is False:
        return schema
    own = schema if isinstance(schema, dict) else {}
    return {**own, "description": joined([description, about(own)])}


def about(schema: JSON) -> str:
    """Return the description of a schema, "" where it has none."""
    text = schema.get("description") if isinstance(schema, dict) else None
    return text if isinstance(text, str) else ""
