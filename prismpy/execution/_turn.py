"""What the sync and the async driver share: which calls run together, and what a call without an answer is told."""

import itertools
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from prismpy.messages import ToolCall, ToolResult
from prismpy.types import to_json

from ._conclude import conclude, failure, misfit
from ._limit import limit
from ._prepare import Plan, Ready, Runnable
from ._terms import Terms


def groups(tools: Mapping[str, Runnable], calls: Iterable[ToolCall]) -> Iterator[list[ToolCall]]:
    """Cut a turn's calls into groups that run one after the other."""
    for concurrent, group in itertools.groupby(calls, lambda call: _is_concurrent(tools, call)):
        if concurrent:
            yield list(group)
        else:
            yield from ([call] for call in group)


def _is_concurrent(tools: Mapping[str, Runnable], call: ToolCall) -> bool:
    return call.name in tools and tools[call.name].spec.concurrent


def unapproved(ready: Ready) -> ToolResult:
    """Make the result of a call that nobody agreed to."""
    return failure(ready.call, f"{ready.spec.name} needs approval and did not get it, so it was not run")


def finish(ready: Ready, plan: Plan, terms: Terms, returned: Any) -> ToolResult:
    """Make a result of what a handler returned that has to be looked at: does it fit, is it too long."""
    result = conclude(ready.call, returned, ready.repairs)
    if plan.output_problems is not None and not result.is_error:
        problems = plan.output_problems(to_json(result.output.result, str))
        if problems:
            return misfit(ready.call, problems, ready.repairs)
    limited = ready.spec.result_limit
    return result if limited is None else limit(result, limited, reads_on=terms.reads_on)


def late(ready: Ready) -> ToolResult:
    """Make the result of a call whose time ran out."""
    spec = ready.spec
    return failure(ready.call, f"{spec.name} took longer than {spec.timeout} s and was given up", (), ready.repairs)
