"""Handlers that are generators: each value they yield is told as progress, the last one is the result."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import aclosing, closing
from typing import Any

from prismpy.messages import Progress

from ._ready import Ready
from ._terms import Terms


def last_of(steps: Generator[Any, None, Any], tell: Callable[[Any], Any]) -> Any:
    """
    Run a generator to its end.

    Args:
        steps: What a handler returned.

        tell: Called with each value as it comes.

    Returns:
        What the generator returns, or the last value it yielded if it returns nothing; None if it did neither.
    """
    last = None
    with closing(steps):
        while True:
            try:
                last = next(steps)
            except StopIteration as end:
                return last if end.value is None else end.value
            tell(last)


async def alast_of(steps: AsyncGenerator[Any, None], tell: Callable[[Any], Awaitable[Any]]) -> Any:
    """Run an async generator to its end; see `last_of`."""
    last = None
    async with aclosing(steps):
        async for last in steps:
            await tell(last)
    return last


class GivenUpError(Exception):
    """Nobody waits for the result of a generator any more; raised in it, to close it."""


def tell(ready: Ready, terms: Terms, value: Any) -> Any:
    """
    Tell the app what a call yielded, if it wants to know; what is returned may be an awaitable.

    Raises:
        GivenUpError: if the call is over.
    """
    if ready.is_over:
        raise GivenUpError
    return None if terms.on_progress is None else terms.on_progress(Progress(ready.call, value))
