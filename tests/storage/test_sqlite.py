"""SQLite as stores use it: migrations, transactions, several processes, and what goes wrong."""

import os
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from prismpy import StoreError
from prismpy.storage import Database
from tests.limits import full_disk

FIRST = ("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)",)
SECOND = ("ALTER TABLE notes ADD COLUMN done INTEGER NOT NULL DEFAULT 0",)


@pytest.fixture
def opened() -> Iterator[Any]:
    """Make databases and close them."""
    made: list[Database] = []

    def make(*args: Any, **options: Any) -> Database:
        made.append(Database(*args, **options))
        return made[-1]

    yield make
    for database in made:
        database.close()


def add(database: Database, text: str) -> None:
    with database.write() as connection:
        connection.execute("INSERT INTO notes (text) VALUES (?)", (text,))


def test_tables_are_led_from_any_version_to_the_last(tmp_path: Path, opened: Any) -> None:
    """What was in them stays; stores that share a file have versions of their own."""
    old = opened(tmp_path / "folder" / "a.db", "notes", (FIRST,))
    add(old, "one")
    new = opened(tmp_path / "folder" / "a.db", "notes", (FIRST, SECOND))
    other = opened(tmp_path / "folder" / "a.db", "other", (("CREATE TABLE other (id INTEGER)",),))

    assert new.read("SELECT * FROM notes") == [(1, "one", 0)]
    assert other.read("SELECT * FROM prismpy_versions ORDER BY component") == [("notes", 2), ("other", 1)]


def test_a_new_file_is_its_owners_alone(tmp_path: Path, opened: Any) -> None:
    """One that was there keeps the permissions it had."""
    for name, mode in (("new.db", 0o600), ("old.db", 0o640)):
        if name == "old.db":
            (tmp_path / name).touch()
            (tmp_path / name).chmod(mode)
        add(opened(tmp_path / name, "notes", (FIRST,)), "one")

        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == mode


def test_tables_of_a_later_release_are_refused(tmp_path: Path, opened: Any) -> None:
    """They are left alone."""
    opened(tmp_path / "a.db", "notes", (FIRST, SECOND)).read("SELECT 1")

    with pytest.raises(StoreError, match="the tables of 'notes' are of version 2, and this prismpy knows up to 1"):
        opened(tmp_path / "a.db", "notes", (FIRST,)).read("SELECT 1")


def test_a_migration_that_fails_changes_nothing(tmp_path: Path, opened: Any) -> None:
    """All statements of it are one transaction; the mistake is the developer's and passes through."""
    with pytest.raises(sqlite3.OperationalError, match="no such table: nowhere"):
        opened(tmp_path / "a.db", "notes", (FIRST, ("DROP TABLE nowhere",))).read("SELECT 1")

    assert opened(tmp_path / "a.db", "none", ()).read("SELECT name FROM sqlite_master") == []


def test_a_transaction_is_kept_whole_or_not_at_all(opened: Any) -> None:
    """An exception in the block undoes what it did."""
    database = opened(":memory:", "notes", (FIRST,))
    add(database, "one")
    with suppress(KeyError), database.write() as connection:
        connection.execute("INSERT INTO notes (text) VALUES ('two')")
        raise KeyError

    assert database.read("SELECT text FROM notes") == [("one",)]


def test_a_closed_database_opens_again(tmp_path: Path, opened: Any) -> None:
    """Closing twice is fine."""
    database = opened(tmp_path / "a.db", "notes", (FIRST,))
    add(database, "one")
    database.close()
    database.close()

    assert database.read("SELECT text FROM notes") == [("one",)]


def test_threads_take_turns(tmp_path: Path, opened: Any) -> None:
    """Nothing that eight of them write is lost."""
    database = opened(tmp_path / "a.db", "notes", (FIRST,))
    threads = [threading.Thread(target=lambda n=n: [add(database, f"{n}.{i}") for i in range(10)]) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert database.read("SELECT count(DISTINCT text) FROM notes") == [(80,)]


WRITER = """
import sys
from prismpy.storage import Database
database = Database(sys.argv[1], "notes", (("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)",),))
for i in range(100):
    with database.write() as connection:
        connection.execute("INSERT INTO notes (text) VALUES (?)", (f"{sys.argv[2]}.{i}",))
"""


def test_processes_that_start_and_write_at_once_lose_nothing(tmp_path: Path, opened: Any) -> None:
    """Each makes the tables if it is the first, and waits for the others."""
    command = [sys.executable, "-c", WRITER, str(tmp_path / "a.db")]
    writers = [subprocess.Popen([*command, str(n)], stderr=subprocess.PIPE, text=True) for n in range(3)]

    assert [writer.communicate()[1] for writer in writers] == ["", "", ""]
    assert opened(tmp_path / "a.db", "notes", (FIRST,)).read("SELECT count(DISTINCT text) FROM notes") == [(300,)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_process_opens_a_connection_of_its_own(tmp_path: Path, opened: Any) -> None:
    """Both go on writing."""
    database = opened(tmp_path / "a.db", "notes", (FIRST,))
    add(database, "before")
    child = os.fork()
    if child == 0:  # pragma: no cover  # in the other process, which must end without running pytest's own ending
        add(database, "child")
        os._exit(0)
    add(database, "parent")

    assert os.waitpid(child, 0)[1] == 0
    assert sorted(database.read("SELECT text FROM notes")) == [("before",), ("child",), ("parent",)]


def test_a_file_that_is_no_database_is_told(tmp_path: Path, opened: Any) -> None:
    """And is not overwritten."""
    file = tmp_path / "a.db"
    file.write_text("These are my notes, in a plain text file.\n" * 20)

    with pytest.raises(StoreError, match=r"could not read the database a\.db: it is no SQLite database; nothing was"):
        opened(file, "notes", (FIRST,)).read("SELECT 1")
    assert file.read_text().startswith("These are my notes")


def test_a_place_that_cannot_be_is_told(tmp_path: Path, opened: Any) -> None:
    """Here a folder would have to be a file."""
    (tmp_path / "file").write_text("")

    with pytest.raises(StoreError, match=r"could not write to the database a\.db: it cannot be opened there"):
        add(opened(tmp_path / "file" / "a.db", "notes", (FIRST,)), "x")


def test_a_full_disk_leaves_what_was_there(tmp_path: Path, opened: Any) -> None:
    """The transaction is undone, and the next one works."""
    database = opened(tmp_path / "a.db", "notes", (FIRST,))
    add(database, "one")
    with full_disk(50_000), pytest.raises(StoreError, match=r"could not write to the database a\.db: the disk"):
        add(database, "x" * 1_000_000)
    add(database, "two")

    assert database.read("SELECT text FROM notes") == [("one",), ("two",)]


def test_a_writer_that_does_not_finish_is_told(tmp_path: Path, opened: Any) -> None:
    """Patience ends; so it does for the change to the write-ahead log."""
    busy = "another program is writing to it and does not finish"
    database = opened(tmp_path / "a.db", "notes", (FIRST,), patience=0.01)
    add(database, "one")
    plain = sqlite3.connect(tmp_path / "plain.db", isolation_level=None)
    with opened(tmp_path / "a.db", "notes", (FIRST,)).write(), pytest.raises(StoreError, match=busy):
        add(database, "two")
    plain.execute("CREATE TABLE t (x)")
    plain.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StoreError, match=busy):
        add(opened(tmp_path / "plain.db", "notes", (FIRST,), patience=0.01), "x")
    plain.close()


def test_connections_are_prepared(opened: Any) -> None:
    """A store may add functions of its own."""
    database = opened(":memory:", "none", (), prepare=lambda c: c.create_function("twice", 1, lambda n: 2 * n))

    assert database.read("SELECT twice(?)", (4,)) == [(8,)]


def test_a_change_of_the_journal_is_tried_again(opened: Any) -> None:
    """SQLite refuses it at once where another process is at it."""
    refusals = [sqlite3.OperationalError("database is locked")]
    refusals[0].sqlite_errorcode = sqlite3.SQLITE_BUSY

    class Busy(sqlite3.Connection):
        def execute(self, statement: str, *parameters: Any) -> Any:
            if "journal_mode" in statement and refusals:
                raise refusals.pop()
            return super().execute(statement, *parameters)

    driver = SimpleNamespace(**{**vars(sqlite3), "connect": partial(sqlite3.connect, factory=Busy)})

    assert opened(":memory:", "notes", (FIRST,), driver=driver).read("SELECT * FROM notes") == []
    assert refusals == []
