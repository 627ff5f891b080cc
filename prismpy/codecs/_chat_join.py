"""What a stream sends in pieces beside plain text: lists of thoughts and words, reasoning details, signatures."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

_GROWING: Final = frozenset({"text", "thinking", "summary", "refusal", "data"})
"""Keys whose texts come in pieces; of the others the last value counts."""


def join_runs(items: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Join neighbours of one type."""
    return [join([*run]) for _, run in groupby(items, lambda item: item.get("type"))]


def join_numbered(items: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """
    Join items of one type, number and id, wherever they came; an item without an id belongs to the one before.

    Source: recording openrouter/reasoning-details-tool-stream: the signature comes in a piece of its own (2026-11).
    """
    groups: list[list[Mapping[str, Any]]] = []
    for item in items:
        group = next((each for each in reversed(groups) if _goes_on(each[0], item)), None)
        if group is None:
            groups.append([item])
        else:
            group.append(item)
    return [join(group) for group in groups]


def _goes_on(first: Mapping[str, Any], item: Mapping[str, Any]) -> bool:
    alike = all(first.get(key) == item.get(key) for key in ("type", "index"))
    return alike and (not item.get("id") or item.get("id") == first.get("id"))


def join(pieces: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Make one object of its pieces."""
    keys = dict.fromkeys(key for piece in pieces for key in piece)
    return {key: _joined(key, [piece[key] for piece in pieces if piece.get(key) is not None]) for key in keys}


def _joined(key: str, values: list[Any]) -> Any:
    if not values:
        return None
    if all(isinstance(value, list) for value in values):
        items = [item for value in values for item in value]
        return join_runs(items) if all(isinstance(item, dict) for item in items) else items
    if all(isinstance(value, dict) for value in values):
        return join(values)
    if key in _GROWING and all(isinstance(value, str) for value in values):
        return "".join(values)
    return next((value for value in reversed(values) if value != ""), "")
