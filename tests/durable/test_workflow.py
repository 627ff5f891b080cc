"""The workflow, where its engine ends it."""

import asyncio
import types
from collections.abc import AsyncIterator
from typing import Any

import pytest

from prismpy.durable._workflow import _driven


class Host:
    def __init__(self, stops: bool) -> None:
        self._stops = stops

    def stops(self, error: BaseException) -> bool:
        return self._stops

    def is_cancelled(self, id: str) -> bool:
        return False


class Course:
    id = "run"

    def __init__(self, stops: bool) -> None:
        self.services: Any = types.SimpleNamespace(host=Host(stops))


class EndedRun:
    async def __aiter__(self) -> AsyncIterator[Any]:
        for event in ():
            yield event
        raise asyncio.CancelledError


@pytest.mark.parametrize("stops", [False, True], ids=["the process ends", "another process drives it"])
def test_a_run_that_goes_on_elsewhere_is_left_as_it_stands(stops: bool) -> None:
    """It was not cancelled, so nothing is written down here."""
    run: Any = EndedRun()
    course: Any = Course(stops)

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(_driven(run, course))
