"""What a streamed turn says and thinks, as events: a piece is closed when another one begins."""

from typing import Literal, TypeAlias

from prismpy.events import Event

from ._tell import reasoning_id
from ._voices import Speech, Thought, Voice

Kind: TypeAlias = Literal["text", "refusal", "thinking"]


class Voices:
    """Knows which piece is open."""

    def __init__(self) -> None:
        self.message_id = ""
        self._piece: tuple[Kind, int] | None = None
        self._open: Voice | None = None

    def say(self, told: list[Event], kind: Kind, text: str, number: int = 0) -> None:
        """
        Add the next words to the events that are told.

        Args:
            told: Is added to.

            kind: What is said.

            text: Not empty.

            number: Of a thought, counted from 0.
        """
        if self._open is None or self._piece != (kind, number):
            self.close(told)
            self._piece = kind, number
            thinks = kind == "thinking"
            self._open = Thought(reasoning_id(self.message_id, number)) if thinks else Speech(self.message_id)
            told += self._open.begin()
        told.append(self._open.say(text))

    def close(self, told: list[Event]) -> None:
        """Close what is open."""
        if self._open is not None:
            told += self._open.end()
            self._open = None
