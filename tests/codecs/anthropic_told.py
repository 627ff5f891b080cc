"""What streams of Anthropic tell, made comparable with what a whole turn tells."""

import json
from collections.abc import Iterable
from typing import Any

import attrs

from prismpy import ProviderToolEvent, TextDeltaEvent, ThinkingEvent, ToolCallDeltaEvent

_DELTAS = (TextDeltaEvent, ThinkingEvent, ToolCallDeltaEvent)


def merged(events: Iterable[Any]) -> list[Any]:
    """
    Join neighbouring deltas of one piece, and read the JSON in those of calls, whose spaces are up to the model.

    Beginnings of a provider's tools are left out: a turn that came whole knows none.
    """
    joined: list[Any] = []
    for event in events:
        if isinstance(event, ProviderToolEvent) and event.status == "started":
            continue
        if joined and isinstance(event, _DELTAS) and _piece(event) == _piece(joined[-1]):
            joined[-1] = attrs.evolve(joined[-1], delta=joined[-1].delta + event.delta)
        else:
            joined.append(event)
    return [_read(event) for event in joined]


def _piece(event: Any) -> dict[str, Any]:
    return {"type": event.type, **{name: value for name, value in vars(event).items() if name != "delta"}}


def _read(event: Any) -> Any:
    if not isinstance(event, ToolCallDeltaEvent):
        return event
    try:
        return _piece(event), json.loads(event.delta)
    except ValueError:  # cut off
        return _piece(event), event.delta
