"""Random constraints to stand beside others: every keyword, in the groups in which it means something."""

from typing import Any

from hypothesis import strategies as st

from prismpy.schema import canonical
from tests.strategies import FORMATS, names, scalars

OURS = ["additional_properties", "name", "value", "left_out", "option_1", "item_1"]
"""Names that a lowering gives itself."""

ODD = [
    "",
    "__proto__",
    "a.b",
    "x/y~z%25",
    "additionalProperties",
    "n" * 200,
    "\U0001f600",
    "$defs",
    "n_1",
    "n 1",
    "n-1",
]
any_names = names | st.sampled_from([*OURS, *ODD])

WORDS = ["string", "number", "integer", "boolean", "null", "array", "object"]
PATTERNS = ["^[a-z]", "", "^n", r"\d", "(?=a)a", r"\ba", "a|b", "^(?!x)", r"(a)\1?", "(?P<n>a)"]
some_scalars = scalars | st.sampled_from(["", "a", "no", 0, 1, 1.0, -0.0, True])
counts = st.integers(0, 3)
bounds = st.integers(-3, 3) | st.sampled_from([0.5, 1.0, -0.0, 1e308, -1e308])


def some(schemas: st.SearchStrategy[Any], low: int = 1, high: int = 2) -> st.SearchStrategy[Any]:
    return st.lists(schemas, min_size=low, max_size=high)


def group(needed: dict[str, Any], **more: Any) -> st.SearchStrategy[Any]:
    """Keywords that stand together, and those that may be left out."""
    return st.fixed_dictionaries(needed, optional=more)


def leaves() -> st.SearchStrategy[Any]:
    """Constraints with no schemas in them."""
    words = st.sampled_from(WORDS)
    options = st.lists(some_scalars | st.sampled_from([[1], {"a": 1}]), min_size=1, max_size=4, unique_by=canonical)
    by_name = st.dictionaries(any_names, st.lists(any_names, max_size=2, unique=True), min_size=1, max_size=2)
    return st.one_of(
        st.sampled_from([True, False, {}]),
        group({"type": words | st.lists(words, min_size=1, max_size=3, unique=True)}),
        group({"enum": options}),
        group({"const": some_scalars}),
        group({}, minLength=counts, maxLength=counts, pattern=st.sampled_from(PATTERNS)),
        group({"format": st.sampled_from([*sorted(FORMATS), "made-up"])}),
        group({}, minimum=bounds, maximum=bounds, exclusiveMinimum=bounds, exclusiveMaximum=bounds),
        group({"multipleOf": st.sampled_from([1, 2, 0.5, 0.1, 1.0])}),
        group({}, minItems=counts, maxItems=counts, uniqueItems=st.booleans()),
        group({}, minProperties=counts, maxProperties=counts),
        group({"required": st.lists(any_names, min_size=1, max_size=2, unique=True)}),
        group({"dependentRequired": by_name}),
    )


def around(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Constraints with schemas in them."""
    named = st.dictionaries(any_names, inner, min_size=1, max_size=2)
    matched = st.dictionaries(st.sampled_from(PATTERNS), inner, min_size=1, max_size=2)
    return st.one_of(
        group({"properties": named}, additionalProperties=inner, unevaluatedProperties=inner),
        group({"patternProperties": matched}, additionalProperties=inner, unevaluatedProperties=inner),
        group({"additionalProperties": inner}),
        group({"unevaluatedProperties": inner}),
        group({"propertyNames": inner}),
        group({"dependentSchemas": named}),
        group({"items": inner}, minItems=counts),
        group({"prefixItems": some(inner)}, items=inner, unevaluatedItems=inner, minItems=counts, maxItems=counts),
        group({"contains": inner}, minContains=counts, maxContains=counts, unevaluatedItems=inner),
        group({"allOf": some(inner)}),
        group({"anyOf": some(inner, high=3)}),
        group({"oneOf": some(inner, high=3)}),
        group({"not": inner}),
        group({"if": inner}, then=inner, **{"else": inner}),
        group({"type": st.just("string"), "contentMediaType": st.just("application/json")}, contentSchema=inner),
    )


fragments = st.recursive(leaves(), around, max_leaves=4)
"""Schemas, most of which refuse most values."""
