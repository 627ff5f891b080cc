"""
A conversation as the items of a request.

A turn of this provider goes back item by item as it came: reasoning right before the
item that it belongs to, which the API insists on. Turns of others are written anew.
"""

from collections.abc import Iterator, Mapping, Sequence
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
from prismpy.schema import JSON

from ._calls import json_arguments, sent_id
from ._loose import obj, objects, word
from ._responses_answers import answer, answered_by
from ._responses_content import content
from ._responses_items import CALLS, Item, arguments, entries, kind_of
from ._responses_reply import DIALECT
from ._responses_tools import Offered
from ._tell import arguments_text

GROUPED_CALLS: Final = frozenset({"deepseek"})
"""
Providers that want the calls of a turn side by side: what stands between a call and its output makes them miss it.

Source: deepseek's answer 400, "No tool output found for tool call" (recorded 2026; read 2026-11).
"""

_PIECES: Final = frozenset({"output_text", "refusal", "summary_text", "reasoning_text"})
"""Types of what a `raw` holds that is a part of the item before it."""

_RUNNING: Final = frozenset({"in_progress", "searching", "interpreting", "generating", "calling", "partial_image"})
"""What a tool of the provider does in an item that a cut-off stream left behind."""


def is_own(message: Message, provider: str) -> bool:
    """Tell whether a turn came from this provider in this format. What is encrypted in it means nothing to others."""
    if not isinstance(message, AssistantMessage) or message.dialect != DIALECT:
        return False
    return bool(message.extra.get("provider", provider) == provider)


def history(messages: Sequence[Message], provider: str, tools: Offered, first: int = 0) -> list[JSON]:
    """
    Write messages, oldest first.

    Args:
        messages: The conversation; every call has its result.

        provider: Who is asked.

        tools: How ours are offered, for the calls of turns that are written anew.

        first: Index of the first message to send; the provider has those before.
    """
    writer = _Writer(provider, tools, _answered(messages))
    for message in messages[:first]:
        writer.know(message)
    return [item for message in messages[first:] for item in writer.write(message)]


def _answered(messages: Sequence[Message]) -> frozenset[str]:
    """Return the ids of all that has an answer, be it a result or an item of the API."""
    results = (
        each.call.id for message in messages if isinstance(message, ToolResultMessage) for each in message.results
    )
    turns = (message for message in messages if isinstance(message, AssistantMessage))
    raws = (part.raw for turn in turns for part in turn.parts if part.raw is not None)
    items = (str(raw.get("approval_request_id") or raw.get("call_id")) for raw in raws if _is_answer(raw))
    return frozenset((*results, *items))


def _is_answer(raw: Item) -> bool:
    return kind_of(raw).endswith(("_output", "_response"))


@attrs.define
class _Writer:
    """Goes through a conversation and remembers what is still to be answered."""

    provider: str
    tools: Offered
    answered: frozenset[str]
    calls: dict[str, tuple[Item, str]] = attrs.field(factory=dict)
    """Id of a call in the history to the item that made it, and what it is called in the request."""

    taken: set[str] = attrs.field(factory=set)

    def know(self, message: Message) -> None:
        """Remember the calls of a message that the provider has already."""
        for part in message.parts if isinstance(message, AssistantMessage) else ():
            raw = part.raw or {"type": "function_call"}
            own = part.call.id if isinstance(part, CallPart) else answered_by(raw)
            self.calls[own] = raw, answered_by(raw) or own

    def write(self, message: Message) -> Iterator[JSON]:
        """Write one message."""
        match message:
            case SystemMessage(text=text):
                yield {"role": "system", "content": text}
            case UserMessage(content=said):
                yield {"role": "user", "content": content(said)}
            case AssistantMessage() if is_own(message, self.provider):
                yield from self._own(message.parts)
            case AssistantMessage(parts=parts, dialect=dialect):
                written = [item for part in parts for item in self._anew(_as_sent(part, dialect))]
                yield from sorted(written, key=_is_call)
            case ToolResultMessage(results=results):
                yield from (self._answer(result) for result in results)
            case _:
                assert_never(message)

    def _answer(self, result: ToolResult) -> JSON:
        item, id = self.calls.get(result.call.id, ({"type": "function_call"}, result.call.id))
        return answer(item, id, result)

    # --- turns of others, and what an app has added ---

    def _anew(self, part: Part) -> Iterator[JSON]:
        match part:
            case TextPart(text=text) | RefusalPart(text=text):
                yield from [{"role": "assistant", "content": text}] if text else []
            case CallPart(call=call):
                yield self._called(call.id, self.tools.called(call))
            case ThinkingPart() | ProviderToolPart():
                return
            case _:
                assert_never(part)

    def _called(self, id: str, item: Item) -> JSON:
        sent = sent_id(id, self.taken)
        self.calls[id] = item, sent
        return item if item.get("call_id") == sent else {**item, "call_id": sent}

    # --- turns of this provider ---

    def _own(self, parts: Sequence[Part]) -> list[JSON]:
        """Write a turn as it came, but for what the API would refuse."""
        items: list[tuple[JSON, bool]] = []  # each with whether it is as it came
        for part in parts:
            if part.raw is None:
                items += [(item, False) for item in self._anew(part)]
            elif kind_of(part.raw) not in _PIECES:
                items += [(item, True) for item in self._again(part, part.raw)]
            elif not items or not _holds(items[-1][0], part.raw):
                items += [(item, False) for item in self._anew(part)]
        if self.provider in GROUPED_CALLS:
            items.sort(key=lambda each: _is_call(each[0]))
        return _followed(items)

    def _again(self, part: Part, raw: Item) -> Iterator[JSON]:
        """Write an item as it came; not where it is unfinished, or waits for an answer that never came."""
        if isinstance(part, CallPart) and kind_of(raw) in CALLS:
            yield self._called(part.call.id, _sendable(raw))
            return
        if asked := answered_by(raw):
            self.calls[part.call.id if isinstance(part, CallPart) else asked] = raw, asked
        lost = asked not in self.answered if asked else word(raw.get("status")) in _RUNNING
        if not lost or not isinstance(part, ProviderToolPart):
            yield _sendable(raw)


def _as_sent(part: Part, dialect: str) -> Part:
    """Return a call of this format with the name and the arguments that it was sent with, which its provider took."""
    raw = part.raw
    if not isinstance(part, CallPart) or raw is None or dialect != DIALECT or kind_of(raw) not in CALLS:
        return part
    return attrs.evolve(part, call=ToolCall(part.call.id, word(raw.get("name")), arguments(raw)))


def _is_call(item: JSON) -> bool:
    return kind_of(item) in CALLS


def _holds(item: JSON, piece: Item) -> bool:
    return any(entry == piece for _, entry in entries(item))


def _sendable(raw: Item) -> Item:
    """Return an item as it came, with what the API would refuse made right."""
    match kind_of(raw):
        case "function_call":
            text = raw.get("arguments")
            valid = json_arguments(arguments_text(ToolCall("", "", arguments(raw))))
            return raw if valid == text else {**raw, "arguments": valid}
        case "custom_tool_call":  # the API sends a status and knows none in a request
            return {key: value for key, value in raw.items() if key != "status"}
        case "web_search_call" if _has_feeds(obj(raw.get("action"))):
            return {**raw, "action": {key: value for key, value in raw["action"].items() if key != "sources"}}
        case _:
            return raw


def _has_feeds(action: Mapping[str, Any]) -> bool:
    """
    Tell whether a search found what is no page. The API sends such sources and knows none in a request.

    Source: github.com/openai/openai-openapi/issues/573 (read 2026-11).
    """
    return any(source.get("type") != "url" for source in objects(action.get("sources")))


def _followed(items: Sequence[tuple[JSON, bool]]) -> list[JSON]:
    """
    Leave out reasoning that what it led to does not follow.

    Source: OpenAI's answer 400, "of type 'reasoning' was provided without its required following item" (read 2026-11).
    """
    kept: list[JSON] = []
    followed = False
    for item, as_it_came in reversed(items):
        is_reasoning = kind_of(item) == "reasoning"
        if not is_reasoning or followed:
            kept.append(item)
        followed = as_it_came and (followed or not is_reasoning)
    return kept[::-1]
