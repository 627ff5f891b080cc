"""
What a source of context is, and how its blocks are put before a model.

Source of names: MASFactory 1.0.4, `adapters/context/types.py` and `provider.py` (read 2026-11).
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Protocol, runtime_checkable

import attrs

from prismpy.errors import DefinitionError
from prismpy.messages import Message, Text, UserMessage

DEFAULT_TOP_K: Final = 8
"""How many blocks of a source a prompt gets, or a model that does not say."""

_HEAD: Final = "CONTEXT\n\n"


@attrs.frozen
class ContextBlock:
    """One passage that may help to answer."""

    text: str
    title: str | None = None
    """What it is from, for people and models."""

    uri: str | None = None
    """Where it is from."""

    score: float | None = None
    """How well it fits; higher is better, on the source's own scale."""

    metadata: Mapping[str, Any] = attrs.field(factory=dict, hash=False)
    """Anything else, as JSON."""

    def to_dict(self) -> dict[str, Any]:
        """Return what is known of it, as JSON."""
        known = {"title": self.title, "uri": self.uri, "score": self.score, "metadata": dict(self.metadata) or None}
        return {"text": self.text, **{key: value for key, value in known.items() if value is not None}}


class ContextSource(Protocol):
    """
    Anything that finds blocks for a query.

    A passive source is searched before the model is asked, and what it finds is
    put into the prompt. An active one is searched by the model, with two tools
    that it gets for the purpose. A source may be both.
    """

    @property
    def name(self) -> str:
        """Under which the model finds it; unique among the sources of an agent."""
        ...

    @property
    def description(self) -> str:
        """For the model: what is to be found here."""
        ...

    @property
    def active(self) -> bool:
        """Whether the model may search it."""
        ...

    @property
    def passive(self) -> bool:
        """Whether it is searched for each prompt."""
        ...

    def get_blocks(self, query: str, top_k: int = DEFAULT_TOP_K) -> Sequence[ContextBlock]:
        """
        Find blocks.

        Args:
            query: Words, as a user or a model writes them.

            top_k: How many at most; 0 for all that fit.

        Returns:
            The best first.
        """
        ...


@runtime_checkable
class Remembers(Protocol):
    """A source that an agent hands what was said, after each of its runs."""

    def remember(self, messages: Iterable[Message]) -> None:
        """Take the messages of one run, from what the user said on."""
        ...


def checked(sources: Iterable[ContextSource], agent: str) -> tuple[ContextSource, ...]:
    """
    Return sources that can be used together.

    Raises:
        DefinitionError: if two have the same name, or one is neither active nor passive.
    """
    found = tuple(sources)
    names = [source.name for source in found]
    for source in found:
        if names.count(source.name) > 1:
            msg = f"agent {agent!r}: two context sources are called {source.name!r}; rename one"
            raise DefinitionError(msg)
        if not (source.active or source.passive):
            msg = f"agent {agent!r}: context source {source.name!r} is neither active nor passive; make it one of them"
            raise DefinitionError(msg)
    return found


def section(sources: Iterable[ContextSource], query: str) -> str:
    """
    Search the passive sources, and write what they find as the part of a prompt that is called CONTEXT.

    Returns:
        The part, or "" if nothing is found.
    """
    blocks = [(source, block) for source in sources if source.passive for block in source.get_blocks(query)]
    if not blocks:
        return ""
    told = [f"[{number}] {_head(source, block)}\n{block.text}" for number, (source, block) in enumerate(blocks, 1)]
    return _HEAD + "\n\n".join(told)


def own_words(message: UserMessage) -> str:
    """Return what a user said, without the part that `section` wrote, which is a piece of its own."""
    pieces = (piece.text for piece in message.content if isinstance(piece, Text))
    return "".join(text for text in pieces if not text.lstrip().startswith(_HEAD))


def _head(source: ContextSource, block: ContextBlock) -> str:
    return " · ".join(part for part in (source.name, block.title, block.uri) if part)
