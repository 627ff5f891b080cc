"""
What differs between the servers that speak OpenAI's chat completions: one row each.

What they send is read by one tolerant decoder; the rows say what they must be sent.
"""

from typing import Final

import attrs


@attrs.frozen
class ChatQuirks:
    """How one server wants to be asked."""

    max_tokens: str = "max_tokens"
    """The key that limits the answer."""

    stream_usage: bool = True
    """Whether the usage of a stream must be asked for."""


CHAT_QUIRKS: Final = {
    "openai": ChatQuirks(max_tokens="max_completion_tokens"),
    "mistral": ChatQuirks(stream_usage=False),
}
"""By name of the server."""


def chat_quirks(server: str) -> ChatQuirks:
    """Look a server up; one that is not in the table has no quirks."""
    return CHAT_QUIRKS.get(server, ChatQuirks())
