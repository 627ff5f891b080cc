"""The wire format that each server speaks, with its quirks."""

from collections.abc import Callable, Mapping
from typing import Final

from prismpy.codecs import AnthropicCodec, ChatCodec, Codec, ResponsesCodec, chat_quirks

from ._servers import Api, Server, server

_CODECS: Final[Mapping[Api, Callable[[str], Codec]]] = {
    "anthropic": AnthropicCodec,
    "openai-chat": lambda provider: ChatCodec(provider, chat_quirks(provider)),
    "openai-responses": ResponsesCodec,
}


def spoken_by(row: Server) -> Codec:
    """Return the codec of a server."""
    return _CODECS[row.api](row.name)


def codec(name: str) -> Codec:
    """
    Return the codec of a server by its name, as in `model("NAME:...")`; no key is needed.

    Raises:
        UnknownProviderError: listing the known names.
    """
    return spoken_by(server(name))
