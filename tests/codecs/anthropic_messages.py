"""Anthropic's recordings as conversations: what they say, as our values, and what we would send in their place."""

import functools
import json
from collections.abc import Iterator, Mapping
from typing import Any

import anthropic.types.beta.message_create_params
import attrs
from jsonschema import Draft202012Validator

from prismpy import (
    AssistantMessage,
    Document,
    Image,
    Message,
    SystemMessage,
    Text,
    ToolCall,
    ToolOutput,
    ToolResult,
    ToolResultMessage,
    UserMessage,
)
from prismpy.codecs import AnthropicCodec, Ask, Reply
from tests.recordings import Exchange, Recording
from tests.sdk_types import sdk_schema

from .streams import folded, pieces

CODEC = AnthropicCodec()


def streamed(stream: list[Any]) -> tuple[list[Any], Reply]:
    """Fold a stream; return what it told and what it came to."""
    return folded(CODEC, stream)


def decoded(exchange: Exchange) -> Reply:
    """Return the reply of an exchange, however it came."""
    if exchange.streamed:
        return streamed(pieces(exchange.response["sse"]))[1]
    return CODEC.reply(exchange.response["body"])


# --- conversations --------------------------------------------------------------------------------------------------


def asks(recording: Recording) -> Iterator[tuple[Exchange, Ask]]:
    """
    Give each exchange whose request was kept, and the question that stands for it.

    What models said is taken from the replies before, as we decoded them; only turns that no reply of the recording
    told are taken from the request.
    """
    replies: list[AssistantMessage] = []
    for exchange in recording.exchanges:
        if exchange.request["body"] is not None:
            yield exchange, ask_for(exchange.request["body"], replies)
        if exchange.answered:
            replies.append(decoded(exchange).message)


OURS = {"model", "messages", "system", "tools", "tool_choice", "max_tokens", "temperature", "stream", "container"}


def ask_for(body: Mapping[str, Any], replies: list[AssistantMessage] = []) -> Ask:
    """Return the question that a recorded body stands for."""
    choice = body.get("tool_choice", {"type": "auto"})
    return Ask(
        body["model"],
        [*_system(body.get("system", [])), *_messages(body["messages"], list(replies))],
        body.get("tools", []),
        tool_choice=choice.get("name", choice["type"]),
        max_tokens=body["max_tokens"],
        temperature=body.get("temperature"),
        parallel_calls=False if choice.get("disable_parallel_tool_use") else None,
        options={key: value for key, value in body.items() if key not in OURS} | _citing(body["messages"]),
    )


def _citing(messages: list[Any]) -> dict[str, Any]:
    documents = [b for m in messages for b in _blocks(m["content"]) if b["type"] == "document" and "citations" in b]
    return {"citations": True} if documents else {}


def _system(system: Any) -> Iterator[Message]:
    yield from (SystemMessage(block["text"]) for block in _blocks(system))


def _messages(messages: list[Any], replies: list[AssistantMessage]) -> Iterator[Message]:
    calls: dict[str, ToolCall] = {}
    for message in messages:
        content = _blocks(message["content"])
        if message["role"] == "assistant":
            said = replies.pop(0) if replies else CODEC.reply({"content": content}).message
            calls.update({call.id: call for call in said.calls})
            yield said
        elif results := [block for block in content if block["type"] == "tool_result"]:
            yield ToolResultMessage(_result(block, calls[block["tool_use_id"]]) for block in results)
        if message["role"] == "user" and (words := [b for b in content if b["type"] != "tool_result"]):
            yield UserMessage(_piece(block) for block in words)


def _blocks(content: Any) -> list[Any]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _result(block: Mapping[str, Any], call: ToolCall) -> ToolResult:
    content = _blocks(block.get("content", []))
    if any(each["type"] in {"search_result", "tool_reference"} for each in content):
        return ToolResult(call, ToolOutput(content), json.dumps(content))
    said = tuple(_piece(each) for each in content)
    text = "".join(each.text for each in said if isinstance(each, Text))
    parts = said if any(not isinstance(each, Text) for each in said) else ()
    return ToolResult(call, ToolOutput(text), text, block.get("is_error", False), parts=parts)


def _piece(block: Mapping[str, Any]) -> Text | Image | Document:
    match block:
        case {"type": "text", "text": text}:
            return Text(text)
        case {"type": "image", "source": {"type": "base64", "media_type": kind, "data": data}}:
            return Image(data, kind)
        case {"type": "document", "source": {"type": "text", "data": data}}:
            return attrs.evolve(Document.from_raw(data.encode(), "text/plain"), title=block.get("title"))
        case _:
            raise AssertionError(block)


# --- judging what is sent -------------------------------------------------------------------------------------------


@functools.cache
def _judge(streaming: bool) -> Draft202012Validator:
    params = anthropic.types.beta.message_create_params
    kind = params.MessageCreateParamsStreaming if streaming else params.MessageCreateParamsNonStreaming
    return Draft202012Validator(sdk_schema(kind))


def complaints(body: Mapping[str, Any]) -> list[str]:
    """Return what the SDK's types have against a body. They name no temperature since 2.0; the API takes it."""
    known = {key: value for key, value in body.items() if key != "temperature"}
    return [error.message for error in _judge("stream" in body).iter_errors(known)]
