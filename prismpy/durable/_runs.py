"""What people type: start runs that survive their process, look at them, answer them, stop them."""

import os
import socket
import threading
import time
import uuid
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Final, Literal, Self, TypeAlias

import attrs

from prismpy.agent import Agent, Response
from prismpy.errors import AnsweredError, DefinitionError, DurableError, ProtocolError
from prismpy.loop import Answer, RunState, Wait
from prismpy.messages import Message, Pending

from ._alive import Locks
from ._contents import Contents
from ._course import Services
from ._dbos import Client, Host, QueueLimits, Status, Worker, run_id
from ._elsewhere import ordered
from ._ledger import CallRecord, Ledger
from ._records import Records, Row, RunEvent, fingerprint
from ._sql import opened, runner
from ._workflow import CALL, RUN, drive, topic

Word: TypeAlias = Literal["queued", "running", "waiting", "done", "failed", "cancelled"]

_WORDS: Final[Mapping[str, Word]] = {"ENQUEUED": "queued", "DELAYED": "queued", "CANCELLED": "cancelled"}
"""The engine's word to ours, where the records do not know better."""

_POLL: Final = 0.05
"""Seconds between two looks at a run that somebody waits for."""


@attrs.frozen
class DurableRun:
    """A run, as it stood when it was looked at."""

    id: str
    agent: str
    status: Word
    pending: tuple[Pending, ...]
    """What it waits for."""

    error: str
    """Why it failed; "" otherwise."""

    worker: str
    """The process that drives it, or drove it last; "" for none yet."""

    created: float
    """Seconds since 1970."""

    updated: float
    state: RunState = attrs.field(repr=False)
    """Where it last waited or ended; before that, as it began."""


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
        self.worker = worker or f"{socket.gethostname()}-{os.getpid()}-{uuid.uuid4().hex[:8]}"
        """Name of this process."""
        self._sql = opened(url)
        self._client = Client(self._sql)
        contents = Contents(self._sql, max_characters)
        self._contents = contents
        self._records = Records(self._sql, contents)
        self._ledger = Ledger(self._sql, self.worker)
        self._queues = dict(queues or {})
        self._retries = retries
        self._serve = serve
        self._agents: dict[str, Agent] = {}
        self._locks = Locks(self._sql)
        self._work = ExitStack()
        self._lock = threading.RLock()
        self._engine: Worker | None = None
        for agent in agents:
            self._add(agent)

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
        found = self._known(agent)
        self._at_work()
        id = id or uuid.uuid4().hex
        state = self._contents.packed(found.begin(prompt, messages=messages).to_dict())
        order = {"agent": found.name, "state": state, "began": time.time()}
        with self._sql.engine.begin() as connection:
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
        row = self._row(id)
        statuses = self._client.statuses(workflow_ids=[id])
        if not statuses:
            raise _unknown(id)
        return _run(row, statuses[0])

    def list(self, *, limit: int = 100) -> tuple[DurableRun, ...]:
        """Look at all runs, newest first."""
        statuses = self._client.statuses(name=RUN, limit=limit)
        rows = ((self._records.row(status.id), status) for status in statuses)
        return tuple(_run(row, status) for row, status in rows if row is not None)

    def calls(self, id: str) -> tuple[CallRecord, ...]:
        """Return the ledger of a run: each call with its digest, policy, state and attempts, in order."""
        return self._ledger.calls(id)

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
        deadline = None if timeout is None else time.monotonic() + timeout
        while (found := self.get(id)).status in {"queued", "running"}:
            if deadline is not None and time.monotonic() > deadline:
                msg = f"run {id!r} is {found.status} still after {timeout:g} s"
                raise TimeoutError(msg)
            time.sleep(_POLL)
        return self._response(found)

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
        self._row(id)
        position = -1 if after is None else self._position(id, after)
        while True:
            ended = not follow or self.get(id).status in {"done", "failed", "cancelled"}
            for place, event in self._records.events(id, position):
                position = place
                yield event
            if ended:
                return
            time.sleep(_POLL)

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
        row = self._row(id)
        waiting = {each.call.id: each for each in row.state.waiting}
        for call in answers:
            if call not in waiting:
                msg = f"answer for call {call!r}, but those that wait are {', '.join(map(repr, waiting)) or 'none'}"
                raise ProtocolError(msg)
        given = {call: _bound(waiting[call], Answer.of(waiting[call], answer)) for call, answer in answers.items()}
        message = {call: answer.to_dict() for call, answer in given.items()}
        packed = {call: self._contents.packed(told) for call, told in message.items()}
        together = self._contents.packed(message)
        with self._sql.engine.begin() as connection:
            run = runner(connection)
            if taken := self._records.answer(run, id, row.round, packed):
                listed = ", ".join(map(repr, taken))
                msg = f"somebody else has answered {listed} before; look at the run to see what it came to"
                raise AnsweredError(msg, run=id, calls=tuple(taken))
            self._client.send(connection, id, together, topic(row.round))
            if self._records.answered(run, id, row.round) >= waiting.keys():
                self._records.running(run, id)
        self._at_work()
        return self.get(id)

    def cancel(self, id: str) -> DurableRun:
        """
        Stop a run: before its next step, or within a second in a model call or an async tool.

        A run that has ended stays as it is; `resume` goes on with one that was cancelled.
        """
        self._row(id)
        self._client.cancel(id)
        return self.get(id)

    def resume(self, id: str) -> DurableRun:
        """
        Go on with a run that failed, at the step that failed; that was cancelled; or whose worker died.

        Any other is left as it is.
        """
        row, found = self._row(id), self.get(id)
        self._at_work()
        queue = queue_of(row.agent)
        if found.status == "failed":
            self._goes_on(id, row)
            self._client.rewind(id, queue, row.step)
        elif found.status == "cancelled":
            self._goes_on(id, row)
            self._client.resume(id, queue)
        else:
            self.recover()
        return self.get(id)

    def recover(self) -> tuple[str, ...]:
        """Put the work of dead workers back into the queues, and return the ids of what was put back."""
        dead = []
        pending = self._client.statuses(status="PENDING")
        for worker in sorted({each.worker for each in pending} - {self.worker}):
            with self._locks.of(worker) as free:
                if free:  # nobody else can get hold of its work as long as this lock is held
                    mine = self._client.statuses(status="PENDING", executor_id=worker)
                    for each in mine:
                        self._client.resume(each.id, each.queue)
                    dead += [each.id for each in mine]
        return tuple(dead)

    # --- drive

    def work(self) -> None:
        """
        Drive runs from now on, and those of dead workers too.

        Raises:
            DurableError: if this process does so already for another database, or a worker of this name is alive.
        """
        with self._lock:
            if self._engine is not None:
                return
            with ExitStack() as stack:
                stack.enter_context(self._locks.own(self.worker))
                for agent in self._agents.values():
                    stack.enter_context(agent)
                queues = self._make_queues()
                host = Host(self._client, tool_queue, CALL)
                services = Services(
                    self._records, self._ledger, self._contents, host, self._retries, frozenset(self._queues)
                )
                self._engine = Worker(self._sql, self.worker, self._workflows(services), queues)
                stack.callback(self._stop)
                watch = _Watch(self.recover)
                stack.callback(watch.stop)
                self._work = stack.pop_all()

    def _make_queues(self) -> Iterable[str]:
        names = {queue_of(name): QueueLimits() for name in self._agents}
        held = {tool for agent in self._agents.values() for tool in self._queues if tool in agent.toolbox}
        names |= {tool_queue(tool): self._queues[tool] for tool in held}
        for name, limits in names.items():
            self._client.queue(name, limits)
        return names

    def _workflows(self, services: Services) -> Mapping[str, Any]:
        async def run(order: Any) -> str:
            return await drive(services, self._agents[order["agent"]], order, run_id())

        async def call(order: Any) -> str:
            told = self._contents.unpacked(order)
            return await ordered(services, self._agents[told["agent"]], told)

        return {RUN: run, CALL: call}

    def _stop(self) -> None:
        if self._engine is not None:
            self._engine.close(0)
            self._engine = None

    def close(self) -> None:
        """Stop driving runs, which others or the next process go on with, and let go of the database."""
        with self._lock:
            self._work.close()
            self._client.close()
            self._sql.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --- inside

    def _add(self, agent: Agent) -> None:
        if agent.name in self._agents and self._agents[agent.name] is not agent:
            msg = f"two agents are called {agent.name!r}; runs are kept by the names of their agents, so rename one"
            raise DefinitionError(msg)
        self._agents[agent.name] = agent

    def _known(self, agent: Agent | str) -> Agent:
        if isinstance(agent, str):
            if agent not in self._agents:
                msg = f"there is no agent {agent!r}; known are {', '.join(map(repr, self._agents)) or 'none'}"
                raise DefinitionError(msg)
            return self._agents[agent]
        if agent.name not in self._agents and self._engine is not None:
            msg = (
                f"agent {agent.name!r} came after the work had begun; hand all agents to DurableRuns(..., agents=[...])"
            )
            raise DefinitionError(msg)
        self._add(agent)
        return agent

    def _at_work(self) -> None:
        if self._serve:
            self.work()

    def _row(self, id: str) -> Row:
        row = self._records.row(id)
        if row is None:
            raise _unknown(id)
        return row

    def _position(self, id: str, event: str) -> int:
        position = self._records.position_of(id, event)
        if position is None:
            msg = f"run {id!r} has no event {event!r}; hand in the id of one that was read, or nothing for all"
            raise DurableError(msg, run=id)
        return position

    def _goes_on(self, id: str, row: Row) -> None:
        with self._sql.write() as run:
            answered = self._records.answered(run, id, row.round)
            due = {each.call.id for each in row.state.waiting} - answered
            if not (isinstance(row.state.todo, Wait) and due):
                self._records.running(run, id)

    def _response(self, found: DurableRun) -> Response:
        if found.status == "failed":
            msg = f"run {found.id!r} failed: {found.error}; resume it to try again"
            raise DurableError(msg, run=found.id)
        if found.status == "cancelled":
            msg = f"run {found.id!r} was cancelled; resume it to go on"
            raise DurableError(msg, run=found.id)
        output = None
        if found.status == "done" and found.agent in self._agents:
            output = self._agents[found.agent].output_of(found.state)
        return Response(found.state, output)


class _Watch:
    """A thread that looks after the work of dead workers once a second."""

    def __init__(self, recover: Any) -> None:
        self._over = threading.Event()
        self._recover = recover
        self._thread = threading.Thread(target=self._run, name="prismpy-durable-watch", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while True:
            self._recover()
            if self._over.wait(1.0):
                return

    def stop(self) -> None:
        """Stop looking."""
        self._over.set()
        self._thread.join()


def queue_of(agent: str) -> str:
    """Return the name of the queue of an agent's runs, so that only those who know the agent take one."""
    return f"prismpy.runs.{agent}"


def tool_queue(tool: str) -> str:
    """Return the name of the queue of a tool's calls."""
    return f"prismpy.calls.{tool}"


def _run(row: Row, status: Status) -> DurableRun:
    word: Word = _WORDS.get(status.word, row.stage)
    failed = status.word in {"ERROR", "MAX_RECOVERY_ATTEMPTS_EXCEEDED"}
    return DurableRun(
        status.id,
        row.agent,
        "failed" if failed else word,
        row.state.waiting if word == "waiting" else (),
        row.error or ("the engine gave it up" if failed else ""),
        status.worker,
        status.created,
        status.updated,
        row.state,
    )


def _bound(pending: Pending, answer: Answer) -> Answer:
    """Bind a decision to what was asked."""
    if answer.decision is None:
        return answer
    if answer.decision.digest not in {None, pending.call.digest}:
        msg = f"call {pending.call.id!r} is not what was decided about: its digest is {pending.call.digest}"
        raise ProtocolError(msg)
    return attrs.evolve(answer, decision=attrs.evolve(answer.decision, digest=pending.call.digest))


def _unknown(id: str) -> DurableError:
    return DurableError(f"there is no run {id!r}; list the runs to see their ids", run=id)
