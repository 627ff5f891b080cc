"""
Answers that a provider makes in the background: whoever sends waits until they are there.

Source: OpenAI guide "Background mode"; openai 3.57.0, `resources/beta/threads/runs/runs.py`, which waits for a second
where the provider does not say how long, in the header `openai-poll-after-ms` (read 2026-11).
"""

import time
from collections.abc import Callable, Mapping
from typing import Any, Final

import attrs

from prismpy.schema import JSON

from ._sdk import SdkTransport

UNFINISHED: Final = frozenset({"queued", "in_progress"})
"""Status of an answer that is still being made."""


@attrs.define(eq=False)
class BackgroundTransport(SdkTransport):
    """Sends, and asks again and again for an answer that is not there at once."""

    retrieving: Callable[[Any, str], Any] = attrs.field(kw_only=True)
    """Takes a client and the id of an answer; returns the context that asks for it and yields the response, unread."""

    poll_seconds: float = attrs.field(default=1.0, kw_only=True)
    """Between two looks, where the provider does not say."""

    def send(self, body: Mapping[str, JSON]) -> Any:
        """Send and wait for the whole answer, however long it takes."""
        answer, headers = self._whole(lambda client: self.sdk.opening(client, body))
        while id := _unfinished(answer):
            time.sleep(self._pause(headers))
            answer, headers = self._whole(self._retrieving(id))
        return answer

    async def asend(self, body: Mapping[str, JSON]) -> Any:
        """Send without blocking the event loop."""
        import anyio

        answer, headers = await self._awhole(lambda client: self.sdk.opening(client, body))
        while id := _unfinished(answer):
            await anyio.sleep(self._pause(headers))
            answer, headers = await self._awhole(self._retrieving(id))
        return answer

    def _retrieving(self, id: str) -> Callable[[Any], Any]:
        return lambda client: self.retrieving(client, id)

    def _pause(self, headers: Mapping[str, str]) -> float:
        said = headers.get("openai-poll-after-ms", "")
        return int(said) / 1000 if said.isdigit() else self.poll_seconds


def _unfinished(answer: Any) -> str:
    """Return the id of an answer that is still being made; "" for one that is complete."""
    waiting = isinstance(answer, dict) and answer.get("status") in UNFINISHED
    return str(answer.get("id") or "") if waiting else ""
