"""
What makes a conversation valid for every provider, and the repair of one that is not.

Each call of a turn has exactly one result, in the order of the calls, in the
message right behind the turn; there is no other result, but for what a provider's
tool leaves to the app: it may have one there. Ids are unique within a turn.

Source: API references "Messages" (Anthropic), "Chat" and "Responses" (OpenAI), which refuse all else (read 2026-11).
"""

from collections.abc import Iterable, Iterator, Sequence

import attrs

from prismpy.codecs import to_answer
from prismpy.messages import (
    AssistantMessage,
    CallPart,
    Message,
    ProviderToolPart,
    ToolCall,
    ToolOutput,
    ToolResult,
    ToolResultMessage,
    unique_ids,
)


def unanswered(call: ToolCall, why: str) -> ToolResult:
    """Make the result of a call that nobody ran."""
    text = f"{call.name} was not run: {why}"
    return ToolResult(call, ToolOutput(text), text, is_error=True)


def unfinished(call: ToolCall, why: str) -> ToolResult:
    """Make the result of a call that had begun, and that nobody saw the end of."""
    text = f"{call.name} had begun when {why}; it is not known whether it took effect"
    return ToolResult(call, ToolOutput(text), text, is_error=True)


def with_calls(turn: AssistantMessage, calls: Iterable[ToolCall]) -> AssistantMessage:
    """Return a turn with other calls in the places of its own; there must be as many."""
    rest = iter(calls)
    parts = [attrs.evolve(part, call=next(rest)) if isinstance(part, CallPart) else part for part in turn.parts]
    return attrs.evolve(turn, parts=parts)


def _left_to_us(message: Message) -> frozenset[str]:
    """Return the ids by which an app may answer what provider's tools ask of it, beside its own calls."""
    if not isinstance(message, AssistantMessage):
        return frozenset()
    asked = [to_answer(part) for part in message.parts if isinstance(part, ProviderToolPart)]
    return frozenset(call.id for call in asked if call is not None) - {call.id for call in message.calls}


def faults(messages: Sequence[Message]) -> tuple[str, ...]:
    """
    List what a provider would refuse in a conversation.

    Args:
        messages: Oldest first.

    Returns:
        One sentence each, in the order of the messages; empty for a valid conversation.
    """
    return tuple(_faults(messages))


def _faults(messages: Sequence[Message]) -> Iterator[str]:
    open_calls: tuple[ToolCall, ...] = ()
    others: frozenset[str] = frozenset()
    for index, message in enumerate(messages):
        if isinstance(message, ToolResultMessage):
            yield from _unfit(index, open_calls, [each for each in message.results if each.call.id not in others])
            open_calls, others = (), frozenset()
            continue
        others = _left_to_us(message)
        yield from (f"message {index - 1}: call {call.id!r} has no result" for call in open_calls)
        open_calls = message.calls if isinstance(message, AssistantMessage) else ()
        ids = [call.id for call in open_calls]
        yield from (f"message {index}: two calls have the id {id!r}" for id in dict.fromkeys(ids) if ids.count(id) > 1)
    yield from (f"message {len(messages) - 1}: call {call.id!r} has no result" for call in open_calls)


def _unfit(index: int, calls: Sequence[ToolCall], results: Sequence[ToolResult]) -> Iterator[str]:
    called, answered = [call.id for call in calls], [result.call.id for result in results]
    yield from (f"message {index - 1}: call {id!r} has no result" for id in called if id not in answered)
    yield from (f"message {index}: result for {id!r} answers no call" for id in answered if id not in called)
    repeated = [id for id in dict.fromkeys(answered) if answered.count(id) > 1]
    yield from (f"message {index}: call {id!r} has several results" for id in repeated)
    if sorted(called) == sorted(answered) and called != answered and not repeated:
        yield f"message {index}: the results are not in the order of the calls"


def repaired(
    messages: Iterable[Message], why: str = "the conversation went on without its result"
) -> tuple[Message, ...]:
    """
    Make a conversation valid.

    Results that answer no call are dropped, as are second results; a call
    without one gets an error result; calls that share an id get ids of their own.

    Args:
        messages: Oldest first, from anywhere: cut, merged, stored in the middle of a turn.

        why: For the model: why a call without a result was not run.

    Returns:
        A valid conversation; the very messages, where it was valid already.
    """
    given = tuple(messages)
    return given if not faults(given) else tuple(_repair(given, why))


def _repair(messages: Sequence[Message], why: str) -> Iterator[Message]:
    position = 0
    while position < len(messages):
        message = messages[position]
        position += 1
        if isinstance(message, ToolResultMessage):
            continue  # those that follow a turn with calls are taken below; all others answer nothing
        others = _left_to_us(message)
        if not isinstance(message, AssistantMessage) or not (message.calls or others):
            yield message
            continue
        found: list[ToolResult] = []
        while position < len(messages) and isinstance(behind := messages[position], ToolResultMessage):
            found.extend(behind.results)
            position += 1
        calls = unique_ids(message.calls)
        yield with_calls(message, calls)
        answers = {each.call.id: each for each in reversed(found) if each.call.id in others}
        if results := [*_matched(message.calls, calls, found, why), *answers.values()]:
            yield ToolResultMessage(results)


def _matched(
    old: Sequence[ToolCall], new: Sequence[ToolCall], found: Sequence[ToolResult], why: str
) -> Iterator[ToolResult]:
    """Give every call its first result, the n-th call of an id the n-th result of it."""
    rest: dict[str, list[ToolResult]] = {}
    for result in found:
        rest.setdefault(result.call.id, []).append(result)
    for before, call in zip(old, new, strict=True):
        own = rest.get(before.id)
        yield attrs.evolve(own.pop(0), call=call) if own else unanswered(call, why)
