"""Databases that an earlier release left: rows of every version of our tables are read, and gone on with."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from itertools import count
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

import dbos
import pytest

from prismpy import DurableError, StoreError
from prismpy.durable import DurableRuns
from prismpy.durable._sql import opened
from prismpy.durable._tables import COMPONENT, MIGRATIONS
from prismpy.storage import Database, PostgresDatabase
from tests.postgres import Cluster

from ._scene import SPAWN
from ._stores import FOLDER, LONG_TEXT, agents, store
from .conftest import NewDatabase, create, url_of

VERSIONS = range(1, len(MIGRATIONS) + 1)
LATER = ("ALTER TABLE prismpy_runs ADD COLUMN made_up TEXT NOT NULL DEFAULT 'x'",)


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def left(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], str]:
    """Makes a database as a release with that version of the tables left it, and returns its URL."""
    numbers = count()
    if request.param == "sqlite":
        folder = tmp_path_factory.mktemp("left")

        def restore(version: int) -> str:
            path = folder / f"{next(numbers)}.db"
            dbos.DBOS.migrate(f"sqlite:///{path}")
            with closing(sqlite3.connect(path)) as connection:
                connection.executescript(store(version).read_text(encoding="utf-8"))
            return f"sqlite:///{path}"

        return restore
    server: Cluster = request.getfixturevalue("postgres")

    def restore_on_server(version: int) -> str:
        import psycopg

        name = f"left_{next(numbers)}"
        create(server, name, "template0")
        url = url_of(server, name)
        dbos.DBOS.migrate(url)
        with psycopg.connect(url, options="-c search_path=public,dbos") as connection:
            connection.execute(store(version).read_bytes())
        return url

    return restore_on_server


@pytest.mark.parametrize("version", VERSIONS)
def test_runs_of_an_earlier_release_are_gone_on_with(left: Callable[[int], str], version: int) -> None:
    """One that waited is answered, one that had failed is resumed, one that was done is read."""
    url = left(version)
    with DurableRuns(url, agents(disk=False)) as runs:
        before = [event.id for event in runs.events("writer")]
        runs.resume("writer")
        with pytest.raises(DurableError, match="no disk"):
            runs.result("writer", timeout=60)
        again = [event.id for event in runs.events("writer", after=before[-1])]
    with DurableRuns(url, agents(disk=True)) as runs:
        runs.answer("payer", {"c": True})
        runs.resume("writer")

        assert [result.text for result in runs.result("payer", timeout=60).tool_results] == ["paid 5"]
        assert [result.text for result in runs.result("writer", timeout=60).tool_results] == ["written"]
        assert runs.result("singer").text == LONG_TEXT
        assert [event.id for event in runs.events("writer")] == [
            *before,
            *again,
            *(f"writer-{n}" for n in range(3, 11)),
        ]
        assert len(again) == len(set(again) - set(before)) == 3
        assert runs._sql.read("SELECT component, version FROM prismpy_versions") == [(COMPONENT, len(MIGRATIONS))]


@pytest.mark.parametrize("version", VERSIONS)
def test_what_was_released_is_not_changed(version: int, tmp_path: Path) -> None:
    """The first steps still lead to the tables that the release had."""
    tables = "SELECT name, sql FROM sqlite_master WHERE name LIKE 'prismpy%' ORDER BY name"
    made = Database(tmp_path / "made.db", COMPONENT, MIGRATIONS[:version])
    found = made.read(tables)
    made.close()
    with closing(sqlite3.connect(tmp_path / "left.db")) as connection:
        dbos.DBOS.migrate(f"sqlite:///{tmp_path}/left.db")
        connection.executescript(store(version).read_text(encoding="utf-8"))

        assert connection.execute(tables).fetchall() == found


def test_every_version_has_its_store() -> None:
    """A change of the tables comes with one more."""
    assert {path.name for path in FOLDER.iterdir()} == {store(version).name for version in VERSIONS}


def migrate(url: str, barrier: Barrier, sender: Any) -> None:
    """Open a database when everybody is ready, and tell how that went."""
    barrier.wait(60)
    sql = opened(url)
    sender.send(sql.read("SELECT run, resumed FROM prismpy_runs ORDER BY run"))
    sql.close()


def test_processes_that_upgrade_at_once_do_so_once(left: Callable[[int], str]) -> None:
    """The first one does, the others wait, and all find the rows."""
    url = left(1)
    barrier = SPAWN.Barrier(3)
    receiver, sender = SPAWN.Pipe(duplex=False)
    processes = [SPAWN.Process(target=migrate, args=(url, barrier, sender)) for _ in range(3)]
    for process in processes:
        process.start()
    told = [receiver.recv() if receiver.poll(60) else None for _ in processes]
    for process in processes:
        process.join()

    assert told == [[("payer", 0), ("singer", 2), ("writer", 2)]] * 3
    assert [process.exitcode for process in processes] == [0, 0, 0]


def test_a_process_at_work_outlives_a_column_more(new_database: NewDatabase) -> None:
    """A later release may be started beside it; from then on this one does not open the database any more."""
    url = new_database()
    with DurableRuns(url, agents(disk=True)) as runs:
        runs.start("writer", "Go", id="before")
        runs.result("before", timeout=60)
        later = [*MIGRATIONS, LATER]
        newer = (
            Database(runs._sql.path, COMPONENT, later) if runs._sql.path else PostgresDatabase(url, COMPONENT, later)
        )
        newer.read("SELECT made_up FROM prismpy_runs")
        newer.close()
        runs.start("writer", "Go", id="after")

        assert [result.text for result in runs.result("after", timeout=60).tool_results] == ["written"]
    with pytest.raises(StoreError, match=r"the tables of 'durable' are of version 3, and this prismpy knows up to 2"):
        DurableRuns(url)
