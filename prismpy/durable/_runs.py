"""What people type: start runs that survive their process, look at them, answer them, stop them."""

import os
import socket
import threading
import time
import uuid
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from types import TracebackType
from typing import Any, Self

from prismpy.agent import Agent, Response
from prismpy.errors import DurableError
from prismpy.extras import needs
from prismpy.messages import Message

from ._alive import Locks
from ._answers import answered
from ._contents import Contents
from ._course import Services
from ._dbos import Client, QueueLimits
from ._host import Host
from ._ledger import CallRecord, Ledger
from ._look import Look
from ._patience import apause, athread, deadline, pause
from ._records import Records, RunEvent, fingerprint
from ._roster import Roster
from ._sql import opened, runner
from ._standing import DurableRun
from ._workflow import CALL, RUN, topic
from ._workplace import Workplace, queue_of, recovered, tool_queue


class DurableRuns:
    """
    Runs of agents that survive the process they were started in.

    Whoever opens the same database sees the same runs. A process that starts one
    drives it, and those of dead processes, if it knows their agents; with `serve=False`
    it only starts, looks and answers, and leaves the work to `prismpy worker`.

    Args:
        url: `sqlite:///runs.db` for one machine, `postgresql://user@host/database` for several.

        agents: The agents whose runs this process drives, under distinct names. One that is not among them may be given
            to the first `start`.

        serve: Whether this process drives runs.

        worker: Name of this process, for the records; by default made of host and process. No two that are alive may
            have the same.

        queues: Tool name to limits, for tools whose calls go through a queue to whichever worker has a hand free.

        retries: How often a model that fails in a way that may pass is asked again.

        max_characters: Of one text in what is kept, such as a picture in base64; more is refused.

    Raises:
        DefinitionError: for a URL of another kind, or two agents of one name.

        StoreError: if the database cannot be used.

        NotInstalledError: if what `prismpy[durable]` brings is not installed.
    """

    def __init__(
        self,
        url: str,
        agents: Iterable[Agent] = (),
        *,
        serve: bool = True,
        worker: str | None = None,
        queues: Mapping[str, QueueLimits] | None = None,
        retries: int = 2,
        max_characters: int = 100_000_000,
    ) -> None:
        needs("keeping runs alive", "durable", "dbos", "filelock", "sqlalchemy")
        self.worker = worker or f"{socket.gethostname()}-{os.getpid()}-{uuid.uuid4().hex[:8]}"
        """Name of this process."""
        self._roster = Roster(agents)
        self._sql = opened(url)
        with ExitStack() as stack:
            stack.callback(self._sql.close)
            self._client = Client(self._sql)
            stack.pop_all()
        self._contents = Contents(self._sql, max_characters)
        self._records = Records(self._sql, self._contents)
        self._look = Look(self._records, self._client)
        self._ledger = Ledger(self._sql, self.worker)
        self._locks = Locks(self._sql)
        self._queues = dict(queues or {})
        self._retries = retries
        self._serve = serve
        self._work: ExitStack | None = None
        self._lock = threading.RLock()

    @property
    def agents(self) -> tuple[Agent, ...]:
        """The agents whose runs this process drives."""
        return tuple(self._roster.agents.values())

    @property
    def queues(self) -> Mapping[str, QueueLimits]:
        """Tool name to limits, for tools whose calls go through a queue."""
        return dict(self._queues)

    # --- start and look

    def start(
        self, agent: Agent | str, prompt: Any, *, id: str | None = None, messages: Iterable[Message] = ()
    ) -> DurableRun:
        """
        Start a run, or find the one of that id that was started with the same words.

        Args:
            agent: An agent, or the name of one of `agents`.

            prompt: As for `Agent.run`.

            id: Of the run; by default a new one. Starting it twice starts it once.

            messages: The conversation before.

        Raises:
            DurableError: if the id is taken by a run that began otherwise.

            DefinitionError: if this process drives runs and the agent is not among those that it was begun with.
        """
        found = self._roster.known(agent, is_closed=self._work is not None)
        self._at_work()
        id = id or uuid.uuid4().hex
        state = self._contents.packed(found.begin(prompt, messages=messages).to_dict())
        order = {"agent": found.name, "state": state, "began": time.time()}
        with self._sql.lasting.begin() as connection:  # whoever started it was told that it is there
            there = self._records.add(runner(connection), id, found.name, state)
            if there is None:
                self._client.enqueue(connection, RUN, queue_of(found.name), id, order)
        if there is not None and there != fingerprint(found.name, state):
            msg = f"there is a run {id!r} already, which began otherwise; give this one another id"
            raise DurableError(msg, run=id)
        return self.get(id)

    def get(self, id: str) -> DurableRun:
        """
        Look at a run.

        Raises:
            DurableError: if there is none of that id.
        """
        return self._look.run(id)

    def list(self, *, limit: int = 100) -> tuple[DurableRun, ...]:
        """Look at all runs, newest first."""
        return self._look.runs(limit)

    @property
    def idle(self) -> bool:
        """Whether no run is in a queue or under way; those that wait for something from outside are neither."""
        return self._look.idle()

    def calls(self, id: str) -> tuple[CallRecord, ...]:
        """Return the ledger of a run: each call with its digest, policy, state, attempts and result, in order."""
        return self._ledger.calls(id, self._contents)

    def result(self, id: str, *, timeout: float | None = None) -> Response:
        """
        Wait until a run is done, or waits for something from outside.

        Args:
            id: Of the run.

            timeout: Seconds to wait; None for as long as it takes.

        Returns:
            What it came to; where it waits, `pending` says for what.

        Raises:
            DurableError: if it failed or was cancelled, or there is none of that id.

            TimeoutError: if the time is over.
        """
        until = deadline(timeout)
        while not self._look.has_come(id, until):
            pause()
        return self._roster.response(self.get(id))

    def events(self, id: str, *, after: str | None = None, follow: bool = True) -> Iterator[RunEvent]:
        """
        Read the events of a run, those that are there and those to come, in order and each once.

        Args:
            id: Of the run.

            after: Id of the last event that was read before; None for all.

            follow: Whether to wait for more until the run has ended.

        Raises:
            DurableError: if there is no such run, or no such event of it.
        """
        position, over = self._look.position(id, after), False
        while not over:
            position, over, events = self._look.more(id, position, follow)
            yield from events
            if not over:
                pause()

    # --- act on a run

    def answer(self, id: str, answers: Mapping[str, Any]) -> DurableRun:
        """
        Answer calls that a run waits for: with a bool or `Decision` where approval is due, else with what they return.

        Args:
            id: Of the run.

            answers: Call id to answer. A decision holds for the call as it was asked, by its digest.

        Raises:
            AnsweredError: if somebody else was faster with one of them; then none of these is taken.

            ProtocolError: if a call does not wait, or an answer is of the wrong kind.

            DurableError: if there is no run of that id.
        """
        answered(self._look, self._sql, id, answers)
        self._at_work()
        return self.get(id)

    def cancel(self, id: str) -> DurableRun:
        """
        Stop a run: before its next step, or within a second in the middle of one.

        A sync handler cannot be stopped in its thread; its result is dropped. A run
        that has ended stays as it is; `resume` goes on with one that was cancelled.
        """
        row = self._look.row(id)
        self._client.cancel(id, topic(row.round))
        return self.get(id)

    def resume(self, id: str) -> DurableRun:
        """
        Go on with a run that failed, at the step that failed; that was cancelled; or whose worker died.

        Any other is left as it is.
        """
        row, found = self._look.row(id), self.get(id)
        self._at_work()
        queue = queue_of(row.agent)
        if found.status == "failed":
            self._records.goes_on(id, row)
            self._client.rewind(id, queue, row.step)
        elif found.status == "cancelled":
            self._records.goes_on(id, row)
            self._client.resume(id, queue)
        else:
            self.recover()
        return self.get(id)

    def recover(self) -> tuple[str, ...]:
        """Put the work of dead workers back into its queues now, and return the ids of what was put back."""
        return recovered(self._client, self._locks, self.worker)

    # --- drive

    def work(self) -> None:
        """
        Drive runs from now on, and those of dead workers too.

        Raises:
            DurableError: if this process does so already for another database, or a worker of this name is alive.

            DefinitionError: if a tool is `exactly_once` and takes no connection to write through.
        """
        with self._lock:
            if self._work is None:
                host = Host(self._client, tool_queue, CALL)
                queued = frozenset(self._queues)
                services = Services(self._records, self._ledger, self._contents, host, self._retries, queued)
                place = Workplace(self.worker, self._roster.agents, self._queues, services, self._client, self._locks)
                self._work = place.open()

    def close(self) -> None:
        """Stop driving runs, which others or the next process go on with, and let go of the database."""
        with self._lock:
            if self._work is not None:
                self._work.close()
                self._work = None
            self._client.close()
            self._sql.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --- the same from async code

    async def astart(
        self, agent: Agent | str, prompt: Any, *, id: str | None = None, messages: Iterable[Message] = ()
    ) -> DurableRun:
        """Start a run without blocking the event loop; see `start`."""
        return await athread(partial(self.start, agent, prompt, id=id, messages=messages))

    async def aget(self, id: str) -> DurableRun:
        """Look at a run without blocking the event loop; see `get`."""
        return await athread(partial(self.get, id))

    async def alist(self, *, limit: int = 100) -> tuple[DurableRun, ...]:
        """Look at all runs without blocking the event loop; see `list`."""
        return await athread(partial(self.list, limit=limit))

    async def acalls(self, id: str) -> tuple[CallRecord, ...]:
        """Return the ledger of a run without blocking the event loop; see `calls`."""
        return await athread(partial(self.calls, id))

    async def aresult(self, id: str, *, timeout: float | None = None) -> Response:  # as `result`
        """Wait for what a run comes to without blocking the event loop; see `result`."""
        until = deadline(timeout)
        while not await athread(partial(self._look.has_come, id, until)):
            await apause()
        return self._roster.response(await self.aget(id))

    async def aevents(self, id: str, *, after: str | None = None, follow: bool = True) -> AsyncIterator[RunEvent]:
        """Read the events of a run without blocking the event loop; see `events`."""
        position, over = await athread(partial(self._look.position, id, after)), False
        while not over:
            position, over, events = await athread(partial(self._look.more, id, position, follow))
            for event in events:
                yield event
            if not over:
                await apause()

    async def aanswer(self, id: str, answers: Mapping[str, Any]) -> DurableRun:
        """Answer calls without blocking the event loop; see `answer`."""
        return await athread(partial(self.answer, id, answers))

    async def acancel(self, id: str) -> DurableRun:
        """Stop a run without blocking the event loop; see `cancel`."""
        return await athread(partial(self.cancel, id))

    async def aresume(self, id: str) -> DurableRun:
        """Go on with a run without blocking the event loop; see `resume`."""
        return await athread(partial(self.resume, id))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await athread(self.close)

    # --- inside

    def _at_work(self) -> None:
        if self._serve:
            self.work()
