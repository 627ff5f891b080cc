"""What goes into a store of memories and what comes out."""

from collections.abc import Iterable, Sequence
from typing import Protocol

import attrs

from prismpy.errors import StoreError


def _text(text: str) -> str:
    """Trim a text; a zero character, which PostgreSQL takes in none, goes."""
    return text.replace("\0", "").strip()


def _label(text: str) -> str:
    """Labels are the same however they are written."""
    return " ".join(_text(text).casefold().split())


def _labels(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({_label(text) for text in texts} - {""}))


@attrs.frozen
class Fact:
    """Something to remember."""

    content: str = attrs.field(converter=_text)
    """One statement that can be understood by itself."""

    type: str = attrs.field(default="fact", converter=_label)
    """What kind of memory it is."""

    category: str = attrs.field(default="", converter=_label)
    """What it is about; "" for nothing in particular. Lower case."""

    tags: tuple[str, ...] = attrs.field(default=(), converter=_labels)
    """Further words to find it by; lower case, sorted."""

    def __attrs_post_init__(self) -> None:
        if not self.content:
            msg = "a memory without content was not stored; say what to remember"
            raise StoreError(msg)


@attrs.frozen
class Memory:
    """A fact that is remembered."""

    id: str
    fact: Fact

    created: str
    """ISO 8601, in UTC."""

    updated: str
    """ISO 8601, in UTC."""


@attrs.frozen
class Kept:
    """What became of a fact that was to be stored."""

    memory: Memory

    is_new: bool
    """Whether it was stored; else the memory is one that says the same, and is as it was."""


@attrs.frozen
class Search:
    """What to look for; all that is given must hold."""

    query: str = attrs.field(default="", converter=_text)
    """Words, or a question; "" for all memories, latest first."""

    type: str = attrs.field(default="", converter=_label)
    """"" for any."""

    category: str = attrs.field(default="", converter=_label)
    """"" for any."""

    tags: tuple[str, ...] = attrs.field(default=(), converter=_labels)
    """All of them."""

    limit: int = 10
    """At most so many memories, from 1 up."""


@attrs.frozen
class Found:
    """A memory that fits a search."""

    memory: Memory

    by: tuple[str, ...]
    """`words`, `meaning` or both; nothing where the search had no query."""


@attrs.frozen
class Change:
    """What to change of a memory; None leaves things as they are."""

    content: str | None = None
    type: str | None = None
    category: str | None = None
    """"" for nothing in particular."""
    tags: Iterable[str] | None = None
    """Instead of all it had."""

    def apply(self, fact: Fact) -> Fact:
        """
        Return the fact as it is then.

        Raises:
            StoreError: if its content would be blank.
        """
        changes = {name: value for name, value in attrs.asdict(self, recurse=False).items() if value is not None}
        return attrs.evolve(fact, **changes)


class MemoryStore(Protocol):
    """
    Keeps memories. Its methods may be called from any thread, and by several processes.

    `SQLiteMemories` and `PostgresMemories` are ones, and pass the same tests.
    """

    def add(self, facts: Sequence[Fact]) -> tuple[Kept, ...]:
        """
        Remember facts, all or none; one that is remembered already stays as it is.

        Raises:
            StoreError: if the place to keep them fails.
        """
        ...

    def search(self, search: Search) -> tuple[Found, ...]:
        """
        Find memories, the best first.

        Raises:
            StoreError: if the place to keep them fails.
        """
        ...

    def update(self, id: str, change: Change) -> Memory:
        """
        Change a memory.

        Raises:
            UnknownIdError: if there is none of that id.

            StoreError: if another memory says the same.
        """
        ...

    def delete(self, id: str) -> Memory:
        """
        Forget a memory, and return what it was.

        Raises:
            UnknownIdError: if there is none of that id.
        """
        ...
