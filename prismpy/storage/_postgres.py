"""
PostgreSQL, with the face that `Database` has.

One connection, guarded by a lock. Writers of one component wait for each other,
which spares every store the thought of deadlocks.
"""

import re
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, partial
from typing import Any

from prismpy.errors import StoreError
from prismpy.extras import needs

from ._line import hung_up_after
from ._migrations import RECORD, VERSION, VERSIONS, Migrations, check_version


class PostgresDatabase:
    """
    A store's part of a PostgreSQL database. Statements name their parameters `:name`.

    Args:
        url: `postgresql://user:password@host/database`, or any other connection string of libpq.

        component: Name of the store, under which the version of its tables is kept.

        migrations: See `Migrations`; never change one that was released, add another.

        prepare: Called with each connection that is opened.

        patience: Seconds to wait for the server and for other writers, more than 0.

    Raises:
        NotInstalledError: if what `prismpy[postgres]` brings is not installed.
    """

    def __init__(
        self,
        url: str,
        component: str,
        migrations: Migrations,
        *,
        prepare: Callable[[Any], None] | None = None,
        patience: float = 30.0,
    ) -> None:
        needs("PostgreSQL", "postgres", "psycopg")
        self._url = url
        self._component = component
        self._migrations = migrations
        self._prepare = prepare
        self._patience = patience
        self._lock = threading.RLock()
        self._connection: Any = None

    def read(self, statement: str, parameters: Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
        """
        Return the rows of a query.

        Raises:
            StoreError: if the server cannot be reached or does not answer.
        """
        with self._session() as session:
            rows: list[tuple[Any, ...]] = session.execute(statement, parameters).fetchall()
            return rows

    @contextmanager
    def write(self) -> Iterator["Session"]:
        """
        Lend a session for one transaction: all of it is kept, or, after any exception, nothing.

        Raises:
            StoreError: if the server cannot be reached or does not answer; an exception of the block passes through.
        """
        with self._session() as session:
            session.execute("SELECT pg_advisory_xact_lock(:key)", {"key": _key(self._component)})
            yield session

    def close(self) -> None:
        """Close the connection; the next use opens another."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
            self._connection = None

    @contextmanager
    def _session(self) -> Iterator["Session"]:
        """Lend the connection in a transaction."""
        with self._lock, self._errors(), self._watched(self._open()) as connection, connection.transaction():
            yield Session(connection)

    def _open(self) -> Any:
        """Return a connection that works: servers close those that were idle for long."""
        if self._connection is not None and not self._alive():
            self.close()
        if self._connection is None:
            connection = self._connect()
            try:
                with self._watched(connection):
                    self._set_up(connection)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
        return self._connection

    def _alive(self) -> bool:
        with suppress(_driver().OperationalError), self._watched(self._connection):
            self._connection.execute("SELECT 1")
        return not self._connection.closed

    def _connect(self) -> Any:
        milliseconds = round(self._patience * 1000)
        return _driver().connect(
            self._url,
            autocommit=True,
            connect_timeout=max(2, round(self._patience)),  # libpq takes 1 for 2
            tcp_user_timeout=milliseconds,
        )

    def _set_up(self, connection: Any) -> None:
        milliseconds = str(round(self._patience * 1000))
        for setting in ("statement_timeout", "lock_timeout"):
            connection.execute("SELECT set_config(%s, %s, false)", (setting, milliseconds))
        if self._prepare is not None:
            self._prepare(connection)
        with connection.transaction():
            self._migrate(Session(connection))

    def _migrate(self, session: "Session") -> None:
        session.execute("SELECT pg_advisory_xact_lock(:key)", {"key": _key("prismpy_versions")})
        if session.execute("SELECT to_regclass('prismpy_versions')").fetchone() == (None,):
            session.execute(VERSIONS)
        row = session.execute(VERSION, {"component": self._component}).fetchone()
        version = int(row[0]) if row else 0
        check_version(self._component, version, self._migrations)
        for statements in self._migrations[version:]:
            for statement in statements:
                session.execute(statement)
        if version < len(self._migrations):
            session.execute(RECORD, {"component": self._component, "version": len(self._migrations)})

    @contextmanager
    def _watched(self, connection: Any) -> Iterator[Any]:
        """Hang up on a server that stopped answering, which its own time limits cannot tell."""
        with hung_up_after(self._patience + 1, partial(_fileno, connection)):
            yield connection

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except _driver().OperationalError as error:
            reason = str(error).strip().splitlines()[0] if str(error).strip() else "the connection broke"
            msg = f"PostgreSQL does not answer as it should: {reason}; nothing was changed"
            raise StoreError(msg) from error


class Session:
    """A connection that takes parameters as `:name`."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def execute(self, statement: str, parameters: Mapping[str, Any] | None = None) -> Any:
        """Run one statement and return the cursor."""
        return self._connection.execute(_translate(statement), parameters or {})


@cache
def _translate(statement: str) -> str:
    """Write parameters as psycopg does; `::` is a cast."""
    return re.sub(r"(?<!:):(\w+)", r"%(\1)s", statement.replace("%", "%%"))


def _key(component: str) -> int:
    """Return the number of a lock that all who use prismpy agree on."""
    return 0x7072_6973_0000_0000 | zlib.crc32(component.encode())


def _fileno(connection: Any) -> int:
    try:
        return int(connection.fileno())
    except _driver().OperationalError as error:  # pragma: no cover  # it was closed at the very moment
        raise OSError from error


@cache
def _driver() -> Any:
    import psycopg

    return psycopg
