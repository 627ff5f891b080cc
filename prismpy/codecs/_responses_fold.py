"""
Puts a streamed response together.

Items are known by their place in the output, never by their id. An item that the
provider declares complete is taken as it is; one that a cut-off stream leaves open
is built of its pieces. Either way the body is then read like one that came whole.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import attrs

from prismpy.events import ArtifactEvent, Event, ProviderToolEvent
from prismpy.messages import ProviderToolPart, TextPart

from ._loose import count, obj, objects, word
from ._responses_items import CALLS, Item, Key, image, parts_of, texts_of
from ._responses_reply import decode, slot_id
from ._responses_slots import DELTAS, PLACES, WHOLES, Growing, Place, Slot
from ._tell import active, cited, reasoning_id
from ._values import Failure, Reply
from ._voices import Activity, Arguments, Speech, Thought, Voice

Piece: TypeAlias = Mapping[str, Any]

_ENDS: Final = frozenset({"response.completed", "response.incomplete", "response.failed", "response.cancelled"})
"""Events after which nothing comes."""

_FINAL: Final = frozenset({"completed", "failed", "incomplete"})
"""What a tool of the provider does last; told when its item is complete, with all that is known of it."""

_COMMON: Final = frozenset({"type", "sequence_number", "item_id", "output_index", "obfuscation", "partial_image_b64"})
"""Keys of events about a provider's tool that do not say what it does."""


def place_of(piece: Piece) -> int | None:
    """Return the place in the output of the item that an event is about; None where the event does not say."""
    index = piece.get("output_index")
    return index if isinstance(index, int) else None


class ResponsesFold:
    """Tells what comes, and reads the whole at the end."""

    def __init__(self, provider: str) -> None:
        self._provider = provider
        self._head: dict[str, Any] = {}
        self._slots: dict[int, Slot] = {}
        self._taken: set[str] = set()
        self._thoughts = 0
        self._ended = False

    @property
    def _id(self) -> str:
        return word(self._head.get("id"))

    def feed(self, piece: Piece) -> Sequence[Event]:
        """Take the next event of the stream. Unknown ones tell nothing."""
        kind = word(piece.get("type"))
        if kind in DELTAS:
            return self._grow(piece, DELTAS[kind])
        if kind in WHOLES:
            return self._whole(piece, WHOLES[kind])
        if kind in _EVENTS:
            return _EVENTS[kind](self, piece)
        if "response" in piece:
            return self._respond(obj(piece["response"]), is_last=kind in _ENDS)
        if kind:
            return self._act(piece)
        # a server that was asked to stream and answers at once
        return self._respond(piece, is_last=True) if "output" in piece else self._fail(piece) if piece else ()

    def finish(self) -> tuple[Sequence[Event], Reply]:
        """End, whether or not the stream was complete."""
        events: list[Event] = []
        for slot in sorted(self._slots.values(), key=lambda each: each.index):
            events += [] if slot.size else self._settle(slot, slot.assembled(cut=not self._ended))
        output = [self._slots[index].item for index in sorted(self._slots)]
        reply = decode({**self._head, "output": output}, self._provider)
        if self._ended or reply.failure is not None:
            return events, reply
        failure = Failure("cut_off", "the stream ended before the answer was complete")
        return events, attrs.evolve(reply, finish_reason="error", failure=failure)

    # --- texts ---

    def _grow(self, piece: Piece, place: Place) -> Sequence[Event]:
        delta = piece.get("delta")
        if not delta or not isinstance(delta, str):
            return ()
        slot = self._slot(piece, place.kind)
        text = slot.growing(place.key(piece), place)
        text.pieces.append(delta)
        return self._say(slot, text)

    def _whole(self, piece: Piece, place: Place) -> Sequence[Event]:
        slot = self._slot(piece, place.kind)
        return self._complete(slot, slot.growing(place.key(piece), place), piece.get(place.text))

    def _complete(self, slot: Slot, text: Growing, whole: Any) -> list[Event]:
        text.become(word(whole))
        return [*self._say(slot, text), *text.end()]

    def _say(self, slot: Slot, text: Growing) -> Sequence[Event]:
        """Tell what is not told yet, once it is known whose it is."""
        if text.voice is not None:
            return text.say()
        voice = self._voice(slot, text) if text.pieces else None
        if voice is None:
            return ()
        told = self._hush(slot)
        text.voice = voice
        return [*told, *voice.begin(), *text.say()]

    def _hush(self, slot: Slot) -> list[Event]:
        """End the texts that another one of this item puts an end to; messages share an id, so they end each other."""
        alike = [other for other in self._slots.values() if other is slot or slot.kind == other.kind == "message"]
        return [event for other in alike for text in other.texts.values() for event in text.end()]

    def _voice(self, slot: Slot, text: Growing) -> Voice | None:
        """Return what tells a text; None for a call whose name is not known yet."""
        match slot.kind:
            case "message":
                return Speech(self._id)
            case "reasoning":
                self._thoughts += 1
                return Thought(reasoning_id(self._id, self._thoughts - 1))
            case kind if kind in CALLS:
                name = word(slot.item.get("name"))
                return Arguments(slot.call_id, name, self._id) if name or slot.size else None
            case kind:
                return Activity(kind, text.place.field, word(slot.item.get("id")))

    # --- items ---

    def _slot(self, piece: Piece, kind: str) -> Slot:
        """Return the item that an event is about; one that was not announced is what its first event says."""
        index = place_of(piece)
        if index is None:  # then it is about the item that came last
            index = max(self._slots, default=0)
        if index not in self._slots:
            self._slots[index] = Slot(index, {"type": kind, "id": piece.get("item_id")})
        return self._slots[index]

    def _added(self, piece: Piece) -> Sequence[Event]:
        slot = self._become(place_of(piece), obj(piece.get("item")))
        part = parts_of(slot.item)[0]
        if not isinstance(part, ProviderToolPart):
            return [event for text in slot.texts.values() for event in self._say(slot, text)]
        slot.status = word(slot.item.get("status")) or "in_progress"
        return [] if slot.status in _FINAL else [ProviderToolEvent(part.type, slot.status, part.id, part.data)]

    def _done(self, piece: Piece) -> Sequence[Event]:
        item = obj(piece.get("item"))
        return self._settle(self._become(place_of(piece), item), item)

    def _become(self, index: int | None, item: Item) -> Slot:
        index = len(self._slots) if index is None else index
        slot = self._slots.setdefault(index, Slot(index, item))
        slot.item = item
        slot.call_id = slot.call_id or slot_id(item, index, self._taken)
        return slot

    def _settle(self, slot: Slot, item: Item) -> list[Event]:
        """Tell what is left to tell of an item that is complete, or gets no more."""
        self._become(slot.index, item)
        parts = parts_of(item, slot.call_id)
        slot.size = len(parts)
        first = sum(other.size for other in self._slots.values() if other.index < slot.index)
        told: list[Event] = []
        for number, (key, whole) in enumerate(texts_of(item)):
            told += self._complete(slot, slot.growing(key, PLACES[slot.kind]), whole)
            if isinstance(part := parts[number], TextPart):
                told += [cited(each, self._id, first + number) for each in part.citations]
        told += self._hush(slot)
        told += [event for part in parts if isinstance(part, ProviderToolPart) for event in active(part, self._id)]
        return told

    # --- other events ---

    def _pieced(self, piece: Piece) -> Sequence[Event]:
        """Keep a piece of a list as it is announced, or as it is complete."""
        part = obj(piece.get("part"))
        field, counter = ("summary", "summary_index") if "summary_index" in piece else ("content", "content_index")
        thought = field == "summary" or part.get("type") == "reasoning_text"
        slot = self._slot(piece, "reasoning" if thought else "message")
        slot.pieces[field, count(piece.get(counter))] = part
        return ()

    def _annotated(self, piece: Piece) -> Sequence[Event]:
        key: Key = ("content", count(piece.get("content_index")))
        self._slot(piece, "message").notes.setdefault(key, []).append(obj(piece.get("annotation")))
        return ()

    def _respond(self, response: Mapping[str, Any], *, is_last: bool) -> Sequence[Event]:
        """Take what is said about the response as a whole. Its first id names it to the end."""
        id, error = (self._head.get(key) for key in ("id", "error"))
        self._head = {**response, "id": id or response.get("id"), "error": response.get("error") or error}
        if not is_last:
            return ()
        self._ended = True
        told: list[Event] = []
        for index, item in enumerate(objects(response.get("output"))):
            slot = self._become(index, item) if index not in self._slots else self._slots[index]
            told += [] if slot.size else self._settle(slot, item)
        return told

    def _fail(self, piece: Piece) -> Sequence[Event]:
        self._head |= {
            "status": "failed",
            "error": piece.get("error") or {k: piece.get(k) for k in ("code", "message")},
        }
        return ()

    def _act(self, piece: Piece) -> Sequence[Event]:
        """Tell what a provider's tool does: what follows `response.`, the type of the item, and `.` or `_`."""
        slot = self._slots.get(-1 if (index := place_of(piece)) is None else index)
        name = word(piece.get("type"))
        before = f"response.{slot.kind}" if slot is not None else ""
        if slot is None or not name.startswith(before):
            return ()
        is_status, what = name.startswith(f"{before}."), name[len(before) + 1 :]
        known, slot.status = slot.status, what if is_status else slot.status
        if is_status and what in _FINAL | {known}:
            return ()
        item_id = word(slot.item.get("id"))
        said = {key: value for key, value in piece.items() if key not in _COMMON}
        told: list[Event] = [ProviderToolEvent(slot.kind, what, item_id, said)]
        if data := word(piece.get("partial_image_b64")):
            partial = image(data, {**slot.item, **piece}, partial_image_index=piece.get("partial_image_index"))
            told.append(ArtifactEvent(partial, item_id, slot.kind, self._id))
        return told


_EVENTS: Final[Mapping[Any, Callable[[ResponsesFold, Piece], Sequence[Event]]]] = {
    "response.output_item.added": ResponsesFold._added,
    "response.output_item.done": ResponsesFold._done,
    "response.content_part.added": ResponsesFold._pieced,
    "response.content_part.done": ResponsesFold._pieced,
    "response.reasoning_summary_part.added": ResponsesFold._pieced,
    "response.reasoning_summary_part.done": ResponsesFold._pieced,
    "response.output_text.annotation.added": ResponsesFold._annotated,
    "error": ResponsesFold._fail,
}
"""Type of an event to what it does."""
