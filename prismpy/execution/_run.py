"""
Running the calls of one turn, in order, their results in the order of the calls.

Neighbouring calls of concurrent tools run together; any other call waits for
those before it and is waited for. The sync and the async driver differ in how
they run one handler and how they run several at once, and in nothing else.
"""

import contextvars
import inspect
import itertools
import threading
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self, TypeAlias

import attrs

from prismpy.messages import ToolCall, ToolResult, unique_ids

from ._conclude import conclude, conclude_failure, failure
from ._prepare import Ready, Runnable, prepare

if (
    TYPE_CHECKING
):  # asyncio and the thread pools take a third of the import time; most programs have no need of them yet
    from concurrent.futures import Future

Approve: TypeAlias = Callable[[ToolCall], bool | Awaitable[bool]]
"""Decides whether a call of a tool that requires approval may run."""


@attrs.frozen
class Terms:
    """What the app lays down for the calls it has run."""

    approve: Approve | None = None
    """Asked before each call of a tool that requires approval; without it such a call is refused."""

    provided: tuple[Any, ...] = attrs.field(default=(), converter=tuple[Any, ...])
    """What injected parameters are filled from."""


NO_TERMS: Final = Terms()


# --- what both drivers share --------------------------------------------------


def _groups(tools: Mapping[str, Runnable], calls: Iterable[ToolCall]) -> Iterator[list[ToolCall]]:
    """Cut a turn's calls into groups that run one after the other."""
    for concurrent, group in itertools.groupby(calls, lambda call: _is_concurrent(tools, call)):
        if concurrent:
            yield list(group)
        else:
            yield from ([call] for call in group)


def _is_concurrent(tools: Mapping[str, Runnable], call: ToolCall) -> bool:
    return call.name in tools and tools[call.name].spec.concurrent


def _is_async(handler: Any) -> bool:
    method = getattr(type(handler), "__call__", None)  # noqa: B004  # the method itself is looked at, not whether it is there
    return inspect.iscoroutinefunction(handler) or inspect.iscoroutinefunction(method)


def _unapproved(ready: Ready) -> ToolResult:
    return failure(ready.call, f"{ready.spec.name} needs approval and did not get it, so it was not run")


class _Attempt:
    """The one place around a user's handler: what happens within becomes `result`, a limit that ran out too."""

    def __init__(self, ready: Ready) -> None:
        self._ready = ready
        self._result: ToolResult | None = None

    def __enter__(self) -> Self:
        return self

    def returned(self, value: Any) -> None:
        self._result = conclude(self._ready.call, value)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if not isinstance(error, Exception) or not self._ready.spec.handles_errors:
            return False
        self._result = conclude_failure(self._ready.call, self._ready.spec, error, self._ready.arguments)
        return True

    @property
    def result(self) -> ToolResult:
        late = f"{self._ready.spec.name} took longer than {self._ready.spec.timeout} s and was given up"
        return failure(self._ready.call, late) if self._result is None else self._result


# --- sync ---------------------------------------------------------------------


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
    """
    results: list[ToolResult] = []
    for group in _groups(tools, unique_ids(calls)):
        if len(group) == 1:
            results.append(_run_one(tools, group[0], terms))
        else:  # only an event loop can cancel the others when one fails
            results += _finished(arun_all(tools, group, terms))
    return tuple(results)


def _run_one(tools: Mapping[str, Runnable], call: ToolCall, terms: Terms) -> ToolResult:
    ready = prepare(tools, call, terms.provided)
    if isinstance(ready, ToolResult):
        return ready
    if ready.spec.requires_approval and not (terms.approve and _finished(terms.approve(ready.call))):
        return _unapproved(ready)
    with _Attempt(ready) as attempt:
        if ready.spec.timeout is None:
            attempt.returned(_finished(ready.invoke()))
        else:
            future = _in_thread(lambda: _finished(ready.invoke()))
            if _ends_within(future, ready.spec.timeout):
                attempt.returned(future.result())
    return attempt.result


def _ends_within(future: "Future[Any]", seconds: float) -> bool:
    from concurrent.futures import wait

    return bool(wait([future], seconds).done)


def _finished(value: Any) -> Any:
    """Return a value, or what an awaitable one comes to, in an event loop of its own."""
    if not inspect.isawaitable(value):
        return value
    import asyncio

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(_await(value))
    return _in_thread(lambda: asyncio.run(_await(value))).result()


async def _await(value: Awaitable[Any]) -> Any:
    return await value


def _in_thread(work: Callable[[], Any]) -> "Future[Any]":
    """Start work in a daemon thread, with the context variables of this one."""
    from concurrent.futures import Future

    future: Future[Any] = Future()
    context = contextvars.copy_context()

    def run() -> None:
        try:
            future.set_result(context.run(work))
        except BaseException as error:  # noqa: BLE001  # handed over whole: the waiting side raises it
            future.set_exception(error)

    threading.Thread(target=run, daemon=True, name="prismpy-tool").start()
    return future


# --- async --------------------------------------------------------------------


async def arun_all(
    tools: Mapping[str, Runnable], calls: Iterable[ToolCall], terms: Terms = NO_TERMS
) -> tuple[ToolResult, ...]:
    """
    Run the calls of one turn from asyncio or trio; see `run_all`.

    Sync handlers run in worker threads, so the event loop stays free. Cancelling
    cancels async handlers; a thread cannot be stopped, so it is left to end by
    itself and its result is dropped.
    """
    results: list[ToolResult] = []
    for group in _groups(tools, unique_ids(calls)):
        if len(group) == 1:
            results.append(await _arun_one(tools, group[0], terms))
        else:
            results += await _arun_group([partial(_arun_one, tools, call, terms) for call in group])
    return tuple(results)


async def _arun_group(runs: list[Callable[[], Awaitable[ToolResult]]]) -> list[ToolResult]:
    """Run several at once; the first error cancels the others and is raised once they have ended."""
    import anyio

    results: dict[int, ToolResult] = {}
    errors: list[BaseException] = []

    async def run(slot: int) -> None:
        try:
            results[slot] = await runs[slot]()
        except (Exception, GeneratorExit, KeyboardInterrupt, SystemExit) as error:  # noqa: BLE001  # raised again below
            errors.append(error)
            group.cancel_scope.cancel()

    async with anyio.create_task_group() as group:
        for slot in range(len(runs)):
            group.start_soon(run, slot)
    if errors:
        raise errors[0]
    return [results[slot] for slot in range(len(runs))]


async def _arun_one(tools: Mapping[str, Runnable], call: ToolCall, terms: Terms) -> ToolResult:
    import anyio

    ready = prepare(tools, call, terms.provided)
    if isinstance(ready, ToolResult):
        return ready
    if ready.spec.requires_approval and not (
        terms.approve and await _acall(partial(terms.approve, ready.call), terms.approve)
    ):
        return _unapproved(ready)
    with _Attempt(ready) as attempt, anyio.move_on_after(ready.spec.timeout):
        attempt.returned(await _acall(ready.invoke, ready.spec.handler))
    return attempt.result


async def _acall(invoke: Callable[[], Any], function: Any) -> Any:
    """Call a function where it belongs: an async one here, any other in a worker thread."""
    from anyio import to_thread

    if _is_async(function):
        return await invoke()
    value, error = await to_thread.run_sync(_outcome, invoke, abandon_on_cancel=True)
    if error is not None:
        raise error
    return await value if inspect.isawaitable(value) else value


def _outcome(invoke: Callable[[], Any]) -> tuple[Any, BaseException | None]:
    """Return what a call returns or raises: a GeneratorExit that came out of the thread would close the coroutine."""
    try:
        return invoke(), None
    except BaseException as error:  # noqa: BLE001  # raised on the other side
        return None, error
