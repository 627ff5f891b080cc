"""From a conversation to the body of a chat completion."""

from collections.abc import Iterator
from typing import assert_never

from prismpy.messages import (
    AssistantMessage,
    Message,
    SystemMessage,
    ToolCall,
    ToolResultMessage,
    UserMessage,
)
from prismpy.schema import JSON

from ._chat_quirks import ChatQuirks
from ._tell import arguments_text
from ._values import Ask


def write(ask: Ask, quirks: ChatQuirks, *, stream: bool) -> dict[str, JSON]:
    """Write a body."""
    body: dict[str, JSON] = {
        "model": ask.model,
        "messages": [said for message in ask.messages for said in _said(message)],
    }
    if ask.tools:
        body["tools"] = list(ask.tools)
    if ask.max_tokens is not None:
        body[quirks.max_tokens] = ask.max_tokens
    if ask.temperature is not None:
        body["temperature"] = ask.temperature
    if stream:
        body["stream"] = True
    if stream and quirks.stream_usage:
        body["stream_options"] = {"include_usage": True}
    return {**body, **ask.options}


def _said(message: Message) -> Iterator[JSON]:
    match message:
        case SystemMessage(text=text):
            yield {"role": "system", "content": text}
        case UserMessage():
            yield {"role": "user", "content": message.text}
        case AssistantMessage():
            yield _turn(message)
        case ToolResultMessage(results=results):
            for result in results:
                yield {"role": "tool", "tool_call_id": result.call.id, "content": result.text}
        case _:
            assert_never(message)


def _turn(message: AssistantMessage) -> JSON:
    turn: dict[str, JSON] = {"role": "assistant", "content": message.text}
    if message.calls:
        turn["tool_calls"] = [_call(call) for call in message.calls]
    return turn


def _call(call: ToolCall) -> JSON:
    function = {"name": call.name, "arguments": arguments_text(call) or "{}"}
    return {"id": call.id, "type": "function", "function": function}
