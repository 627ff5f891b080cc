"""
What has come so far of one streamed item, and where in it the text of an event belongs.

Source: openai 3.57.0, `types/responses/response_*_event.py` (read 2026-11).
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import attrs

from prismpy.events import Event

from ._loose import count, objects
from ._responses_items import CALLS, LISTS, Item, Key, kind_of
from ._voices import Voice


@attrs.frozen
class Place:
    """Where the text of a kind of event belongs."""

    kind: str
    """Type of the item, for streams that do not announce it."""

    field: str
    """Field of the item."""

    counter: str = ""
    """Key of the event that counts the pieces of that field; "" where the field is the text."""

    piece: str = ""
    """Type of those pieces."""

    text: str = "text"
    """Key of the text in a piece, and in the event that has it whole."""

    def key(self, event: Mapping[str, Any]) -> Key:
        """Return the place that one event means."""
        return self.field, count(event.get(self.counter)) if self.counter else 0


_PLACES: Final = {
    "response.output_text": Place("message", "content", "content_index", "output_text"),
    "response.refusal": Place("message", "content", "content_index", "refusal", "refusal"),
    "response.reasoning_summary_text": Place("reasoning", "summary", "summary_index", "summary_text"),
    "response.reasoning_text": Place("reasoning", "content", "content_index", "reasoning_text"),
    "response.function_call_arguments": Place("function_call", "arguments", text="arguments"),
    "response.custom_tool_call_input": Place("custom_tool_call", "input", text="input"),
    "response.mcp_call_arguments": Place("mcp_call", "arguments", text="arguments"),
    "response.code_interpreter_call_code": Place("code_interpreter_call", "code", text="code"),
}

PLACES: Final = {place.kind: place for place in _PLACES.values()}
"""Type of an item to a place in it, for texts that were whole before they grew."""

DELTAS: Final = {f"{name}.delta": place for name, place in _PLACES.items()}
"""Type of an event that brings more of a text to the place of that text."""

WHOLES: Final = {f"{name}.done": place for name, place in _PLACES.items()}
"""Type of an event that brings a whole text, likewise."""


@attrs.define
class Growing:
    """A text that comes piece by piece."""

    place: Place
    pieces: list[str] = attrs.field(factory=list)
    told: int = 0
    """How many of the pieces were told."""

    voice: Voice | None = None
    ended: bool = False

    @property
    def text(self) -> str:
        """All of it, so far."""
        return "".join(self.pieces)

    def become(self, whole: str) -> None:
        """Take the provider's word for the whole text. What was told cannot be taken back."""
        known = self.text
        if whole.startswith(known):
            self.pieces += [whole[len(known) :]] if len(whole) > len(known) else []
        else:
            self.pieces = [whole]
            self.told = min(self.told, 1)

    def say(self) -> list[Event]:
        """Tell what was not told yet, in one event."""
        rest = "".join(self.pieces[self.told :])
        self.told = len(self.pieces)
        return [self.voice.say(rest)] if rest and self.voice is not None and not self.ended else []

    def end(self) -> list[Event]:
        """Tell that it is complete, once, where it was told at all."""
        if self.voice is None or self.ended:
            return []
        self.ended = True
        return self.voice.end()


@attrs.define
class Slot:
    """One item of the output, in growth."""

    index: int
    """Its place in the output. Ids change in the middle of some streams; the place does not."""

    item: Item
    call_id: str = ""
    """What the call is named, where the item is one; given when the item is announced."""

    texts: dict[Key, Growing] = attrs.field(factory=dict)
    pieces: dict[Key, Item] = attrs.field(factory=dict)
    """Pieces of the item as they were announced."""

    notes: dict[Key, list[Item]] = attrs.field(factory=dict)
    """Annotations that came before their text was complete."""

    status: str = ""
    """What a provider's tool was last said to do."""

    size: int = 0
    """How many parts the item has become; 0 until it is complete."""

    @property
    def kind(self) -> str:
        """Type of the item."""
        return kind_of(self.item)

    def growing(self, key: Key, place: Place) -> Growing:
        """Return the text at a place, which begins here where there is none yet."""
        text = self.texts.get(key)
        if text is None:
            text = self.texts[key] = Growing(place)
        return text

    def assembled(self, *, cut: bool) -> Item:
        """Build the item as the provider would have sent it whole, of one that it did not complete."""
        item: dict[str, Any] = dict(self.item)
        for (field, _), text in self.texts.items():
            item |= {} if text.place.counter else {field: text.text}
        for field in LISTS.get(self.kind, ()):
            item[field] = list(self._pieces(field)) or objects(item.get(field))
        if self.kind in LISTS or self.kind in CALLS:
            item["status"] = "incomplete" if cut else "completed"
        elif self.status:
            item["status"] = self.status
        return item

    def _pieces(self, field: str) -> Iterator[Item]:
        """Build the pieces of a list, as far as they came."""
        keys = {key for known in (self.pieces, self.texts, self.notes) for key in known if key[0] == field}
        for key in sorted(keys):
            yield self._piece(key)

    def _piece(self, key: Key) -> Item:
        piece = dict(self.pieces.get(key, {}))
        if text := self.texts.get(key):
            piece |= {"type": text.place.piece, text.place.text: text.text}
        if notes := self.notes.get(key):
            piece["annotations"] = notes
        return piece
