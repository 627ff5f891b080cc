"""PostgreSQL as stores use it: migrations, transactions, several writers, and what goes wrong."""

import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import psycopg
import pytest

from prismpy import StoreError
from prismpy.storage import PostgresDatabase
from tests.postgres import Cluster

FIRST = ("CREATE TABLE notes (id SERIAL PRIMARY KEY, text TEXT NOT NULL)",)
SECOND = ("ALTER TABLE notes ADD COLUMN done BOOLEAN NOT NULL DEFAULT false",)


@pytest.fixture
def url(postgres: Cluster) -> str:
    return postgres.url()


@pytest.fixture
def opened() -> Iterator[Any]:
    """Make databases and close them."""
    made: list[PostgresDatabase] = []

    def make(*args: Any, **options: Any) -> PostgresDatabase:
        made.append(PostgresDatabase(*args, **options))
        return made[-1]

    yield make
    for database in made:
        database.close()


def add(database: PostgresDatabase, text: str) -> None:
    with database.write() as session:
        session.execute("INSERT INTO notes (text) VALUES (:text)", {"text": text})


def test_tables_are_led_from_any_version_to_the_last(url: str, opened: Any) -> None:
    """What was in them stays; several stores may be in one database."""
    add(opened(url, "notes", (FIRST,)), "one")
    new = opened(url, "notes", (FIRST, SECOND))
    other = opened(url, "other", (("CREATE TABLE other (id INTEGER)",),))

    assert new.read("SELECT * FROM notes") == [(1, "one", False)]
    assert other.read("SELECT * FROM prismpy_versions ORDER BY component") == [("notes", 2), ("other", 1)]


def test_tables_of_a_later_release_are_refused(url: str, opened: Any) -> None:
    """They are left alone."""
    opened(url, "notes", (FIRST, SECOND)).read("SELECT 1")

    with pytest.raises(StoreError, match="the tables of 'notes' are of version 2, and this prismpy knows up to 1"):
        opened(url, "notes", (FIRST,)).read("SELECT 1")


def test_a_migration_that_fails_changes_nothing(url: str, opened: Any) -> None:
    """All statements are one transaction; the mistake is the developer's and passes through."""
    with pytest.raises(psycopg.errors.UndefinedTable):
        opened(url, "notes", (FIRST, ("DROP TABLE nowhere",))).read("SELECT 1")

    assert opened(url, "none", ()).read("SELECT to_regclass('notes')") == [(None,)]


def test_a_transaction_is_kept_whole_or_not_at_all(url: str, opened: Any) -> None:
    """An exception in the block undoes what it did."""
    database = opened(url, "notes", (FIRST,))
    add(database, "one")
    with suppress(KeyError), database.write() as session:
        session.execute("INSERT INTO notes (text) VALUES ('two')")
        raise KeyError

    assert database.read("SELECT text FROM notes") == [("one",)]


def test_writers_in_opposite_order_do_not_lock_each_other_out(url: str, opened: Any) -> None:
    """They wait for each other."""
    databases = [opened(url, "notes", (FIRST,)) for _ in range(2)]
    add(databases[0], "0")
    add(databases[0], "1")

    def change(first: int) -> None:
        for _ in range(20):
            with databases[first].write() as session:
                for text in (first, 1 - first):
                    session.execute("UPDATE notes SET text = text WHERE text = :text", {"text": str(text)})

    threads = [threading.Thread(target=change, args=(n,)) for n in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(databases[0].read("SELECT text FROM notes")) == [("0",), ("1",)]


def test_a_server_that_was_started_anew_is_connected_to_anew(postgres: Cluster, url: str, opened: Any) -> None:
    """Whoever uses the store does not notice."""
    database = opened(url, "notes", (FIRST,))
    add(database, "before")
    postgres.ctl("stop", "-m", "fast")
    with pytest.raises(StoreError, match="PostgreSQL does not answer as it should: connection"):
        add(database, "lost")
    postgres.start()
    add(database, "after")

    assert database.read("SELECT text FROM notes") == [("before",), ("after",)]


def test_a_server_that_hangs_is_hung_up_on(url: str, opened: Any) -> None:
    """In the middle of a transaction that is an error; before one there is another connection."""
    database = opened(url, "notes", (FIRST,), patience=0.2)
    add(database, "before")
    with pytest.raises(StoreError, match="PostgreSQL does not answer as it should"):
        freeze(database)
    with database.write() as session:
        process = session.execute("SELECT pg_backend_pid()").fetchone()[0]
    os.kill(process, signal.SIGSTOP)
    found = database.read("SELECT text FROM notes")
    os.kill(process, signal.SIGCONT)

    assert found == [("before",)]


def freeze(database: PostgresDatabase) -> None:
    """Stop the server's process in the middle of a transaction."""
    with database.write() as session:
        session.execute("INSERT INTO notes (text) VALUES ('lost')")
        process = session.execute("SELECT pg_backend_pid()").fetchone()[0]
        os.kill(process, signal.SIGSTOP)
        try:
            session.execute("SELECT 1")
        finally:
            os.kill(process, signal.SIGCONT)


def test_a_statement_that_takes_too_long_is_told(url: str, opened: Any) -> None:
    """The server ends it."""
    database = opened(url, "notes", (FIRST,), patience=0.1)

    with pytest.raises(StoreError, match="canceling statement due to statement timeout; nothing was changed"):
        database.read("SELECT pg_sleep(30)")


def test_a_server_that_accepts_and_says_nothing_is_told(opened: Any) -> None:
    """The time to connect is limited, too."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        database = opened(f"postgresql://x@127.0.0.1:{server.getsockname()[1]}/x", "notes", (FIRST,), patience=0.1)

        with pytest.raises(StoreError, match="PostgreSQL does not answer as it should: connection timeout expired"):
            database.read("SELECT 1")


def test_a_server_that_answers_nonsense_is_told(opened: Any) -> None:
    """It speaks HTTP here."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            for _ in range(2):  # libpq may try twice, encrypted and not
                with suppress(OSError):
                    line, _ = server.accept()
                    with line:
                        line.sendall(b"HTTP/1.1 400 Bad Request\\r\\n\\r\\n")

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        database = opened(f"postgresql://u:secret@127.0.0.1:{server.getsockname()[1]}/x", "notes", (FIRST,))

        with pytest.raises(StoreError) as caught:
            database.read("SELECT 1")
        assert "secret" not in str(caught.value)


def test_connections_are_prepared(url: str, opened: Any) -> None:
    """A store may add functions of its own."""
    define = "CREATE FUNCTION pg_temp.twice(n integer) RETURNS integer LANGUAGE sql AS 'SELECT 2 * n'"
    database = opened(url, "none", (), prepare=lambda connection: connection.execute(define))

    assert database.read("SELECT pg_temp.twice(:n)", {"n": 4}) == [(8,)]
