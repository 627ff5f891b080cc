"""The async driver, for asyncio and trio. What it shares with the sync one is decided elsewhere."""

import inspect
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from prismpy.messages import ToolCall, ToolResult, unique_ids
from prismpy.tools import is_async

from ._beside import in_worker, together, way_back
from ._conclude import conclude
from ._hooks import REFUSED, listening
from ._outside import answered
from ._plan import Plan, Runnable
from ._prepare import check, prepare
from ._ready import Ready
from ._steps import alast_of, last_of, tell
from ._terms import NO_TERMS, Terms
from ._turn import as_declared, decided, finish, finish_failed, groups, in_question, late, refused, unheard

if TYPE_CHECKING:  # see _run
    from concurrent.futures import Executor

T = TypeVar("T")


async def arun_all(
    tools: Mapping[str, Runnable], calls: Iterable[ToolCall], terms: Terms = NO_TERMS
) -> tuple[ToolResult, ...]:
    """
    Run the calls of one turn from asyncio or trio; see `run_all`.

    Sync handlers run in worker threads, so the event loop stays free. Cancelling
    cancels async handlers; a thread cannot be stopped, so it is left to end by
    itself and its result is dropped.
    """
    declared = unique_ids(as_declared(calls, terms))
    check(tools, declared, terms.provided)
    results: list[ToolResult] = []
    with listening(terms.hooks, results) as hooks:
        heard = terms.heard_by(hooks)
        for group in groups(tools, declared):
            results += await arun_group(tools, group, heard)
    return tuple(results)


async def arun_group(tools: Mapping[str, Runnable], calls: Sequence[ToolCall], terms: Terms) -> list[ToolResult]:
    """Run calls together, as `groups` gave them."""
    runs = [partial(_arun_told, tools, call, terms) for call in calls]
    return [await runs[0]()] if len(runs) == 1 else await together(runs, terms.max_concurrency)


async def _arun_told(tools: Mapping[str, Runnable], call: ToolCall, terms: Terms) -> ToolResult:
    result = refused(tools, call, terms)
    if result is None:
        result = await arun_one(tools[call.name], call, terms)
    if terms.hooks is not None and terms.hooks.after is not None:
        await _told(terms.hooks.after(result))
    return result


async def _told(value: Any) -> Any:
    return await value if inspect.isawaitable(value) else value


async def arun_one(tool: Runnable, call: ToolCall, terms: Terms = NO_TERMS) -> ToolResult:
    """Run one call of a tool, which nobody is told the result of; see `arun_all`."""
    ready = prepare(tool, call, terms)
    if isinstance(ready, ToolResult):
        return ready
    spec = ready.spec
    if spec.requires_approval:
        ready = decided(tool, ready, terms, await _adecision(ready, terms))
        if isinstance(ready, ToolResult):
            return ready
    before = None if terms.hooks is None or spec.external else terms.hooks.before
    if before is not None and await _told(before(in_question(ready))) is REFUSED:
        return unheard(ready, terms)
    try:
        if tool.plan.is_special:
            return await aspecial(ready, tool.plan, terms)
        if tool.plan.is_async:
            return conclude(ready, terms, await ready.handler(*ready.positional, **ready.named))
        return await _athread(ready.invoke, partial(conclude, ready, terms))
    except Exception as error:
        await _tell_failed(ready, terms, error)
        if not spec.handles_errors:
            raise
        return finish_failed(ready, terms, error)


async def _tell_failed(ready: Ready, terms: Terms, error: Exception) -> None:
    if terms.hooks is not None and terms.hooks.failed is not None:
        await _told(terms.hooks.failed(in_question(ready), error))


async def _adecision(ready: Ready, terms: Terms) -> Any:
    """Return what was decided, or the error of whoever should have decided."""
    if terms.approve is None:
        return terms.decisions.get(ready.call.id)
    asking: Callable[[], Any] = partial(terms.approve, in_question(ready))
    try:
        return await asking() if is_async(terms.approve) else await _athread(asking, _same)
    except Exception as error:  # noqa: BLE001  # the app's; the other calls are not lost for it
        await _tell_failed(ready, terms, error)
        return error


async def aspecial(ready: Ready, plan: Plan, terms: Terms) -> ToolResult:
    """Run a handler that takes more than a call; see `Plan.is_special`."""
    if ready.spec.external:
        return answered(ready, plan, terms)
    import anyio

    async def atell(value: Any) -> None:
        await _told(tell(ready, terms, value))

    done = partial(finish, ready, plan, terms)
    try:
        with anyio.move_on_after(ready.spec.timeout):
            if plan.is_steps and plan.is_async:
                return done(await alast_of(ready.invoke(), atell))
            if plan.is_steps:
                back = way_back()
                return await _athread(lambda: last_of(ready.invoke(), partial(back, atell)), done)
            if plan.hands_on_steps and ready.spec.executor is None:
                return done(await _ahanded_on(ready, plan, atell))
            if plan.is_async:
                return done(await ready.invoke())
            if ready.spec.executor is not None:
                return await _asubmit(ready.spec.executor, ready, done)
            return await _athread(ready.invoke, done)
        return late(ready, terms)
    finally:
        ready.is_over = True


async def _ahanded_on(ready: Ready, plan: Plan, atell: Callable[[Any], Awaitable[Any]]) -> Any:
    """Call a handler that may return a generator of either kind, and run that to its end."""
    tell_back = partial(way_back(), atell)
    returned = await (ready.invoke() if plan.is_async else _athread(ready.invoke, _same))
    if isinstance(returned, Generator):
        return await _athread(lambda: last_of(returned, tell_back), _same)
    return await alast_of(returned, atell) if isinstance(returned, AsyncGenerator) else returned


def _same(value: T) -> T:
    return value


async def _asubmit(executor: "Executor", ready: Ready, conclude: Callable[[Any], T]) -> T:
    future = executor.submit(ready.handler, *ready.positional, **ready.named)
    try:
        return await _athread(future.result, conclude)
    finally:
        future.cancel()  # if it has not begun


async def _athread(invoke: Callable[[], Any], conclude: Callable[[Any], T]) -> T:
    """
    Call what may block in a worker thread, and conclude there from what it returns.

    What it returns is awaited here if it is awaitable, and then concluded from here.
    """
    value, error = await in_worker(partial(_outcome, invoke, conclude))
    if error is not None:
        raise error
    return conclude(await value) if inspect.isawaitable(value) else value


def _outcome(invoke: Callable[[], Any], conclude: Callable[[Any], Any]) -> tuple[Any, BaseException | None]:
    """Return what a call comes to or raises: a GeneratorExit that left the thread would close the coroutine."""
    try:
        value = invoke()
        return value if inspect.isawaitable(value) else conclude(value), None
    except BaseException as error:  # noqa: BLE001  # raised on the other side
        return None, error
