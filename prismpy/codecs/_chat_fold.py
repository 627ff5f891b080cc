"""Puts a streamed chat completion together."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from prismpy.events import Event, TextCompleteEvent, TextDeltaEvent, TextStartEvent, ToolCallDeltaEvent

from ._values import Failure, Reply


class ChatFold:
    """Tells what comes, and reads the whole with `read` at the end."""

    def __init__(self, read: Callable[[Any], Reply]) -> None:
        self._read = read
        self._head: dict[str, Any] = {}
        self._text: list[str] = []
        self._calls: dict[int, dict[str, Any]] = {}
        self._arguments: dict[int, list[str]] = {}
        self._finish: str | None = None

    @property
    def _id(self) -> str:
        return str(self._head.get("id") or "")

    def feed(self, piece: Mapping[str, Any]) -> Sequence[Event]:
        """Take the next piece."""
        self._head.update({key: value for key, value in piece.items() if key != "choices" and value is not None})
        told: list[Event] = []
        for choice in piece.get("choices") or ():
            self._finish = choice.get("finish_reason") or self._finish
            delta = choice.get("delta") or {}
            if text := delta.get("content"):
                told += [] if self._text else [TextStartEvent(self._id)]
                self._text.append(text)
                told.append(TextDeltaEvent(text, self._id))
            for call in delta.get("tool_calls") or ():
                told += self._called(call)
        return told

    def _called(self, piece: Mapping[str, Any]) -> list[Event]:
        slot = piece.get("index") or 0
        function = piece.get("function") or {}
        call = self._calls.setdefault(slot, {"id": piece.get("id"), "name": function.get("name")})
        text = function.get("arguments") or ""
        self._arguments.setdefault(slot, []).append(text)
        return [ToolCallDeltaEvent(call["id"], call["name"], text, self._id)] if text else []

    def finish(self) -> tuple[Sequence[Event], Reply]:
        """End."""
        calls = [
            {"id": call["id"], "function": {"name": call["name"], "arguments": "".join(self._arguments[slot])}}
            for slot, call in self._calls.items()
        ]
        message = {"content": "".join(self._text), "tool_calls": calls}
        reply = self._read({**self._head, "choices": [{"message": message, "finish_reason": self._finish}]})
        if self._finish is None:
            reply = attrs.evolve(reply, failure=Failure("cut_off", "the stream ended before the answer was complete"))
        return ([TextCompleteEvent(self._id)] if self._text else []), reply
