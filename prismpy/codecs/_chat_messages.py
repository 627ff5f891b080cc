"""
From a conversation to the messages of a chat completion.

What a model of this format said goes back with what its server takes back, as it came; what others said
is written anew from words and calls.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any, Final, assert_never

from prismpy.messages import (
    AssistantMessage,
    CallPart,
    Message,
    RefusalPart,
    SystemMessage,
    Text,
    TextPart,
    ToolResult,
    ToolResultMessage,
    UserMessage,
)
from prismpy.schema import JSON

from ._calls import json_arguments
from ._chat_content import write_content
from ._chat_quirks import ChatQuirks
from ._chat_reply import DIALECT
from ._tell import arguments_text

_EMPTY: Final = "(no output)"
"""For a result without text, which servers that pass it on to Anthropic's models would refuse."""


def write_messages(messages: Iterable[Message], quirks: ChatQuirks, free_text: frozenset[str]) -> list[JSON]:
    """
    Write all messages.

    Args:
        messages: Oldest first.

        quirks: Of the server.

        free_text: Names of the tools that take free text.

    Raises:
        DefinitionError: for a picture or a file that chat completions cannot carry.
    """
    return [said for message in messages for said in _said(message, quirks, free_text)]


def _said(message: Message, quirks: ChatQuirks, free_text: frozenset[str]) -> Iterator[JSON]:
    match message:
        case SystemMessage(text=text):
            yield {"role": "system", "content": text}
        case UserMessage(content=content):
            yield {"role": "user", "content": write_content(content, quirks)}
        case AssistantMessage():
            yield from _turn(message, quirks, free_text)
        case ToolResultMessage(results=results):
            yield from (_result(result, quirks) for result in results)
            yield from _shown(results, quirks)
        case _:
            assert_never(message)


# --- what a model said ---------------------------------------------------------


def _turn(message: AssistantMessage, quirks: ChatQuirks, free_text: frozenset[str]) -> Iterator[JSON]:
    own = message.dialect == DIALECT
    turn: dict[str, JSON] = {key: message.extra[key] for key in quirks.goes_back if own and key in message.extra}
    content = _content(message, quirks, refused="refusal" in turn)
    calls = [_call(part, quirks, free_text, own=own) for part in message.parts if isinstance(part, CallPart)]
    if calls:
        calls[0] = calls[0] if _is_signed(turn, calls) else {**quirks.call_stand_ins, **calls[0]}
        turn = {**quirks.stand_ins, **turn, "tool_calls": calls}
    if content or not calls:  # an empty text beside calls is refused by servers that pass it on to Anthropic's models
        turn = {"content": content or None, **turn}
    if content or calls or "refusal" in turn:  # an empty turn says nothing, and is refused
        yield {"role": "assistant", **turn}


def _content(message: AssistantMessage, quirks: ChatQuirks, *, refused: bool) -> JSON:
    """Return a turn's words, or its pieces as they came where it came in pieces and its server takes them back."""
    pieces = [part for part in message.parts if not isinstance(part, CallPart)]
    listed = [part.raw for part in pieces if part.raw is not None and "type" in part.raw]
    if quirks.content_lists and message.dialect == DIALECT and listed:
        return listed
    words = TextPart if refused else TextPart | RefusalPart
    return "".join(part.text for part in pieces if isinstance(part, words))


def _call(part: CallPart, quirks: ChatQuirks, free_text: frozenset[str], *, own: bool) -> dict[str, JSON]:
    """Write a call: what its server needs to see again, and nothing that another one would refuse."""
    call, raw = part.call, part.raw if own and part.raw is not None else {}
    id, text = fitting_id(call.id, quirks.call_id), arguments_text(call)
    if call.name in free_text or (quirks.custom_tools and raw.get("type") == "custom"):
        return {"id": id, "type": "custom", "custom": {"name": call.name, "input": text}}
    kept = {key: raw[key] for key in quirks.goes_back if key in raw}
    return {"id": id, "type": "function", "function": {"name": call.name, "arguments": json_arguments(text)}, **kept}


def _is_signed(turn: Mapping[str, Any], calls: Iterable[Mapping[str, Any]]) -> bool:
    return "extra_content" in turn or any("extra_content" in call for call in calls)


def fitting_id(id: str, pattern: re.Pattern[str]) -> str:
    """Return the id of a call where a server takes it, otherwise one made of it that every server takes."""
    return id if pattern.fullmatch(id) else sha256(id.encode()).hexdigest()[:9]


# --- what tools answered -------------------------------------------------------


def _result(result: ToolResult, quirks: ChatQuirks) -> JSON:
    id = fitting_id(result.call.id, quirks.call_id)
    return {"role": "tool", "tool_call_id": id, "content": result.text or _EMPTY}


def _shown(results: Iterable[ToolResult], quirks: ChatQuirks) -> Iterator[JSON]:
    """
    Show pictures and files of results as a user would: a tool's message takes text alone, and must follow the calls.

    Source: recording openai-chat/tool-result-image (read 2026-11).
    """
    shown = [
        piece
        for result in results
        if any(not isinstance(each, Text) for each in result.content)
        for piece in (Text(f"Result of {result.call.name}:"), *(p for p in result.content if not isinstance(p, Text)))
    ]
    if shown:
        yield {"role": "user", "content": write_content(shown, quirks)}
