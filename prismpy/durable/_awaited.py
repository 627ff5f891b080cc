"""Many who wait for the ends of many things, and one question for all of them."""

import asyncio
from collections.abc import Callable, Iterable


class Awaited:
    """
    Waits for ends, of which the database is asked for all at once: a question for each would keep it busy.

    Args:
        ended: Takes ids, returns those of them that have ended; may block.

        seconds: Between two questions.
    """

    def __init__(self, ended: Callable[[Iterable[str]], Iterable[str]], seconds: float) -> None:
        self._ended = ended
        self._seconds = seconds
        self._waiting: dict[str, asyncio.Future[None]] = {}
        self._asking: asyncio.Task[None] | None = None

    async def end_of(self, id: str) -> None:
        """Wait until something has ended. All must wait in the same event loop, and each for another thing."""
        ended = self._waiting[id] = asyncio.get_running_loop().create_future()
        if self._asking is None:
            self._asking = asyncio.create_task(self._ask())
        asking = self._asking
        try:
            await asyncio.wait({ended, asking}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._waiting.pop(id, None)
        if not ended.done():
            asking.result()  # raises what the question raised

    async def _ask(self) -> None:
        try:
            while self._waiting:
                for id in await asyncio.to_thread(self._ended, tuple(self._waiting)):
                    if (ended := self._waiting.pop(id, None)) is not None:  # whoever waited may have been cancelled
                        ended.set_result(None)
                await asyncio.sleep(self._seconds)
        finally:
            self._asking = None
