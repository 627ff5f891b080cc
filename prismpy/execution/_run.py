"""
Running the calls of one turn, in order, their results in the order of the calls.

Neighbouring calls of concurrent tools run together; any other call waits for
those before it and is waited for. The sync and the async driver differ in how
they run one handler and how they run several at once, and in nothing else.
"""

import contextvars
import inspect
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from prismpy.messages import ToolCall, ToolResult, unique_ids

from ._arun import arun_group, aspecial
from ._beside import in_trio
from ._conclude import conclude
from ._hooks import REFUSED, listening
from ._outside import answered
from ._plan import Plan, Runnable
from ._prepare import check, prepare
from ._ready import Ready
from ._steps import alast_of, last_of, tell
from ._terms import NO_TERMS, Terms
from ._turn import as_declared, decided, finish, finish_failed, groups, in_question, late, refused, unheard
from ._workers import WORKERS

if TYPE_CHECKING:  # asyncio and the thread pools take a third of the import time; most programs need neither yet
    from concurrent.futures import Future


def run_all(
    tools: Mapping[str, Runnable], calls: Iterable[ToolCall], terms: Terms = NO_TERMS
) -> tuple[ToolResult, ...]:
    """
    Run the calls of one turn.

    Async handlers run in an event loop of their own, whether or not one runs
    here. A handler that outlasts its time limit goes on in a daemon thread,
    since Python cannot stop a thread; its result is dropped.

    Args:
        tools: The tools by name.

        calls: In the order in which the model made them.

        terms: What the app lays down.

    Returns:
        One result a call, in the order of the calls.

    Raises:
        Exception: what a handler of a tool without error handling raised.

        HookError: if a hook failed, with the results.

        DefinitionError: if a tool that is called cannot be run; nothing is run then.
    """
    declared = unique_ids(as_declared(calls, terms))
    check(tools, declared, terms.provided)
    results: list[ToolResult] = []
    with listening(terms.hooks, results) as hooks:
        heard = terms.heard_by(hooks)
        for group in groups(tools, declared):
            call = group[0]
            if len(group) > 1:  # only an event loop can cancel the others when one fails
                results += _finished(arun_group(tools, group, heard))
            else:
                results.append(_run_told(tools, call, heard))
    return tuple(results)


def _run_told(tools: Mapping[str, Runnable], call: ToolCall, terms: Terms) -> ToolResult:
    result = refused(tools, call, terms)
    if result is None:
        result = run_one(tools[call.name], call, terms)
    if terms.hooks is not None and terms.hooks.after is not None:
        _finished(terms.hooks.after(result))
    return result


def run_one(tool: Runnable, call: ToolCall, terms: Terms = NO_TERMS) -> ToolResult:
    """Run one call of a tool, which nobody is told the result of; see `run_all`."""
    ready = prepare(tool, call, terms)
    if isinstance(ready, ToolResult):
        return ready
    spec = ready.spec
    if spec.requires_approval:
        ready = decided(tool, ready, terms, _decision(ready, terms))
        if isinstance(ready, ToolResult):
            return ready
    before = None if terms.hooks is None or spec.external else terms.hooks.before
    if before is not None and _finished(before(in_question(ready))) is REFUSED:
        return unheard(ready, terms)
    try:
        if tool.plan.is_special:
            return _special(ready, tool.plan, terms)
        returned = ready.handler(*ready.positional, **ready.named)
        if not isinstance(returned, str):
            returned = _finished(returned)
        return conclude(ready, terms, returned)
    except Exception as error:
        _tell_failed(ready, terms, error)
        if not spec.handles_errors:
            raise
        return finish_failed(ready, terms, error)


def _tell_failed(ready: Ready, terms: Terms, error: Exception) -> None:
    if terms.hooks is not None and terms.hooks.failed is not None:
        _finished(terms.hooks.failed(in_question(ready), error))


def _decision(ready: Ready, terms: Terms) -> Any:
    """Return what was decided, or the error of whoever should have decided."""
    if terms.approve is None:
        return terms.decisions.get(ready.call.id)
    try:
        return _finished(terms.approve(in_question(ready)))
    except Exception as error:  # noqa: BLE001  # the app's; the other calls are not lost for it
        _tell_failed(ready, terms, error)
        return error


def _special(ready: Ready, plan: Plan, terms: Terms) -> ToolResult:
    """Run a handler that takes more than a call; see `Plan.is_special`."""
    if ready.spec.external:
        return answered(ready, plan, terms)
    if plan.is_async:  # only an event loop can cancel it when its time runs out
        result: ToolResult = _finished(aspecial(ready, plan, terms))
        return result
    from concurrent.futures import wait

    executor, seconds, telling = ready.spec.executor, ready.spec.timeout, threading.Lock()
    if executor is not None:
        future = executor.submit(ready.handler, *ready.positional, **ready.named)
    elif seconds is not None:
        future = _in_thread(lambda: _returned(ready, plan, terms, telling))
    else:
        return finish(ready, plan, terms, _returned(ready, plan, terms, telling))
    try:
        if wait([future], seconds).done:
            return finish(ready, plan, terms, _finished(future.result()))
        future.cancel()  # if it has not begun
        return late(ready, terms)
    finally:
        with telling:
            ready.is_over = True


def _returned(ready: Ready, plan: Plan, terms: Terms, telling: threading.Lock) -> Any:
    def told(value: Any) -> None:
        with telling:  # so that nothing is told of a call that was given up meanwhile
            _finished(tell(ready, terms, value))

    async def atold(value: Any) -> None:
        told(value)

    if plan.is_steps:
        return last_of(ready.invoke(), told)
    returned = _finished(ready.invoke())
    if plan.hands_on_steps and isinstance(returned, Generator):
        return last_of(returned, told)
    if plan.hands_on_steps and isinstance(returned, AsyncGenerator):
        return _finished(alast_of(returned, atold))
    return returned


def _finished(value: Any) -> Any:
    """Return a value, or what an awaitable one comes to, in an event loop of its own."""
    if not inspect.isawaitable(value):
        return value
    import asyncio

    if not _in_event_loop():
        return asyncio.run(_await(value))
    return _in_thread(lambda: asyncio.run(_await(value))).result()


def _in_event_loop() -> bool:
    """Tell whether an event loop runs in this thread: asyncio's, or trio's where trio is loaded."""
    import asyncio

    if in_trio():
        return True
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


async def _await(value: Awaitable[Any]) -> Any:
    return await value


def _in_thread(work: Callable[[], Any]) -> "Future[Any]":
    """Start work in a daemon thread, with the context variables of this one."""
    from concurrent.futures import Future

    future: Future[Any] = Future()
    future.set_running_or_notify_cancel()
    context = contextvars.copy_context()

    def run() -> Callable[[], object]:
        try:
            return partial(future.set_result, context.run(work))
        except BaseException as error:  # noqa: BLE001  # handed over whole: the waiting side raises it
            return partial(future.set_exception, error)

    WORKERS.submit(run)
    return future
