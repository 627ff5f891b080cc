"""
From a conversation to Anthropic's messages.

What its own models said goes back as it came; what others said is written anew.

Source: API reference "Messages"; guides "Handle tool calls", "Server tools", "Handling stop reasons",
"Fine-grained tool streaming" (invalid JSON is wrapped), "Extended thinking" (read 2026-11).
"""

import re
from collections.abc import Iterable, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, assert_never

import attrs

from prismpy.messages import (
    AssistantMessage,
    CallPart,
    Message,
    Part,
    ProviderToolPart,
    RefusalPart,
    SystemMessage,
    TextPart,
    ThinkingPart,
    ToolCall,
    ToolResult,
    ToolResultMessage,
    UserMessage,
)
from prismpy.schema import JSON, decode

from ._anthropic_content import blocks, is_blank, result_block
from ._anthropic_pairs import without_halves
from ._calls import json_arguments, sent_id
from ._tell import arguments_text

NO_ID: Final = re.compile(r"[^a-zA-Z0-9_-]")
"""What no id of a call may have in it: "String should match pattern '^[a-zA-Z0-9_-]+$'"."""


def write_messages(messages: Iterable[Message]) -> list[JSON]:
    """
    Write all but the system messages.

    Neighbours of one role become one message, in which the results of tools come first. Blank texts are
    left out, and so is a message with nothing else: both would be refused.

    Raises:
        DefinitionError: if a user's picture or file is of a kind that the provider does not take.
    """
    calls = _Calls()
    return _trimmed(_merged(without_halves([_said(message, calls) for message in messages])))


def _trimmed(messages: list[JSON]) -> list[JSON]:
    """Leave out the blanks at the very end: "final assistant content cannot end with trailing whitespace"."""
    for message in messages[-1:]:
        last = message["content"][-1]
        if message["role"] == "assistant" and last.get("type") == "text":
            message["content"][-1] = {**last, "text": last["text"].rstrip()}
    return messages


def _merged(messages: Iterable[Mapping[str, Any]]) -> list[JSON]:
    merged: list[JSON] = []
    for role, neighbours in groupby((each for each in messages if each["content"]), key=itemgetter("role")):
        content = [block for message in neighbours for block in message["content"]]
        content.sort(key=lambda block: role == "user" and block["type"] != "tool_result")
        merged.append({"role": role, "content": content})
    return merged


def _said(message: Message, calls: "_Calls") -> dict[str, Any]:
    match message:
        case SystemMessage():
            return {"role": "user", "content": []}
        case UserMessage(content=content):
            return {"role": "user", "content": blocks(content)}
        case AssistantMessage():
            own = message.dialect == "anthropic"
            said = (_block(part, calls, own=own) for part in message.parts)
            return {"role": "assistant", "content": [block for block in said if block is not None]}
        case ToolResultMessage(results=results):
            return {"role": "user", "content": calls.answered(results)}
        case _:
            assert_never(message)


def _block(part: Part, calls: "_Calls", *, own: bool) -> JSON:
    """Write what a model said; None for what has nothing to say, or only to its own provider."""
    match part:
        case TextPart(text=text):
            return None if is_blank(text) else _raw(part, own=own) or {"type": "text", "text": text}
        case RefusalPart(text=text):  # Anthropic's own stand beside the content
            return None if own or is_blank(text) else {"type": "text", "text": text}
        case CallPart(call=call):
            anew = {"type": "tool_use", "id": "", "name": call.name, "input": call.arguments}
            return calls.add(call.id, _raw(part, own=own) or anew)
        case ThinkingPart():
            return _raw(part, own=own)
        case ProviderToolPart():
            sent = _raw(part, own=own)
            return _with_object(sent) if sent is not None and "input" in sent else sent
        case _:
            assert_never(part)


def _raw(part: Part, *, own: bool) -> Mapping[str, Any] | None:
    return dict(part.raw) if own and part.raw is not None else None


def _with_object(block: Mapping[str, Any]) -> JSON:
    """Make sure that the input is an object: the API takes nothing else, whatever a model wrote."""
    return {**block, "input": _object(block.get("input"))}


def _object(arguments: Any) -> JSON:
    """Return arguments as an object; text that stands for none is wrapped into one."""
    if isinstance(arguments, Mapping):
        return arguments
    return decode(json_arguments(arguments_text(ToolCall("", "", arguments))))


@attrs.define
class _Calls:
    """The calls so far, each with an id of its own: providers reuse them, and Anthropic refuses that."""

    _taken: set[str] = attrs.field(factory=set, init=False)
    _sent: dict[str, JSON] = attrs.field(factory=dict, init=False)

    def add(self, id: str, block: Mapping[str, Any]) -> JSON:
        """Write a call that bears an id in the conversation."""
        self._sent[id] = {**_with_object(block), "id": sent_id(NO_ID.sub("_", id), self._taken)}
        return self._sent[id]

    def answered(self, results: Iterable[ToolResult]) -> list[JSON]:
        """Write the results of the latest calls of their ids; those of no call would be refused."""
        found = ((result, self._sent.get(result.call.id)) for result in results)
        return [result_block(result, call) for result, call in found if call is not None]
