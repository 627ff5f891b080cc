"""Memories in an SQLite file: words in an FTS5 index, meaning compared one by one, by sqlite-vec where it is."""

import sqlite3
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import attrs

from prismpy.search import Embed, match_any, pack, similarity
from prismpy.storage import Clock, Database, utc_now

from ._store import Dialect, SQLMemories

_MIGRATIONS: Final = (
    (
        """
        CREATE TABLE memories (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            content TEXT NOT NULL,
            type TEXT NOT NULL,
            category TEXT NOT NULL,
            tags TEXT NOT NULL,
            created TEXT NOT NULL,
            updated TEXT NOT NULL,
            fingerprint TEXT NOT NULL UNIQUE,
            words TEXT NOT NULL,
            embedding BLOB,
            dimensions INTEGER NOT NULL
        )
        """,
        # the words are prepared already, so the tokenizer shall only cut at spaces, whatever marks letters carry
        """
        CREATE VIRTUAL TABLE memory_words USING fts5 (
            words, content = 'memories', content_rowid = 'number',
            tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co'"
        )
        """,
        """
        CREATE TRIGGER memory_added AFTER INSERT ON memories BEGIN
            INSERT INTO memory_words (rowid, words) VALUES (new.number, new.words);
        END
        """,
        """
        CREATE TRIGGER memory_deleted AFTER DELETE ON memories BEGIN
            INSERT INTO memory_words (memory_words, rowid, words) VALUES ('delete', old.number, old.words);
        END
        """,
        """
        CREATE TRIGGER memory_updated AFTER UPDATE OF words ON memories BEGIN
            INSERT INTO memory_words (memory_words, rowid, words) VALUES ('delete', old.number, old.words);
            INSERT INTO memory_words (rowid, words) VALUES (new.number, new.words);
        END
        """,
    ),
)


_DIALECT: Final = Dialect(
    words=":words",
    with_words="FROM memory_words JOIN memories m ON m.number = memory_words.rowid WHERE memory_words MATCH :words",
    best_first="bm25(memory_words)",
    query=match_any,
    has_tags=(
        "NOT EXISTS (SELECT 1 FROM json_each(:tags) wanted"
        " WHERE wanted.value NOT IN (SELECT value FROM json_each(m.tags)))"
    ),
    similarity="similarity(m.embedding, :vector)",
    vector=pack,
)


class SQLiteMemories(SQLMemories):
    """
    A `MemoryStore` in an SQLite file, which may hold other stores too.

    Args:
        path: Of the file, made where there is none; `:memory:` for one that ends with the process.

        embed: Gives the meaning of texts; None to search by words only.

        least_similarity: Memories whose cosine with the query is smaller do not fit by meaning.

        driver: A module with the interface of `sqlite3`. Where it loads extensions and `sqlite-vec` is installed, that
            compares meanings. Never open a file by two drivers in one process: their locks do not see each other.

        clock: Tells the time, in UTC.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        embed: Embed | None = None,
        least_similarity: float = 0.25,
        driver: Any = sqlite3,
        clock: Clock = utc_now,
    ) -> None:
        quick = (
            embed is not None and hasattr(driver.Connection, "enable_load_extension") and bool(find_spec("sqlite_vec"))
        )
        super().__init__(
            Database(path, "memory", _MIGRATIONS, driver=driver, prepare=_load if quick else _define),
            attrs.evolve(_DIALECT, similarity="1 - vec_distance_cosine(m.embedding, :vector)") if quick else _DIALECT,
            embed=embed,
            least_similarity=least_similarity,
            clock=clock,
        )


def _load(connection: Any) -> None:
    import sqlite_vec

    connection.enable_load_extension(True)
    sqlite_vec.load(connection)
    connection.enable_load_extension(False)


def _define(connection: Any) -> None:
    connection.create_function("similarity", 2, similarity, deterministic=True)
