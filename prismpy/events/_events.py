"""
The events of a run, one frozen class each.

They are made by pure code, without an id and a time; whoever drives the run
stamps them. `to_dict` has Prism's keys in Prism's order, so that a page written
for its server-sent events works unchanged.

Source: Prism, `src/Streaming/Events/*.php` and `src/Enums/{StreamEventType,FinishReason}.php` (read 2026-11).
"""

from collections.abc import Mapping
from typing import Any, ClassVar, TypeAlias

import attrs

from prismpy.messages import Artifact, Citation, FinishReason, ToolCall, ToolResult, Usage
from prismpy.schema import JSON
from prismpy.types import to_json


@attrs.frozen(slots=False)  # made for every delta of a stream, and a third faster so
class StreamEvent:
    """What all events share."""

    type: ClassVar[str] = ""
    """Prism's word for the kind."""

    id: str = attrs.field(default="", kw_only=True)
    """Names the event within its run; "" until it is stamped."""

    timestamp: int = attrs.field(default=0, kw_only=True)
    """Seconds since 1970; 0 until it is stamped."""

    def to_dict(self) -> dict[str, JSON]:
        """Return the event as Prism writes it."""
        return {"id": self.id, "timestamp": self.timestamp, **self._told()}

    def _told(self) -> dict[str, JSON]:
        """Return what this kind adds: its fields, named as Prism's keys."""
        return {name: value for name, value in vars(self).items() if name not in {"id", "timestamp"}}


@attrs.frozen(slots=False)
class StreamStartEvent(StreamEvent):
    """A run begins. There is one in each, before all else."""

    type: ClassVar[str] = "stream_start"
    model: str
    provider: str
    metadata: Mapping[str, Any] | None = attrs.field(default=None, hash=False)


@attrs.frozen(slots=False)
class StepStartEvent(StreamEvent):
    """The model is asked."""

    type: ClassVar[str] = "step_start"


@attrs.frozen(slots=False)
class TextStartEvent(StreamEvent):
    """The model begins to write a piece of text."""

    type: ClassVar[str] = "text_start"
    message_id: str


@attrs.frozen(slots=False)
class TextDeltaEvent(StreamEvent):
    """The next words."""

    type: ClassVar[str] = "text_delta"
    delta: str
    message_id: str


@attrs.frozen(slots=False)
class TextCompleteEvent(StreamEvent):
    """The piece of text is complete."""

    type: ClassVar[str] = "text_complete"
    message_id: str


@attrs.frozen(slots=False)
class ThinkingStartEvent(StreamEvent):
    """The model begins to think where it can be read."""

    type: ClassVar[str] = "thinking_start"
    reasoning_id: str


@attrs.frozen(slots=False)
class ThinkingEvent(StreamEvent):
    """The next words of a thought."""

    type: ClassVar[str] = "thinking_delta"
    delta: str
    reasoning_id: str
    summary: Mapping[str, Any] | None = attrs.field(default=None, hash=False)


@attrs.frozen(slots=False)
class ThinkingCompleteEvent(StreamEvent):
    """The thought is complete."""

    type: ClassVar[str] = "thinking_complete"
    reasoning_id: str
    summary: Mapping[str, Any] | None = attrs.field(default=None, hash=False)


@attrs.frozen(slots=False)
class ToolCallDeltaEvent(StreamEvent):
    """The next characters of a call's arguments, as JSON text that is not complete yet."""

    type: ClassVar[str] = "tool_call_delta"
    tool_id: str
    tool_name: str
    delta: str
    message_id: str


@attrs.frozen(slots=False)
class ToolCallEvent(StreamEvent):
    """The model wants a tool run; the arguments are complete."""

    type: ClassVar[str] = "tool_call"
    call: ToolCall
    """As it will be run: with the name and the arguments that the tool declares."""

    message_id: str
    reasoning_id: str | None = None

    def _told(self) -> dict[str, JSON]:
        return {
            "tool_id": self.call.id,
            "tool_name": self.call.name,
            "arguments": self.call.decoded,
            "message_id": self.message_id,
            "reasoning_id": self.reasoning_id,
        }


@attrs.frozen(slots=False)
class ToolApprovalRequestEvent(StreamEvent):
    """A call waits until somebody agrees to it."""

    type: ClassVar[str] = "tool_approval_request"
    call: ToolCall
    """With the arguments that it would be run with."""

    message_id: str
    approval_id: str
    """The digest of the call: what a decision is bound to."""

    def _told(self) -> dict[str, JSON]:
        return {
            "approval_id": self.approval_id,
            "tool_id": self.call.id,
            "tool_name": self.call.name,
            "arguments": self.call.decoded,
            "message_id": self.message_id,
        }


@attrs.frozen(slots=False)
class ToolResultEvent(StreamEvent):
    """A call has its result."""

    type: ClassVar[str] = "tool_result"
    result: ToolResult
    message_id: str

    @property
    def success(self) -> bool:
        """Whether the tool did what it was asked."""
        return not self.result.is_error

    def _told(self) -> dict[str, JSON]:
        told = to_json(self.result.output.result, str)
        return {
            "tool_id": self.result.call.id,
            "tool_name": self.result.call.name,
            "result": told,
            "message_id": self.message_id,
            "success": self.success,
            "error": self.result.text if self.result.is_error else None,
        }


@attrs.frozen(slots=False)
class ArtifactEvent(StreamEvent):
    """A tool made something for the app."""

    type: ClassVar[str] = "artifact"
    artifact: Artifact
    tool_call_id: str
    tool_name: str
    message_id: str

    def _told(self) -> dict[str, JSON]:
        artifact = self.artifact
        return {
            "tool_call_id": self.tool_call_id,
            "tool_name": self.tool_name,
            "message_id": self.message_id,
            "artifact": {
                "id": artifact.id,
                "data": artifact.data,
                "mime_type": artifact.mime_type,
                "metadata": to_json(artifact.metadata, str),
            },
        }


@attrs.frozen(slots=False)
class ProviderToolEvent(StreamEvent):
    """A tool of the provider does something."""

    type: ClassVar[str] = "provider_tool_event"
    tool_type: str
    """As the provider calls it, such as `web_search_call`."""

    status: str
    """As the provider calls it, such as `searching` or `completed`."""

    item_id: str
    data: Mapping[str, Any] = attrs.field(factory=dict, hash=False)

    @property
    def event_key(self) -> str:
        """Kind and status in one word, for listeners that want one of them."""
        return f"{self.type}.{self.tool_type}.{self.status}"

    def _told(self) -> dict[str, JSON]:
        return {
            "type": self.type,
            "event_key": self.event_key,
            "tool_type": self.tool_type,
            "status": self.status,
            "item_id": self.item_id,
            "data": dict(self.data),
        }


@attrs.frozen(slots=False)
class CitationEvent(StreamEvent):
    """The model says where it has something from."""

    type: ClassVar[str] = "citation"
    citation: Citation
    message_id: str
    block_index: int | None = None
    metadata: Mapping[str, Any] | None = attrs.field(default=None, hash=False)

    def _told(self) -> dict[str, JSON]:
        return {
            "citation": attrs.asdict(self.citation),
            "message_id": self.message_id,
            "block_index": self.block_index,
            "metadata": self.metadata,
        }


def _tokens(usage: Usage | None) -> JSON:
    return usage and attrs.asdict(usage, filter=lambda field, _: field.name != "raw")


@attrs.frozen(slots=False)
class StepFinishEvent(StreamEvent):
    """The model has answered, and its calls of this step are done."""

    type: ClassVar[str] = "step_finish"
    usage: Usage | None = None
    """Of this step."""

    def _told(self) -> dict[str, JSON]:
        return {"usage": _tokens(self.usage)}


@attrs.frozen(slots=False)
class ErrorEvent(StreamEvent):
    """Something failed on the provider's side."""

    type: ClassVar[str] = "error"
    error_type: str
    """The provider's word for it, or ours: `rate_limit`, `cut_off` …"""

    message: str
    recoverable: bool = False
    """Whether the run goes on."""

    metadata: Mapping[str, Any] | None = attrs.field(default=None, hash=False)


@attrs.frozen(slots=False)
class StreamEndEvent(StreamEvent):
    """The run has ended. There is one in each, after all else."""

    type: ClassVar[str] = "stream_end"
    finish_reason: FinishReason
    usage: Usage | None = None
    """Of all steps together."""

    citations: tuple[Citation, ...] | None = None

    def _told(self) -> dict[str, JSON]:
        cited = self.citations and [{"output_text": "", "citations": [attrs.asdict(each) for each in self.citations]}]
        return {
            "finish_reason": "".join(word.capitalize() for word in self.finish_reason.split("_")),
            "usage": _tokens(self.usage),
            "citations": cited or None,
        }


Event: TypeAlias = (
    StreamStartEvent
    | StepStartEvent
    | TextStartEvent
    | TextDeltaEvent
    | TextCompleteEvent
    | ThinkingStartEvent
    | ThinkingEvent
    | ThinkingCompleteEvent
    | ToolCallDeltaEvent
    | ToolCallEvent
    | ToolApprovalRequestEvent
    | ToolResultEvent
    | ArtifactEvent
    | ProviderToolEvent
    | CitationEvent
    | StepFinishEvent
    | ErrorEvent
    | StreamEndEvent
)
"""Anything that a run tells."""
