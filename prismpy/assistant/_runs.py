"""
Runs in the background: one at a time in each conversation, watched by any number of pages.

A run goes on when every page is closed. What it tells is written down before
anybody hears of it, so whoever comes back misses nothing.
"""

from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING

import attrs

from prismpy.agent import Agent, Run
from prismpy.artifacts import ArtifactStore
from prismpy.errors import PrismError, ProtocolError
from prismpy.events import ArtifactEvent, Event
from prismpy.loop import RunState, RunTools, Wait, repaired
from prismpy.messages import Artifact, Decision, Message, ToolCall, ToolOutput, ToolResult, ToolResultMessage
from prismpy.schema import JSON

from ._conversations import Conversations, Told

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
        self._conversations.ask(id, words)
        self._begin(id, self._agent.astream(words, messages=_history(state)))

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
        self._begin(id, self._agent.resume_stream(state, {pending.call.id: bound}))

    def stop(self, id: str) -> None:
        """End the run that is under way, if there is one; what was said so far stays."""
        if id in self._live:
            self._live[id].cancel()

    async def stopped(self, id: str) -> None:
        """End the run that is under way, if there is one, and wait until it has ended."""
        self.stop(id)
        while id in self._live:
            await self._bell(id).wait()

    def mend(self) -> None:
        """Close what a process that ended in the middle of a run left open; to be called before anything else."""
        for conversation in self._conversations.list():
            state = self._conversations.state(conversation.id)
            if not conversation.running or state is None:
                continue
            told: list[Event] = []
            if isinstance(state.todo, RunTools):
                state, events = state.with_results(map(_unknown, state.todo.calls))
                told += events
            state, events = state.stopped("the assistant was closed")
            lost = {"error_type": "interrupted", "message": "The assistant was closed in the middle of this answer."}
            self._conversations.tell(conversation.id, [("error", lost), *map(self._written, [*told, *events])])
            self._conversations.keep(conversation.id, state, running=False)

    async def watch(self, id: str, after: int = 0) -> AsyncIterator[Told | None]:
        """
        Yield the events of a conversation, those that are written already and those that come.

        Args:
            id: Of the conversation.

            after: Number of the last event that is known.

        Yields:
            Each event once, in order; None where all is told that is known, to say that nobody is forgotten.

        Raises:
            UnknownIdError: if there is no such conversation.
        """
        import anyio

        self._conversations.get(id)
        while True:
            bell = self._bell(id)
            for told in self._conversations.events(id, after):
                after = told.number
                yield told
            yield None
            with anyio.move_on_after(_PATIENCE):
                await bell.wait()

    # --- inside

    def _expect_idle(self, id: str) -> None:
        if id in self._live:
            msg = "an answer is under way in this conversation; wait for it, or stop it"
            raise ProtocolError(msg)

    def _begin(self, id: str, run: Run) -> None:
        import anyio

        self._conversations.keep(id, self._storable(run.state), running=True)
        scope = self._live[id] = anyio.CancelScope()
        self._ring(id)
        self._tasks.start_soon(self._drive, id, run, scope)

    async def _drive(self, id: str, run: Run, scope: "CancelScope") -> None:
        try:
            with scope:
                await self._tell_all(id, run)
        finally:
            self._end(id, run, stopped=scope.cancelled_caught)

    async def _tell_all(self, id: str, run: Run) -> None:
        steps = len(run.state.messages)
        try:
            async for event in run:
                self._conversations.tell(id, [self._written(event)])
                self._ring(id)
                if len(run.state.messages) != steps:  # so that a process that dies loses one step at most
                    steps = len(run.state.messages)
                    self._conversations.keep(id, self._storable(run.state), running=True)
        except PrismError:
            pass  # an error event has told it
        except Exception as error:  # noqa: BLE001  # the page is told; other conversations go on
            told = {"error_type": type(error).__name__, "message": str(error)}
            self._conversations.tell(id, [("error", told)])

    def _end(self, id: str, run: Run, *, stopped: bool) -> None:
        del self._live[id]
        if stopped:
            self._conversations.tell(id, [("stopped", {})])
        self._conversations.keep(id, self._storable(run.state), running=False)
        self._conversations.tidy(id)
        self._ring(id)

    def _bell(self, id: str) -> "Bell":
        import anyio

        return self._bells.setdefault(id, anyio.Event())

    def _ring(self, id: str) -> None:
        if id in self._bells:
            self._bells.pop(id).set()

    def _written(self, event: Event) -> tuple[str, JSON]:
        data = event.to_dict()
        if isinstance(event, ArtifactEvent):
            data["artifact"] = self._shown(event.artifact)
        return event.type, data

    def _shown(self, artifact: Artifact) -> Mapping[str, JSON]:
        """Keep an artifact, and return where it is in the place of its content."""
        stored = self._artifacts.put(artifact)
        return {"id": stored.id, "mime_type": stored.mime_type, "size": stored.size, "name": stored.filename}

    def _storable(self, state: RunState) -> RunState:
        """Take the content of artifacts out of a state; it is in the store, under the id that stays."""
        return attrs.evolve(
            state,
            messages=tuple(map(self._light, state.messages)),
            results=tuple(map(self._lightened, state.results)),
        )

    def _light(self, message: Message) -> Message:
        if not isinstance(message, ToolResultMessage) or not any(result.artifacts for result in message.results):
            return message
        return ToolResultMessage([self._lightened(result) for result in message.results])

    def _lightened(self, result: ToolResult) -> ToolResult:
        if not any(artifact.data for artifact in result.artifacts):
            return result
        light = [
            Artifact("", each.mime_type, each.metadata, self._artifacts.put(each).id) if each.data else each
            for each in result.artifacts
        ]
        return attrs.evolve(result, output=attrs.evolve(result.output, artifacts=tuple(light)))


_PATIENCE = 15.0
"""Seconds after which those who watch are told that nothing happened; proxies drop a connection that is silent."""


def _unknown(call: ToolCall) -> ToolResult:
    """Make the result of a call that was under way when the process ended."""
    text = f"the assistant was closed while {call.name} was under way; it is not known whether it took effect"
    return ToolResult(call, ToolOutput(text), text, is_error=True)


def _history(state: RunState | None) -> tuple[Message, ...]:
    return () if state is None else repaired(state.messages)
