"""Many who wait, one question."""

import asyncio
import threading
from collections.abc import Iterable

import pytest

from prismpy.durable._awaited import Awaited


def test_one_question_is_asked_for_all() -> None:
    """Each who waits goes on when its own has ended; those who wait no longer are not asked about."""
    ended: set[str] = set()
    asked: list[tuple[str, ...]] = []

    def question(ids: Iterable[str]) -> list[str]:
        asked.append(tuple(ids))
        return [id for id in ids if id in ended]

    async def main() -> None:
        awaited = Awaited(question, 0.001)
        waiting = {id: asyncio.create_task(awaited.end_of(id)) for id in "abc"}
        while ("a", "b", "c") not in asked:
            await asyncio.sleep(0)
        waiting["c"].cancel()
        ended.add("a")
        await waiting["a"]
        ended.add("b")
        await waiting["b"]
        while awaited._asking is not None:
            await asyncio.sleep(0)
        ended.add("d")
        await awaited.end_of("d")

    asyncio.run(main())
    assert ("b",) in asked
    assert asked[-1] == ("d",)


def test_who_waits_no_longer_is_not_told() -> None:
    """Though the question about it was under way."""
    asked, cancelled = threading.Event(), threading.Event()

    def question(ids: Iterable[str]) -> Iterable[str]:
        asked.set()
        cancelled.wait(30)
        return tuple(ids)

    async def main() -> None:
        awaited = Awaited(question, 0.001)
        waiting = asyncio.create_task(awaited.end_of("a"))
        await asyncio.to_thread(asked.wait, 30)
        waiting.cancel()
        await asyncio.wait({waiting})
        cancelled.set()
        while awaited._asking is not None:
            await asyncio.sleep(0)
        assert waiting.cancelled()

    asyncio.run(main())


def test_a_question_that_fails_fails_all_who_wait() -> None:
    """Nobody waits for ever."""

    def question(ids: Iterable[str]) -> list[str]:
        raise LookupError("no database")

    with pytest.raises(LookupError, match="no database"):
        asyncio.run(Awaited(question, 0.001).end_of("a"))
