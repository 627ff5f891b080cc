"""
Recorded provider traffic: read from ../shared, and what a decoded turn must equal.

What `expect` holds is described in the README beside the recordings.
"""

import json
from collections.abc import Mapping
from typing import Any, Final
from unittest.mock import ANY

import attrs
import pytest

from prismpy.codecs import Reply, arguments_text
from prismpy.messages import CallPart
from tests.shared import SHARED

FOLDER: Final = SHARED / "recordings"


@attrs.frozen
class Exchange:
    """One request, its answer, and what is right about the answer."""

    request: Mapping[str, Any] = attrs.field(repr=False)
    """`{"method", "path", "body"}`; the body is None where it was not kept."""

    response: Mapping[str, Any] = attrs.field(repr=False)
    """`{"status", "headers"}` and `body` (JSON) or `sse` (text)."""

    expect: Mapping[str, Any] = attrs.field(repr=False)
    """What was read off the recording; absent keys mean none."""

    @property
    def streamed(self) -> bool:
        """Whether the answer is an event stream."""
        return "sse" in self.response

    @property
    def answered(self) -> bool:
        """Whether the HTTP status says that all went well."""
        return self.response["status"] == 200


@attrs.frozen
class Recording:
    """One case: some exchanges in order."""

    name: str
    """`provider/case`."""

    api: str
    """`openai-chat`, `openai-responses` or `anthropic-messages`."""

    provider: str
    flow: str
    """`tool-loop`, `conversation`, `separate`, `single` or `unknown`."""

    exchanges: tuple[Exchange, ...] = attrs.field(repr=False)
    tags: frozenset[str] = attrs.field(repr=False)


def _read(file: Any) -> Recording:
    case = json.loads(file.read_text(encoding="utf-8"))
    turns = case["expect"]["turns"]
    exchanges = [
        Exchange(each["request"], each["response"], turn) for each, turn in zip(case["exchanges"], turns, strict=True)
    ]
    name = f"{file.parent.name}/{file.stem}"
    return Recording(
        name, case["api"], case["provider"], case["expect"]["flow"], tuple(exchanges), frozenset(case["tags"])
    )


RECORDINGS: Final = tuple(
    _read(file) for file in sorted(FOLDER.glob("*/*.json")) if file.parent.name not in {"openapi", "LICENSES"}
)
"""All of them; none where the data is not there."""


def recorded(api: str, *, flow: str | None = None) -> Any:
    """Mark a test to run for every recording of a wire format, as its argument `recording`; skipped without the data."""
    found = [each for each in RECORDINGS if each.api == api and flow in {None, each.flow}]
    absent = pytest.param(None, marks=pytest.mark.skip(reason="../shared/recordings is not here"))
    return pytest.mark.parametrize("recording", found or [absent], ids=lambda each: getattr(each, "name", "absent"))


def told(reply: Reply) -> dict[str, Any]:
    """Return what a decoded turn says, in the words of `expect`: those keys that every wire format has."""
    return {
        "text": reply.message.text,
        "reasoning": reply.message.thinking,
        "tool_calls": [_called(part) for part in reply.message.parts if isinstance(part, CallPart)],
        "stop_reason": reply.raw_finish_reason,
        "usage": dict(reply.usage.raw),
    }


def _called(part: CallPart) -> dict[str, Any]:
    text = arguments_text(part.call)
    return {"id": part.call.id, "name": part.call.name, "arguments": _object(text)}


def _object(text: str) -> Any:
    """Return the object that arguments text stands for: `{}` for blank text, None for no object."""
    try:
        value = json.loads(text) if text.strip() else {}
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _arguments(call: Mapping[str, Any]) -> Any:
    """Return what arguments stand for: none, as some providers send them, for an empty object; free text for none."""
    if call.get("arguments") is not None:
        return call["arguments"]
    return _object(call.get("raw_arguments") or call.get("input") or "{}")


def expected(exchange: Exchange) -> dict[str, Any]:
    """Return what `told` must give for an exchange. Ids that were not sent are up to us."""
    turn = exchange.expect
    return {
        "text": turn.get("text", ""),
        "reasoning": turn.get("reasoning", ""),
        "tool_calls": [
            {"id": call["id"] or ANY, "name": call["name"], "arguments": _arguments(call)}
            for call in turn.get("tool_calls", ())
        ],
        "stop_reason": turn.get("stop_reason"),
        "usage": turn.get("usage", {}),
    }
