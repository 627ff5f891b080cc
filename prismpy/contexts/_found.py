"""The sources that search passages: by their words, by their meaning."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from prismpy.search import Embed, WordIndex, pack, similarity, vectors_of

from ._passages import Passage, passages, read_files
from ._source import DEFAULT_TOP_K, ContextBlock


class _Passages:
    """What both sources share: where the passages are from, and how they are called."""

    def __init__(self, found: Iterable[Passage], name: str, description: str, *, active: bool, passive: bool) -> None:
        self.name, self.description = name, description
        self.active, self.passive = active, passive
        self._passages = tuple(found)

    def _block(self, number: int, score: float) -> ContextBlock:
        passage = self._passages[number]
        return ContextBlock(passage.text, passage.title, passage.uri, score)


def _cut(document: str | tuple[str, str] | Passage, number: int) -> Iterable[Passage]:
    if isinstance(document, Passage):
        return [document]
    title, text = (f"document {number}", document) if isinstance(document, str) else document
    return passages(text, title, title)


class KeywordSource(_Passages):
    """
    Passages that have the words of a query: SQLite's full-text search, ranked by BM25.

    Args:
        places: Text files, and folders with all that is below them, or one alone; read once, when the source is made.

        name: Under which a model finds it.

        description: For the model: what is to be found here.

        pattern: Which files of a folder.

        active: Whether the model may search it.

        passive: Whether it is searched for each prompt.

    Raises:
        DefinitionError: for a place that is not there, or a file that is no text.

        StoreError: if this Python's SQLite has no FTS5.
    """

    def __init__(
        self,
        places: str | Path | Iterable[str | Path],
        name: str = "files",
        description: str = "Passages of files, found by their words.",
        *,
        pattern: str = "*.md",
        active: bool = False,
        passive: bool = True,
    ) -> None:
        super().__init__(read_files(places, pattern), name, description, active=active, passive=passive)
        self._index = WordIndex(2.0, 1.0)
        self._index.add((passage.title, passage.text) for passage in self._passages)

    def get_blocks(self, query: str, top_k: int = DEFAULT_TOP_K) -> Sequence[ContextBlock]:
        """Return the passages with any of the words, the best first."""
        return [self._block(number, score) for number, score in self._index.find(query, top_k)]


class EmbeddingSource(_Passages):
    """
    Passages that mean what a query means, by any embedding function.

    Args:
        texts: The documents, each title and text, or its text alone, which is then named by its number.

        embed: Gives the meaning of texts as vectors, one for each, all of one length.

        name: Under which a model finds it.

        description: For the model: what is to be found here.

        active: Whether the model may search it.

        passive: Whether it is searched for each prompt.

        least_score: Passages whose cosine with the query is smaller do not fit.
    """

    def __init__(
        self,
        texts: Iterable[str | tuple[str, str] | Passage],
        embed: Embed,
        name: str = "documents",
        description: str = "Passages of documents, found by their meaning.",
        *,
        active: bool = False,
        passive: bool = True,
        least_score: float = 0.25,
    ) -> None:
        found = (passage for number, each in enumerate(texts, start=1) for passage in _cut(each, number))
        super().__init__(found, name, description, active=active, passive=passive)
        self._embed, self._least_score = embed, least_score

    @classmethod
    def of_files(
        cls, places: str | Path | Iterable[str | Path], embed: Embed, *, pattern: str = "*.md", **options: Any
    ) -> Self:
        """
        Search text files.

        Args:
            places: As for `KeywordSource`.

            embed: As for the class.

            pattern: Which files of a folder.

            options: As for the class.

        Raises:
            DefinitionError: for a place that is not there, or a file that is no text.
        """
        return cls(read_files(places, pattern), embed, **options)

    @cached_property
    def _vectors(self) -> list[bytes]:
        """The meaning of each passage, asked for when the source is first searched."""
        if not self._passages:
            return []
        return [pack(vector) for vector in vectors_of(self._embed, [passage.text for passage in self._passages])]

    def get_blocks(self, query: str, top_k: int = DEFAULT_TOP_K) -> Sequence[ContextBlock]:
        """
        Return the passages that fit, the best first.

        Raises:
            StoreError: if the embedding function gives no vectors of one length.

            Exception: what it raises.
        """
        if not self._vectors or not query.strip():
            return []
        [wanted] = vectors_of(self._embed, [query])
        packed = pack(wanted)
        scored = [(similarity(vector, packed), number) for number, vector in enumerate(self._vectors)]
        fitting = sorted((-score, number) for score, number in scored if score >= self._least_score)
        return [self._block(number, -score) for score, number in fitting[: top_k or None]]
