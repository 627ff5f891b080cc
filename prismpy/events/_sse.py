"""
Events as the text of an event stream.

Source: Prism, `src/Streaming/Adapters/SSEAdapter.php`; HTML standard, section "Server-sent events" (read 2026-11).
"""

import json
from typing import Final

from ._events import StreamEvent

SSE_HEADERS: Final = {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-cache",
    "X-Accel-Buffering": "no",
    "Connection": "keep-alive",
}
"""What a response that streams events says of itself."""


def sse(event: StreamEvent, *, with_id: bool = False) -> str:
    """
    Write one event for an `EventSource` in a browser.

    Args:
        event: Stamped by whoever drives the run.

        with_id: Whether to say the event's id, which a browser sends back as `Last-Event-ID` when it reconnects.

    Returns:
        `event: <type>`, `data: <JSON>` and an empty line; all of it ASCII.
    """
    head = f"id: {event.id}\n" if with_id else ""
    return f"{head}event: {event.type}\ndata: {json.dumps(event.to_dict(), separators=(',', ':'))}\n\n"
