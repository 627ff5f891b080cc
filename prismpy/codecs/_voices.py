"""
How a text is told, whatever format it comes in: a voice begins, says what comes, and ends.

A voice is made when its text has something to tell, so that empty texts are never told.
"""

from collections.abc import Iterator
from typing import Protocol

import attrs

from prismpy.events import (
    Event,
    ProviderToolEvent,
    TextCompleteEvent,
    TextDeltaEvent,
    TextStartEvent,
    ThinkingCompleteEvent,
    ThinkingEvent,
    ThinkingStartEvent,
    ToolCallDeltaEvent,
)


class Voice(Protocol):
    """Tells one text."""

    def begin(self) -> list[Event]:
        """Tell that it begins."""
        ...

    def say(self, delta: str) -> Event:
        """Tell what comes next."""
        ...

    def end(self) -> list[Event]:
        """Tell that it is complete."""
        ...


def told_whole(voice: Voice, text: str) -> Iterator[Event]:
    """Tell a text that is complete, in one delta; nothing for an empty one."""
    if text:
        yield from voice.begin()
        yield voice.say(text)
        yield from voice.end()


@attrs.frozen
class Speech:
    """Tells words for the user."""

    message_id: str

    def begin(self) -> list[Event]:
        return [TextStartEvent(self.message_id)]

    def say(self, delta: str) -> Event:
        return TextDeltaEvent(delta, self.message_id)

    def end(self) -> list[Event]:
        return [TextCompleteEvent(self.message_id)]


@attrs.frozen
class Thought:
    """Tells what the model thinks."""

    reasoning_id: str

    def begin(self) -> list[Event]:
        return [ThinkingStartEvent(self.reasoning_id)]

    def say(self, delta: str) -> Event:
        return ThinkingEvent(delta, self.reasoning_id)

    def end(self) -> list[Event]:
        return [ThinkingCompleteEvent(self.reasoning_id)]


@attrs.frozen
class Arguments:
    """Tells what a tool of ours is called with: JSON, or any text."""

    call_id: str
    name: str
    message_id: str

    def begin(self) -> list[Event]:
        return []

    def say(self, delta: str) -> Event:
        return ToolCallDeltaEvent(self.call_id, self.name, delta, self.message_id)

    def end(self) -> list[Event]:
        return []


@attrs.frozen
class Activity:
    """Tells what a provider's tool is given, such as code."""

    tool_type: str
    field: str
    item_id: str

    def begin(self) -> list[Event]:
        return []

    def say(self, delta: str) -> Event:
        return ProviderToolEvent(self.tool_type, f"{self.field}.delta", self.item_id, {"delta": delta})

    def end(self) -> list[Event]:
        return []
