"""Models behind Anthropic's messages."""

from collections import deque
from typing import Any, Final

from prismpy.codecs import Ask, Reply
from prismpy.errors import ProviderError

from ._address import placed
from ._anthropic_client import AnthropicSdk
from ._codecs import spoken_by
from ._sdk import SdkTransport
from ._wire import WireModel

MOST_WHOLE: Final = 8192
"""
Tokens up to which an answer is waited for in one piece.

Beyond that the SDK refuses to, for some models here and for all at some 21,000: connections without traffic are
dropped on the way. Such answers are streamed and put together.

Source: anthropic 2.14.0, `_constants.py` and `_base_client.py`; guide "Errors", "Long requests" (read 2026-11).
"""


class AnthropicModel(WireModel):
    """
    A model behind Anthropic's messages, at Anthropic or at a server that speaks them too.

    Args:
        model_name: As its provider calls it, such as `claude-haiku-4-5`.

        api_key: By default what the environment says, such as `ANTHROPIC_API_KEY`.

        base_url: Where the server is, without `/v1`. A server that prismpy knows is recognised by its host.

        client: An `Anthropic`, `AsyncAnthropic` or `AnthropicBedrock` of the app's own, used as it is. Key and URL are
            its own.

        server: Name of a row of the table of servers, such as `deepseek-anthropic`; its URL and key are then the
            default.

        options: For the class of the client: `timeout`, `max_retries`, `default_headers` …

    Raises:
        DefinitionError: if there is no API key.
    """

    def __init__(
        self,
        model_name: str,
        api_key: str | None = None,
        base_url: str | None = None,
        client: Any = None,
        *,
        server: str = "anthropic",
        **options: Any,
    ) -> None:
        row, given = placed(server, client, api_key, base_url, options)
        transport = SdkTransport(row.name, AnthropicSdk(), given, client)
        super().__init__(row.name, model_name, row.tool_dialect, spoken_by(row), transport)

    def ask(self, ask: Ask) -> Reply:
        """
        Ask and wait for the whole answer, which is streamed on the way where it may be long.

        Raises:
            ProviderError: if there is none, or it breaks off.
        """
        if not self._may_be_long(ask):
            return super().ask(ask)
        return self._whole(deque(self.stream(ask), maxlen=1).pop())

    async def aask(self, ask: Ask) -> Reply:
        """Ask without blocking the event loop; otherwise like `ask`."""
        if not self._may_be_long(ask):
            return await super().aask(ask)
        last: Any = None
        async for each in self.astream(ask):
            last = each
        return self._whole(last)

    def _may_be_long(self, ask: Ask) -> bool:
        return bool(self.codec.request(ask)["max_tokens"] > MOST_WHOLE)

    def _whole(self, reply: Any) -> Reply:
        if reply.failure is None:
            whole: Reply = reply
            return whole
        msg = f"{self.provider}: the answer broke off: {reply.failure.message}"
        raise ProviderError(msg, provider=self.provider, code=reply.failure.code, reply=reply) from reply.failure.cause
