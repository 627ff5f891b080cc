"""Streams in tests: the decoded pieces of a recorded one, and what a stream tells once its deltas are merged."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from prismpy.codecs import Codec, Reply
from prismpy.events import (
    ArtifactEvent,
    CitationEvent,
    Event,
    ProviderToolEvent,
    TextCompleteEvent,
    TextDeltaEvent,
    TextStartEvent,
    ThinkingCompleteEvent,
    ThinkingEvent,
    ThinkingStartEvent,
    ToolCallDeltaEvent,
)


def pieces(sse: str) -> list[Any]:
    """Return the JSON of an event stream, event by event."""
    data = (line.removeprefix("data:").strip() for line in sse.splitlines() if line.startswith("data:"))
    return [json.loads(each) for each in data if each != "[DONE]"]


def folded(codec: Codec, events: Iterable[Mapping[str, Any]]) -> tuple[list[Event], Reply]:
    """Feed a fold to the end; return all that it told, and the reply."""
    fold = codec.fold()
    told = [event for piece in events for event in fold.feed(piece)]
    last, reply = fold.finish()
    return [*told, *last], reply


def merged(events: Sequence[Event]) -> dict[str, Any]:
    """
    Return what events say, however finely they were cut and interleaved.

    Fails where a text or a thought is not begun, told and completed in order. Of what a provider's tool does, the last
    counts; pictures on the way are left out.
    """
    texts: list[str | None] = []
    thoughts: dict[str, str] = {}
    calls: dict[tuple[str, str], str] = {}
    tools: dict[tuple[str, str], Any] = {}
    rest: list[Any] = []
    open_text, open_thoughts = False, set[str]()
    for event in events:
        match event:
            case TextStartEvent():
                assert not open_text
                texts.append("")
                open_text = True
            case TextDeltaEvent(delta=delta):
                assert open_text
                assert delta
                texts[-1] = f"{texts[-1]}{delta}"
            case TextCompleteEvent():
                assert open_text
                assert texts[-1]
                open_text = False
            case ThinkingStartEvent(reasoning_id=id):
                assert id not in thoughts
                thoughts[id] = ""
                open_thoughts.add(id)
            case ThinkingEvent(reasoning_id=id, delta=delta):
                assert id in open_thoughts
                assert delta
                thoughts[id] += delta
            case ThinkingCompleteEvent(reasoning_id=id):
                open_thoughts.remove(id)
            case ToolCallDeltaEvent(tool_id=id, tool_name=name, delta=delta):
                calls[id, name] = calls.get((id, name), "") + delta
            case ProviderToolEvent(tool_type=type, item_id=id):
                tools.pop((type, id), None)
                tools[type, id] = event
            case ArtifactEvent(artifact=artifact) if "partial_image_index" in artifact.metadata:
                pass
            case ArtifactEvent() | CitationEvent():
                rest.append(event)
            case _:
                raise AssertionError(event)
    assert not open_text
    assert not open_thoughts
    return {"texts": texts, "thoughts": thoughts, "calls": calls, "tools": list(tools.values()), "rest": rest}
