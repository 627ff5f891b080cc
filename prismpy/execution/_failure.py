"""Results of calls that failed, or never ran."""

from collections.abc import Iterable, Iterator
from typing import Final, Literal

from prismpy.errors import Problem
from prismpy.messages import ToolCall, ToolOutput, ToolResult
from prismpy.schema import nearest

from ._text import encodable

MOST: Final = 20
"""Problems, or names, that are told one by one; a model has no use for more at once."""


def failure(
    call: ToolCall,
    text: str,
    problems: tuple[Problem, ...] = (),
    repairs: tuple[str, ...] = (),
    retry: Literal["", "open", "spent"] = "",
) -> ToolResult:
    """Make a result that tells the model what went wrong."""
    text = encodable(text)
    return ToolResult(call, ToolOutput(text), text, True, problems, repairs, (), retry)


def listing(problems: tuple[Problem, ...]) -> Iterator[str]:
    """Tell problems one by one, and how many more there are."""
    yield from map(str, problems[:MOST])
    if len(problems) > MOST:
        yield f"and {len(problems) - MOST} more"


def refuse_unknown(call: ToolCall, known: Iterable[str]) -> ToolResult:
    """Make the result of a call of a tool that is not there: the near names, and the names that the model may use."""
    known = list(known)
    more = f" and {len(known) - MOST} more" if len(known) > MOST else ""
    listed = f"available are {', '.join(known[:MOST])}{more}" if known else "no tools are available"
    return failure(call, f"there is no tool {call.name!r}{nearest(str(call.name), known)}; {listed}")
