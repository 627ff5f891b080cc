"""
Which call a piece of a stream belongs to.

OpenAI numbers the calls and says id and name once. Others number from 1, or not at all, number every call 0,
repeat id and name in each piece, or send none.
"""

from collections.abc import Mapping
from typing import Any

from ._calls import is_object
from ._chat_parts import as_text
from ._loose import key, obj, word

_OWN_KEYS = frozenset({"index", "id", "type", "function", "custom"})


class Slot:
    """One call, as far as it has come."""

    def __init__(self) -> None:
        self.id = ""
        self.name = ""
        self.own_id = ""
        """What it is called in events, once that is known; "" before."""
        self.is_custom = False
        self.pieces: list[str] = []
        self.further: dict[str, Any] = {}

    @property
    def is_named(self) -> bool:
        """Whether it is known what the call is called, in both ways."""
        return bool(self.id and self.name)

    def is_complete(self) -> bool:
        """Tell whether the arguments are an object already."""
        return bool(self.pieces) and self.pieces[-1].rstrip().endswith("}") and is_object("".join(self.pieces))

    def is_over(self, id: str, name: str, words: str, *, numbered: bool) -> bool:
        """Tell whether a piece begins another call, though it has the number of this one, or none."""
        if id and self.id and id != self.id:
            return True
        if not name or not self.name:
            return False
        if name != self.name and not numbered:
            return True
        return self.is_complete() and (name != self.name or bool(words.strip()) or (bool(id) and not self.id))

    def whole(self) -> dict[str, Any]:
        """Return the call as it would have been sent whole."""
        kind, key = ("custom", "input") if self.is_custom else ("function", "arguments")
        return {"id": self.id, "type": kind, kind: {"name": self.name, key: "".join(self.pieces)}, **self.further}


class Slots:
    """The calls of a turn, in the order in which they began."""

    def __init__(self) -> None:
        self.calls: list[Slot] = []
        self._numbered: dict[int | str | None, Slot] = {}

    def take(self, piece: Mapping[str, Any]) -> tuple[Slot, str]:
        """Add a piece, and return its call and its text. The first id and the first name that are not empty count."""
        id, said, custom = word(piece.get("id")), obj(piece.get("function")), obj(piece.get("custom"))
        is_custom = not said.get("name") and bool(word(custom.get("name")))
        said = custom if is_custom or not said else said
        name, words = word(said.get("name")), as_text(said.get("arguments", said.get("input"))) or ""
        slot = self._slot(key(piece.get("index")), id, name, words)
        slot.id = slot.id or id
        slot.name = slot.name or name
        slot.is_custom = slot.is_custom or is_custom
        if words:
            slot.pieces.append(words)
        if not _OWN_KEYS.issuperset(piece):
            slot.further.update((name, piece[name]) for name in piece.keys() - _OWN_KEYS)
        return slot, words

    def _slot(self, number: int | str | None, id: str, name: str, words: str) -> Slot:
        numbered = number in self._numbered
        slot = self._numbered[number] if numbered else self._unnumbered(number, id, name)
        if slot is None or slot.is_over(id, name, words, numbered=numbered):
            slot = Slot()
            self.calls.append(slot)
        if number is not None:
            self._numbered[number] = slot
        return slot

    def _unnumbered(self, number: int | str | None, id: str, name: str) -> Slot | None:
        """Return the call that a piece without a number, or with a new one, may go on with."""
        if id:
            return next((slot for slot in reversed(self.calls) if slot.id == id), self._nameless(number, name))
        if number is None:
            return self.calls[-1] if self.calls else None
        begun = [slot for slot in self.calls if not slot.is_complete()]
        return begun[0] if not name and len(begun) == 1 else None

    def _nameless(self, number: int | str | None, name: str) -> Slot | None:
        """Return the last call where it waits for the id and the name that a piece without a number brings."""
        last = self.calls[-1] if number is None and name and self.calls else None
        return last if last is not None and not last.name and not last.id else None
