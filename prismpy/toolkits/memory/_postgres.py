"""Memories in PostgreSQL: words in a GIN index, meaning compared one by one, by pgvector where it can be had."""

from collections.abc import Sequence
from typing import Any, Final

from prismpy.search import Embed, is_stem
from prismpy.storage import Clock, PostgresDatabase, utc_now

from ._store import Dialect, SQLMemories

_MIGRATIONS: Final = (
    (
        """
        CREATE TABLE memories (
            number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            content TEXT NOT NULL,
            type TEXT NOT NULL,
            category TEXT NOT NULL,
            tags TEXT NOT NULL,
            created TEXT NOT NULL,
            updated TEXT NOT NULL,
            fingerprint TEXT NOT NULL UNIQUE,
            words TSVECTOR NOT NULL,
            embedding REAL[],
            dimensions INTEGER NOT NULL
        )
        """,
        "CREATE INDEX memories_words ON memories USING gin (words)",
    ),
)


def _query(words: Sequence[str]) -> str:
    """Ask for any of the words, or longer ones that begin like the long ones; in quotes nothing is an operator."""
    return " | ".join(f"'{word}'{':*' if is_stem(word) else ''}" for word in words)


_DIALECT: Final = Dialect(
    words="array_to_tsvector(string_to_array(:words, ' '))",
    with_words="FROM memories m WHERE m.words @@ CAST(:words AS tsquery)",
    best_first="ts_rank(m.words, CAST(:words AS tsquery)) DESC",
    query=_query,
    has_tags="CAST(m.tags AS jsonb) @> CAST(:tags AS jsonb)",
    similarity="pg_temp.similarity(m.embedding, CAST(:vector AS real[]))",
    vector=list,
)

_EXACT: Final = "SELECT sum(l * r) FROM unnest($1, $2) AS pairs (l, r)"
_PGVECTOR: Final = "SELECT 1 - ($1::vector <=> $2::vector)"


class PostgresMemories(SQLMemories):
    """
    A `MemoryStore` in PostgreSQL, 12 or later.

    Where the server has the extension `vector`, that compares meanings.

    Args:
        url: `postgresql://user:password@host/database`, or any other connection string of libpq.

        embed: Gives the meaning of texts; None to search by words only.

        least_similarity: Memories whose cosine with the query is smaller do not fit by meaning.

        patience: Seconds to wait for the server and for other writers, more than 0.

        clock: Tells the time, in UTC.
    """

    def __init__(
        self,
        url: str,
        *,
        embed: Embed | None = None,
        least_similarity: float = 0.25,
        patience: float = 30.0,
        clock: Clock = utc_now,
    ) -> None:
        super().__init__(
            PostgresDatabase(url, "memory", _MIGRATIONS, prepare=_define, patience=patience),
            _DIALECT,
            embed=embed,
            least_similarity=least_similarity,
            clock=clock,
        )


def _define(connection: Any) -> None:
    """Define how meanings are compared, for this connection."""
    body = _PGVECTOR if connection.execute("SELECT to_regtype('vector')").fetchone() != (None,) else _EXACT
    connection.execute(
        "CREATE FUNCTION pg_temp.similarity(real[], real[]) RETURNS double precision"
        f" LANGUAGE sql IMMUTABLE AS $$ {body} $$"
    )
