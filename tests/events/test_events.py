"""The events of a run, as Prism writes them."""

import json

import pytest

from prismpy import (
    Artifact,
    ArtifactEvent,
    Citation,
    CitationEvent,
    ErrorEvent,
    ProviderToolEvent,
    StepFinishEvent,
    StepStartEvent,
    StreamEndEvent,
    StreamEvent,
    StreamStartEvent,
    TextCompleteEvent,
    TextDeltaEvent,
    TextStartEvent,
    ThinkingCompleteEvent,
    ThinkingEvent,
    ThinkingStartEvent,
    ToolApprovalRequestEvent,
    ToolCall,
    ToolCallDeltaEvent,
    ToolCallEvent,
    ToolOutput,
    ToolResult,
    ToolResultEvent,
    Usage,
)
from prismpy.events import SSE_HEADERS, sse

CALL = ToolCall("c1", "weather", {"city": "Paris"})
CITATION = Citation("url", "https://example.com", "words", "Title", "character", 3, 8, {"more": 1})
TOKENS = {
    "prompt_tokens": 1,
    "completion_tokens": 2,
    "cache_write_input_tokens": 3,
    "cache_read_input_tokens": 4,
    "thought_tokens": 5,
}
CITED = {
    "source_type": "url",
    "source": "https://example.com",
    "source_text": "words",
    "source_title": "Title",
    "source_position_type": "character",
    "source_start_index": 3,
    "source_end_index": 8,
    "additional_content": {"more": 1},
}

WRITTEN: list[tuple[StreamEvent, str, dict[str, object]]] = [
    (
        StreamStartEvent("gpt", "openai", {"a": 1}),
        "stream_start",
        {"model": "gpt", "provider": "openai", "metadata": {"a": 1}},
    ),
    (StepStartEvent(), "step_start", {}),
    (TextStartEvent("m"), "text_start", {"message_id": "m"}),
    (TextDeltaEvent("hi", "m"), "text_delta", {"delta": "hi", "message_id": "m"}),
    (TextCompleteEvent("m"), "text_complete", {"message_id": "m"}),
    (ThinkingStartEvent("r"), "thinking_start", {"reasoning_id": "r"}),
    (ThinkingEvent("hm", "r"), "thinking_delta", {"delta": "hm", "reasoning_id": "r", "summary": None}),
    (ThinkingCompleteEvent("r"), "thinking_complete", {"reasoning_id": "r", "summary": None}),
    (
        ToolCallDeltaEvent("c1", "weather", '{"ci', "m"),
        "tool_call_delta",
        {"tool_id": "c1", "tool_name": "weather", "delta": '{"ci', "message_id": "m"},
    ),
    (
        ToolCallEvent(CALL, "m"),
        "tool_call",
        {
            "tool_id": "c1",
            "tool_name": "weather",
            "arguments": {"city": "Paris"},
            "message_id": "m",
            "reasoning_id": None,
        },
    ),
    (
        ToolApprovalRequestEvent(CALL, "m", "d1"),
        "tool_approval_request",
        {
            "approval_id": "d1",
            "tool_id": "c1",
            "tool_name": "weather",
            "arguments": {"city": "Paris"},
            "message_id": "m",
        },
    ),
    (
        ToolResultEvent(ToolResult(CALL, ToolOutput({"degrees": 20}), '{"degrees": 20}'), "m"),
        "tool_result",
        {
            "tool_id": "c1",
            "tool_name": "weather",
            "result": {"degrees": 20},
            "message_id": "m",
            "success": True,
            "error": None,
        },
    ),
    (
        ToolResultEvent(ToolResult(CALL, ToolOutput("no stock"), "no stock", is_error=True), "m"),
        "tool_result",
        {
            "tool_id": "c1",
            "tool_name": "weather",
            "result": "no stock",
            "message_id": "m",
            "success": False,
            "error": "no stock",
        },
    ),
    (
        ArtifactEvent(Artifact("eA==", "image/png", {"width": 3}, "a1"), "c1", "paint", "m"),
        "artifact",
        {
            "tool_call_id": "c1",
            "tool_name": "paint",
            "message_id": "m",
            "artifact": {"id": "a1", "data": "eA==", "mime_type": "image/png", "metadata": {"width": 3}},
        },
    ),
    (
        ProviderToolEvent("web_search_call", "searching", "ws1", {"query": "q"}),
        "provider_tool_event",
        {
            "type": "provider_tool_event",
            "event_key": "provider_tool_event.web_search_call.searching",
            "tool_type": "web_search_call",
            "status": "searching",
            "item_id": "ws1",
            "data": {"query": "q"},
        },
    ),
    (
        CitationEvent(CITATION, "m", 2),
        "citation",
        {"citation": CITED, "message_id": "m", "block_index": 2, "metadata": None},
    ),
    (StepFinishEvent(), "step_finish", {"usage": None}),
    (StepFinishEvent(Usage(1, 2, 3, 4, 5, {"raw": 1})), "step_finish", {"usage": TOKENS}),
    (
        ErrorEvent("overloaded_error", "Overloaded", recoverable=True),
        "error",
        {"error_type": "overloaded_error", "message": "Overloaded", "recoverable": True, "metadata": None},
    ),
    (
        StreamEndEvent("tool_calls", Usage(1, 2, 3, 4, 5), (CITATION,)),
        "stream_end",
        {
            "finish_reason": "ToolCalls",
            "usage": TOKENS,
            "citations": [{"output_text": "", "citations": [CITED]}],
        },
    ),
    (StreamEndEvent("stop"), "stream_end", {"finish_reason": "Stop", "usage": None, "citations": None}),
]


@pytest.mark.parametrize(("event", "type", "told"), WRITTEN, ids=lambda value: type(value).__name__)
def test_each_event_is_written_with_prisms_keys(event: StreamEvent, type: str, told: dict[str, object]) -> None:
    """Id and time first, then what the kind says, in Prism's order."""
    written = event.to_dict()

    assert event.type == type
    assert written == {"id": "", "timestamp": 0, **told}
    assert list(written) == ["id", "timestamp", *told]


def test_sse_is_what_prism_streams() -> None:
    """One event is its type, its JSON in ASCII, and an empty line."""
    event = TextDeltaEvent("hé\n", "m", id="e1", timestamp=7)

    told = 'event: text_delta\ndata: {"id":"e1","timestamp":7,"delta":"h\\u00e9\\n","message_id":"m"}\n\n'
    assert sse(event) == told
    assert sse(event, with_id=True) == f"id: e1\n{told}"
    assert json.loads(sse(event).split("data: ")[1])["delta"] == "hé\n"
    assert SSE_HEADERS["Content-Type"] == "text/event-stream"
