"""
Where Anthropic's prompt cache may break off: at most four marks in a request.

Source: guide "Prompt caching"; guide "Tool search", on tools that load late (read 2026-11).
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from prismpy.errors import DefinitionError
from prismpy.schema import JSON

MOST: Final = 4
"""Marks that a request may have."""

DEFAULT: Final = "5m"
"""How long a mark holds; the other choice is `1h`."""


def mark(body: Mapping[str, JSON], wanted: Any) -> dict[str, JSON]:
    """
    Mark the last tool, the last piece of the system prompt, and the last block of the last message of a user.

    Marks that the app has set itself come first, and there are never more than four.

    Args:
        body: Of a request.

        wanted: None, True for all three places, or times by place: `{"tools": "1h", "messages": "5m"}`.

    Raises:
        DefinitionError: if a place is none of the three, or the app has set more than four marks itself.
    """
    places = _places(wanted)
    free = MOST - sum("cache_control" in each for each in _markable(body))
    if free < 0:
        msg = f"anthropic: {MOST - free} cache_control marks where at most {MOST} are taken; remove some"
        raise DefinitionError(msg)
    marked = dict(body)
    for place in [each for each in PLACES if each in places and body.get(each)]:
        with_one_more = PLACES[place](body[place], {"type": "ephemeral", "ttl": places[place]})
        if free and with_one_more is not None:
            marked[place] = with_one_more
            free -= 1
    return marked


def _places(wanted: Any) -> Mapping[str, str]:
    places = dict.fromkeys(PLACES, DEFAULT) if wanted is True else dict(wanted or {})
    if unknown := sorted(places.keys() - PLACES.keys()):
        known = ", ".join(PLACES)
        msg = f"anthropic: option cache names {', '.join(unknown)}; give True, or times by place: {known}"
        raise DefinitionError(msg)
    return places


def _markable(body: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Give everything that may bear a mark; the body itself bears one that is placed by the API."""
    yield body
    yield from _objects(body.get("tools"))
    yield from _objects(body.get("system"))
    for message in _objects(body.get("messages")):
        for block in _objects(message.get("content")):
            yield block
            yield from _objects(block.get("content"))


def _objects(value: Any) -> Iterator[Mapping[str, Any]]:
    return (each for each in value if isinstance(each, Mapping)) if isinstance(value, list) else iter(())


def _last(blocks: Any, control: JSON, fits: Callable[[JSON], bool] = bool) -> list[JSON] | None:
    """Mark the last of some blocks that fits; None where there is none, or it is marked."""
    at = next((i for i in reversed(range(len(blocks))) if fits(blocks[i])), None)
    if at is None or "cache_control" in blocks[at]:
        return None
    return [*blocks[:at], {**blocks[at], "cache_control": control}, *blocks[at + 1 :]]


def _last_tool(tools: list[JSON], control: JSON) -> list[JSON] | None:
    return _last(tools, control, lambda tool: not tool.get("defer_loading"))  # what loads late is not in the prompt


def _last_message(messages: list[JSON], control: JSON) -> list[JSON] | None:
    at = max(i for i, message in enumerate(messages) if message["role"] == "user")
    content = _last(messages[at]["content"], control)
    return content and [*messages[:at], {**messages[at], "content": content}, *messages[at + 1 :]]


PLACES: Final[Mapping[str, Callable[[Any, JSON], list[JSON] | None]]] = {
    "tools": _last_tool,
    "system": _last,
    "messages": _last_message,
}
"""What can be marked, in the order in which the model reads it."""
