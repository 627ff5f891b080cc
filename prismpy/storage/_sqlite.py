"""
SQLite as the stores here use it.

One connection a process, guarded by a lock, so that threads take turns. Between
processes the write-ahead log lets readers go on while one writes, and writers
wait for each other. Each store names its tables itself, and several may share a
file.
"""

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from prismpy.errors import StoreError

from ._migrations import RECORD, VERSION, VERSIONS, Migrations, check_version

_REASONS = {
    5: "another program is writing to it and does not finish",
    8: "it may only be read",
    10: "the disk failed or is full",
    11: "it is damaged",
    13: "the disk is full",
    14: "it cannot be opened there",
    26: "it is no SQLite database",
}
"""Primary result code to what it means. Source: sqlite.org, "Result and Error Codes" (read 2026-11)."""

_BUSY = 5


class Database:
    """
    A store's part of an SQLite file.

    Args:
        path: Of the file, made where there is none; `:memory:` for one that ends with the process.

        component: Name of the store, under which the version of its tables is kept.

        migrations: See `Migrations`; never change one that was released, add another.

        driver: A module with the interface of `sqlite3`, such as `pysqlite3`.

        prepare: Called with each connection that is opened, to add functions and extensions.

        patience: Seconds to wait for other writers, more than 0.
    """

    def __init__(
        self,
        path: str | Path,
        component: str,
        migrations: Migrations,
        *,
        driver: Any = sqlite3,
        prepare: Callable[[Any], None] | None = None,
        patience: float = 30.0,
    ) -> None:
        self.path = str(path)
        self._component = component
        self._migrations = migrations
        self._driver = driver
        self._prepare = prepare
        self._patience = patience
        self._lock = threading.RLock()
        self._connection: Any = None
        self._process = 0

    def read(self, statement: str, parameters: Sequence[Any] | dict[str, Any] = ()) -> list[tuple[Any, ...]]:
        """
        Return the rows of a query.

        Raises:
            StoreError: if the file cannot be read or is no database.
        """
        with self._lock, self._errors("read"):
            rows: list[tuple[Any, ...]] = self._open().execute(statement, parameters).fetchall()
            return rows

    @contextmanager
    def write(self) -> Iterator[Any]:
        """
        Lend the connection for one transaction: all of it is kept, or, after any exception, nothing.

        Raises:
            StoreError: if the file cannot be written to; an exception of the block passes through.
        """
        with self._lock, self._errors("write to"), self._transaction(self._open()) as connection:
            yield connection

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        with self._lock:
            if self._connection is not None and self._process == os.getpid():
                self._connection.close()
            self._connection = None

    @contextmanager
    def _transaction(self, connection: Any) -> Iterator[Any]:
        connection.execute("BEGIN IMMEDIATE")  # at once for writing: a reader that turns writer may be refused
        try:
            yield connection
            connection.execute("COMMIT")
        except BaseException:
            with suppress(self._driver.Error):  # some errors, a full disk among them, have rolled back already
                connection.execute("ROLLBACK")
            raise

    def _open(self) -> Any:
        """Return the connection of this process; one from before a fork must not be used, nor closed."""
        if self._connection is not None and self.path != ":memory:" and self._process != os.getpid():
            self._connection = None  # pragma: no cover  # in a forked process, which does not report
        if self._connection is None:
            connection = self._connect()
            try:
                self._set_up(connection)
            except BaseException:
                connection.close()
                raise
            self._connection, self._process = connection, os.getpid()
        return self._connection

    def _connect(self) -> Any:
        if self.path != ":memory:":
            with suppress(OSError):  # then SQLite says what is wrong with the path
                Path(self.path).parent.mkdir(parents=True, exist_ok=True)
                if not Path(self.path).exists():
                    Path(self.path).touch(mode=0o600)  # its owner's alone
        return self._driver.connect(
            self.path, timeout=self._patience, isolation_level=None, check_same_thread=False, cached_statements=256
        )

    def _set_up(self, connection: Any) -> None:
        connection.execute("PRAGMA foreign_keys = ON")
        self._patiently(lambda: connection.execute("PRAGMA journal_mode = WAL").fetchone())
        if self._prepare is not None:
            self._prepare(connection)
        if self._version(connection) != len(self._migrations):
            self._migrate(connection)

    def _patiently(self, attempt: Callable[[], Any]) -> None:
        """Try again while the file is busy: for a change of the journal SQLite itself does not wait."""
        deadline = time.monotonic() + self._patience
        while True:
            try:
                attempt()
            except self._driver.OperationalError as error:
                if _code(error) != _BUSY or time.monotonic() > deadline:
                    raise
                time.sleep(0.01)
            else:
                return

    def _version(self, connection: Any) -> int:
        known = connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'prismpy_versions'").fetchone()[0]
        row = connection.execute(VERSION, {"component": self._component}).fetchone() if known else None
        return int(row[0]) if row else 0

    def _migrate(self, connection: Any) -> None:
        with self._transaction(connection):
            connection.execute(VERSIONS)
            version = self._version(connection)  # another process may have been faster
            check_version(self._component, version, self._migrations)
            for statements in self._migrations[version:]:
                for statement in statements:
                    connection.execute(statement)
            connection.execute(RECORD, {"component": self._component, "version": len(self._migrations)})

    @contextmanager
    def _errors(self, doing: str) -> Iterator[None]:
        try:
            yield
        except self._driver.DatabaseError as error:
            if (code := _code(error)) not in _REASONS:
                raise
            msg = f"could not {doing} the database {Path(self.path).name}: {_REASONS[code]}; nothing was changed"
            raise StoreError(msg) from error


def _code(error: BaseException) -> int:
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF
