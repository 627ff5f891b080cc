"""Agents that are open as long as their runs are driven, and the end of those runs when nobody drives them any more."""

import asyncio
import concurrent.futures
from collections.abc import Awaitable, Callable, Iterable
from contextlib import AsyncExitStack
from typing import Any, Final, TypeAlias

from prismpy.agent import Agent

Workflow: TypeAlias = Callable[[Any], Awaitable[str]]
"""Gets its order and returns text."""

_PATIENCE: Final = 10.0
"""Seconds that runs under way get to end."""


class Held:
    """
    Holds agents open on the event loop that drives their runs: what async code opens belongs to its loop.

    Args:
        agents: Opened in this order, closed in reverse.
    """

    def __init__(self, agents: Iterable[Agent]) -> None:
        self._agents = tuple(agents)
        self._opened: concurrent.futures.Future[None] = concurrent.futures.Future()
        self._runs: set[asyncio.Task[Any]] = set()
        self._ending = False
        self._over = asyncio.Event()
        self._loop: Any = None
        self._holding: concurrent.futures.Future[None] | None = None

    def around(self, workflow: Workflow) -> Workflow:
        """Have a workflow wait until all are open, and end before they are closed, or not begin any more."""

        async def held(order: Any) -> str:
            if self._ending:
                raise asyncio.CancelledError
            task: Any = asyncio.current_task()
            self._runs.add(task)
            task.add_done_callback(self._runs.discard)
            if not self._opened.done():  # the engine may find work before it can be done
                await asyncio.shield(asyncio.wrap_future(self._opened))
            return await workflow(order)

        return held

    def open(self, loop: asyncio.AbstractEventLoop) -> None:
        """
        Open all on an event loop, which another thread runs.

        Raises:
            Exception: what one of them raised; the others are closed again then.
        """
        self._loop = loop
        self._holding = asyncio.run_coroutine_threadsafe(self._hold(), loop)
        concurrent.futures.wait([self._opened, self._holding], return_when=concurrent.futures.FIRST_COMPLETED)
        if self._holding.done():
            self._holding.result()

    async def _hold(self) -> None:
        async with AsyncExitStack() as stack:
            for agent in self._agents:
                await stack.enter_async_context(agent)
            self._opened.set_result(None)
            await self._over.wait()

    def close(self) -> None:
        """
        End the runs that are under way, which go on elsewhere or later, and close all agents.

        Raises:
            Exception: what one of them raised.
        """
        if self._holding is not None and not self._holding.done():
            asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
            self._holding.result()

    async def _end(self) -> None:
        self._ending = True
        for run in self._runs:
            run.cancel()
        if self._runs:  # a tool that was closed before would be kept as one that failed
            await asyncio.wait(set(self._runs), timeout=_PATIENCE)
        self._over.set()
