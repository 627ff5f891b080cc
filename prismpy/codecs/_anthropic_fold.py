"""
Puts Anthropic's event streams together: the events on the way, and at the end the body as it would have come whole.

Source: guide "Streaming Messages"; anthropic 2.14.0, `lib/streaming/_beta_messages.py` (read 2026-11).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from prismpy.events import Event
from prismpy.messages import AssistantMessage, RefusalPart

from ._anthropic_blocks import KINDS, Block, Turn
from ._tell import tell
from ._values import Failure, Reply

CUT_OFF: Final = Failure("cut_off", "the stream ended before the answer was complete")


class AnthropicFold:
    """
    Tells what comes, and reads the whole with the function for whole answers.

    An answer is complete once the provider has said why it stopped: some servers leave out what comes after that.
    """

    def __init__(self, read: Callable[..., Reply]) -> None:
        self._read = read
        self._body: dict[str, Any] = {}
        self._blocks: list[Block] = []
        self._open: dict[Any, Block] = {}
        self._turn = Turn()
        self._failure: Failure | None = None
        self._handlers: dict[Any, Callable[[Mapping[str, Any]], Sequence[Event]]] = {
            "content_block_delta": self._grow,
            "content_block_start": self._start,
            "content_block_stop": self._stop,
            "message_start": self._begin,
            "message_delta": self._end,
            "error": self._fail,
        }

    def feed(self, piece: Mapping[str, Any]) -> Sequence[Event]:
        """Take the next piece; pings and pieces of an unknown kind mean nothing."""
        handler = self._handlers.get(piece.get("type"))
        return handler(piece) if handler is not None else ()

    def _grow(self, piece: Mapping[str, Any]) -> Sequence[Event]:
        block = self._open.get(piece.get("index"))
        return block.take(piece.get("delta") or {}) if block is not None else ()

    def _start(self, piece: Mapping[str, Any]) -> Sequence[Event]:
        index = piece.get("index")
        before = self._stop(piece)  # a start at an index that is open is another block, whatever the index says
        wire = piece.get("content_block") or {}
        self._open[index] = block = KINDS.get(wire.get("type"), Block)(wire, self._turn)
        self._blocks.append(block)
        if wire.get("type") == "fallback":  # from here on, another model speaks
            self._body.update(wire.get("to") or {})
        return [*before, *block.begin()]

    def _stop(self, piece: Mapping[str, Any]) -> Sequence[Event]:
        block = self._open.pop(piece.get("index"), None)
        return block.end() if block is not None else ()

    def _begin(self, piece: Mapping[str, Any]) -> Sequence[Event]:
        message = piece.get("message") or {}
        self._body = {**message, "usage": dict(message.get("usage") or {})}
        self._turn.id = message.get("id") or ""
        events: list[Event] = []
        for wire in message.get("content") or ():  # whole blocks, where code of a container goes on calling
            events += self._start({"content_block": wire})
            events += self._stop({})
        return events

    def _end(self, piece: Mapping[str, Any]) -> Sequence[Event]:
        further = {key: value for key, value in piece.items() if key not in {"type", "delta", "usage"}}
        self._body.update(_said({**further, **(piece.get("delta") or {})}))
        self._body.setdefault("usage", {}).update(_said(piece.get("usage") or {}))
        return ()

    def _fail(self, piece: Mapping[str, Any]) -> Sequence[Event]:
        error = piece.get("error") or {}
        self._failure = Failure(error.get("type") or "error", error.get("message") or "no reason was given", piece)
        return ()

    def finish(self) -> tuple[Sequence[Event], Reply]:
        """End, whether or not the stream was complete."""
        events = [event for block in self._open.values() for event in block.end(ended=False)]
        unfinished = {index for index, block in enumerate(self._blocks) if block in self._open.values()}
        body = {**self._body, "content": [block.wire for block in self._blocks]}
        failure = self._failure or (None if body.get("stop_reason") else CUT_OFF)
        reply = self._read(body, failure=failure, unfinished=unfinished)
        refusal = [part for part in reply.message.parts if isinstance(part, RefusalPart)]
        return [*events, *tell(Reply(AssistantMessage(refusal), id=reply.id))], reply


def _said(values: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out what is null: it says nothing new, and takes nothing back."""
    return {key: value for key, value in values.items() if value is not None}
