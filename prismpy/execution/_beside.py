"""
What runs beside an event loop, asyncio's or trio's: blocking work, and several tasks at once.

On asyncio both are done with what asyncio has, in a third of the time that anyio
takes for it, and in threads that let the program end; on trio they are anyio's.
"""

import contextvars
import sys
from collections.abc import Callable, Coroutine, Sequence
from contextlib import nullcontext, suppress
from functools import partial
from typing import Any, TypeVar

from ._workers import WORKERS

T = TypeVar("T")


def in_trio() -> bool:
    """Tell whether this is code that trio runs."""
    trio = sys.modules.get("trio")
    return trio is not None and bool(trio.lowlevel.in_trio_run())


# --- threads ----------------------------------------------------------------------------------------------------------


async def in_worker(work: Callable[[], T]) -> T:
    """
    Run what may block in a thread, with the context variables of this task.

    Cancelling leaves the thread to end by itself; its result is dropped.

    Args:
        work: Raises nothing.
    """
    from anyio import to_thread

    if in_trio():
        return await to_thread.run_sync(work, abandon_on_cancel=True)
    import asyncio

    loop = asyncio.get_running_loop()
    answer: asyncio.Future[T] = loop.create_future()
    context = contextvars.copy_context()

    def settle(value: T) -> None:
        if not answer.done():
            answer.set_result(value)

    def tell(value: T) -> None:
        with suppress(RuntimeError):  # the loop is gone, and whoever waited with it
            loop.call_soon_threadsafe(settle, value)

    async with to_thread.current_default_thread_limiter():
        WORKERS.submit(lambda: partial(tell, context.run(work)))
        return await answer


def way_back() -> Callable[..., Any]:
    """
    Return what runs an async function on this event loop for a worker thread, which waits for it.

    It takes the function and its arguments. Once the loop is gone it raises RuntimeError.
    """
    if in_trio():
        from anyio import from_thread

        return from_thread.run
    import asyncio
    from concurrent.futures import wait

    loop = asyncio.get_running_loop()

    def run(function: Callable[..., Coroutine[Any, Any, Any]], *arguments: Any) -> Any:
        running = function(*arguments)
        try:
            future = asyncio.run_coroutine_threadsafe(running, loop)
        except RuntimeError:
            running.close()
            raise
        while not future.done() and not loop.is_closed():
            wait([future], 1.0)
        if not future.done():  # the loop did not get to it
            running.close()
            msg = "the event loop was closed"
            raise RuntimeError(msg)
        return future.result()

    return run


# --- tasks ------------------------------------------------------------------------------------------------------------


async def together(runs: Sequence[Callable[[], Coroutine[Any, Any, T]]], at_once: int | None) -> list[T]:
    """
    Run several at once.

    Args:
        runs: What to run.

        at_once: How many may run at a time; None for no limit.

    Returns:
        What they return, in the order given.

    Raises:
        BaseException: the first error, once the others have been cancelled and have ended.
    """
    import anyio

    results: dict[int, T] = {}
    errors: list[BaseException] = []
    cancels: list[Callable[[], object]] = []
    limit = nullcontext() if at_once is None else anyio.Semaphore(at_once)

    async def run(slot: int) -> None:
        try:
            async with limit:
                results[slot] = await runs[slot]()
        except (Exception, GeneratorExit, KeyboardInterrupt, SystemExit) as error:  # noqa: BLE001  # raised again below
            errors.append(error)
            for cancel in cancels:
                cancel()

    if in_trio():
        async with anyio.create_task_group() as nursery:
            cancels.append(nursery.cancel_scope.cancel)
            for slot in range(len(runs)):
                nursery.start_soon(run, slot)
    else:
        import asyncio

        async with asyncio.TaskGroup() as group:
            cancels += [group.create_task(run(slot)).cancel for slot in range(len(runs))]
    if errors:
        raise errors[0]
    if len(results) < len(runs):  # one cancelled itself
        raise anyio.get_cancelled_exc_class()
    return [results[slot] for slot in range(len(runs))]
