"""The places where memories are kept, for one suite over all of them."""

import datetime
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from prismpy.toolkits.memory import PostgresMemories, SQLiteMemories

Open: TypeAlias = Callable[..., Any]

THEMES = (("tea", "coffee", "beverage", "drink"), ("screen", "theme", "dark", "colour"), ("dog", "cat", "pet"))


def embed(texts: Sequence[str]) -> list[list[float]]:
    """Give the meaning of texts as far as three themes go; what is about none of them is about something else."""
    return [[*(float(any(word in text.lower() for word in theme)) for theme in THEMES), 0.1] for text in texts]


def minutes() -> Iterator[datetime.datetime]:
    start = datetime.datetime(2024, 5, 6, 7, 0, tzinfo=datetime.UTC)
    return (start + datetime.timedelta(minutes=n) for n in range(10_000))


@pytest.fixture(params=["sqlite", "sqlite-vec", "postgres", "pgvector"])
def reopen(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Open]:
    """Open the same place, all empty at first, as often as a test likes; the clock goes on by a minute each time."""
    made: list[Any] = []
    times = minutes()
    place: Any = tmp_path / "memory.db"
    if request.param in {"postgres", "pgvector"}:
        place = request.getfixturevalue(request.param).url()

    def open_again(**options: Any) -> Any:
        common = {"clock": lambda: next(times), **options}
        if request.param == "sqlite-vec":
            common["driver"] = pytest.importorskip("pysqlite3", reason="Python's own sqlite3 loads no extensions")
        kind: Any = PostgresMemories if isinstance(place, str) else SQLiteMemories
        made.append(kind(place, **common))
        return made[-1]

    open_again.place = str(place)  # type: ignore[attr-defined]
    yield open_again
    for store in made:
        store.close()


@pytest.fixture
def store(reopen: Open) -> Any:
    return reopen()
