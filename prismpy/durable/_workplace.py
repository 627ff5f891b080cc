"""A process that drives runs: its lock, its engine, its queues, and an eye on the work of those that died."""

import logging
import threading
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import Any, Final

import attrs

from prismpy.agent import Agent
from prismpy.errors import DefinitionError
from prismpy.tools import ToolSpec

from ._alive import Locks, OwnLock
from ._course import Services
from ._dbos import Client, QueueLimits, Worker
from ._elsewhere import ordered
from ._held import Held
from ._host import run_id
from ._sql import is_connection
from ._workflow import CALL, RUN, drive

_LOG: Final = logging.getLogger("prismpy.durable")

_WATCH: Final = 1.0
"""Seconds between two looks after dead workers."""


def queue_of(agent: str) -> str:
    """Return the name of the queue of an agent's runs, so that only those who know the agent take one."""
    return f"prismpy.runs.{agent}"


def tool_queue(tool: str) -> str:
    """Return the name of the queue of a tool's calls."""
    return f"prismpy.calls.{tool}"


@attrs.frozen(eq=False)
class Workplace:
    """What it takes to drive runs."""

    name: str
    """Of this process."""

    agents: Mapping[str, Agent]
    queues: Mapping[str, QueueLimits]
    """Tool name to limits, for tools whose calls go through a queue."""

    services: Services
    client: Client
    locks: Locks

    def open(self) -> ExitStack:
        """
        Begin to work.

        Returns:
            What ends it; runs that are under way then go on elsewhere, or when the next process begins.

        Raises:
            DurableError: if a worker of this name is alive, or this process drives runs already.

            Exception: what an agent raised that could not be opened.

            DefinitionError: if a tool is `exactly_once` and takes no connection to write through, or needs the approval
                of a function and goes through a queue.
        """
        for agent in self.agents.values():
            _check(agent, self.queues)
        with ExitStack() as stack:
            own = OwnLock(self.locks, self.name)
            stack.callback(own.release)
            names = self._queues()
            for name, limits in names.items():
                self.client.queue(name, limits)
            held = Held(self.agents.values())
            stack.callback(Worker(self.services.ledger.sql, self.name, self._workflows(), names, held).close)
            stack.callback(_Watch(lambda: own.held() and recovered(self.client, self.locks, self.name)).stop)
            return stack.pop_all()

    def _queues(self) -> dict[str, QueueLimits]:
        held = {tool for agent in self.agents.values() for tool in self.queues if tool in agent.toolbox}
        runs = {queue_of(name): QueueLimits() for name in self.agents}
        return runs | {tool_queue(tool): self.queues[tool] for tool in sorted(held)}

    def _workflows(self) -> Mapping[str, Any]:
        services = self.services

        async def run(order: Any) -> str:
            return await drive(services, self.agents[order["agent"]], order, run_id())

        async def call(order: Any) -> str:
            told = services.contents.unpacked(order)
            return await ordered(services, self.agents[told["agent"]], told)

        return {RUN: run, CALL: call}


def recovered(client: Client, locks: Locks, own: str) -> tuple[str, ...]:
    """
    Put the work of dead workers back into its queues.

    Args:
        client: Of the engine.

        locks: Of the workers.

        own: Name of this worker.

    Returns:
        Ids of what was put back.
    """
    found: list[str] = []
    for worker in sorted({each.worker for each in client.statuses(status="PENDING")} - {own}):
        with locks.of(worker) as free:
            if free:  # nobody else can get hold of its work as long as this lock is held
                left = client.statuses(status="PENDING", executor_id=worker)
                for each in left:
                    client.resume(each.id, each.queue)
                found += [each.id for each in left]
    return tuple(found)


def _check(agent: Agent, queues: Mapping[str, QueueLimits]) -> None:
    for spec in agent.toolbox:
        if spec.crash_policy == "exactly_once" and not _takes_connection(spec):
            msg = (
                f"tool {spec.name!r} is exactly_once, which holds for what it writes through the connection it is "
                "handed; give its handler a parameter of type Annotated[sqlalchemy.Connection, Injected]"
            )
            raise DefinitionError(msg, tool=spec.name)
        if spec.name in queues and spec.requires_approval and callable(agent.run_options.get("approve")):
            msg = (
                f"tool {spec.name!r} goes through a queue, where no function can be asked for approval; leave "
                f"`approve` out of agent {agent.name!r}, and answer its runs"
            )
            raise DefinitionError(msg, tool=spec.name)


def _takes_connection(spec: ToolSpec) -> bool:
    return spec.binding is not None and any(map(is_connection, spec.binding.injected.values()))


class _Watch:
    """A thread that looks after the work of dead workers."""

    def __init__(self, look: Callable[[], Any]) -> None:
        self._over = threading.Event()
        self._look = look
        self._thread = threading.Thread(target=self._run, name="prismpy-durable-watch", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while True:
            try:
                self._look()
            except Exception:  # noqa: BLE001  # the database may be away for a while; the next look may find it
                _LOG.warning("could not look after dead workers", exc_info=True)
            if self._over.wait(_WATCH):
                return

    def stop(self) -> None:
        """Stop looking."""
        self._over.set()
        self._thread.join()
