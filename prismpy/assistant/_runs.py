"""
Runs in the background: one at a time in each conversation, watched by any number of pages.

A run goes on when every page is closed. What it tells is written down before
anybody hears of it, so whoever comes back misses nothing.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING

import attrs

from prismpy.agent import Agent, Run
from prismpy.artifacts import ArtifactStore
from prismpy.errors import ProtocolError, StoreError, UnknownIdError
from prismpy.events import Event
from prismpy.loop import AskModel, RunState, RunTools, Wait, repaired, unfinished
from prismpy.messages import Decision, Message

from ._conversations import Conversations, Told
from ._scribe import Scribe, trouble, written

if TYPE_CHECKING:
    from anyio import CancelScope
    from anyio import Event as Bell
    from anyio.abc import TaskGroup


class Runs:
    """
    Drives the conversations of an assistant.

    Args:
        agent: Answers in all of them.

        conversations: Where they are kept.

        artifacts: Where pictures and files are kept.

        tasks: Runs the runs; it ends them when it ends.
    """

    def __init__(
        self, agent: Agent, conversations: Conversations, artifacts: ArtifactStore, tasks: "TaskGroup"
    ) -> None:
        self._agent = agent
        self._conversations = conversations
        self._artifacts = artifacts
        self._tasks = tasks
        self._live: dict[str, CancelScope] = {}
        self._bells: dict[str, Bell] = {}
        """For those who watch a conversation; rung once, then thrown away."""
        self._untold: dict[str, Told] = {}
        """What went wrong in a conversation and could not be written down, for those who watch it."""

    def is_running(self, id: str) -> bool:
        """Tell whether a run is under way in a conversation."""
        return id in self._live

    def ask(self, id: str, words: str) -> None:
        """
        Begin a run in a conversation.

        Raises:
            UnknownIdError: if there is no such conversation.

            ProtocolError: if a run is under way, or waits for an answer.
        """
        self._conversations.get(id)
        self._expect_idle(id)
        state = self._conversations.state(id)
        if state is not None and isinstance(state.todo, Wait):
            msg = "a call waits for your decision; answer it first"
            raise ProtocolError(msg)
        run = self._agent.astream(words, messages=_history(state))
        self._conversations.ask(id, words, run.state)
        self._begin(id, run)

    def answer(self, id: str, digest: str, decision: Decision) -> None:
        """
        Answer a call that waits for approval, and go on once all are answered.

        Args:
            id: Of the conversation.

            digest: Of the call, as the page showed it.

            decision: What was decided.

        Raises:
            ProtocolError: if no such call waits.
        """
        self._conversations.get(id)
        self._expect_idle(id)
        state = self._conversations.state(id)
        waiting = state.waiting if state is not None else ()
        pending = next((each for each in waiting if each.call.digest == digest), None)
        if state is None or pending is None:
            msg = "no call with these arguments waits for a decision; look at the conversation again"
            raise ProtocolError(msg)
        bound = attrs.evolve(decision, digest=digest)
        run = self._agent.resume_stream(state, {pending.call.id: bound})
        self._conversations.keep(id, run.state, running=True)
        self._begin(id, run)

    def stop(self, id: str) -> None:
        """End the run that is under way, if there is one; what was said so far stays."""
        if id in self._live:
            self._live[id].cancel()

    async def delete(self, id: str) -> None:
        """Forget a conversation; a run that is under way in it ends first."""
        while id in self._live:
            bell = self._bell(id)
            self.stop(id)  # again and again: another page may ask something meanwhile
            await bell.wait()
        self._conversations.delete(id)
        self._untold.pop(id, None)
        self._ring(id)

    def mend(self) -> None:
        """Close what a process that ended in the middle of a run left open; to be called before anything else."""
        for conversation in self._conversations.list():
            if conversation.running:
                self._mend(conversation.id)

    def _mend(self, id: str) -> None:
        try:
            state = self._conversations.state(id)
        except StoreError:
            state = None  # whoever goes on with it is told
        if state is None or isinstance(state.todo, AskModel | RunTools):
            lost = {"error_type": "interrupted", "message": "The assistant was closed in the middle of this answer."}
            state, told = _closed(state)
            self._conversations.tell(id, [("error", lost), *(written(event, self._artifacts) for event in told)])
        self._conversations.keep(id, state, running=False)
        self._conversations.tidy(id)

    async def watch(self, id: str, after: int = 0) -> AsyncGenerator[Told | None]:
        """
        Yield the events of a conversation, those that are written already and those that come.

        Args:
            id: Of the conversation.

            after: Number of the last event that is known.

        Yields:
            Each event once, in order; None where all is told that is known, to say that nobody is forgotten. What
            could not be written down has the number 0. At the end of a conversation that is deleted comes `deleted`.

        Raises:
            UnknownIdError: if there is no such conversation.

            StoreError: if it cannot be read.
        """
        import anyio

        self._conversations.get(id)
        untold = None
        while True:
            bell = self._bell(id)
            for told in self._conversations.events(id, after):
                after = told.number
                yield told
            if untold is not (untold := self._untold.get(id)) and untold is not None:
                yield untold
            yield None
            with anyio.move_on_after(_PATIENCE):
                await bell.wait()
            try:
                self._conversations.get(id)
            except UnknownIdError:
                yield Told(0, "deleted", {})
                return

    # --- inside

    def _expect_idle(self, id: str) -> None:
        if id in self._live:
            msg = "an answer is under way in this conversation; wait for it, or stop it"
            raise ProtocolError(msg)

    def _begin(self, id: str, run: Run) -> None:
        import anyio

        self._untold.pop(id, None)
        scope = self._live[id] = anyio.CancelScope()
        self._ring(id)
        self._tasks.start_soon(self._drive, id, run, scope)

    async def _drive(self, id: str, run: Run, scope: "CancelScope") -> None:
        scribe = Scribe(id, run, self._conversations, self._artifacts)
        over = False
        try:
            with scope:
                await self._tell_all(id, run, scribe)
                over = True
        except Exception as error:  # noqa: BLE001  # it could not be written down; other conversations go on
            self._untold[id] = Told(0, *trouble(error))
        finally:
            del self._live[id]
            self._end(id, scribe, stopped=not over and id not in self._untold)
            self._ring(id)

    async def _tell_all(self, id: str, run: Run, scribe: Scribe) -> None:
        from anyio.lowlevel import cancel_shielded_checkpoint

        try:
            async with aclosing(aiter(run)) as events:
                async for event in events:
                    scribe.tell(event)
                    if event.type != "stream_end":  # who hears of the end may begin the next run at once
                        self._ring(id)
                        await cancel_shielded_checkpoint()  # a model that never waits must not make all others wait
        except Exception as error:  # noqa: BLE001  # the page is told; other conversations go on
            scribe.fail(error)

    def _end(self, id: str, scribe: Scribe, *, stopped: bool) -> None:
        try:
            scribe.end(stopped=stopped)
        except Exception as error:  # noqa: BLE001  # as above
            self._untold.setdefault(id, Told(0, *trouble(error)))

    def _bell(self, id: str) -> "Bell":
        import anyio

        return self._bells.setdefault(id, anyio.Event())

    def _ring(self, id: str) -> None:
        if id in self._bells:
            self._bells.pop(id).set()


_PATIENCE = 15.0
"""Seconds after which those who watch are told that nothing happened; proxies drop a connection that is silent."""


def _closed(state: RunState | None) -> tuple[RunState | None, tuple[Event, ...]]:
    """End what was under way when a process ended."""
    if state is None:
        return None, ()
    told: tuple[Event, ...] = ()
    if isinstance(state.todo, RunTools):
        state, told = state.with_results(unfinished(call, "the assistant was closed") for call in state.todo.calls)
    state, end = state.stopped("the assistant was closed")
    return state, (*told, *end)


def _history(state: RunState | None) -> tuple[Message, ...]:
    return () if state is None else repaired(state.messages)
