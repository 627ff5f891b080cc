"""
Which workers are alive: each holds a lock that goes with its process, so nobody has to guess by the clock.

On SQLite that is the lock of a file beside the database, on PostgreSQL an
advisory lock of a connection. Whoever gets the lock of another worker knows that
it is dead, and is the only one to take over its runs as long as the lock is held.
"""

import hashlib
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, TypeAlias

from prismpy.errors import DurableError
from prismpy.storage import locked

from ._sql import Sql, runner, sql_error

Holds: TypeAlias = Callable[[], bool]
"""Tells whether a lock that was got is held still; a connection may have been lost."""


class Locks:
    """The locks of workers on one database."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    @contextmanager
    def of(self, worker: str) -> Iterator[Holds | None]:
        """Try to get the lock of a worker, and hold it until the end of the block; yield None if somebody has it."""
        with ExitStack() as stack:
            path = self._sql.path
            yield self._file(stack, path, worker) if path is not None else self._advisory(stack, worker)

    def _file(self, stack: ExitStack, path: Path, worker: str) -> Holds | None:
        name = f"{re.sub(r'[^A-Za-z0-9._-]', '_', worker)[:80]}-{_number(worker):x}.lock"
        lock = path.with_name(f"{path.name}-workers") / name
        is_held = stack.enter_context(locked(lock, f"tell that worker {worker!r} is alive"))
        return (lambda: True) if is_held else None

    def _advisory(self, stack: ExitStack, worker: str) -> Holds | None:
        connection: Any = self._sql.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        stack.callback(connection.close)
        run = runner(connection)
        if not run("SELECT pg_try_advisory_lock(:key)", key=_number(worker)).scalar_one():
            return None
        stack.callback(lambda: _works(lambda: run("SELECT pg_advisory_unlock(:key)", key=_number(worker))))
        return lambda: _works(lambda: run("SELECT 1"))


class OwnLock:
    """
    The lock of this process.

    Args:
        locks: Of the database.

        worker: Name of this process.

    Raises:
        DurableError: if a process of that name is alive.
    """

    def __init__(self, locks: Locks, worker: str) -> None:
        self._locks = locks
        self._worker = worker
        self._stack = ExitStack()
        self._holds: Holds | None = None
        if not self.held():
            msg = f"worker {worker!r} is at work in another process; give this one another name, or none"
            raise DurableError(msg)

    def held(self) -> bool:
        """Tell whether it is held, after getting it again if a connection was lost on the way."""
        if self._holds is None or not self._holds():
            self.release()
            self._holds = self._stack.enter_context(self._locks.of(self._worker))
        return self._holds is not None

    def release(self) -> None:
        """Let go of it."""
        self._holds = None
        self._stack.close()


def _works(statement: Callable[[], Any]) -> bool:
    """Run a statement, and tell whether the connection still works; the lock of one that does not is gone."""
    try:
        statement()
    except sql_error():
        return False
    return True


def _number(worker: str) -> int:
    """Return the number of a lock: 63 bits."""
    return int.from_bytes(hashlib.sha256(f"prismpy worker {worker}".encode()).digest()[:8], "big") >> 1
