"""Compiling objects and lists."""

import attrs

from prismpy.schema import JSON, MISSING, describe, follow, free_name, item_schemas, property_schemas, step

from ._base import Base
from ._changes import Change
from ._lens import Lens, encoded, entries_lens, list_lens, places_lens, text_lens, tuple_lens
from ._names import Names
from ._objects import LEFT_OUT, Others, Property, object_lens, renamed
from ._words import about, constrains, is_nothing, joined


class Containers(Base):
    """The part of the compiler that knows objects and lists."""

    def _object(self, schema: JSON, path: str, *, is_root: bool = False) -> Lens:
        subset = self._subset
        required = [name for name in schema.get("required", ()) if isinstance(name, str)]
        shape = {"type", "properties", "required", "additionalProperties", "patternProperties"}
        kept = self._kept(schema, path, shape, "object")
        declared, forbidden = self._declared(schema, required, path)
        description = joined([about(kept), forbidden])
        bare = not declared and not is_root
        if bare and _is_open(schema) and subset.open_objects == "entries":
            keys, values, words = self._entry(schema, path)
            said = joined([description, "One entry for each name", words])
            lens = entries_lens(keys, values, {**kept, "description": said}, subset.closing)
            return self._changed("entries", path, "object", lens)
        if bare and not _is_open(schema) and not subset.empty_objects:
            return self._as_text(schema, path)
        properties = [self._property(name, node, name in required, path) for name, node in declared.items()]
        others, beside, words = self._others(schema, path, declared)
        description = joined([description, words])
        beside |= {"title": kept["title"]} if "title" in kept else {}
        beside |= {"description": description} if description else {}
        lens = object_lens(properties, others, beside, all_required=subset.all_required)
        if bare and not subset.closed:
            lens = attrs.evolve(
                lens, schema={word: value for word, value in lens.schema.items() if value not in ([], {})}
            )
        return lens if subset.property_names is None else self._renamed(lens, subset.property_names, path)

    def _declared(self, schema: JSON, required: list[str], path: str) -> tuple[dict[str, JSON], str]:
        """Return every name that is declared or required, with all that holds for its value; and words for others."""
        named = {name: property_schemas(schema, name) for name in (*schema.get("properties", ()), *required)}
        declared = {name: parts[0] if len(parts) == 1 else {"allOf": parts} for name, parts in named.items()}
        words = []
        for name, node in schema.get("properties", {}).items():
            if is_nothing(node) and name not in required:
                del declared[name]
                words += [f"without {name}"] if _is_open(schema) else []
                where = step(step(path, "properties"), name)
                self.changes.append(Change("unsupported-keyword", where, node, "".join(words[-1:]), bool(words)))
        return declared, "; ".join(words)

    def _renamed(self, lens: Lens, names: Names, path: str) -> Lens:
        lens, new = renamed(lens, names)
        for name, fit in new.items():
            self.changes.append(Change("property-name", step(step(path, "properties"), name), name, fit))
        return lens

    def _property(self, name: str, node: JSON, required: bool, path: str) -> Property:
        where, node = step(step(path, "properties"), name), self._merged(node)
        lens = self._lens(node, where)
        if not required and self._subset.all_required:
            self.changes.append(Change("all-required", where, "optional", "required, null if left out"))
        by_default = isinstance(node, dict) and node.get("default", ...) is None
        takes_null = self._takes_null(node) and encoded(lens, None) is None
        if takes_null and not required and self._subset.all_required and self._judges.of(node)(LEFT_OUT):
            lens, takes_null = self._as_text(node, where), False  # what marks a property as left out is a value for it
        return Property(name, lens, required, takes_null, by_default)

    def _others(self, schema: JSON, path: str, declared: dict[str, JSON]) -> tuple[Others | None, dict[str, JSON], str]:
        """Return how to say properties that are not declared, what stands beside them for that, and words for it."""
        rest, patterns = schema.get("additionalProperties", True), schema.get("patternProperties", {})
        where, subset = step(path, "additionalProperties"), self._subset
        closed = subset.closing
        if not _is_open(schema):
            return None, closed, ""
        if not subset.closed and not schema.keys() & {"additionalProperties", "patternProperties"}:
            return None, {}, ""  # open as long as nothing else is said, there as here
        if subset.open_objects == "entries":
            name = free_name("additional_properties", declared)
            keys, values, words = self._entry(schema, path)
            said = {"description": joined(["Properties with other names, if there are any", words])}
            lens = entries_lens(keys, values, said, closed)
            self.changes.append(Change("entries", where, "open", f"list of entries in {name}"))
            return Others(lens, name), closed, ""
        opened: dict[str, JSON] = {"additionalProperties": True} if subset.open_objects == "stay" else {}
        if patterns:
            return None, opened, self._names_told(schema, path)
        if rest is True or rest == {}:
            return None, opened, ""
        if subset.open_objects == "stay":
            values = self._lens(rest, where)
            return Others(values), {"additionalProperties": values.schema}, ""
        words = f"with other names, too: {describe(rest)}"
        self.changes.append(Change("unsupported-keyword", where, rest, words, lossy=True))
        return None, {}, words

    def _names_told(self, schema: JSON, path: str) -> str:
        """Say in words which names may be there besides those declared."""
        told = {word: schema[word] for word in ("patternProperties", "additionalProperties") if word in schema}
        return "; ".join(self._told(word, value, path, schema) for word, value in told.items())

    def _entry(self, schema: JSON, path: str) -> tuple[dict[str, JSON], Lens, str]:
        """Return how to say the name and the value of a property that is not declared, and words for the rest."""
        rest, patterns = schema.get("additionalProperties", True), schema.get("patternProperties", {})
        keys: dict[str, JSON] = {"type": "string"}
        if isinstance(rest, dict) and rest and not patterns:
            return keys, self._lens(rest, step(path, "additionalProperties")), ""
        if is_nothing(rest) and len(patterns) == 1:
            pattern, values = next(iter(patterns.items()))
            where = step(step(path, "patternProperties"), pattern)
            return self._lens({**keys, "pattern": pattern}, where).schema, self._lens(values, where), ""
        return keys, text_lens("The value, as JSON text"), self._names_told(schema, path) if patterns else ""

    def _array(self, schema: JSON, path: str) -> Lens:
        parts, items = item_schemas(schema)
        if is_nothing(items):  # which bounds say, too
            schema = {**schema, "maxItems": min(schema.get("maxItems", len(parts)), len(parts))}
        shape = {"type", "items", "prefixItems"}
        if parts and self._subset.tuples == "object":
            return self._tuple(schema, parts, path, shape)
        kept = self._kept(schema, path, shape, "array")
        if parts and self._subset.tuples == "told":
            told = [describe(part) for part in parts] + ([] if isinstance(items, bool) else [f"then {describe(items)}"])
            words, where = f"in order: {', '.join(told)}", step(path, "prefixItems")
            self.changes.append(Change("unsupported-keyword", where, parts, words, lossy=True))
            return Lens({"type": "array", **kept, "description": joined([about(kept), words])})
        rest = None if isinstance(items, bool) else self._lens(items, step(path, "items"))
        if parts:
            lenses = [self._lens(part, step(step(path, "prefixItems"), i)) for i, part in enumerate(parts)]
            return places_lens({"type": "array", **kept}, lenses, rest)
        if rest is None and self._subset.any_value:
            return Lens({"type": "array", **kept})
        return list_lens({"type": "array", **kept}, rest or text_lens("The item, as JSON text"))

    def _tuple(self, schema: JSON, parts: list[JSON], path: str, shape: set[str]) -> Lens:
        """Say a list of fixed places as an object; one whose length is not fixed as JSON text."""
        if not len(parts) == schema.get("minItems") == schema.get("maxItems"):
            return self._as_text(schema, path)
        kept = self._kept(schema, path, shape | {"minItems", "maxItems"}, "array")
        lenses = [self._lens(part, step(step(path, "prefixItems"), i)) for i, part in enumerate(parts)]
        return self._changed("tuple", path, "list", tuple_lens(lenses, {**self._subset.closing, **kept}))

    def _takes_null(self, node: JSON, depth: int = 5) -> bool:
        """Tell whether null is a value of a schema; asking its judge takes long."""
        rest = {word for word in node if constrains(word)} if isinstance(node, dict) else {""}
        match node:
            case {"type": str() as word}:
                return word == "null"
            case {"type": [*words]} if not rest & {"enum", "const"}:
                return "null" in words
            case {"enum": [*options]} if rest == {"enum"}:
                return None in options
            case {"anyOf": [*branches]} if rest == {"anyOf"} and depth:
                return any(self._takes_null(branch, depth - 1) for branch in branches)
            case {"$ref": str() as ref} if rest == {"$ref"} and depth:
                target = follow(self._document, ref)
                return target is not MISSING and self._takes_null(target, depth - 1)
            case _:
                return self._judges.of(node)(None)


def _is_open(schema: JSON) -> bool:
    """Tell whether an object may have properties that nobody declared."""
    return not is_nothing(schema.get("additionalProperties", True)) or bool(schema.get("patternProperties"))
