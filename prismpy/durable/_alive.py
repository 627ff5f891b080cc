"""
Which workers are alive: each holds a lock that goes with its process, so nobody has to guess by the clock.

On SQLite that is the lock of a file beside the database, on PostgreSQL an
advisory lock of a connection. Whoever gets the lock of another worker knows that
it is dead, and is the only one to take over its runs as long as the lock is held.
"""

import hashlib
import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Any

from prismpy.errors import DurableError

from ._sql import Sql, runner


class Locks:
    """The locks of workers on one database."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    @contextmanager
    def of(self, worker: str) -> Iterator[bool]:
        """Try to get the lock of a worker; yield whether it was free, and hold it until the end of the block."""
        with ExitStack() as stack:
            path = self._sql.path
            yield self._file(stack, path, worker) if path is not None else self._advisory(stack, worker)

    def own(self, worker: str) -> AbstractContextManager[None]:
        """
        Hold the lock of this process.

        Raises:
            DurableError: if a process of that name is alive.
        """
        return self._own(worker)

    @contextmanager
    def _own(self, worker: str) -> Iterator[None]:
        with self.of(worker) as free:
            if not free:
                msg = f"worker {worker!r} is at work in another process; give this one another name, or none"
                raise DurableError(msg)
            yield

    def _file(self, stack: ExitStack, path: Path, worker: str) -> bool:
        import filelock

        folder = path.with_name(f"{path.name}-workers")
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"{re.sub(r'[^A-Za-z0-9._-]', '_', worker)[:80]}-{_number(worker):x}.lock"
        lock = filelock.FileLock(file, thread_local=False)
        try:
            lock.acquire(blocking=False)
        except filelock.Timeout:
            return False
        stack.callback(lock.release)
        return True

    def _advisory(self, stack: ExitStack, worker: str) -> bool:
        connection: Any = self._sql.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        stack.callback(connection.close)
        run = runner(connection)
        if not run("SELECT pg_try_advisory_lock(:key)", key=_number(worker)).scalar_one():
            return False
        stack.callback(lambda: run("SELECT pg_advisory_unlock(:key)", key=_number(worker)))
        return True


def _number(worker: str) -> int:
    """Return the number of a lock: 63 bits."""
    return int.from_bytes(hashlib.sha256(f"prismpy worker {worker}".encode()).digest()[:8], "big") >> 1
