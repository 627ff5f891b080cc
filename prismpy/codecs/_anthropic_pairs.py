"""
Tool use on Anthropic's side comes in pairs: a block that asks, and one with the result.

Each half without the other is refused, but for what still goes on: a turn that was paused, or whose code waits
for results of ours. A stream that was left early, or a history that was cut, has such halves.

Source: errors of the API, as in anthropics/anthropic-sdk-python#961 and anthropics/claude-code#69828; guide
"Handling stop reasons", `tool_use` (read 2026-11).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from prismpy.schema import JSON

from ._anthropic_tools import USES

Spot: TypeAlias = tuple[int, int]
"""Index of a message, and of a block in it."""


def without_halves(messages: Sequence[Mapping[str, Any]]) -> list[JSON]:
    """Leave out results that answer nothing, and uses that nothing will answer: those before a user's new words."""
    lost = set(_lost(messages))
    gone = {messages[at]["content"][index].get("id") for at, index in lost}
    kept = (
        [_freed(block, gone) for index, block in enumerate(message["content"]) if (at, index) not in lost]
        for at, message in enumerate(messages)
    )
    return [{**message, "content": content} for message, content in zip(messages, kept, strict=True)]


def _lost(messages: Sequence[Mapping[str, Any]]) -> Iterator[Spot]:
    """Give the places of the halves to leave out."""
    waiting: dict[str, Spot] = {}
    for at, message in enumerate(messages):
        if any(block.get("type") != "tool_result" for block in message["content"]) and message["role"] == "user":
            yield from waiting.values()
            waiting.clear()
        for index, block in enumerate(message["content"]):
            if block.get("type") in USES:
                waiting[block.get("id", "")] = (at, index)
            elif block.get("type") != "tool_result" and waiting.pop(block.get("tool_use_id"), None) is None:
                yield from [(at, index)] if "tool_use_id" in block else []


def _freed(block: JSON, gone: set[str | None]) -> JSON:
    """Let a call that was made by code which is left out stand on its own."""
    caller = (block.get("caller") or {}).get("tool_id")
    return block if caller is None or caller not in gone else {k: v for k, v in block.items() if k != "caller"}
