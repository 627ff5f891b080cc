"""Compiling references, and what holds together with others."""

from typing import Final

from prismpy.schema import JSON, MISSING, follow, free_name

from ._base import Base
from ._lens import Lens, decoded, encoded
from ._merge import merge
from ._words import SILENT, about, constrains, described, joined

UNROLLED: Final = 2
"""Levels of a schema within itself that are spelled out where the provider knows no recursion."""

DEEPEST: Final = 5
"""References that are followed within each other before the rest becomes JSON text."""


class References(Base):
    """The part of the compiler that knows `$ref` and `allOf`."""

    def _merged(self, schema: JSON) -> JSON:
        """Put what stands in `allOf` beside it, as far as that is exact."""
        left: list[JSON] = []
        for _ in range(DEEPEST):
            if not isinstance(schema, dict) or not isinstance(parts := schema.get("allOf"), list):
                break
            whole: JSON = {keyword: value for keyword, value in schema.items() if keyword != "allOf"}
            for part in map(self._target, parts):
                both = merge(whole, part)
                whole, left = (whole, [*left, part]) if both is None else (both, left)
            schema = whole
        return {**schema, "allOf": [*left, *schema.get("allOf", ())]} if left and isinstance(schema, dict) else schema

    def _target(self, schema: JSON) -> JSON:
        """Follow a schema that is a reference and nothing else, once, unless it is being followed already."""
        if not isinstance(schema, dict) or schema.keys() != {"$ref"} or schema["$ref"] in dict(self._within):
            return schema
        found = follow(self._document, schema["$ref"])
        return schema if found is MISSING else found

    def _reference(self, schema: JSON, path: str) -> Lens:
        ref = schema["$ref"]
        target = follow(self._document, ref)
        within = [level for each, level in self._within if each == ref]
        if target is MISSING or self._levels in within or len(self._within) >= DEEPEST:
            return self._as_text(schema, path)  # in a circle without anything in it, too
        beside = {keyword: value for keyword, value in schema.items() if keyword != "$ref"}
        if within and self._subset.recursion:
            return self._refer(ref, beside, path)
        if len(within) >= UNROLLED:
            return self._as_text(schema, path)
        self._within.append((ref, self._levels))
        lens = self._lens(self._with_beside(target, beside, path), path)
        if ref in self._recursive and not within:
            self._recursive[ref] = self._lens(target, path) if beside else lens
            self.definitions[self._name_of(ref)] = self._recursive[ref].schema
        self._within.pop()
        return lens

    def _with_beside(self, target: JSON, beside: dict[str, JSON], path: str) -> JSON:
        """Put what stands beside a reference into what it leads to."""
        constraints = {keyword: value for keyword, value in beside.items() if constrains(keyword)}
        whole, words = merge(target, constraints) if constraints else target, ""
        if whole is None:
            whole = target
            words = "; ".join(self._told(word, value, path, beside) for word, value in constraints.items())
        whole = described(whole, joined([about(beside), words]))
        notes = {word: value for word, value in beside.items() if not constrains(word) and word not in SILENT}
        return {**({} if whole is True else whole), **notes} if notes and whole is not False else whole

    def _refer(self, ref: str, beside: dict[str, JSON], path: str) -> Lens:
        """Refer to a schema that is being compiled; its translators are known by the time they are used."""
        self._recursive.setdefault(ref, Lens({}))
        kept = self._kept(beside, path, set(), alone=True)
        reference = {"$ref": f"#/$defs/{self._name_of(ref)}"}
        return Lens(
            {"anyOf": [reference], **kept} if kept else reference,  # beside which nothing may stand
            lambda value: encoded(self._recursive[ref], value),
            lambda value: decoded(self._recursive[ref], value),
        )

    def _name_of(self, ref: str) -> str:
        """Name a definition in letters that every provider takes, distinct for distinct references."""
        if ref not in self._names:
            bare = ref.removeprefix("#/").removeprefix("$defs/") or "root"
            name = "".join(letter if letter.isalnum() and letter.isascii() else "_" for letter in bare)
            self._names[ref] = free_name(name, self._names.values())
        return self._names[ref]
