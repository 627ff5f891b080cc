"""What the sync and the async driver share: which calls run together, and what a call without an answer is told."""

import itertools
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import attrs

from prismpy.messages import Decision, ToolCall, ToolResult
from prismpy.schema import copied
from prismpy.types import to_json

from ._budget import refuse_spent
from ._conclude import conclude, conclude_failure, misfit
from ._failure import failure, refuse_unknown
from ._limit import limit
from ._plan import Plan, Runnable
from ._prepare import prepare
from ._ready import Ready
from ._terms import Terms
from ._text import words_of


def as_declared(calls: Iterable[ToolCall], terms: Terms) -> Iterable[ToolCall]:
    """Translate calls out of the words of a provider, if they come in them."""
    return calls if terms.offer is None else [terms.offer.decode(call) for call in calls]


def groups(tools: Mapping[str, Runnable], calls: Iterable[ToolCall]) -> Iterator[list[ToolCall]]:
    """Cut a turn's calls into groups that run one after the other."""
    for concurrent, group in itertools.groupby(calls, lambda call: _is_concurrent(tools, call)):
        if concurrent:
            yield list(group)
        else:
            yield from ([call] for call in group)


def _is_concurrent(tools: Mapping[str, Runnable], call: ToolCall) -> bool:
    return call.name in tools and tools[call.name].spec.concurrent


def refused(tools: Mapping[str, Runnable], call: ToolCall, terms: Terms) -> ToolResult | None:
    """Make the result of a call that no tool answers to, any more or at all; None where one does."""
    tool = tools.get(call.name)
    if tool is None:
        return refuse_unknown(call, map(terms.name_of, tools))
    return refuse_spent(tool.spec, call, terms.budget, terms.name_of(call.name))


def in_question(ready: Ready) -> ToolCall:
    """Return the call as somebody has to decide about it: with the arguments that it would be run with."""
    return attrs.evolve(ready.call, arguments=copied(ready.arguments))


def unheard(ready: Ready, terms: Terms) -> ToolResult:
    """Make the result of a call that a hook failed before."""
    return failure(
        ready.call, f"{terms.name_of(ready.spec.name)} was not run, since the app failed before", (), ready.repairs
    )


def decided(
    tool: Runnable, ready: Ready, terms: Terms, decision: bool | Decision | Exception | None
) -> Ready | ToolResult:
    """
    Obey a decision.

    Returns:
        The call as it was, or with other arguments; or the result of a call that may not run.
    """
    name = terms.name_of(tool.spec.name)
    match decision:
        case Exception():
            why = f"{name} was not run, since asking for approval failed ({words_of(decision)})"
            return failure(ready.call, why, (), ready.repairs)
        case Decision(digest=str() as digest) if digest != in_question(ready).digest:
            return failure(ready.call, f"{name} was not run: what was approved is not what was called")
        case Decision(agreed=True, arguments=None) | True:
            return ready
        case Decision(agreed=True, arguments=arguments):
            edited = prepare(tool, attrs.evolve(ready.call, arguments=arguments), terms)
            if isinstance(edited, ToolResult):
                return attrs.evolve(edited, call=ready.call, retry="")  # no mistake of the model
            edited.call = ready.call
            edited.repairs = (*edited.repairs, "the arguments were changed by whoever approved the call")
            return edited
        case Decision(reason=reason) if reason:
            return failure(ready.call, f"{name} needs approval and did not get it: {reason}")
        case _:
            return failure(ready.call, f"{name} needs approval and did not get it, so it was not run")


def finish(ready: Ready, plan: Plan, terms: Terms, returned: Any) -> ToolResult:
    """Make a result of what a handler returned that has to be looked at: does it fit, is it too long."""
    result = conclude(ready, terms, returned)
    if plan.output_problems is not None and not result.is_error:
        problems = plan.output_problems(to_json(result.output.result, str))
        if problems:
            result = misfit(ready, terms, problems)
    return _limited(ready, terms, result)


def finish_failed(ready: Ready, terms: Terms, error: Exception) -> ToolResult:
    """Make a result of what a handler raised."""
    return _limited(ready, terms, conclude_failure(ready, terms, error))


def _limited(ready: Ready, terms: Terms, result: ToolResult) -> ToolResult:
    characters = ready.spec.result_limit
    return result if characters is None else limit(result, characters, reads_on=terms.reads_on)


def late(ready: Ready, terms: Terms) -> ToolResult:
    """Make the result of a call whose time ran out."""
    name = terms.name_of(ready.spec.name)
    return failure(ready.call, f"{name} took longer than {ready.spec.timeout} s and was given up", (), ready.repairs)
