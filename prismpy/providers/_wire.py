"""
A model out of a codec, which says what is sent and what the answer means, and a transport, which sends it.

Whatever SDK a transport uses, nothing here knows it.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Generator, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from typing import Any, Generic, Protocol, Self, TypeAlias, TypeVar

import attrs

from prismpy.codecs import Ask, Codec, Failure, Fold, Reply
from prismpy.errors import ProviderError
from prismpy.events import ErrorEvent, Event
from prismpy.schema import JSON

Pieces = TypeVar("Pieces")

Piece: TypeAlias = Mapping[str, Any]
"""One event of a stream, as decoded JSON."""


@attrs.frozen
class Opened(Generic[Pieces]):
    """An answer that has begun to stream."""

    pieces: Pieces
    """Iterator over the decoded pieces; raises `ProviderError` where the stream breaks off."""

    retried: tuple[ErrorEvent, ...] = ()
    """What failed before it began, one event a try."""


class Transport(Protocol):
    """Sends the body of a request, from sync and from async code, and returns decoded JSON."""

    def send(self, body: Mapping[str, JSON]) -> Any:
        """
        Send and wait for the whole answer.

        Raises:
            ProviderError: if the answer is no success, or no JSON.
        """
        ...

    def stream(self, body: Mapping[str, JSON]) -> AbstractContextManager[Opened[Iterator[Piece]]]:
        """
        Send and read the answer piece by piece; leaving the context closes the connection.

        Raises:
            ProviderError: if no answer begins.
        """
        ...

    async def asend(self, body: Mapping[str, JSON]) -> Any:
        """Send without blocking the event loop; otherwise like `send`."""
        ...

    def astream(self, body: Mapping[str, JSON]) -> AbstractAsyncContextManager[Opened[AsyncIterator[Piece]]]:
        """Stream without blocking the event loop; otherwise like `stream`."""
        ...

    def close(self) -> None:
        """Close the connections of sync code."""
        ...

    async def aclose(self) -> None:
        """Close the connections of the running event loop, and those of sync code."""
        ...


@attrs.frozen(eq=False)
class WireModel:
    """A `Model` that speaks one wire format over one transport."""

    provider: str
    """Who runs it, such as `anthropic` or `groq`."""

    model_name: str
    """As its provider calls it."""

    tool_dialect: str
    """What tools are exported to, as in `tool.to(...)`."""

    codec: Codec = attrs.field(repr=False)
    transport: Transport = attrs.field(repr=False)

    @property
    def dialect(self) -> str:
        """The wire format, as in `AssistantMessage.dialect`."""
        return self.codec.dialect

    def ask(self, ask: Ask) -> Reply:
        """
        Ask and wait for the whole answer.

        Raises:
            ProviderError: if there is none.
        """
        return self.codec.reply(self.transport.send(self.codec.request(ask)))

    async def aask(self, ask: Ask) -> Reply:
        """Ask without blocking the event loop; otherwise like `ask`."""
        return self.codec.reply(await self.transport.asend(self.codec.request(ask)))

    def stream(self, ask: Ask) -> Generator[Event | Reply]:
        """
        Ask and yield events as they come, at last the whole answer; closing the iterator closes the connection.

        Raises:
            ProviderError: if no answer begins. One that breaks off is a `Reply` with a `failure`.
        """
        fold = self.codec.fold()
        broken = None
        with self.transport.stream(self.codec.request(ask, stream=True)) as opened:
            yield from opened.retried
            try:
                for piece in opened.pieces:
                    yield from fold.feed(piece)
            except ProviderError as error:
                broken = error
        yield from _finished(fold, broken)

    async def astream(self, ask: Ask) -> AsyncGenerator[Event | Reply]:
        """Ask from async code; otherwise like `stream`."""
        fold = self.codec.fold()
        broken = None
        async with self.transport.astream(self.codec.request(ask, stream=True)) as opened:
            for failed in opened.retried:
                yield failed
            try:
                async for piece in opened.pieces:
                    for event in fold.feed(piece):
                        yield event
            except ProviderError as error:
                broken = error
        for last in _finished(fold, broken):
            yield last

    def close(self) -> None:
        """Close the connections of sync code. One is opened again where the model is asked again."""
        self.transport.close()

    async def aclose(self) -> None:
        """Close all connections, from async code."""
        await self.transport.aclose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


def _finished(fold: Fold, broken: ProviderError | None) -> Iterator[Event | Reply]:
    """End a stream, and say in the reply what broke it off. Nothing is missed of one that was complete by then."""
    events, reply = fold.finish()
    yield from events
    if broken is not None and reply.failure is not None and reply.failure.code == "cut_off":
        why = str(broken).removeprefix(f"{broken.provider}: ")  # whoever raises the failure says whose it is
        reply = attrs.evolve(reply, failure=Failure(broken.code or "cut_off", why, cause=broken.__cause__))
    yield reply
