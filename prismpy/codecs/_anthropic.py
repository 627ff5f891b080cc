"""The wire format of Anthropic's messages, which some other servers speak too."""

from functools import partial
from typing import Any

import attrs

from prismpy.schema import JSON

from ._anthropic_fold import AnthropicFold
from ._anthropic_reply import read
from ._anthropic_request import write
from ._values import Ask, Fold, Reply


@attrs.frozen
class AnthropicCodec:
    """
    Anthropic's messages.

    `Ask.options` are keys of the request. Three are no keys of the API:

    * `betas`: names of beta features, as the SDK takes them;
    * `cache`: where to mark the prompt for the cache: True, or times by place, such as
      `{"tools": "1h", "system": "1h", "messages": "5m"}`;
    * `citations`: True, for the model to cite the documents that it is given.
    """

    provider: str = "anthropic"
    """Who is spoken to, for error messages."""

    @property
    def dialect(self) -> str:
        """Name of the format in `AssistantMessage.dialect`."""
        return "anthropic"

    def request(self, ask: Ask, *, stream: bool = False) -> dict[str, JSON]:
        """
        Write the body of a request. `max_tokens` is 8,192 where nobody says otherwise, beside a budget for thinking.

        Raises:
            DefinitionError: if something is asked that this format cannot say.
        """
        return write(ask, stream=stream)

    def reply(self, body: Any) -> Reply:
        """
        Read a whole answer.

        Raises:
            ProviderError: if it is none.
        """
        return read(body, self.provider)

    def fold(self) -> Fold:
        """Begin to read a streamed answer."""
        return AnthropicFold(partial(read, provider=self.provider))
