"""Random schemas that reach every keyword, each with a value that it accepts: drawn value first, the schema round it."""

from collections.abc import Callable
from typing import Any

import attrs
from hypothesis import assume
from hypothesis import strategies as st

from prismpy.schema import canonical, compile_schema, map_subschemas
from tests.fragments import any_names, fragments
from tests.strategies import FORMATS, finite, json_values, scalars, texts

Draw = Callable[[st.SearchStrategy[Any]], Any]
Pair = tuple[Any, Any]

ANNOTATIONS = {
    "title": texts,
    "description": texts,
    "default": json_values(2),
    "examples": st.lists(json_values(2), max_size=2),
    "deprecated": st.booleans(),
    "readOnly": st.booleans(),
    "writeOnly": st.booleans(),
    "$comment": texts,
    "x-note": json_values(2),
    "discriminator": st.just({"propertyName": "a"}),
}


@attrs.define
class Maker:
    """Draws schemas with values; the definitions that they refer to collect here."""

    draw: Draw
    definitions: dict[str, Any] = attrs.field(factory=dict)

    def pair(self, depth: int) -> Pair:
        """Return a schema, and a value that it should accept."""
        kinds = [self.text, self.number, self.flag, self.choice, self.anything]
        if depth:
            kinds += [self.array, self.object, self.union, self.whole, self.negated, self.condition, self.reference]
            kinds += [self.tuple, self.object, self.array]
        schema, value = self.draw(st.sampled_from(kinds))(depth - 1)
        if isinstance(schema, dict) and self.draw(st.integers(0, 3)) == 0:
            keyword = self.draw(st.sampled_from(sorted(ANNOTATIONS)))
            schema = {**schema, keyword: self.draw(ANNOTATIONS[keyword])}
        return self.constrained(schema, value), value

    def constrained(self, schema: Any, value: Any) -> Any:
        """Add any constraint that leaves the value valid; the schema as it is where it does not."""
        if self.draw(st.integers(0, 2)):
            return schema
        more = self.draw(fragments)
        ways = [
            {"allOf": [schema, more]},
            {"allOf": [more, schema]},
            {"anyOf": [more, schema]},
            {"oneOf": [schema, more]},
        ]
        if isinstance(schema, dict) and isinstance(more, dict):
            ways += [{**schema, **more}, {**more, **schema}, {**schema, "allOf": [more]}, {**schema, "anyOf": [more]}]
        new = self.draw(st.sampled_from(ways))
        return schema if compile_schema({**new, "$defs": self.definitions})(value) else new

    def some(self, schema: Any, **keywords: Any) -> Any:
        """Add some keywords to a schema; each may be left out."""
        return schema | {word: value for word, value in keywords.items() if self.draw(st.booleans())}

    # --- leaves ---------------------------------------------------------------

    def text(self, _: int) -> Pair:
        if self.draw(st.booleans()):
            form = self.draw(st.sampled_from(sorted(FORMATS)))
            encoded = {"contentEncoding": "base64", "contentMediaType": "text/plain"} if form == "regex" else {}
            return {"type": "string", "format": form, **encoded}, self.draw(FORMATS[form])
        value = self.draw(texts)
        bounds = {
            "minLength": max(0, len(value) - 1),
            "maxLength": len(value) + 1,
            "pattern": value[:1] if value[:1].isalnum() and value.isascii() else ".?",
        }
        return self.some(self.nullable("string"), **bounds), value

    def number(self, _: int) -> Pair:
        whole = self.draw(st.booleans())
        value = self.draw(st.integers(-9, 9) if whole else finite)
        bounds = {"minimum": value, "maximum": value + 1, "exclusiveMinimum": value - 1}
        bounds |= {"exclusiveMaximum": value + 1, "multipleOf": abs(value)} if whole and value else {}
        return self.some(self.nullable("integer" if whole else "number"), **bounds), value

    def flag(self, _: int) -> Pair:
        return self.draw(st.sampled_from([({"type": "boolean"}, True), ({"type": "null"}, None)]))

    def choice(self, _: int) -> Pair:
        options = self.draw(
            st.lists(scalars | st.sampled_from(["", "a", 1, [1]]), min_size=1, max_size=4, unique_by=canonical)
        )
        value = self.draw(st.sampled_from(options))
        if self.draw(st.booleans()):
            return {"const": value}, value
        return {"enum": options}, value

    def anything(self, _: int) -> Pair:
        return self.draw(st.sampled_from([True, {}])), self.draw(json_values(4))

    def nullable(self, word: str) -> Any:
        return {"type": self.draw(st.sampled_from([word, [word, "null"], [word, "boolean"]]))}

    # --- containers -----------------------------------------------------------

    def array(self, depth: int) -> Pair:
        items, value = self.pair(depth)
        values = [value] * self.draw(st.integers(0, 2))
        bounds = {"minItems": len(values), "maxItems": len(values) + 1, "uniqueItems": False}
        schema = {"type": "array"} if items is True else {"type": "array", "items": items}
        if self.draw(st.booleans()):
            return schema, values
        return self.some(schema, **bounds, contains=True, unevaluatedItems=True), values

    def tuple(self, depth: int) -> Pair:
        parts = [self.pair(depth) for _ in range(self.draw(st.integers(1, 2)))]
        schema = {"type": "array", "prefixItems": [part for part, _ in parts]}
        rest = self.draw(st.sampled_from([{}, {"items": False}, {"items": {"type": "integer"}}]))
        bounds = {"minItems": len(parts), "maxItems": len(parts)}
        return self.some(schema, **bounds) | rest, [value for _, value in parts]

    def object(self, depth: int) -> Pair:
        inside = {name: self.pair(depth) for name in self.draw(st.lists(any_names, max_size=3, unique=True))}
        there = {name: value for name, (_, value) in inside.items() if self.draw(st.integers(0, 3))}
        schema = {"type": "object", "properties": {name: node for name, (node, _) in inside.items()}}
        schema |= {"required": [name for name in there if self.draw(st.booleans())]}
        schema, more = self.others(schema, depth)
        if self.draw(st.booleans()):
            return schema, {**more, **there}
        schema = self.some(schema, minProperties=1, maxProperties=9, propertyNames={"maxLength": 99})
        return self.some(schema, dependentRequired={"a": []}, dependentSchemas={"b": True}), {**more, **there}

    def others(self, schema: Any, depth: int) -> Pair:
        """Say how names that nobody declared are taken, and give some."""
        way = self.draw(st.sampled_from(["closed", "absent", "open", "of a schema", "by pattern"]))
        node, value = self.pair(depth)
        match way:
            case "closed":
                return {**schema, "additionalProperties": False}, {}
            case "absent":
                return schema, self.draw(st.dictionaries(texts, json_values(2), max_size=1))
            case "open":
                return {**schema, "additionalProperties": self.draw(st.sampled_from([True, {}]))}, {"more": 1}
            case "of a schema":
                return {**schema, "additionalProperties": node}, self.draw(st.sampled_from([{}, {"more": value}]))
            case _:
                return {**schema, "patternProperties": {"^n": node}, "additionalProperties": False}, {"n1": value}

    # --- several at once ------------------------------------------------------

    def union(self, depth: int) -> Pair:
        pairs = [self.pair(depth) for _ in range(self.draw(st.integers(1, 3)))]
        keyword = self.draw(st.sampled_from(["anyOf", "oneOf"]))
        return {keyword: [node for node, _ in pairs]}, self.draw(st.sampled_from(pairs))[1]

    def whole(self, depth: int) -> Pair:
        schema, value = self.pair(depth)
        other = self.draw(st.sampled_from([True, {}, {"description": "b"}, {"not": {"const": "no"}}, {"minLength": 0}]))
        return self.draw(
            st.sampled_from([{"allOf": [schema, other]}, {"allOf": [other, schema]}, {"allOf": [schema]}])
        ), value

    def negated(self, depth: int) -> Pair:
        schema, value = self.pair(depth)
        return {**schema, "not": {"const": "no"}} if isinstance(schema, dict) else {"not": {"const": "no"}}, value

    def condition(self, depth: int) -> Pair:
        schema, value = self.pair(depth)
        if not isinstance(schema, dict):
            return {"if": False, "then": False, "else": True}, value
        return {**schema, "if": {"const": "no"}, "then": False, "else": True}, value

    def reference(self, depth: int) -> Pair:
        name = f"D{len(self.definitions)}"
        if self.draw(st.booleans()):  # to itself
            self.definitions[name] = {
                "type": "object",
                "properties": {
                    "value": {"type": "integer"},
                    "kids": {"type": "array", "items": {"$ref": f"#/$defs/{name}"}},
                },
                "additionalProperties": self.draw(st.booleans()),
            }
            value: Any = {"value": 1}
            for level in range(self.draw(st.integers(0, 4))):
                value = {"value": level, "kids": [value]}
        else:
            self.definitions[name] = True
            self.definitions[name], value = self.pair(depth)
        beside = self.draw(st.sampled_from([{}, {}, {"description": "beside"}, {"default": 1}, {"minLength": 0}]))
        if isinstance(self.definitions[name], dict) and self.draw(st.booleans()):
            self.definitions[name] = {**self.definitions[name], "$anchor": name}
            return {"$ref": f"#{name}", **beside}, value
        return {"$ref": f"#/$defs/{name}", **beside}, value


@st.composite
def schemas_with_values(draw: Draw, depth: int = 3) -> Pair:
    """Return the schema of an arguments object, now and then of an older draft, and arguments that it accepts."""
    maker = Maker(draw)
    schema, value = maker.object(depth - 1)
    schema |= {"$defs": maker.definitions} if maker.definitions else {}
    assume(not compile_schema(schema)(value))
    old = as_draft_7(schema) if draw(st.integers(0, 9)) == 5 else schema
    return schema if compile_schema(old)(value) else old, value


# --- older words --------------------------------------------------------------

DRAFT_7 = "http://json-schema.org/draft-07/schema#"
NEWER = {
    "unevaluatedProperties",
    "unevaluatedItems",
    "minContains",
    "maxContains",
    "dependentRequired",
    "dependentSchemas",
}


def as_draft_7(schema: Any) -> Any:
    """Say a schema in the words of draft 7, so far as it has any for it: what is lost may refuse more or less."""
    return {"$schema": DRAFT_7, **_older(schema)}


def _older(schema: Any, _: str = "") -> Any:
    if not isinstance(schema, dict):
        return schema
    new = map_subschemas({word: value for word, value in schema.items() if word not in NEWER}, _older)
    if "prefixItems" in new:
        rest = {"additionalItems": new.pop("items")} if "items" in new else {}
        new = {**new, "items": new.pop("prefixItems"), **rest}
    if "$anchor" in new:
        new["$id"] = f"#{new.pop('$anchor')}"
    if "$defs" in new:
        new["definitions"] = new.pop("$defs")
    if dependencies := {**schema.get("dependentRequired", {}), **schema.get("dependentSchemas", {})}:
        new["dependencies"] = {name: _older(value) for name, value in dependencies.items()}
    if "$ref" in new:
        new = {**new, "$ref": new["$ref"].replace("#/$defs/", "#/definitions/")}
        new = {"allOf": [{"$ref": new.pop("$ref")}], **new} if len(new) > 1 else new
    return new
