"""
The only file that knows the Anthropic SDK.

Bodies go in as `extra_body`, which wins over the SDK's own arguments: what a codec wrote is what is sent, keys that the
SDK has no argument for included. What it sends as headers stays an argument.

Source: anthropic 2.14.0, `_response.py`, `resources/messages/messages.py`, `resources/beta/messages/messages.py`;
guide "Beta headers" (read 2026-11).
"""

import inspect
from collections.abc import Mapping
from typing import Any, Final

from prismpy.schema import JSON

from ._sdk import ASYNC_HOOKS, HOOKS

HEADERS: Final = frozenset({"betas", "user_profile_id", "workspace_id", "extra_headers"})
"""Options that the SDK sends as headers, not in the body."""


class AnthropicSdk:
    """The Anthropic SDK."""

    def client(self, options: Mapping[str, Any]) -> Any:
        """Make a sync client."""
        import anthropic

        return anthropic.Anthropic(**{"http_client": anthropic.DefaultHttpxClient(event_hooks=HOOKS), **options})

    def async_client(self, options: Mapping[str, Any]) -> Any:
        """Make an async client."""
        import anthropic

        http_client = anthropic.DefaultAsyncHttpxClient(event_hooks=ASYNC_HOOKS)
        return anthropic.AsyncAnthropic(**{"http_client": http_client, **options})

    def is_async(self, client: Any) -> bool:
        """Return whether it is for async code; those for Bedrock, Vertex and the like share no class but this shape."""
        return inspect.iscoroutinefunction(client.close)

    def opening(self, client: Any, body: Mapping[str, JSON]) -> Any:
        """Return the context that sends a body and yields the response."""
        headers = {key: value for key, value in body.items() if key in HEADERS}
        sent = {key: value for key, value in body.items() if key not in HEADERS}
        messages = client.beta.messages if "betas" in headers else client.messages
        return messages.with_streaming_response.create(
            model=sent["model"],
            max_tokens=sent["max_tokens"],
            messages=[],
            **({"stream": True} if sent.get("stream") else {}),
            extra_body=sent,
            **headers,
        )

    def errors(self) -> tuple[type[Exception], ...]:
        """Return what sending and reading may raise."""
        import anthropic
        import httpx2

        return anthropic.AnthropicError, httpx2.HTTPError
