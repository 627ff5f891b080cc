"""
Rewriting a schema into a strict subset, node by node, with the translators for values beside it.

What the subset can say stays. What constrains only and cannot be said moves into
the description; it is enforced here all the same. What gives a value its shape
and cannot be said becomes JSON text, so nothing that was valid is ever out of reach.
"""

import json
from collections.abc import Callable
from functools import cache, cached_property
from typing import Any, Final

import attrs

from prismpy.errors import DefinitionError
from prismpy.schema import (
    JSON,
    JSON_TYPES,
    MISSING,
    canonical,
    compile_schema,
    cut,
    describe,
    follow,
    item_schemas,
    json_type,
    map_subschemas,
    step,
)

from ._changes import Change
from ._lens import Lens, decoded, encoded, entries_lens, list_lens, nullable, text_lens, tuple_lens, union_lens
from ._objects import LEFT_OUT, Property, object_lens
from ._subset import Subset

UNROLLED: Final = 2
"""Levels of a schema within itself that are spelled out where the provider knows no recursion."""

DEEPEST: Final = 5
"""References that are followed within each other before the rest becomes JSON text."""

LARGEST: Final = 20_000
"""Nodes that are compiled before the rest becomes JSON text: references to references can multiply without end."""

_WORDS: Final = {
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
    "default": "by default {}",
    "examples": "for example {}",
}
"""Keywords in words, for descriptions; any other keyword is quoted with its value."""

_SILENT: Final = frozenset({"title", "$comment", "$schema", "$id", "$anchor", "$defs", "definitions", "deprecated"})
"""Keywords that say nothing a model needs."""


class Compiler:
    """
    Compiles one schema document for one subset.

    Args:
        document: The declared schema; references lead into it.

        subset: What the provider can say.

    Attributes:
        changes: What was changed, in the order of the schema.

        definitions: Lowered schemas that refer to themselves, by name.
    """

    def __init__(self, document: JSON, subset: Subset) -> None:
        self._document = {key: value for key, value in document.items() if key not in {"$schema", "$id"}}
        self._draft = {"$schema": document["$schema"]} if isinstance(document.get("$schema"), str) else {}
        self._names: dict[str, str] = {}
        self._judges: dict[str, Callable[[JSON], bool]] = {}
        self._levels = 0  # of objects and lists that the node at hand is in
        self._size = 0
        self._subset = subset
        self._within: list[tuple[str, int]] = []  # references that are being followed, and the level they stand at
        self._recursive: dict[str, Lens] = {}
        self.changes: list[Change] = []
        self.definitions: dict[str, JSON] = {}

    def root(self) -> Lens:
        """Compile the whole document, whose root is an object and stays one."""
        lens = self._object(self._document, "$", is_root=True)
        return attrs.evolve(
            lens, schema={**lens.schema, "$defs": self.definitions} if self.definitions else lens.schema
        )

    # --- one node -------------------------------------------------------------

    def _lens(self, schema: JSON, path: str) -> Lens:
        self._size += 1
        if self._size > LARGEST:
            return self._as_text(schema, path)
        if isinstance(schema.get("$ref") if isinstance(schema, dict) else None, str):
            return self._reference(schema, path)
        match schema:
            case {"enum": [_, *_]} | {"const": _}:
                return self._choice(schema, path)
            case {"type": [*words]} if words and set(words) <= JSON_TYPES:
                return self._either(schema, [{**schema, "type": word} for word in dict.fromkeys(words)], path)
            case {"type": "object"}:
                return self._inside(self._object, schema, path)
            case {"type": "array"}:
                return self._inside(self._array, schema, path)
            case {"type": str() as word} if word in JSON_TYPES:
                return Lens({"type": word, **self._kept(schema, path, {"type"})})
            case {"anyOf": [_, *_] as branches}:
                return self._union(schema, branches, "anyOf", path)
            case {"oneOf": [_, *_] as branches}:
                return self._union(schema, branches, "oneOf", path)
            case _:
                return self._as_text(schema, path)

    def _inside(self, compile_: Callable[[JSON, str], Lens], schema: JSON, path: str) -> Lens:
        """Compile an object or a list: every value of it is a level deeper than what it stands in."""
        self._levels += 1
        lens = compile_(schema, path)
        self._levels -= 1
        return lens

    def _as_text(self, schema: JSON, path: str) -> Lens:
        """Let a value be written as JSON text, since no word of the provider covers its shape."""
        about = schema.get("description", "") if isinstance(schema, dict) else ""
        demands = isinstance(schema, dict) and bool(schema.keys() - _SILENT - {"description", "default", "examples"})
        shape = describe(schema)
        if demands and shape == "any value":  # no words for it
            shape = f"valid under the JSON Schema {cut(json.dumps(schema, ensure_ascii=False), 2000)}"
        lens = text_lens(_joined([about, f"Write it as JSON text: {shape}"]))
        return self._changed("json-text", path, schema, lens, lossy=demands)

    def _changed(self, rule: str, path: str, before: JSON, lens: Lens, *, lossy: bool = False) -> Lens:
        self.changes.append(Change(rule, path, before, lens.schema, lossy))
        return lens

    def _kept(self, schema: JSON, path: str, shape: set[str]) -> dict[str, JSON]:
        """Return the keywords that may stay, with a description that tells the others."""
        kept: dict[str, JSON] = {}
        told: list[str] = []
        for keyword, value in schema.items():
            if keyword in shape or keyword in _SILENT or keyword == "description":
                continue
            if self._may_stay(keyword, value):
                kept[keyword] = value
            else:
                words = _WORDS[keyword].format(_written(value)) if keyword in _WORDS else f"{keyword} {_written(value)}"
                told.append(words)
                lossy = keyword not in {"default", "examples"}
                self.changes.append(Change("unsupported-keyword", step(path, keyword), value, words, lossy))
        description = _joined([schema.get("description", ""), "; ".join(told)])
        return {**kept, "description": description} if description else kept

    def _may_stay(self, keyword: str, value: JSON) -> bool:
        if keyword not in self._subset.keywords or (isinstance(value, bool) and keyword != "uniqueItems"):
            return False  # a bool is how draft 4 writes exclusive bounds
        if keyword == "format":
            return value in self._subset.formats
        if keyword == "pattern":
            return isinstance(value, str) and not any(mark in value for mark in ("(?=", "(?!", "(?<", "\\b", "\\1"))
        most = self._subset.most_min_items
        return keyword != "minItems" or most is None or value <= most

    # --- choices and unions ---------------------------------------------------

    def _choice(self, schema: JSON, path: str) -> Lens:
        options = schema["enum"] if "enum" in schema else [schema["const"]]
        accepts = self._judge(schema)
        fitting = list({_equal_key(option): option for option in options if accepts(option)}.values())
        if not fitting or not all(isinstance(option, str | int | float | None) for option in fitting):
            return self._as_text(schema, path)
        words = list(dict.fromkeys(json_type(option) for option in fitting))
        lowered = {"type": words[0] if len(words) == 1 else words, "enum": fitting}
        lens = Lens({**lowered, **self._kept(schema, path, {"type", "enum", "const"})})
        return lens if "enum" in schema else self._changed("const", path, schema["const"], lens)

    def _union(self, schema: JSON, branches: list[JSON], keyword: str, path: str) -> Lens:
        beside = {word: value for word, value in schema.items() if word != keyword}
        lens = self._either(schema, branches, step(path, keyword), beside)
        return self._changed("one-of", path, "oneOf", lens, lossy=True) if keyword == "oneOf" else lens

    def _either(self, schema: JSON, branches: list[JSON], path: str, beside: JSON | None = None) -> Lens:
        """Compile branches; null among them goes into the type of the only other one."""
        possible = [branch for branch in branches if branch is not False]
        null = [branch for branch in possible if isinstance(branch, dict) and branch.get("type") == "null"]
        others = [branch for branch in possible if branch not in null]
        about = {} if beside is None else self._kept(beside, path, set())
        if len(others) == 1 and null:
            only = nullable(self._lens(_described(others[0], about.pop("description", "")), path))
            return Lens({**only.schema, **about}, _unless_null(only.encode), _unless_null(only.decode))
        lenses = [(branch, self._lens(branch, step(path, i))) for i, branch in enumerate(possible)]
        if not lenses:
            return self._as_text(schema, path)
        return union_lens(about, [(lens, self._judge(branch)) for branch, lens in lenses])

    # --- objects and lists ----------------------------------------------------

    def _object(self, schema: JSON, path: str, *, is_root: bool = False) -> Lens:
        declared = {name: node for name, node in schema.get("properties", {}).items() if node is not False}
        required = [name for name in schema.get("required", ()) if isinstance(name, str)]
        declared |= {name: True for name in required if name not in declared}
        others = self._others(schema, path)
        shape = {"type", "properties", "required", "additionalProperties"}
        kept = self._kept(schema, path, shape)
        about = {"description": kept["description"]} if "description" in kept else {}
        if others is not None and not declared and not is_root:
            keys, values = others
            lens = entries_lens(keys, values, _joined([about.get("description", ""), "One entry for each name"]))
            return self._changed("entries", path, "object", lens)
        properties = [self._property(name, node, name in required, path) for name, node in declared.items()]
        more = None
        if others is not None:
            name = _free("additional_properties", declared)
            more = (name, entries_lens(*others, "Properties with other names, if there are any"))
            self.changes.append(Change("entries", step(path, "additionalProperties"), "open", name))
        return object_lens(properties, more, about, all_required=self._subset.all_required)

    def _property(self, name: str, node: JSON, required: bool, path: str) -> Property:
        where = step(step(path, "properties"), name)
        lens = self._lens(node, where)
        if not required and self._subset.all_required:
            self.changes.append(Change("all-required", where, "optional", "required, null if left out"))
        by_default = isinstance(node, dict) and node.get("default", ...) is None
        takes_null = self._takes_null(node) and encoded(lens, None) is None
        if takes_null and not required and self._subset.all_required and self._judge(node)(LEFT_OUT):
            lens, takes_null = self._as_text(node, where), False  # what marks a property as left out is a value for it
        return Property(name, lens, required, takes_null, by_default)

    def _others(self, schema: JSON, path: str) -> tuple[dict[str, JSON], Lens] | None:
        """Return how to say properties that are not declared: their names, and their values; None if there are none."""
        rest, patterns = schema.get("additionalProperties", True), schema.get("patternProperties", {})
        if rest is False and not patterns:
            return None
        keys = {"type": "string"}
        if isinstance(rest, dict) and rest and not patterns:
            return keys, self._lens(rest, step(path, "additionalProperties"))
        return keys, text_lens("The value, as JSON text")

    def _array(self, schema: JSON, path: str) -> Lens:
        parts, items = item_schemas(schema)
        kept = self._kept(schema, path, {"type", "items", "prefixItems", "additionalItems"})
        if parts and len(parts) == schema.get("minItems") == schema.get("maxItems"):
            lenses = [self._lens(part, step(step(path, "prefixItems"), i)) for i, part in enumerate(parts)]
            about = {"description": kept["description"]} if "description" in kept else {}
            return self._changed("tuple", path, "list", tuple_lens(lenses, about))
        if parts:
            return self._as_text(schema, path)
        inner = (
            text_lens("The item, as JSON text") if isinstance(items, bool) else self._lens(items, step(path, "items"))
        )
        return list_lens({"type": "array", **kept}, inner)

    # --- references -----------------------------------------------------------

    def _reference(self, schema: JSON, path: str) -> Lens:
        ref = schema["$ref"]
        target = follow(self._document, ref)
        within = [level for each, level in self._within if each == ref]
        if target is MISSING or self._levels in within or len(self._within) >= DEEPEST:
            return self._as_text(schema, path)  # in a circle without anything in it, too
        if within and self._subset.recursion:
            return self._refer(ref)
        if len(within) >= UNROLLED:
            return self._as_text(schema, path)
        self._kept({key: value for key, value in schema.items() if key not in {"$ref", "description"}}, path, set())
        self._within.append((ref, self._levels))
        lens = self._lens(_described(target, schema.get("description", "")), path)
        self._within.pop()
        if ref in self._recursive and ref not in [each for each, _ in self._within]:
            self._recursive[ref] = lens
            self.definitions[self._name_of(ref)] = lens.schema
        return lens

    def _refer(self, ref: str) -> Lens:
        """Refer to a schema that is being compiled; its translators are known by the time they are used."""
        self._recursive.setdefault(ref, Lens({}))
        return Lens(
            {"$ref": f"#/$defs/{self._name_of(ref)}"},
            lambda value: encoded(self._recursive[ref], value),
            lambda value: decoded(self._recursive[ref], value),
        )

    def _name_of(self, ref: str) -> str:
        """Name a definition in letters that every provider takes, distinct for distinct references."""
        if ref not in self._names:
            bare = ref.removeprefix("#/").removeprefix("$defs/") or "root"
            name = "".join(letter if letter.isalnum() and letter.isascii() else "_" for letter in bare)
            self._names[ref] = _free(name, self._names.values())
        return self._names[ref]

    # --- judges ---------------------------------------------------------------

    def _takes_null(self, node: JSON) -> bool:
        match node:
            case {"type": str() as word}:
                return word == "null"
            case {"type": [*words], **rest} if not rest.keys() & {"enum", "const"}:
                return "null" in words
            case _:
                return self._judge(node)(None)

    def _judge(self, schema: JSON) -> Callable[[JSON], bool]:
        """Prepare to tell whether a declared schema accepts a value; compiled when first asked, equal ones once."""
        key = json.dumps(schema, sort_keys=True)
        if key not in self._judges:
            self._judges[key] = _judge_of(lambda: self._with_document(schema))
        return self._judges[key]

    def _with_document(self, schema: JSON) -> JSON:
        """Take a part of the document out of it, its references with it."""
        if not isinstance(schema, dict):
            return schema
        if '"$ref"' not in json.dumps(schema):
            return {**self._draft, **schema}
        return {**self._draft, **_moved(schema), "$defs": self._moved_document}

    @cached_property
    def _moved_document(self) -> dict[str, JSON]:
        return {"document": _moved(self._document)}


def _moved(schema: JSON, _: str = "") -> JSON:
    """Let references start where the document has gone, under `$defs`."""
    if isinstance(schema, dict) and isinstance(ref := schema.get("$ref"), str) and ref.startswith("#"):
        schema = {**schema, "$ref": f"#/$defs/document{ref.removeprefix('#')}"}
    return map_subschemas(schema, _moved)


def _judge_of(schema: Callable[[], JSON]) -> Callable[[JSON], bool]:
    @cache
    def problems() -> Callable[[JSON], Any]:
        return compile_schema(schema())

    def accepts(value: JSON) -> bool:
        try:
            return not problems()(value)
        except DefinitionError:  # a reference that leads out of what a walk by position can see
            return False

    return accepts


def _equal_key(value: JSON) -> tuple[str, JSON]:
    """Tell JSON values apart as JSON Schema does: 1 and 1.0 are one, 1 and true are not."""
    return ("number", value) if json_type(value) in {"integer", "number"} else ("", canonical(value))


def _free(name: str, taken: Any) -> str:
    return name if name not in taken else _free(f"{name}_", taken)


def _unless_null(translate: Callable[[JSON], JSON] | None) -> Callable[[JSON], JSON] | None:
    return None if translate is None else lambda value: None if value is None else translate(value)


def _described(schema: JSON, description: str) -> JSON:
    """Put what is said beside a reference before what its target says of itself."""
    if not description or not isinstance(schema, dict):
        return schema
    return {**schema, "description": _joined([description, schema.get("description", "")])}


def _joined(sentences: list[str]) -> str:
    said = [sentence for sentence in sentences if sentence]
    return ". ".join([*(sentence.rstrip(". ") for sentence in said[:-1]), *said[-1:]])


def _written(value: JSON) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return cut(text, 200)
