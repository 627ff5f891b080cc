"""What a turn that came whole tells."""

from prismpy import (
    Artifact,
    ArtifactEvent,
    AssistantMessage,
    CallPart,
    Citation,
    CitationEvent,
    ProviderToolEvent,
    ProviderToolPart,
    RefusalPart,
    TextCompleteEvent,
    TextDeltaEvent,
    TextPart,
    TextStartEvent,
    ThinkingCompleteEvent,
    ThinkingEvent,
    ThinkingPart,
    ThinkingStartEvent,
    ToolCall,
    ToolCallDeltaEvent,
)
from prismpy.codecs import Reply, arguments_text, tell

CITATION = Citation("url", "https://example.com")
PICTURE = Artifact("eA==", "image/png")


def test_tell_goes_part_by_part() -> None:
    """Every part tells what its stream would have told, with one delta."""
    reply = Reply(
        AssistantMessage(
            [
                ThinkingPart(""),
                ThinkingPart("hm"),
                TextPart("one", (CITATION,)),
                TextPart(""),
                CallPart(ToolCall("a", "w", {"x": 1})),
                CallPart(ToolCall("b", "w")),
                ProviderToolPart("image_generation_call", "i1", data={"size": 1}, artifacts=(PICTURE,)),
                ThinkingPart("so"),
                RefusalPart("no"),
            ]
        ),
        id="m",
    )

    assert list(tell(reply)) == [
        ThinkingStartEvent("m_reasoning_0"),
        ThinkingEvent("hm", "m_reasoning_0"),
        ThinkingCompleteEvent("m_reasoning_0"),
        TextStartEvent("m"),
        TextDeltaEvent("one", "m"),
        TextCompleteEvent("m"),
        CitationEvent(CITATION, "m", 2),
        ToolCallDeltaEvent("a", "w", '{"x": 1}', "m"),
        ProviderToolEvent("image_generation_call", "completed", "i1", {"size": 1}),
        ArtifactEvent(PICTURE, "i1", "image_generation_call", "m"),
        ThinkingStartEvent("m_reasoning_1"),
        ThinkingEvent("so", "m_reasoning_1"),
        ThinkingCompleteEvent("m_reasoning_1"),
        TextStartEvent("m"),
        TextDeltaEvent("no", "m"),
        TextCompleteEvent("m"),
    ]


def test_arguments_are_text_however_they_came() -> None:
    """Text stays as it is, objects become JSON, nothing is nothing."""
    assert arguments_text(ToolCall("a", "w")) == ""
    assert arguments_text(ToolCall("a", "w", '{"x":')) == '{"x":'
    assert arguments_text(ToolCall("a", "w", b"{}")) == "{}"
    assert arguments_text(ToolCall("a", "w", {"é": 1})) == '{"é": 1}'
