"""From a place, as it stands in a configuration, to the store there."""

from pathlib import Path

from prismpy.search import Embed

from ._postgres import PostgresMemories
from ._sqlite import SQLiteMemories
from ._store import SQLMemories


def open_memories(place: str | Path, *, embed: Embed | None = None) -> SQLMemories:
    """
    Return the store of memories at a place.

    Args:
        place: Path of an SQLite file, `:memory:`, or a URL that begins with `postgresql://` or `postgres://`.

        embed: Gives the meaning of texts; None to search by words only.
    """
    if isinstance(place, str) and place.startswith(("postgresql://", "postgres://")):
        return PostgresMemories(place, embed=embed)
    return SQLiteMemories(place, embed=embed)
