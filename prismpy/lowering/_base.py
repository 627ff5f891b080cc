"""What the parts of the compiler share: where it stands, what it changed, and words for what cannot be said."""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Final

import attrs

from prismpy.schema import JSON, cut, describe, pointed, step

from ._changes import Change
from ._judges import Judges
from ._lens import Lens, text_lens
from ._limits import Excess, Size
from ._subset import Subset
from ._words import ANNOTATIONS, SILENT, about, constrains, is_idle, joined, worded

LARGEST: Final = 5_000
"""Nodes that are compiled before the rest becomes JSON text: references to references can multiply without end."""

_NODES_A_PROPERTY: Final = 20
"""Schemas for each property that may be: a schema with more has too many properties, too."""


@attrs.frozen
class Budget:
    """How much of a schema is spelled out; what goes beyond is told in words, or becomes JSON text."""

    levels: int | None = None
    """Objects and lists within each other, the root among them; None for all."""

    options: int | None = None
    """Options of one enum; None for all."""

    def smaller(self, over: Excess, size: Size) -> "Budget | None":
        """Return the next smaller one, by what was too large; None if there is none."""
        levels, options = self.levels or size.levels + 1, size.longest[0] if self.options is None else self.options
        if over & {"options", "text"} and options > 0:
            return attrs.evolve(self, options=options // 2)
        return attrs.evolve(self, levels=levels - 1) if levels > 1 and over - {"options"} else None


class Base(ABC):
    """
    A compiler at work on one document.

    Args:
        document: The declared schema, in the words of the newest draft; references lead into it.

        subset: What the provider can say.

        budget: How much is spelled out.

    Attributes:
        changes: What was changed, in the order of the schema.

        definitions: Lowered schemas that refer to themselves, by name.
    """

    def __init__(self, document: JSON, subset: Subset, budget: Budget = Budget()) -> None:  # frozen
        self._document = pointed(document)
        self._subset = subset
        self._budget = budget
        self._judges = Judges(self._document)
        most = subset.limits.properties
        self._largest = LARGEST if most is None else min(LARGEST, _NODES_A_PROPERTY * most)
        self._names: dict[str, str] = {}
        self._levels = 0  # of objects and lists that the node at hand is in
        self._size = 0
        self._within: list[tuple[str, int]] = []  # references that are being followed, and the level they stand at
        self._recursive: dict[str, Lens] = {}
        self.changes: list[Change] = []
        self.definitions: dict[str, JSON] = {}

    @abstractmethod
    def _lens(self, schema: JSON, path: str) -> Lens:
        """Compile one node."""

    @abstractmethod
    def _merged(self, schema: JSON) -> JSON:
        """Put what stands in `allOf` beside it, as far as that is exact."""

    @abstractmethod
    def _with_beside(self, target: JSON, beside: dict[str, JSON], path: str) -> JSON:
        """Put what stands beside a schema into it."""

    def _inside(self, compile_: Callable[[JSON, str], Lens], schema: JSON, path: str) -> Lens:
        """Compile an object or a list: every value of it is a level deeper than what it stands in."""
        if self._budget.levels is not None and self._levels >= self._budget.levels:
            return self._as_text(schema, path)
        self._levels += 1
        lens = compile_(schema, path)
        self._levels -= 1
        return lens

    def _as_text(self, schema: JSON, path: str) -> Lens:
        """Let a value be written as JSON text, since no word of the provider covers its shape."""
        demands = schema is False or (isinstance(schema, dict) and any(map(constrains, schema)))
        shape = describe(schema)
        if demands and shape == "any value":  # no words for it
            shape = f"valid under the JSON Schema {cut(json.dumps(schema, ensure_ascii=False), 2000)}"
        if self._subset.any_value:
            words = joined([about(schema), shape if demands else ""])
            lens = Lens({"description": words} if words else {})
            return self._changed("any-value", path, schema, lens, lossy=True) if demands else lens
        lens = text_lens(joined([about(schema), f"Write it as JSON text: {shape}"]))
        return self._changed("json-text", path, schema, lens, lossy=demands)

    def _changed(self, rule: str, path: str, before: JSON, lens: Lens, *, lossy: bool = False) -> Lens:
        self.changes.append(Change(rule, path, before, lens.schema, lossy))
        return lens

    def _kept(
        self, schema: JSON, path: str, shape: set[str], kind: str | None = None, *, alone: bool = False
    ) -> dict[str, JSON]:
        """
        Return the keywords that may stay, with a description that tells the others.

        Args:
            schema: The schema at hand.

            path: Where it stands.

            shape: Keywords that are seen to elsewhere.

            kind: The only type of its values, where it has one.

            alone: Whether nothing may stay but a description.
        """
        kept: dict[str, JSON] = {}
        words: list[str] = []
        for keyword, value in schema.items():
            if keyword in shape or keyword in SILENT or is_idle(keyword, kind):
                continue
            if not alone and self._may_stay(keyword, value):
                kept[keyword] = value
            else:
                words.append(self._told(keyword, value, path, schema))
        description = joined([about(schema), "; ".join(filter(None, words))])
        return {**kept, "description": description} if description else kept

    def _told(self, keyword: str, value: JSON, path: str, schema: JSON) -> str:
        """Say a keyword in words, where it has any for a model, and report that."""
        if keyword == "title":
            is_news = isinstance(value, str) and not about(schema) and path != "$"  # whose name says it
            text = value if is_news else ""
        else:
            text = worded(keyword, value) if constrains(keyword) or keyword in ANNOTATIONS else ""
        self.changes.append(Change("unsupported-keyword", step(path, keyword), value, text, constrains(keyword)))
        return text

    def _may_stay(self, keyword: str, value: JSON) -> bool:
        if keyword not in self._subset.keywords:
            return False
        if keyword == "format":
            return value in self._subset.formats
        if keyword == "pattern":
            return isinstance(value, str) and not any(mark in value for mark in ("(?=", "(?!", "(?<", "\\b", "\\1"))
        most = self._subset.most_min_items
        return keyword != "minItems" or most is None or value <= most
