"""What an agent asks: a model, whoever runs it."""

from collections.abc import AsyncGenerator, Generator
from typing import Protocol

from prismpy.codecs import Ask, Reply
from prismpy.events import Event


class Model(Protocol):
    """A model that can be asked, whole or streamed, from sync and from async code."""

    @property
    def provider(self) -> str:
        """Who runs it, such as `anthropic` or `groq`."""
        ...

    @property
    def model_name(self) -> str:
        """As its provider calls it."""
        ...

    @property
    def dialect(self) -> str:
        """The wire format, as in `AssistantMessage.dialect`."""
        ...

    @property
    def tool_dialect(self) -> str:
        """What tools are exported to, as in `tool.to(...)`."""
        ...

    def ask(self, ask: Ask) -> Reply:
        """
        Ask and wait for the whole answer.

        Raises:
            ProviderError: if there is none.
        """
        ...

    async def aask(self, ask: Ask) -> Reply:
        """Ask without blocking the event loop; otherwise like `ask`."""
        ...

    def stream(self, ask: Ask) -> Generator[Event | Reply]:
        """
        Ask and yield events as they come, at last the whole answer; closing the iterator closes the connection.

        Raises:
            ProviderError: if no answer begins. One that breaks off is a `Reply` with a `failure`.
        """
        ...

    def astream(self, ask: Ask) -> AsyncGenerator[Event | Reply]:
        """Ask from async code; otherwise like `stream`."""
        ...
