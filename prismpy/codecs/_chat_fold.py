"""Puts a streamed chat completion together, and tells it as it comes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

import attrs

from prismpy.events import Event, ToolCallDeltaEvent
from prismpy.messages import TextPart

from ._calls import own_id
from ._chat_join import join
from ._chat_parts import executed, is_blank
from ._chat_reply import usage_in
from ._chat_said import THOUGHTS, Said
from ._chat_slots import Slot, Slots
from ._chat_voice import Voices
from ._loose import key as number_of
from ._loose import obj, objects, word
from ._tell import active, cited
from ._values import Failure, Reply

_Delta: TypeAlias = Mapping[str, Any]

_HEAD: Final = ("id", "model", "error", "citations")
"""Keys that stand in each piece, or in one of them."""

_CUT_OFF: Final = Failure("cut_off", "the stream ended before the answer was complete")


class ChatFold:
    """Reads one streamed answer; `read` decodes the whole of it at the end."""

    def __init__(self, read: Callable[[Any], Reply]) -> None:
        self._read = read
        self._head: dict[str, Any] = {}
        self._usage: dict[str, Any] = {}
        self._finish: str | None = None
        self._has_ended = False
        self._voice = Voices()
        self._said = Said(self._voice)
        self._slots = Slots()
        self._known = 0
        self._taken: set[str] = set()
        self._executed: dict[Any, dict[str, Any]] = {}
        self._annotations: list[Any] = []
        self._signatures: list[Mapping[str, Any]] = []

    def feed(self, piece: Mapping[str, Any]) -> Sequence[Event]:
        """Take the next piece, or the empty one that stands for the provider's `[DONE]`."""
        told: list[Event] = []
        if not piece:
            self._has_ended = True
            return told
        for key in _HEAD:
            if (value := piece.get(key)) and key not in self._head:
                self._head[key] = value
        self._usage.update(usage_in(piece))
        self._voice.message_id = word(self._head.get("id"))
        for choice in objects(piece.get("choices")):
            if not choice.get("index"):  # only one answer was asked for
                self._choice(choice, told)
        return told

    def _choice(self, choice: Mapping[str, Any], told: list[Event]) -> None:
        self._finish = word(choice.get("finish_reason")) or self._finish
        if error := choice.get("error"):
            self._head.setdefault("error", error)
        # a server that does not stream sends a whole message all the same
        delta = obj(choice.get("delta")) or obj(choice.get("message"))
        for key, value in delta.items():
            if value and key in _TAKEN:
                kinds, take = _TAKEN[key]
                if isinstance(value, kinds):
                    take(self, key, delta, told)

    def _content(self, key: str, delta: _Delta, told: list[Event]) -> None:
        self._said.content(delta[key], told)

    def _thought(self, key: str, delta: _Delta, told: list[Event]) -> None:
        self._said.thought(key, delta[key], told)

    def _details(self, key: str, delta: _Delta, told: list[Event]) -> None:
        self._said.details(objects(delta[key]), told, is_alone=not any(delta.get(each) for each in THOUGHTS))

    def _refusal(self, key: str, delta: _Delta, told: list[Event]) -> None:
        self._said.refusal(delta[key], told)

    def _cited(self, key: str, delta: _Delta, _: list[Event]) -> None:
        self._annotations += delta[key]

    def _signed(self, key: str, delta: _Delta, _: list[Event]) -> None:
        self._signatures.append(delta[key])

    def _executing(self, key: str, delta: _Delta, told: list[Event]) -> None:
        for item in objects(delta[key]):
            so_far = self._executed.setdefault(number_of(item.get("index")), {})
            so_far.update(item)
            told += active(executed(so_far), self._voice.message_id)

    def _called(self, key: str, delta: _Delta, told: list[Event]) -> None:
        self._voice.close(told)
        for piece in objects(delta[key]):
            slot, words = self._slots.take(piece)
            if slot.own_id and words:
                told.append(ToolCallDeltaEvent(slot.own_id, slot.name, words, self._voice.message_id))
            elif not slot.own_id:
                told += self._introduced(self._slots.calls, until=lambda slot: not slot.is_named)

    def _introduced(self, calls: Sequence[Slot], *, until: Callable[[Slot], bool]) -> Iterator[Event]:
        """Name calls in order, so that each gets the id that it has in the whole answer; tell what they have so far."""
        for slot in calls[self._known :]:
            if until(slot):
                return
            slot.own_id = own_id(slot.id, self._known, self._taken)
            self._known += 1
            if slot.pieces:
                yield ToolCallDeltaEvent(slot.own_id, slot.name, "".join(slot.pieces), self._voice.message_id)

    def finish(self) -> tuple[Sequence[Event], Reply]:
        """End, whether or not the stream was complete."""
        told: list[Event] = []
        self._voice.close(told)
        calls = [slot for slot in self._slots.calls if not is_blank(slot.whole())]
        told += self._introduced(calls, until=lambda _: False)
        reply = self._read(self._whole(calls))
        if reply.failure is None and self._finish is None and not self._has_ended:
            reply = attrs.evolve(reply, failure=_CUT_OFF, finish_reason="error")
        for index, part in enumerate(reply.message.parts):
            if isinstance(part, TextPart):
                told += [cited(citation, reply.id, index) for citation in part.citations]
        return told, reply

    def _whole(self, calls: Sequence[Slot]) -> dict[str, Any]:
        """Return the body as it would have been sent whole."""
        message = self._said.whole()
        message["tool_calls"] = [slot.whole() for slot in calls]
        message["executed_tools"] = [*self._executed.values()]
        message["annotations"] = self._annotations
        message["extra_content"] = join(self._signatures)
        choice = {"finish_reason": self._finish, "message": message}
        return {**self._head, "choices": [choice], "usage": self._usage}


_Take: TypeAlias = Callable[[ChatFold, str, _Delta, list[Event]], None]

_TAKEN: Final[Mapping[str, tuple[type | tuple[type, ...], _Take]]] = {
    "content": ((str, list), ChatFold._content),
    "reasoning_content": (str, ChatFold._thought),
    "reasoning": (str, ChatFold._thought),
    "reasoning_details": (list, ChatFold._details),
    "refusal": (str, ChatFold._refusal),
    "annotations": (list, ChatFold._cited),
    "extra_content": (dict, ChatFold._signed),
    "executed_tools": (list, ChatFold._executing),
    "tool_calls": (list, ChatFold._called),
}
"""Keys of a delta that mean something, what their values must be, and what takes them."""
