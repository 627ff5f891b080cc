"""Full-text search in memory: SQLite's FTS5, ranked by BM25."""

import sqlite3
import threading
from collections.abc import Iterable, Sequence
from typing import Final

from prismpy.errors import StoreError

from ._words import is_stem, words_of

_TOKENIZER: Final = "unicode61 remove_diacritics 0 categories 'L* N* M* Co'"
"""For FTS5 and words that `words_of` prepared: it shall only cut at spaces, whatever marks letters carry."""


def match_any(words: Sequence[str]) -> str:
    """
    Write a query of FTS5 for any of some words, or longer ones that begin like the long ones.

    Args:
        words: As `words_of` gives them, at least one; in quotes nothing is an operator.
    """
    return " OR ".join(f'"{word}"{"*" if is_stem(word) else ""}' for word in words)


class WordIndex:
    """
    Texts that are found by their words. Safe to use from several threads.

    Args:
        weights: How much each column counts, the first one first: a title more than a body.

    Raises:
        StoreError: if this Python's SQLite has no FTS5.
    """

    def __init__(self, *weights: float) -> None:
        self._weights = weights or (1.0,)
        self._lock = threading.Lock()
        self._connection = sqlite3.connect(":memory:", check_same_thread=False)
        columns = ", ".join(f"c{place}" for place in range(len(self._weights)))
        try:
            self._connection.execute(f'CREATE VIRTUAL TABLE texts USING fts5 ({columns}, tokenize = "{_TOKENIZER}")')
        except sqlite3.OperationalError as error:
            msg = f"SQLite {sqlite3.sqlite_version} was built without FTS5, which searching needs: {error}"
            raise StoreError(msg) from error

    def add(self, rows: Iterable[Sequence[str]]) -> None:
        """
        Add texts.

        Args:
            rows: One text for each column. They are found by their number: 0 for the first one that was ever added.
        """
        places = ", ".join("?" * len(self._weights))
        prepared = ([" ".join(words_of(text)) for text in row] for row in rows)
        with self._lock, self._connection:
            self._connection.executemany(f"INSERT INTO texts VALUES ({places})", prepared)  # noqa: S608  # places only

    def find(self, query: str, limit: int = 0) -> list[tuple[int, float]]:
        """
        Find texts with any of the words of a query.

        Args:
            query: As a person or a model writes it; nothing in it is an operator.

            limit: How many at most; 0 for all.

        Returns:
            Number and score of each, the best first; a higher score is better.
        """
        words = words_of(query)
        if not words:
            return []
        weights = ", ".join(map(str, map(float, self._weights)))
        statement = (
            f"SELECT rowid - 1, -bm25(texts, {weights}) AS score FROM texts WHERE texts MATCH ?"  # noqa: S608  # numbers only
            " ORDER BY score DESC, rowid LIMIT ?"
        )
        with self._lock:
            return self._connection.execute(statement, (match_any(words), limit or -1)).fetchall()

    def close(self) -> None:
        """Forget everything."""
        self._connection.close()
