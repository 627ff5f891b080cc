"""
The events of a turn.

A fold tells pieces as they come, with the functions here; `tell` tells a turn
that came whole: what its stream would have told, with one delta for each piece.
"""

import json
from collections.abc import Iterator
from typing import assert_never

from prismpy.events import (
    ArtifactEvent,
    CitationEvent,
    Event,
    ProviderToolEvent,
    ToolCallDeltaEvent,
)
from prismpy.messages import CallPart, Citation, ProviderToolPart, RefusalPart, TextPart, ThinkingPart, ToolCall

from ._values import Reply
from ._voices import Speech, Thought, told_whole


def tell(reply: Reply) -> Iterator[Event]:
    """Tell a whole turn, part by part. Empty texts and thoughts are not told."""
    thoughts = 0
    for index, part in enumerate(reply.message.parts):
        match part:
            case TextPart(text=text, citations=citations):
                yield from told_whole(Speech(reply.id), text)
                yield from (cited(each, reply.id, index) for each in citations)
            case RefusalPart(text=text):  # words for whoever reads along; the reason of the end tells them apart
                yield from told_whole(Speech(reply.id), text)
            case ThinkingPart(text=text):
                yield from told_whole(Thought(reasoning_id(reply.id, thoughts)), text)
                thoughts += bool(text)
            case CallPart(call=call):
                text = arguments_text(call)
                yield from [ToolCallDeltaEvent(call.id, call.name, text, reply.id)] if text else []
            case ProviderToolPart():
                yield from active(part, reply.id)
            case _:
                assert_never(part)


def reasoning_id(message_id: str, thoughts: int) -> str:
    """Name a thought: the turn it is part of, and how many that can be read came before it in the turn."""
    return f"{message_id}_reasoning_{thoughts}"


def cited(citation: Citation, message_id: str, index: int) -> CitationEvent:
    """Tell a citation of the part at an index, counted from 0."""
    return CitationEvent(citation, message_id, index)


def active(part: ProviderToolPart, message_id: str) -> Iterator[Event]:
    """Tell what a provider's tool did, and what it made."""
    yield ProviderToolEvent(part.type, part.status, part.id, part.data)
    for artifact in part.artifacts:
        yield ArtifactEvent(artifact, part.id, part.type, message_id)


def arguments_text(call: ToolCall) -> str:
    """Return the arguments of a call as JSON text, as it came where it came as text; "" for none."""
    match call.arguments:
        case None:
            return ""
        case str() as text:
            return text
        case bytes() as raw:
            return raw.decode("utf-8", "replace")
        case arguments:
            return json.dumps(arguments, ensure_ascii=False)
