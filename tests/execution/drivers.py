"""The two drivers, so that one test can drive either."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from anyio import to_thread

Driver: TypeAlias = Callable[..., Awaitable[Any]]
"""Runs a tool or a toolbox with the arguments of its `run`."""


def sync_run(runner: Any, *arguments: Any, **options: Any) -> Awaitable[Any]:
    """Drive `run`, from a thread of its own."""
    return to_thread.run_sync(lambda: runner.run(*arguments, **options))


def async_run(runner: Any, *arguments: Any, **options: Any) -> Awaitable[Any]:
    """Drive `arun`."""
    return runner.arun(*arguments, **options)  # type: ignore[no-any-return]  # of a tool or a toolbox
