"""What a streamed turn says and thinks, as events: a piece is closed when another one begins."""

from typing import Literal, TypeAlias

from prismpy.events import (
    Event,
    TextCompleteEvent,
    TextDeltaEvent,
    TextStartEvent,
    ThinkingCompleteEvent,
    ThinkingEvent,
    ThinkingStartEvent,
)

from ._tell import reasoning_id

Kind: TypeAlias = Literal["text", "refusal", "thinking"]


class Voice:
    """Knows which piece is open."""

    def __init__(self) -> None:
        self.message_id = ""
        self._open: tuple[Kind, int] | None = None

    def say(self, told: list[Event], kind: Kind, text: str, number: int = 0) -> None:
        """
        Add the next words to the events that are told.

        Args:
            told: Is added to.

            kind: What is said.

            text: Not empty.

            number: Of a thought, counted from 0.
        """
        if self._open != (kind, number):
            self.close(told)
            self._open = kind, number
            told.append(self._start(kind, number))
        if kind == "thinking":
            told.append(ThinkingEvent(text, reasoning_id(self.message_id, number)))
        else:
            told.append(TextDeltaEvent(text, self.message_id))

    def _start(self, kind: Kind, number: int) -> Event:
        if kind == "thinking":
            return ThinkingStartEvent(reasoning_id(self.message_id, number))
        return TextStartEvent(self.message_id)

    def close(self, told: list[Event]) -> None:
        """Close what is open."""
        if self._open is None:
            return
        kind, number = self._open
        self._open = None
        if kind == "thinking":
            told.append(ThinkingCompleteEvent(reasoning_id(self.message_id, number)))
        else:
            told.append(TextCompleteEvent(self.message_id))
