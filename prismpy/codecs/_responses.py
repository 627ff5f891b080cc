"""The wire format of OpenAI's Responses API, which some other servers speak."""

from typing import Any

import attrs

from prismpy.schema import JSON

from ._responses_fold import ResponsesFold
from ._responses_reply import DIALECT, read
from ._responses_request import write
from ._values import Ask, Fold, Reply


@attrs.frozen
class ResponsesCodec:
    """Responses, as one server speaks them."""

    provider: str = "openai"
    """Who is spoken to. What it encrypted goes back to it alone."""

    @property
    def dialect(self) -> str:
        """Name of the format in `AssistantMessage.dialect`."""
        return DIALECT

    def request(self, ask: Ask, *, stream: bool = False) -> dict[str, JSON]:
        """Write the body of a request."""
        return write(ask, self.provider, stream=stream)

    def reply(self, body: Any) -> Reply:
        """
        Read a whole answer.

        Raises:
            ProviderError: if it is none.
        """
        return read(body, self.provider)

    def fold(self) -> Fold:
        """Begin to read a streamed answer."""
        return ResponsesFold(self.provider)
