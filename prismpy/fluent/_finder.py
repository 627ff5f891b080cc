"""Tools that a model searches for, where a provider has no search of its own: a tool that finds tools."""

import json
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, Final

import attrs

from prismpy.lowering import Offer
from prismpy.messages import ToolResult
from prismpy.schema import IntegerSchema, ObjectSchema, Schema, StringSchema
from prismpy.search import WordIndex
from prismpy.tools import ToolSpec, complete

SEARCHER: Final = "search_tools"
"""Name of the tool that finds tools."""

_WEIGHTS: Final = (4.0, 2.0, 1.0)
"""Of a tool's name, of what is said of it, and of its parameters."""


class Finder:
    """Finds tools by their words."""

    def __init__(self, specs: Iterable[ToolSpec]) -> None:
        self._specs = tuple(specs)

    def find(self, query: str, limit: int = 5) -> list[dict[str, str]] | str:
        """Return name and description of the tools that fit best, or say that none does."""
        found = [self._specs[place] for place, _ in self._index.find(_apart(query), limit)]
        if not found:
            return f"No tool fits {query!r}; try other words for what it should do."
        return [{"name": spec.name, "description": spec.description} for spec in found]

    @cached_property
    def _index(self) -> WordIndex:
        index = WordIndex(*_WEIGHTS)
        index.add((_apart(spec.name), spec.description, " ".join(_said(spec.parameters))) for spec in self._specs)
        return index

    @property
    def searcher(self) -> ToolSpec:
        """
        The tool that finds tools.

        Raises:
            StoreError: if this Python's SQLite cannot search.
        """
        _ = self._index  # a mistake of the installation shows where the toolbox is made
        parameters = ObjectSchema(
            properties=(
                StringSchema("query", "Words for what the tool should do"),
                IntegerSchema("limit", "How many tools at most", minimum=1, maximum=20, default=5),
            ),
            required_fields=("query",),
            allow_additional_properties=False,
        )
        description = (
            f"Find tools that are not listed here: there are {len(self._specs)} more. What is found can be called from "
            "the next step on."
        )
        return complete(ToolSpec(SEARCHER, description, parameters, handler=self.find))


def _apart(name: str) -> str:
    """Write a name in words: `getWeather` as `get Weather`; marks between words are no letters anyway."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)


def _said(node: Schema) -> Iterator[str]:
    """Give names and descriptions of parameters."""
    for inner in getattr(node, "properties", None) or ():
        yield f"{_apart(inner.name)} {inner.description or ''}"


def mentioned(results: Iterable[ToolResult]) -> Iterator[str]:
    """Give the names of tools that were found or called, in order."""
    for result in results:
        yield result.call.name
        if result.call.name == SEARCHER and isinstance(found := result.output.result, list | tuple):
            yield from (str(_name(row)) for row in found)


def _name(row: Any) -> Any:
    return row.get("name") if isinstance(row, dict) else row


def by_told_names(result: ToolResult, offer: Offer) -> ToolResult:
    """Let a model read what was found under the names by which it has to call it; the result itself keeps its own."""
    found = result.output.result
    if result.call.name != SEARCHER or not isinstance(found, list | tuple):
        return result
    told = [
        {**row, "name": offer.wire_name(row["name"])} if isinstance(row, dict) and "name" in row else row
        for row in found
    ]
    return result if told == list(found) else attrs.evolve(result, text=json.dumps(told, ensure_ascii=False))
