"""Waiting for what other processes do, in sync code and in async code."""

import time
from collections.abc import Callable
from typing import Final, TypeVar

T = TypeVar("T")

_POLL: Final = 0.05
"""Seconds between two looks at a run that somebody waits for."""


def deadline(timeout: float | None) -> float:
    """Return when the time is over, on the clock that never goes back."""
    return float("inf") if timeout is None else time.monotonic() + timeout


def pause() -> None:
    """Wait until it is time to look again."""
    time.sleep(_POLL)


async def apause() -> None:
    """Wait until it is time to look again, in async code."""
    import anyio

    await anyio.sleep(_POLL)


async def athread(work: Callable[[], T]) -> T:
    """Do what blocks in a thread."""
    from anyio import to_thread

    return await to_thread.run_sync(work)
