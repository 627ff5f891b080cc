"""
A transport over an SDK that Stainless made, as both of ours are.

They share their shape: `with_streaming_response` gives the response as it comes, without an object
for every event, and the SDK's own machinery retries what can be retried.
Which SDK it is, one `Sdk` says.
"""

import json
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from typing import Any, Protocol
from weakref import WeakKeyDictionary, finalize

import attrs

from prismpy.errors import DefinitionError, ProviderError
from prismpy.events import ErrorEvent
from prismpy.schema import JSON

from ._failures import FAILED, provider_error, retried, retry_after
from ._sse import SseDecoder
from ._wire import Opened, Piece

_FAILED: ContextVar[list[tuple[int, float | None]] | None] = ContextVar("prismpy_failed_tries", default=None)
"""Status and wait of the responses that the SDK tried again after, while a request is opened."""


class Sdk(Protocol):
    """What differs between the SDKs."""

    def client(self, options: Mapping[str, Any]) -> Any:
        """Make a sync client; `options` are the SDK's own, without an HTTP client."""
        ...

    def async_client(self, options: Mapping[str, Any]) -> Any:
        """Make an async client."""
        ...

    def is_async(self, client: Any) -> bool:
        """Return whether a client that was handed in is for async code."""
        ...

    def opening(self, client: Any, body: Mapping[str, JSON]) -> Any:
        """Return the context that sends a body and yields the response, read or unread."""
        ...

    def errors(self) -> tuple[type[Exception], ...]:
        """Return what sending and reading may raise."""
        ...


@attrs.define(eq=False)
class SdkTransport:
    """Sends bodies over one SDK. Clients are made when they are first needed, one for each event loop, and kept."""

    provider: str
    sdk: Sdk
    options: Mapping[str, Any] = attrs.field(repr=False)
    """For the client's class: `api_key`, `base_url`, `timeout`, `max_retries` …"""

    given: Any = None
    """A client of the SDK that the app made. It is used as it is, and never closed."""

    _client: Any = attrs.field(default=None, init=False, repr=False)
    _async_clients: WeakKeyDictionary[Any, Any] = attrs.field(factory=WeakKeyDictionary, init=False, repr=False)

    def send(self, body: Mapping[str, JSON]) -> Any:
        """Send and wait for the whole answer."""
        return self._whole(lambda client: self.sdk.opening(client, body))[0]

    async def asend(self, body: Mapping[str, JSON]) -> Any:
        """Send without blocking the event loop."""
        return (await self._awhole(lambda client: self.sdk.opening(client, body)))[0]

    def _whole(self, opening: Callable[[Any], Any]) -> tuple[Any, Mapping[str, str]]:
        """Return the decoded content of a response, and its headers."""
        with self._failing(), opening(self._sync()) as response:
            content = response.read()
        return self._decoded(content), response.headers

    async def _awhole(self, opening: Callable[[Any], Any]) -> tuple[Any, Mapping[str, str]]:
        with self._failing():
            async with opening(self._async()) as response:
                content = await response.read()
        return self._decoded(content), response.headers

    @contextmanager
    def stream(self, body: Mapping[str, JSON]) -> Iterator[Opened[Iterator[Piece]]]:
        """Send and read the answer piece by piece."""
        with self._streaming(lambda client: self.sdk.opening(client, body)) as opened:
            yield opened

    @asynccontextmanager
    async def astream(self, body: Mapping[str, JSON]) -> AsyncIterator[Opened[AsyncIterator[Piece]]]:
        """Stream without blocking the event loop."""
        async with self._astreaming(lambda client: self.sdk.opening(client, body)) as opened:
            yield opened

    @contextmanager
    def _streaming(self, opening: Callable[[Any], Any]) -> Iterator[Opened[Iterator[Piece]]]:
        """Lend a response that is read piece by piece."""
        context = opening(self._sync())
        with self._failing(), _watching() as failed:
            response = context.__enter__()
        try:
            yield Opened(self._pieces(response), self._retried(response, failed))
        finally:
            context.__exit__(None, None, None)

    @asynccontextmanager
    async def _astreaming(self, opening: Callable[[Any], Any]) -> AsyncIterator[Opened[AsyncIterator[Piece]]]:
        context = opening(self._async())
        with self._failing(), _watching() as failed:
            response = await context.__aenter__()
        try:
            yield Opened(self._apieces(response), self._retried(response, failed))
        finally:
            await context.__aexit__(None, None, None)

    def _pieces(self, response: Any) -> Iterator[Piece]:
        decoder = SseDecoder()
        with self._failing():
            if _is_whole(response):
                yield self._decoded(response.read())
                return
            for chunk in response.iter_bytes():
                yield from decoder.feed(chunk)

    async def _apieces(self, response: Any) -> AsyncIterator[Piece]:
        decoder = SseDecoder()
        with self._failing():
            if _is_whole(response):
                yield self._decoded(await response.read())
                return
            async for chunk in response.iter_bytes():
                for piece in decoder.feed(chunk):
                    yield piece

    @contextmanager
    def _failing(self) -> Iterator[None]:
        """Turn what the SDK raises into ours."""
        try:
            yield
        except self.sdk.errors() as error:
            key = self.options.get("api_key") or getattr(self.given, "api_key", None)
            raise provider_error(error, self.provider, secret=str(key or "")) from error

    def _retried(self, response: Any, failed: list[tuple[int, float | None]]) -> tuple[ErrorEvent, ...]:
        """Tell the tries that failed; those that no response came to, or that a given client made, without a status."""
        silent = response.retries_taken - len(failed)
        told = [retried(self.provider, status, wait) for status, wait in failed]
        return (*told, *(retried(self.provider, None) for _ in range(silent)))

    def _decoded(self, content: bytes) -> Any:
        try:
            return json.loads(content)
        except ValueError as error:
            head = content[:80].decode("utf-8", "replace")
            msg = f"{self.provider}: the answer is no JSON, it begins {head!r}; check base_url"
            raise ProviderError(msg, provider=self.provider, status=200, code="bad_answer") from error

    def _sync(self) -> Any:
        if self.given is not None:
            return self._fitting(is_async=False)
        if self._client is None:
            self._client = self.sdk.client(self.options)
            finalize(self, self._client.close)  # where nobody closes the model; an async one cannot be closed so
        return self._client

    def _async(self) -> Any:
        if self.given is not None:
            return self._fitting(is_async=True)
        loop = _running_loop()
        if loop not in self._async_clients:  # connections belong to the loop that opened them
            self._async_clients[loop] = self.sdk.async_client(self.options)
        return self._async_clients[loop]

    def _fitting(self, *, is_async: bool) -> Any:
        if self.sdk.is_async(self.given) is is_async:
            return self.given
        kind, wanted = ("a sync", "its async twin") if is_async else ("an async", "its sync twin")
        msg = f"{self.provider}: client is {kind} client, {type(self.given).__name__}; hand in {wanted} for this call"
        raise DefinitionError(msg)

    def close(self) -> None:
        """Close the sync client, if there is one of ours."""
        client, self._client = self._client, None
        if client is not None:
            client.close()

    async def aclose(self) -> None:
        """Close the client of the running event loop, and the sync one."""
        self.close()
        client = self._async_clients.pop(_running_loop(), None)
        if client is not None:
            await client.close()


def _is_whole(response: Any) -> bool:
    """Tell whether a server that was asked to stream answers at once all the same, as some do with errors."""
    return bool(response.headers.get("content-type", "").startswith("application/json"))


def _running_loop() -> Any:
    """Return the running event loop, asyncio's or trio's."""
    from anyio.lowlevel import current_token

    return current_token().native_token


@contextmanager
def _watching() -> Iterator[list[tuple[int, float | None]]]:
    """Note failed responses as long as the block runs."""
    failed: list[tuple[int, float | None]] = []
    token = _FAILED.set(failed)
    try:
        yield failed
    finally:
        _FAILED.reset(token)


def note(response: Any) -> None:
    """Note a failed response; a hook for the HTTP client that an SDK uses."""
    failed = _FAILED.get()
    if failed is not None and response.status_code >= FAILED:
        failed.append((response.status_code, retry_after(response.headers)))


async def anote(response: Any) -> None:
    """Note a failed response; the hook for async clients."""
    note(response)


HOOKS: Mapping[str, list[Callable[[Any], Any]]] = {"response": [note]}
"""For a sync HTTP client."""

ASYNC_HOOKS: Mapping[str, list[Callable[[Any], Any]]] = {"response": [anote]}
"""For an async one."""
