"""
One run, written down as a conversation while it goes on.

Whoever drives the run says what happens; nothing here waits or asks.
"""

import time
from collections.abc import Mapping

import attrs

from prismpy.agent import Run
from prismpy.artifacts import ArtifactStore
from prismpy.events import ArtifactEvent, ErrorEvent, Event, StreamStartEvent, ToolCallEvent, ToolResultEvent
from prismpy.loop import RunState
from prismpy.messages import Artifact, Message, ToolResult, ToolResultMessage
from prismpy.schema import JSON

from ._conversations import Conversations


class Scribe:
    """
    Writes what a run tells, and how far it has come, so that a process that dies loses no more than is under way.

    Args:
        id: Of the conversation, in which the question stands already.

        run: Nobody has driven it yet.

        conversations: Where it is kept.

        artifacts: Where its pictures and files are kept.
    """

    def __init__(self, id: str, run: Run, conversations: Conversations, artifacts: ArtifactStore) -> None:
        self._id = id
        self._run = run
        self._kept = run.state
        self._failed = False
        self._conversations = conversations
        self._artifacts = artifacts

    def tell(self, event: Event) -> None:
        """Write an event, before anybody hears of it."""
        self._conversations.tell(self._id, [written(event, self._artifacts)])
        self._failed = self._failed or (isinstance(event, ErrorEvent) and not event.recoverable)
        if self._run.state is not self._kept:
            self._kept = self._run.state
            self._keep(running=True)

    def fail(self, error: Exception) -> None:
        """Write what ended the run, unless an event told it."""
        if not self._failed:
            self._conversations.tell(self._id, [trouble(error)])

    def end(self, *, stopped: bool) -> None:
        """Write what it has come to, and whether somebody stopped it."""
        if stopped:
            self._conversations.tell(self._id, [("stopped", {})])
        self._keep(running=False)
        self._conversations.tidy(self._id)

    def _keep(self, *, running: bool) -> None:
        self._conversations.keep(self._id, _storable(self._run.state, self._artifacts), running=running)


def trouble(error: Exception) -> tuple[str, JSON]:
    """Say an exception as an event."""
    return "error", {"error_type": type(error).__name__, "message": str(error)}


def written(event: Event, artifacts: ArtifactStore) -> tuple[str, JSON]:
    """Return the type and the data of an event as a page gets it; the content of an artifact is kept elsewhere."""
    data = event.to_dict()
    if isinstance(event, StreamStartEvent | ToolCallEvent | ToolResultEvent):
        data["at"] = round(time.time(), 3)  # a timestamp has whole seconds, which tells nothing of most calls
    if isinstance(event, ArtifactEvent):
        data["artifact"] = _shown(event.artifact, artifacts)
    return event.type, data


def _shown(artifact: Artifact, artifacts: ArtifactStore) -> Mapping[str, JSON]:
    """Keep an artifact, and return where it is in the place of its content."""
    stored = artifacts.put(artifact)
    return {"id": stored.id, "mime_type": stored.mime_type, "size": stored.size, "name": stored.filename}


def _storable(state: RunState, artifacts: ArtifactStore) -> RunState:
    """Take the content of artifacts out of a state; it is in the store, under the id that stays."""
    return attrs.evolve(
        state,
        messages=tuple(_light(message, artifacts) for message in state.messages),
        results=tuple(_lightened(result, artifacts) for result in state.results),
    )


def _light(message: Message, artifacts: ArtifactStore) -> Message:
    if not isinstance(message, ToolResultMessage) or not any(result.artifacts for result in message.results):
        return message
    return ToolResultMessage([_lightened(result, artifacts) for result in message.results])


def _lightened(result: ToolResult, artifacts: ArtifactStore) -> ToolResult:
    if not any(artifact.data for artifact in result.artifacts):
        return result
    light = [
        Artifact("", each.mime_type, each.metadata, artifacts.put(each).id) if each.data else each
        for each in result.artifacts
    ]
    return attrs.evolve(result, output=attrs.evolve(result.output, artifacts=tuple(light)))
