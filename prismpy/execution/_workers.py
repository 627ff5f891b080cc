"""
Threads for what may block: used again and again, and no reason for a program not to end.

Python joins its ordinary threads when a program ends, so one handler that hangs
would hang the program with it, though nobody waits for the handler any more.
Those here are daemons. They are shared by all runs of the process, since
starting one takes longer than most calls.
"""

import os
import queue
import threading
from collections import deque
from collections.abc import Callable
from typing import Final, TypeAlias

Job: TypeAlias = Callable[[], Callable[[], object]]
"""Works, raises nothing, and returns what tells whoever waits."""

_IDLE_SECONDS: Final = 10.0
"""After which a thread without work ends."""


class Workers:
    """As many threads as there is work at once."""

    def __init__(self, idle_seconds: float = _IDLE_SECONDS) -> None:
        self._idle_seconds = idle_seconds
        self._idle: deque[queue.SimpleQueue[Job]] = deque()
        """The boxes of threads without work, the one that worked last at the right."""

    @property
    def idle(self) -> int:
        """How many threads wait for work."""
        return len(self._idle)

    def submit(self, job: Job) -> None:
        """Have a job done, by a thread that is free or a new one."""
        try:
            box = self._idle.pop()
        except IndexError:
            box = queue.SimpleQueue()
            threading.Thread(target=self._work, args=(box,), name="prismpy-tool", daemon=True).start()
        box.put(job)

    def _work(self, box: "queue.SimpleQueue[Job]") -> None:
        while (job := self._next(box)) is not None:
            tell = job()
            del job  # what it holds on to is not held on to while there is no work
            self._idle.append(box)  # before anybody hears, who may have more work at once
            tell()
            del tell

    def _next(self, box: "queue.SimpleQueue[Job]") -> Job | None:
        try:
            return box.get(timeout=self._idle_seconds)
        except queue.Empty:
            pass
        try:
            self._idle.remove(box)
        except ValueError:  # somebody has just taken it, so there is work on its way
            return box.get()
        return None

    def forget(self) -> None:
        """Forget the threads, in a process that has none of them."""
        self._idle.clear()


WORKERS: Final = Workers()
"""Those of this process."""

if hasattr(os, "register_at_fork"):  # pragma: no branch  # Windows cannot fork
    os.register_at_fork(after_in_child=WORKERS.forget)
