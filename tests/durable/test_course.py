"""What a run's steps have in common."""

import asyncio
import threading

import pytest

from prismpy.durable._course import steady


def test_what_was_begun_in_a_thread_ends_before_a_cancellation_goes_on() -> None:
    """Else a connection that it was about to get would be nobody's, and its lock would stay."""
    begun, may_end, ended = threading.Event(), threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        may_end.wait(30)
        ended.set()

    async def main() -> None:
        task = asyncio.create_task(steady(work))
        await asyncio.to_thread(begun.wait, 30)
        task.cancel()
        await asyncio.sleep(0)
        may_end.set()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert ended.is_set()

    asyncio.run(main())
