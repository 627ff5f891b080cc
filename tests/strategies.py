"""Random values for property tests: JSON, schema nodes of every kind with every keyword, JSON Schemas nobody would write."""

import datetime
import math
from typing import Any

from hypothesis import strategies as st

from prismpy.schema import (
    MISSING,
    AnyOfSchema,
    ArraySchema,
    BooleanSchema,
    EnumSchema,
    IntegerSchema,
    NullSchema,
    NumberSchema,
    ObjectSchema,
    RawSchema,
    RefSchema,
    Schema,
    StringSchema,
    compile_schema,
)
from prismpy.types import to_json

texts_alphabet = st.characters(exclude_categories=["Cs"])
texts = st.text(texts_alphabet, max_size=8)
names = st.sampled_from(["a", "b", "city", "type", "properties", "$ref", "odd key", "ü", "enum", "title"])
finite = st.floats(allow_nan=False, allow_infinity=False)
scalars = st.none() | st.booleans() | st.integers() | finite | texts


def json_values(max_leaves: int = 6) -> st.SearchStrategy[Any]:
    """JSON of any shape."""
    containers = lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3)  # noqa: E731
    return st.recursive(scalars, containers, max_leaves=max_leaves)


def optional(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | strategy


counts = optional(st.integers(0, 5))
numbers = optional(st.integers(-5, 5) | finite)
unmodelled = st.dictionaries(
    st.sampled_from(["title", "deprecated", "x-note", "const", "$comment", "readOnly", "oneOf", "not", "$defs"]),
    json_values(3),
    max_size=2,
)
shared = {
    "description": optional(texts),
    "default": st.just(MISSING) | json_values(3),
    "examples": st.just(MISSING) | st.lists(json_values(2), max_size=2),
    "extra": unmodelled,
}
flags = st.booleans()
patterns = optional(st.sampled_from(["^a", r"\d+", "", "[a-z]{2}"]))
formats = optional(st.sampled_from(["date", "email", "made-up"]))
number_keywords = {
    "nullable": flags,
    "multiple_of": optional(st.integers(1, 5) | st.just(0.5)),
    "maximum": numbers,
    "exclusive_maximum": numbers,
    "minimum": numbers,
    "exclusive_minimum": numbers,
}


def leaves(name: st.SearchStrategy[str]) -> st.SearchStrategy[Schema]:
    """Nodes without nodes in them."""
    common = {"name": name, **shared}
    return st.one_of(
        st.builds(
            StringSchema,
            nullable=flags,
            min_length=counts,
            max_length=counts,
            pattern=patterns,
            format=formats,
            **common,
        ),
        st.builds(NumberSchema, **number_keywords, **common),
        st.builds(IntegerSchema, **number_keywords, **common),
        st.builds(BooleanSchema, nullable=flags, **common),
        st.builds(NullSchema, **common),
        st.builds(
            EnumSchema, options=st.lists(json_values(2), min_size=1, max_size=3).map(tuple), nullable=flags, **common
        ),
        st.builds(RefSchema, ref=st.sampled_from(["#", "#/$defs/a", "#/properties/b"]), **common),
        st.builds(RawSchema, name=name, schema=st.booleans() | st.just({}) | st.fixed_dictionaries({"const": scalars})),
    )


def nodes(name: st.SearchStrategy[str] | None = None, depth: int = 2) -> st.SearchStrategy[Schema]:
    """Nodes of every kind; `name` gives the name of the outermost."""
    name = st.just("") if name is None else name
    if depth == 0:
        return leaves(name)
    inner = st.deferred(lambda: nodes(names, depth - 1))
    common = {"name": name, **shared}
    properties = st.lists(inner, max_size=3, unique_by=lambda node: node.name)
    return st.one_of(
        leaves(name),
        st.builds(
            ArraySchema,
            items=optional(inner),
            nullable=flags,
            min_items=counts,
            max_items=counts,
            unique_items=optional(flags),
            **common,
        ),
        st.builds(
            ObjectSchema,
            properties=optional(properties),
            required_fields=optional(st.lists(names, max_size=2, unique=True)),
            allow_additional_properties=st.none() | flags | inner,
            nullable=flags,
            **common,
        ),
        st.builds(AnyOfSchema, schemas=st.lists(inner, min_size=1, max_size=3), nullable=flags, **common),
    )


KEYWORDS = [
    "type", "enum", "const", "anyOf", "oneOf", "allOf", "not", "$ref", "properties", "required", "items", "minLength",
    "maxLength", "pattern", "format", "minimum", "maximum", "exclusiveMinimum", "multipleOf", "minItems", "maxItems",
    "uniqueItems", "additionalProperties", "description", "default", "examples", "title", "$defs", "if", "prefixItems",
]  # fmt: skip

WORDS = st.sampled_from(["string", "number", "integer", "boolean", "null", "array", "object", "made-up"])


def schemas_nobody_would_write() -> st.SearchStrategy[Any]:
    """Dicts with schema keywords that hold what they may, or anything else."""

    def around(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        held = st.one_of(
            WORDS,
            st.lists(WORDS | st.just("null"), max_size=2),
            inner,
            st.lists(inner, max_size=2),
            st.dictionaries(names, inner, max_size=3),
            st.integers(-2, 3),
            json_values(2),
        )
        return st.dictionaries(st.sampled_from(KEYWORDS), held, max_size=5)

    return st.recursive(st.booleans() | around(st.booleans()), around, max_leaves=4)


# --- values for a schema ------------------------------------------------------

FORMATS = {
    "date": st.dates().map(datetime.date.isoformat),
    "date-time": st.datetimes().map(datetime.datetime.isoformat),
    "time": st.times().map(datetime.time.isoformat),
    "duration": st.timedeltas(datetime.timedelta(-9), datetime.timedelta(99)).map(to_json),
    "uuid": st.uuids().map(str),
    "ipv4": st.ip_addresses(v=4).map(str),
    "ipv6": st.ip_addresses(v=6).map(str),
    "uri": st.sampled_from(["http://a.b/", "https://example.org/x?y=1#z", "x"]),
    "path": st.sampled_from(["a", "a/b.txt", "/x y", "."]),
    "regex": st.sampled_from(["^a$", "[a-z]+", ""]),
}


def values_for(schema: Any, definitions: dict[str, Any], depth: int = 3) -> st.SearchStrategy[Any]:
    """JSON that a schema accepts; for the keywords that the types' schemas use."""
    match schema:
        case bool():
            return json_values(3) if schema else st.nothing()
        case {"$ref": ref}:
            return st.nothing() if depth == 0 else values_for(definitions[ref.split("/")[-1]], definitions, depth - 1)
        case {"enum": options}:
            return st.sampled_from(options)
        case {"const": option}:
            return st.just(option)
        case {"anyOf": branches}:
            problems = compile_schema({"$defs": definitions, **schema})
            return st.one_of(*(values_for(b, definitions, depth) for b in branches)).filter(lambda v: not problems(v))
        case {"type": [*words]}:
            return st.one_of(*(values_for({**schema, "type": word}, definitions, depth) for word in words))
        case {"type": "string"}:
            return _text_for(schema)
        case {"type": "integer" | "number" as word}:
            low = max((schema[w] for w in ("minimum", "exclusiveMinimum") if w in schema), default=None)
            high = min((schema[w] for w in ("maximum", "exclusiveMaximum") if w in schema), default=None)
            low = low if low is not None else -1000 if high is None else high - 1000
            high = max(low, low + 1000 if high is None else high)
            step = schema.get("multipleOf", 1)
            whole = st.integers(math.ceil(low / step), max(math.ceil(low / step), math.floor(high / step)))
            numbers = whole.map(lambda n: n * step)
            if word == "number" and "multipleOf" not in schema:
                numbers = numbers | st.floats(float(low), float(high))
            excluded = (schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum"))
            return numbers.filter(lambda n: n not in excluded and n != schema.get("not", {}).get("const", n + 1))
        case {"type": "boolean"}:
            return st.booleans()
        case {"type": "null"}:
            return st.none()
        case {"type": "array", "prefixItems": parts}:
            return st.tuples(*(values_for(part, definitions, depth) for part in parts)).map(list)
        case {"type": "array"}:
            items = values_for(schema.get("items", True), definitions, depth)
            bounds = {"min_size": schema.get("minItems", 0), "max_size": min(schema.get("maxItems", 3), 3)}
            return st.just([]) if items.is_empty or bounds["max_size"] == 0 else st.lists(items, **bounds)
        case {"type": "object"}:
            return _object_for(schema, definitions, depth)
        case _:
            return json_values(3)


def _text_for(schema: Any) -> st.SearchStrategy[Any]:
    if "contentEncoding" in schema:
        return st.binary(max_size=5).map(to_json)
    if "format" in schema:
        return FORMATS[schema["format"]]
    if "pattern" in schema:
        return st.from_regex(schema["pattern"].replace("$", r"\Z"), alphabet=st.characters(max_codepoint=127))
    return st.text(texts_alphabet, min_size=schema.get("minLength", 0), max_size=schema.get("maxLength", 8))


def _object_for(schema: Any, definitions: dict[str, Any], depth: int) -> st.SearchStrategy[Any]:
    properties = {name: values_for(node, definitions, depth) for name, node in schema.get("properties", {}).items()}
    required = schema.get("required", ())
    fixed = st.fixed_dictionaries(
        {name: node for name, node in properties.items() if name in required},
        optional={name: node for name, node in properties.items() if name not in required and not node.is_empty},
    )
    more = schema.get("additionalProperties", True)
    if more is False or properties:
        return fixed
    keys = values_for(schema.get("propertyNames", {"type": "string"}), definitions, depth)
    return st.dictionaries(
        keys, values_for(more, definitions, depth), min_size=schema.get("minProperties", 0), max_size=3
    )
