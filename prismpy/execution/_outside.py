"""Calls that need something from outside: a decision that is not there yet, an answer that no handler gives."""

from collections.abc import Iterable, Mapping
from typing import Any

from prismpy.messages import Pending, ToolCall, ToolResult, unique_ids

from ._failure import failure
from ._plan import Plan, Runnable
from ._prepare import prepare
from ._ready import Ready
from ._terms import NO_TERMS, Terms
from ._turn import as_declared, decided, finish, in_question, refused


def waiting(tools: Mapping[str, Runnable], calls: Iterable[ToolCall], terms: Terms = NO_TERMS) -> tuple[Pending, ...]:
    """
    List the calls of a turn that cannot be answered before something comes from outside. Nothing is run.

    A call that would be refused anyway, since its arguments are wrong or it was
    decided against, waits for nothing.

    Args:
        tools: The tools by name.

        calls: In the order in which the model made them.

        terms: What the app lays down, `supplied` and `decisions` among it. With `approve` nobody waits for a decision,
            except calls of external tools, which must be decided about before they are handed out.

    Returns:
        In the order of the calls, each under the id that it would have in its result.
    """
    declared = unique_ids(as_declared(calls, terms))
    found = (_pending(tools[call.name], call, terms) for call in declared if refused(tools, call, terms) is None)
    return tuple(pending for pending in found if pending is not None)


def _pending(tool: Runnable, call: ToolCall, terms: Terms) -> Pending | None:
    spec = tool.spec
    if not (spec.requires_approval or spec.external):
        return None
    ready: Ready | ToolResult = prepare(tool, call, terms)
    if isinstance(ready, Ready) and spec.requires_approval:
        if call.id in terms.decisions:
            ready = decided(tool, ready, terms, terms.decisions[call.id])
        elif terms.approve is None or spec.external:
            return Pending(in_question(ready), "approval")
    if isinstance(ready, ToolResult) or not spec.external or call.id in terms.supplied:
        return None
    return Pending(in_question(ready), "answer")


def answered(ready: Ready, plan: Plan, terms: Terms) -> ToolResult:
    """
    Make a result of what was answered outside.

    Raises:
        Exception: the answer, where it is one.
    """
    call = ready.call
    if call.id not in terms.supplied:
        text = f"{terms.name_of(call.name)} is answered outside of this run, and no answer has come"
        return failure(call, text, (), ready.repairs)
    answer: Any = terms.supplied[call.id]
    if isinstance(answer, Exception):
        raise answer
    return finish(ready, plan, terms, answer)
