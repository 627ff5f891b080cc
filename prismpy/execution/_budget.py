"""How often a model may get a tool wrong before it has to go on without it."""

from collections.abc import Iterable, Mapping
from functools import reduce
from typing import Final

import attrs

from prismpy.messages import Stored, ToolCall, ToolResult
from prismpy.tools import ToolSpec

from ._failure import failure


@attrs.frozen
class Budget(Stored):
    """
    In how many turns in a row the model has got each tool wrong.

    Wrong are arguments that were refused, and what a handler answered with `Retry`.
    It follows from the results so far, so whoever keeps those need not keep it.
    """

    wrong: Mapping[str, int] = attrs.field(factory=dict, hash=False)
    """Name of a tool to turns, for those that went wrong in the last turn that called them."""

    @classmethod
    def of(cls, turns: Iterable[Iterable[ToolResult]]) -> "Budget":
        """Count over the turns of a run, each the results of its calls."""
        return reduce(cls.after, turns, cls())

    def after(self, results: Iterable[ToolResult]) -> "Budget":
        """
        Count one turn more.

        Several calls of a tool that go wrong in it count once, since the model
        had no chance to learn between them; without one, a result clears the tool.
        """
        results = tuple(results)
        wrong = {result.call.name for result in results if result.retry}
        cleared = {result.call.name for result in results if not result.is_error} - wrong
        kept = {name: turns for name, turns in self.wrong.items() if name not in cleared}
        return Budget({**kept, **{name: kept.get(name, 0) + 1 for name in sorted(wrong)}})


NO_BUDGET: Final = Budget()
"""At the beginning of a run."""


def is_last(spec: ToolSpec, budget: Budget) -> bool:
    """Tell whether a call that goes wrong now was the last try."""
    return spec.max_retries is not None and budget.wrong.get(spec.name, 0) >= spec.max_retries


def refuse_spent(spec: ToolSpec, call: ToolCall, budget: Budget, name: str) -> ToolResult | None:
    """Make the result of a call that comes after the last try, by the name of the tool for the model; else None."""
    if spec.max_retries is None or budget.wrong.get(spec.name, 0) <= spec.max_retries:
        return None
    text = f"{name} was not run: it was called wrongly too often in this run; go on without it"
    return failure(call, text, retry="spent")
