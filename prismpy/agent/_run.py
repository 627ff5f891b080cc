"""A run under way, as people hold it."""

import weakref
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import nullcontext
from typing import Any, Self, TypeVar

from prismpy.errors import OutputError
from prismpy.events import Event
from prismpy.loop import RunState

from ._brief import Brief
from ._drive import adrive, drive
from ._moves import Moves, Terms
from ._response import Response

T = TypeVar("T")


class Run:
    """
    One run under way. Iterate over it, sync or async, for its events; then it has a `response`.

    Whoever stops early ends it: the connection is closed, and `state.messages` is a valid conversation. Sync code need
    only leave the loop. Async code does so in an `async with` block of the run, since Python closes what was iterated
    over later otherwise, and in another task, where tools that hold tasks of their own cannot be closed. No call is
    under way where an event is told, so none is lost either way.
    """

    def __init__(self, brief: Brief, state: RunState, terms: Terms) -> None:
        self._moves = Moves(brief, state, terms)
        self._around: Any = nullcontext()
        self._is_entered = False
        self._driver: Callable[[], Generator[Event] | None] = lambda: None
        self._async_driver: Callable[[], AsyncGenerator[Event] | None] = lambda: None

    @property
    def state(self) -> RunState:
        """As far as the run has come; valid whenever no event is being made."""
        return self._moves.state

    @property
    def response(self) -> Response:
        """What the run has come to."""
        return Response(self.state, self._moves.output)

    @property
    def told(self) -> int:
        """How many events the run has told, those before this part of it among them."""
        return self._moves.told

    @property
    def broken_at(self) -> str:
        """Id of the first event about the exception that ended the run, told or not; "" where none did."""
        return self._moves.broken_at

    @property
    def problem(self) -> str:
        """What is wrong with the answer, where a form was demanded; "" if nothing is."""
        return self._moves.problem

    def within(self, context: Any) -> Self:
        """Open a context manager, sync and async as an agent is, for as long as the run goes on."""
        self._around = context
        return self

    def __iter__(self) -> Generator[Event]:
        driver = drive(self._moves, self._around)
        self._driver = self._reference(driver)
        return driver

    def __aiter__(self) -> AsyncGenerator[Event]:
        driver = adrive(self._moves, self._around)
        self._async_driver = self._reference(driver)
        return driver

    def _reference(self, driver: T) -> Callable[[], T | None]:
        """Hold on to a driver in a `with` block only: elsewhere Python closes it when the loop over it is left."""
        return (lambda: driver) if self._is_entered else weakref.ref(driver)

    def close(self) -> None:
        """End a run that sync code has begun to iterate over; nothing happens to one that is over."""
        if (driver := self._driver()) is not None:
            driver.close()

    async def aclose(self) -> None:
        """End a run that async code has begun to iterate over; otherwise like `close`."""
        if (driver := self._async_driver()) is not None:
            await driver.aclose()

    def __enter__(self) -> Self:
        self._is_entered = True
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        self._is_entered = True
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


def finished(run: Run) -> Response:
    """
    Drive a run as far as it goes.

    Raises:
        OutputError: if a form was demanded and the model did not keep to it.
    """
    for _ in run:
        pass
    return _in_form(run)


async def afinished(run: Run) -> Response:
    """Drive a run as far as it goes, from async code; otherwise like `finished`."""
    async for _ in run:
        pass
    return _in_form(run)


def _in_form(run: Run) -> Response:
    if run.problem:
        msg = f"the answer does not have the demanded form: {run.problem}"
        raise OutputError(msg, response=run.response)
    return run.response
