"""
The keywords of JSON Schema that nodes have fields for, and what each may hold.

Sources: JSON Schema 2020-12 Core and Validation (read 2026-11).
"""

import math
import re
import warnings
from typing import Final, Literal, TypeAlias, assert_never

import attrs

from ._json import JSON

Kind: TypeAlias = Literal[
    "text", "regex", "count", "number", "positive", "flag", "names", "schema", "schemas", "named", "closed", "json"
]
"""What a keyword holds; `_emit` and `_parse` write and read each kind in one place."""


@attrs.frozen
class Keyword:
    """The JSON Schema keyword behind a field."""

    name: str
    kind: Kind


KEYWORDS: Final = {
    "ref": Keyword("$ref", "text"),
    "description": Keyword("description", "text"),
    "min_length": Keyword("minLength", "count"),
    "max_length": Keyword("maxLength", "count"),
    "pattern": Keyword("pattern", "regex"),
    "format": Keyword("format", "text"),
    "multiple_of": Keyword("multipleOf", "positive"),
    "maximum": Keyword("maximum", "number"),
    "exclusive_maximum": Keyword("exclusiveMaximum", "number"),
    "minimum": Keyword("minimum", "number"),
    "exclusive_minimum": Keyword("exclusiveMinimum", "number"),
    "items": Keyword("items", "schema"),
    "min_items": Keyword("minItems", "count"),
    "max_items": Keyword("maxItems", "count"),
    "unique_items": Keyword("uniqueItems", "flag"),
    "properties": Keyword("properties", "named"),
    "required_fields": Keyword("required", "names"),
    "allow_additional_properties": Keyword("additionalProperties", "closed"),
    "schemas": Keyword("anyOf", "schemas"),
    "default": Keyword("default", "json"),
    "examples": Keyword("examples", "json"),
}
"""Field name to keyword, in the order in which `emit` writes them."""


def fits(kind: Kind, value: JSON) -> bool:
    """Tell whether a JSON value is what a keyword of this kind may hold; subschemas are looked at only from outside."""
    match kind:
        case "text":
            return isinstance(value, str)
        case "regex":
            return isinstance(value, str) and compiles(value)
        case "count":
            return isinstance(value, int) and not isinstance(value, bool) and value >= 0
        case "number":
            return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        case "positive":
            return fits("number", value) and value > 0
        case "flag":
            return isinstance(value, bool)
        case "names":
            return (
                isinstance(value, list | tuple)
                and all(isinstance(n, str) for n in value)
                and len(set(value)) == len(value)
            )
        case "schema" | "closed":
            return isinstance(value, dict | bool)
        case "schemas":
            return isinstance(value, list) and len(value) > 0 and all(fits("schema", v) for v in value)
        case "named":
            return isinstance(value, dict) and all(fits("schema", v) for v in value.values())
        case "json":
            return True
        case _:
            assert_never(kind)


def compiles(pattern: str) -> bool:
    """Tell whether Python's `re` understands a pattern; JSON Schema's own dialect is ECMA-262's."""
    try:
        with warnings.catch_warnings(action="ignore"):  # of syntax that may mean something else one day
            re.compile(pattern)
    except (re.error, OverflowError, RecursionError):
        return False
    return True


WORDS = {
    "text": "a string",
    "regex": "a regular expression that Python can compile",
    "count": "a whole number from 0 up",
    "number": "a finite number",
    "positive": "a number above 0",
    "flag": "a bool",
    "names": "a sequence of distinct strings",
}
"""The kinds that a constructor checks, in words; types and converters see to the others."""
