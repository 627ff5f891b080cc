"""
Answers that a provider makes in the background: whoever sends waits until they are there.

A stream of one that breaks off is taken up again behind the last event that came.

Source: OpenAI guide "Background mode", sections "Polling background responses" and "Streaming a background response";
openai 3.57.0, `resources/responses/responses.py`, `retrieve` with `starting_after`, and
`resources/beta/threads/runs/runs.py`, which waits for a second where the provider does not say how long, in the header
`openai-poll-after-ms` (read 2026-11).
"""

import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator, Iterator, Mapping
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    aclosing,
    asynccontextmanager,
    closing,
    contextmanager,
    nullcontext,
)
from typing import Any, Final

import attrs

from prismpy.errors import ProviderError
from prismpy.schema import JSON

from ._failures import error_type
from ._sdk import SdkTransport
from ._wire import Opened, Piece

UNFINISHED: Final = frozenset({"queued", "in_progress"})
"""Status of an answer that is still being made."""

TRIES: Final = 3
"""How often in a row a stream is taken up again in vain."""

_PASSING: Final = frozenset({"connection", "timeout", "rate_limit", "overloaded", "server_error"})
"""What another try may bring to an end; any other error says that the answer cannot be had."""


@attrs.define(eq=False)
class BackgroundTransport(SdkTransport):
    """Sends, and asks again and again for an answer that is not there at once."""

    retrieving: Callable[[Any, str], Any] = attrs.field(kw_only=True)
    """Takes a client and the id of an answer; returns the context that asks for it and yields the response, unread."""

    resuming: Callable[[Any, str, int], Any] = attrs.field(kw_only=True)
    """Takes the number of an event, too; returns the context that asks for the events behind it."""

    poll_seconds: float = attrs.field(default=1.0, kw_only=True)
    """Between two looks, where the provider does not say, and before a stream is taken up again."""

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

    @contextmanager
    def stream(self, body: Mapping[str, JSON]) -> Iterator[Opened[Iterator[Piece]]]:
        """Send and read the answer piece by piece, over several connections if one does not last."""
        with self._streaming(lambda client: self.sdk.opening(client, body)) as opened:
            if not body.get("background"):
                yield opened
                return
            with closing(self._all(opened)) as pieces:
                yield attrs.evolve(opened, pieces=pieces)

    @asynccontextmanager
    async def astream(self, body: Mapping[str, JSON]) -> AsyncIterator[Opened[AsyncIterator[Piece]]]:
        """Stream without blocking the event loop."""
        async with self._astreaming(lambda client: self.sdk.opening(client, body)) as opened:
            if not body.get("background"):
                yield opened
                return
            async with aclosing(self._aall(opened)) as pieces:
                yield attrs.evolve(opened, pieces=pieces)

    def _all(self, first: Opened[Iterator[Piece]]) -> Generator[Piece]:
        stream = _Stream()
        part: AbstractContextManager[Opened[Iterator[Piece]]] = nullcontext(first)
        while True:
            broken = None
            try:
                with part as opened:
                    yield from filter(stream.is_new, opened.pieces)
            except ProviderError as error:
                broken = error
            if not stream.goes_on(broken):
                return
            time.sleep(self.poll_seconds)
            part = self._streaming(self._resuming(stream))

    async def _aall(self, first: Opened[AsyncIterator[Piece]]) -> AsyncGenerator[Piece]:
        import anyio

        stream = _Stream()
        part: AbstractAsyncContextManager[Opened[AsyncIterator[Piece]]] = nullcontext(first)
        while True:
            broken = None
            try:
                async with part as opened:
                    async for piece in opened.pieces:
                        if stream.is_new(piece):
                            yield piece
            except ProviderError as error:
                broken = error
            if not stream.goes_on(broken):
                return
            await anyio.sleep(self.poll_seconds)
            part = self._astreaming(self._resuming(stream))

    def _retrieving(self, id: str) -> Callable[[Any], Any]:
        return lambda client: self.retrieving(client, id)

    def _resuming(self, stream: "_Stream") -> Callable[[Any], Any]:
        return lambda client: self.resuming(client, stream.id, stream.last)

    def _pause(self, headers: Mapping[str, str]) -> float:
        said = headers.get("openai-poll-after-ms", "")
        return int(said) / 1000 if said.isdigit() else self.poll_seconds


def _unfinished(answer: Any) -> str:
    """Return the id of an answer that is still being made; "" for one that is complete."""
    waiting = isinstance(answer, dict) and answer.get("status") in UNFINISHED
    return str(answer.get("id") or "") if waiting else ""


@attrs.define
class _Stream:
    """How far a stream has come."""

    id: str = ""
    """Of the answer, as long as it is being made; "" before it is known and after its end."""

    last: int = -1
    """Number of the last event."""

    vain: int = 0
    """How many connections in a row ended without an event that is new."""

    why: ProviderError | None = None
    """What broke off the last one that brought something; None where it just ended."""

    def is_new(self, piece: Piece) -> bool:
        """Take an event; tell whether it is none that came before."""
        number = piece.get("sequence_number")
        if not isinstance(number, int):
            return True
        if number <= self.last:
            return False
        self.last, self.vain = number, 0
        if "response" in piece or piece.get("type") == "error":
            self.id = _unfinished(piece.get("response"))
        return True

    def goes_on(self, broken: ProviderError | None) -> bool:
        """
        Tell whether another connection is to go on where one ended.

        Args:
            broken: What broke it off; None where it just ended.

        Raises:
            ProviderError: what broke the answer off, where it is of no use to go on.
        """
        if self.vain == 0:
            self.why = broken
        self.vain += 1
        status = None if broken is None else broken.status
        if self.id and self.vain <= TRIES and error_type(status) in _PASSING:
            return True
        if self.why is not None:
            raise self.why
        return False
