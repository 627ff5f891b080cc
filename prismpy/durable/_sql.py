"""The database under durable runs: SQLite in one file, or PostgreSQL, by SQLAlchemy, which the engine brings."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final, TypeAlias

import attrs

from prismpy.errors import DefinitionError
from prismpy.storage import Database, PostgresDatabase

from ._tables import COMPONENT, MIGRATIONS

Run: TypeAlias = Callable[..., Any]
"""Runs a statement, with its parameters by name, and returns SQLAlchemy's result."""

_PRAGMAS: Final = ("busy_timeout = 30000", "foreign_keys = ON")
"""Of each connection."""

_QUICK: Final = ("synchronous = NORMAL",)
"""
With a write-ahead log, this loses nothing when the process is killed. When the machine
loses its power, the last commits may be undone, the newest first; the file stays sound.

Source: sqlite.org, "PRAGMA synchronous" and "Write-Ahead Logging" (read 2026-12).
"""

_LASTING: Final = ("synchronous = FULL", "fullfsync = ON")
"""Each commit waits for the disk, and so for all that were made before it; the second is for macOS."""


@attrs.frozen(eq=False)
class Sql:
    """A database, with a pool of connections."""

    url: str
    """As the engine takes it."""

    engine: Any
    """SQLAlchemy's."""

    lasting: Any
    """The same, with connections whose commits outlast a power cut, as do all commits before them."""

    path: Path | None
    """Of the file; None on PostgreSQL."""

    def read(self, statement: str, **parameters: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a query, whose parameters are written `:name`."""
        with self.engine.connect() as connection:
            return [tuple(row) for row in connection.execute(statement_of(statement), parameters)]

    @contextmanager
    def write(self, *, lasting: bool = False) -> Iterator[Run]:
        """Lend one transaction, as a function of a statement and its parameters that returns the result."""
        with (self.lasting if lasting else self.engine).begin() as connection:
            yield runner(connection)

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()
        self.lasting.dispose()


def runner(connection: Any) -> Run:
    """Return a function that runs a statement on a connection."""

    def run(statement: str, many: list[Mapping[str, Any]] | None = None, **parameters: Any) -> Any:
        return connection.execute(statement_of(statement), parameters if many is None else many)

    return run


def statement_of(text: str) -> Any:
    """Return a statement as SQLAlchemy takes it."""
    import sqlalchemy

    return sqlalchemy.text(text)


def sql_error() -> type[Exception]:
    """Return the class of what a database or the way to it may raise."""
    import sqlalchemy

    return sqlalchemy.exc.SQLAlchemyError


def is_connection(kind: type) -> bool:
    """Tell whether a class is that of the connections that handlers write through."""
    import sqlalchemy

    return issubclass(sqlalchemy.Connection, kind)


def opened(url: str) -> Sql:
    """
    Open a database and bring its tables up to date, here and in the engine's own part of it.

    Args:
        url: `sqlite:///runs.db`, relative to the working directory or with a fourth slash absolute, or
            `postgresql://user:password@host/database`.

    Raises:
        DefinitionError: if it is neither.

        StoreError: if the database cannot be used, or a later release made its tables.
    """
    if url.startswith("sqlite:///") and len(url) > len("sqlite:///") and ":memory:" not in url:
        path = Path(url.removeprefix("sqlite:///"))
        _migrated(Database(path, COMPONENT, MIGRATIONS))
        return Sql(url, _sqlite(url, _QUICK), _sqlite(url, _LASTING), path)
    if url.startswith(("postgresql://", "postgres://")):
        url = "postgresql://" + url.partition("://")[2]
        _migrated(PostgresDatabase(url, COMPONENT, MIGRATIONS))
        engine = _postgres(url)
        return Sql(url, engine, engine, None)  # its commits wait for the disk unless its owner has set it otherwise
    msg = f"durable runs got the database {url[:40]!r}; pass sqlite:///FILE or postgresql://USER@HOST/DATABASE"
    raise DefinitionError(msg)


def _migrated(store: Database | PostgresDatabase) -> None:
    with closing(store):
        store.read("SELECT 1 FROM prismpy_runs WHERE 1 = 0")


def _sqlite(url: str, pragmas: tuple[str, ...]) -> Any:
    import sqlalchemy

    engine = sqlalchemy.create_engine(
        url, connect_args={"check_same_thread": False, "timeout": 30}, pool_size=20, max_overflow=40
    )

    def prepare(connection: Any, _: Any) -> None:
        connection.isolation_level = "IMMEDIATE"  # writers wait for each other instead of failing halfway
        for pragma in _PRAGMAS + pragmas:
            connection.execute(f"PRAGMA {pragma}")

    def alone(_: Any, cursor: Any, statement: str, *__: Any) -> None:
        if _counts(statement) and not cursor.connection.in_transaction:
            cursor.execute("BEGIN IMMEDIATE")

    sqlalchemy.event.listen(engine, "connect", prepare)
    sqlalchemy.event.listen(engine, "before_cursor_execute", alone)
    return engine


def _counts(statement: str) -> bool:
    """
    Tell whether a worker counts what of a queue is under way, in order to take as much more as its limits allow.

    That must be one transaction, or two processes would each take what is left. On
    SQLite it is none, as Python begins one with the first write only.

    Source: dbos 3.4.0, `_sys_db.py`, `start_queued_workflows` (read 2026-12).
    """
    return statement.startswith("SELECT count(") and threading.current_thread().name.startswith("queue-worker-")


def _postgres(url: str) -> Any:
    import sqlalchemy

    driver = sqlalchemy.make_url(url).set(drivername="postgresql+psycopg")
    return sqlalchemy.create_engine(driver, pool_pre_ping=True, pool_size=20, max_overflow=20)
