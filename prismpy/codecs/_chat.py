"""The wire format of OpenAI's chat completions, which many servers speak."""

from typing import Any

import attrs

from prismpy.schema import JSON

from ._chat_fold import ChatFold
from ._chat_quirks import ChatQuirks
from ._chat_reply import DIALECT, read
from ._chat_request import write
from ._values import Ask, Fold, Reply


@attrs.frozen
class ChatCodec:
    """Chat completions, with the quirks of one server."""

    provider: str = "openai"
    """Who is spoken to, for error messages."""

    quirks: ChatQuirks = ChatQuirks()

    @property
    def dialect(self) -> str:
        """Name of the format in `AssistantMessage.dialect`."""
        return DIALECT

    def request(self, ask: Ask, *, stream: bool = False) -> dict[str, JSON]:
        """
        Write the body of a request.

        Raises:
            DefinitionError: for a picture or a file that chat completions cannot carry, or a tool that takes free text
                where the server knows none.
        """
        return write(ask, self.quirks, stream=stream)

    def reply(self, body: Any) -> Reply:
        """
        Read a whole answer.

        Raises:
            ProviderError: if it is none.
        """
        return read(body, self.provider)

    def fold(self) -> Fold:
        """Begin to read a streamed answer."""
        return ChatFold(self.reply)
