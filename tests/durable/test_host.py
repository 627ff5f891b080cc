"""Calls in a queue, where the run that waits for one is no longer driven here."""

import asyncio
from typing import Any

import pytest

from prismpy.durable._host import Host


class Queue:
    """The engine as a client sees it: one run, one call of it that does not end."""

    def __init__(self, word: str) -> None:
        self.word = word
        self.called = asyncio.Event()
        self.cancelled: list[str] = []

    def call(self, workflow: str, queue: str, id: str, order: str) -> None:
        self.called.set()

    def ended(self, ids: Any) -> list[str]:
        return []

    def statuses(self, **only: Any) -> list[Any]:
        return [self]

    def cancel(self, id: str, topic: str) -> None:
        self.cancelled.append(id)


@pytest.mark.parametrize(("word", "cancelled"), [("CANCELLED", ["run:0"]), ("PENDING", [])])
def test_a_call_is_cancelled_with_its_run_and_not_with_its_process(word: str, cancelled: list[str]) -> None:
    """A worker that is closed leaves calls to those who make them: one that is made once would be lost else."""

    async def main() -> list[str]:
        queue: Any = Queue(word)
        waiting = asyncio.create_task(Host(queue, str, "call").elsewhere("tool", "run:0", "{}"))
        await queue.called.wait()
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        found: list[str] = queue.cancelled
        return found

    assert asyncio.run(main()) == cancelled
