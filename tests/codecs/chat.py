"""Chat completions in tests: the codec of a recording's server, recorded streams and conversations."""

from collections.abc import Iterable, Mapping
from typing import Any

from prismpy import known_servers
from prismpy.codecs import ChatCodec, Reply, chat_quirks
from prismpy.messages import (
    AssistantMessage,
    Message,
    SystemMessage,
    ToolOutput,
    ToolResult,
    ToolResultMessage,
    UserMessage,
)
from prismpy.providers._sse import SseDecoder
from tests.recordings import Exchange, Recording


def server_of(recording: Recording) -> str:
    """Return the row of a recording's server."""
    return recording.provider if recording.provider in known_servers() else "openai"


def codec_of(recording: Recording) -> ChatCodec:
    return ChatCodec(server_of(recording), chat_quirks(server_of(recording)))


def pieces_of(exchange: Exchange) -> list[Mapping[str, Any]]:
    """Return a recorded stream, piece by piece."""
    return [*SseDecoder().feed(exchange.response["sse"].encode())]


def decoded(codec: ChatCodec, exchange: Exchange) -> Reply:
    """Read a recorded answer, whole or streamed."""
    if not exchange.streamed:
        return codec.reply(exchange.response["body"])
    fold = codec.fold()
    for piece in pieces_of(exchange):
        fold.feed(piece)
    return fold.finish()[1]


def conversation(exchange: Exchange, replies: Iterable[Reply]) -> list[Message]:
    """
    Return a recorded request as a conversation, with our own replies in the places of the model's turns.

    Turns that are not among the replies, as where another framework made them up, are left out with their results.
    """
    by_call = {call.id: reply for reply in replies for call in reply.message.calls}
    by_text = {reply.message.text: reply for reply in replies if not reply.message.calls}
    said: list[Message] = []
    for message in exchange.request["body"]["messages"]:
        match message:
            case {"role": "system" | "developer", "content": content}:
                said.append(SystemMessage(_text(content)))
            case {"role": "user", "content": content}:
                said.append(UserMessage(_text(content)))
            case {"role": "assistant", "tool_calls": [{"id": id}, *_]} if id in by_call:
                said.append(by_call[id].message)
            case {"role": "assistant", "content": content} if _text(content) in by_text:
                said.append(by_text[_text(content)].message)
            case {"role": "tool", "tool_call_id": id, "content": content} if id in by_call:
                _answer(said, by_call[id].message, id, _text(content))
    return said


def _answer(said: list[Message], turn: AssistantMessage, id: str, text: str) -> None:
    call = next(call for call in turn.calls if call.id == id)
    result = ToolResult(call, ToolOutput(text), text)
    if isinstance(said[-1], ToolResultMessage):
        said[-1] = ToolResultMessage((*said[-1].results, result))
    else:
        said.append(ToolResultMessage((result,)))


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "".join(item["text"] for item in content if item["type"] == "text")
    return content or ""
