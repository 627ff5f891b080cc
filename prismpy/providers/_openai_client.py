"""
The only file that knows the OpenAI SDK, for its two APIs.

Bodies go in as `extra_body`, which wins over the SDK's own arguments: what a codec wrote is what is sent.

Source: openai 3.57.0, `_response.py`, `resources/chat/completions`, `resources/responses` (read 2026-11).
"""

from collections.abc import Mapping
from typing import Any, Literal

import attrs

from prismpy.schema import JSON

from ._sdk import ASYNC_HOOKS, HOOKS


@attrs.frozen
class OpenAISdk:
    """The OpenAI SDK, for chat completions or for Responses."""

    api: Literal["chat", "responses"]

    def client(self, options: Mapping[str, Any]) -> Any:
        """Make a sync client."""
        import openai

        return openai.OpenAI(**{"http_client": openai.DefaultHttpxClient(event_hooks=HOOKS), **options})

    def async_client(self, options: Mapping[str, Any]) -> Any:
        """Make an async client."""
        import openai

        http_client = openai.DefaultAsyncHttpxClient(event_hooks=ASYNC_HOOKS)
        return openai.AsyncOpenAI(**{"http_client": http_client, **options})

    def is_async(self, client: Any) -> bool:
        """Return whether it is an `AsyncOpenAI`."""
        import openai

        return isinstance(client, openai.AsyncOpenAI)

    def opening(self, client: Any, body: Mapping[str, JSON]) -> Any:
        """Return the context that sends a body and yields the response."""
        known = {"model": body.get("model"), "extra_body": body, **({"stream": True} if body.get("stream") else {})}
        if self.api == "chat":
            return client.chat.completions.with_streaming_response.create(messages=[], **known)
        return client.responses.with_streaming_response.create(input=[], **known)

    def retrieving(self, client: Any, id: str) -> Any:
        """Return the context that asks for a response by its id."""
        return client.responses.with_streaming_response.retrieve(id)

    def resuming(self, client: Any, id: str, after: int) -> Any:
        """Return the context that asks for the events of a response behind the one of a number."""
        return client.responses.with_streaming_response.retrieve(id, stream=True, starting_after=after)

    def errors(self) -> tuple[type[Exception], ...]:
        """Return what sending and reading may raise. An app's own client may use the older HTTP library."""
        import sys

        import httpx2
        import openai

        older = sys.modules.get("httpx")
        return (openai.OpenAIError, httpx2.HTTPError, *([older.HTTPError] if older is not None else []))
