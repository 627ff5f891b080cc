"""
Rewriting a schema into a provider's subset, node by node, with the translators for values beside it.

What the subset can say stays. What constrains only and cannot be said moves into
the description; it is enforced here all the same. What gives a value its shape
and cannot be said becomes JSON text, so nothing that was valid is ever out of reach.
"""

from typing import Final

import attrs

from prismpy.schema import JSON, JSON_TYPES, step

from ._base import Budget
from ._changes import Change
from ._choices import Choices
from ._containers import Containers
from ._lens import Lens
from ._limits import size_of
from ._references import References
from ._subset import Subset


def compile_parameters(document: JSON, subset: Subset) -> tuple[Lens, tuple[Change, ...], bool]:
    """
    Compile the parameters of a tool, with as much spelled out as the provider takes.

    Args:
        document: The declared schema, in the words of the newest draft.

        subset: What the provider can say.

    Returns:
        The whole as a lens, what was changed, each said once, and whether it fits the limits of the subset.
    """
    budget = Budget()
    while True:
        compiler = Compiler(document, subset, budget)
        lens = compiler.root()
        size = size_of(lens.schema)
        over = size.exceeds(subset.limits)
        smaller = budget.smaller(over, size)
        if not over or smaller is None:
            changes = compiler.changes
            if not subset.enforced:
                changes = [attrs.evolve(change, lossy=False) for change in changes]
            return lens, tuple(dict.fromkeys(changes)), not over
        budget = smaller


class Compiler(Choices, Containers, References):
    """Compiles one schema document for one subset; see `Base`."""

    def root(self) -> Lens:
        """Compile the whole document, whose root is an object and stays one."""
        lens = self._inside(lambda schema, path: self._object(schema, path, is_root=True), self._document, "$")
        if not self.definitions:
            return lens
        return attrs.evolve(lens, schema={**lens.schema, "$defs": self.definitions})

    def _lens(self, schema: JSON, path: str) -> Lens:
        self._size += 1
        if self._size > self._largest:
            return self._as_text(schema, path)
        schema = self._merged(schema)
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
            case {"type": str() as word} if word in self._subset.types:
                schema = self._inclusive(schema, path) if word == "integer" else schema
                return Lens({"type": word, **self._kept(schema, path, {"type"}, word)})
            case {"anyOf": [_, *_] as branches}:
                return self._union(schema, branches, "anyOf", path)
            case {"oneOf": [_, *_] as branches}:
                return self._union(schema, branches, "oneOf", path)
            case _:
                return self._as_text(schema, path)

    def _inclusive(self, schema: JSON, path: str) -> JSON:
        """Say that a whole number is more than 1 as that it is at least 2, to a provider that knows only the latter."""
        known = self._subset.keywords
        for exclusive, bound, by, narrower in _EXCLUSIVE:
            limit = schema.get(exclusive)
            if isinstance(limit, int) and exclusive not in known and bound in known:
                new = narrower(limit + by, schema.get(bound, limit + by))
                schema = {**{word: value for word, value in schema.items() if word != exclusive}, bound: new}
                self.changes.append(Change("inclusive", step(path, exclusive), limit, f"{bound} {new}"))
        return schema


_EXCLUSIVE: Final = (("exclusiveMinimum", "minimum", 1, max), ("exclusiveMaximum", "maximum", -1, min))
"""Bound, the other one that says the same of whole numbers, how far that is, and which of two is narrower."""
