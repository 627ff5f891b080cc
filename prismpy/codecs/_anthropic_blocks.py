"""
The blocks of a streamed answer while they come: one class for each kind that grows in its own way.

A block tells what comes and holds its wire form, complete once it has ended.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import attrs

from prismpy.events import (
    Event,
    ToolCallDeltaEvent,
)
from prismpy.schema import UnreadableError, decode

from ._anthropic_citations import citation
from ._anthropic_tools import activity
from ._calls import own_id
from ._tell import active, cited, reasoning_id
from ._voices import Speech, Thought, Voice


@attrs.define
class Turn:
    """What the blocks of one answer share."""

    id: str = ""
    """Of the answer."""

    blocks: int = 0
    """How many have begun."""

    thoughts: int = 0
    """How many with words have begun."""

    calls: set[str] = attrs.field(factory=set)
    """Ids of the calls so far."""


class Block:
    """A block that comes whole, or whose deltas say what has changed: a result, a block of a kind to come."""

    def __init__(self, wire: Mapping[str, Any], turn: Turn) -> None:
        self.wire: dict[str, Any] = dict(wire)
        self._turn = turn
        self._index = turn.blocks
        turn.blocks += 1

    def begin(self) -> Sequence[Event]:
        """Tell that it begins."""
        return ()

    def take(self, delta: Mapping[str, Any]) -> Sequence[Event]:
        """Take a delta. Signatures and summaries come in one, and take the place of what was there."""
        self.wire.update({key: value for key, value in delta.items() if key != "type"})
        return ()

    def end(self, *, ended: bool = True) -> Sequence[Event]:
        """Complete the wire form; `ended`: whether the stream said so, or broke off."""
        return list(active(activity(self.wire, ended=ended), self._turn.id))


class _Words(Block):
    """A block whose text grows."""

    key = "text"
    delta = "text_delta"

    def __init__(self, wire: Mapping[str, Any], turn: Turn) -> None:
        super().__init__(wire, turn)
        self._texts: list[str] = []
        self._voice: Voice | None = None

    def begin(self) -> Sequence[Event]:
        """Tell the words that are there from the start, which only some servers send."""
        return self._more(self.wire.get(self.key) or "")

    def take(self, delta: Mapping[str, Any]) -> Sequence[Event]:
        """Take the next words."""
        if delta.get("type") == self.delta:
            return self._more(delta.get(self.key) or "")
        return super().take(delta)

    def _more(self, text: str) -> Sequence[Event]:
        if not text:
            return ()
        self._texts.append(text)
        if self._voice is not None:
            return (self._voice.say(text),)
        self._voice = self._begun()
        return (*self._voice.begin(), self._voice.say(text))

    def end(self, *, ended: bool = True) -> Sequence[Event]:  # noqa: ARG002
        """Join the words."""
        self.wire[self.key] = "".join(self._texts)
        return () if self._voice is None else self._voice.end()

    def _begun(self) -> Voice:
        return Speech(self._turn.id)


class _Text(_Words):
    """Words, and what they cite. Citations come beside the words and are told after them."""

    def take(self, delta: Mapping[str, Any]) -> Sequence[Event]:
        """Take the next words, or a citation."""
        if delta.get("type") != "citations_delta":
            return super().take(delta)
        self.wire["citations"] = [*(self.wire.get("citations") or ()), delta.get("citation") or {}]
        return ()

    def end(self, *, ended: bool = True) -> Sequence[Event]:
        """Join the words and tell what they cite."""
        cites = [citation(each) for each in self.wire.get("citations") or ()]
        return (*super().end(ended=ended), *(cited(each, self._turn.id, self._index) for each in cites))


class _Thinking(_Words):
    """A thought."""

    key = "thinking"
    delta = "thinking_delta"

    def _begun(self) -> Voice:
        self._turn.thoughts += 1
        return Thought(reasoning_id(self._turn.id, self._turn.thoughts - 1))


class _Redacted(Block):
    """A thought that nobody may read."""

    def end(self, *, ended: bool = True) -> Sequence[Event]:  # noqa: ARG002
        """Tell nothing."""
        return ()


class _Use(Block):
    """A block with an `input` that comes as JSON text in pieces; where none comes, what it began with holds."""

    def __init__(self, wire: Mapping[str, Any], turn: Turn) -> None:
        super().__init__(wire, turn)
        self._json: list[str] = []

    def take(self, delta: Mapping[str, Any]) -> Sequence[Event]:
        """Take the next characters of the input."""
        if delta.get("type") != "input_json_delta":
            return super().take(delta)
        text = delta.get("partial_json") or ""
        if not text:
            return ()
        self._json.append(text)
        return self._told(text)

    def _told(self, text: str) -> Sequence[Event]:  # noqa: ARG002
        return ()

    def _close_input(self) -> None:
        """Read the input; text that is no JSON stays text."""
        text = "".join(self._json)
        if text:
            try:
                self.wire["input"] = decode(text)
            except UnreadableError:
                self.wire["input"] = text

    def end(self, *, ended: bool = True) -> Sequence[Event]:
        """Read the input and tell what is asked for."""
        self._close_input()
        return super().end(ended=ended)


class _ProviderUse(_Use):
    """The use of a tool that the provider runs."""

    def begin(self) -> Sequence[Event]:
        """Tell that it begins."""
        return list(active(activity(self.wire, ended=False), self._turn.id))

    def end(self, *, ended: bool = True) -> Sequence[Event]:
        """Read the input and tell what is asked for, unless it broke off."""
        told = super().end(ended=ended)
        return told if ended else ()


class _Call(_Use):
    """A call of one of our tools."""

    def __init__(self, wire: Mapping[str, Any], turn: Turn) -> None:
        super().__init__(wire, turn)
        self._id = own_id(wire.get("id"), self._index, turn.calls)
        self._name = wire.get("name") or ""

    def _told(self, text: str) -> Sequence[Event]:
        return (ToolCallDeltaEvent(self._id, self._name, text, self._turn.id),)

    def end(self, *, ended: bool = True) -> Sequence[Event]:  # noqa: ARG002
        """Read the input; tell it where it came without deltas."""
        self._close_input()
        if self._json or self.wire.get("input") is None:
            return ()
        return self._told(json.dumps(self.wire["input"], ensure_ascii=False))


KINDS: Final[Mapping[Any, Callable[[Mapping[str, Any], Turn], Block]]] = {
    "text": _Text,
    "thinking": _Thinking,
    "redacted_thinking": _Redacted,
    "tool_use": _Call,
    "server_tool_use": _ProviderUse,
    "mcp_tool_use": _ProviderUse,
}
"""`type` to what grows; any other block comes whole."""
