"""The workflow, where its engine ends it."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from prismpy.durable._workflow import _driven


class Host:
    def is_cancelled(self, error: BaseException) -> bool:
        return False


class Course:
    class services:
        host = Host()


class EndedRun:
    async def __aiter__(self) -> AsyncIterator[Any]:
        for event in ():
            yield event
        raise asyncio.CancelledError


def test_a_process_that_ends_writes_down_nothing() -> None:
    """Its runs were not cancelled; another process goes on with them as they are."""
    run: Any = EndedRun()
    course: Any = Course()

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(_driven(run, course))
