"""Handlers that yield: progress, the result, and what is left open."""

import functools
import threading
from collections.abc import AsyncIterator, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import anyio
import anyio.to_thread
import pytest

from prismpy import Progress, Toolbox, ToolCall, tool
from prismpy.tools import hands_on_steps
from tests.execution.drivers import Driver, sync_run

pytestmark = pytest.mark.anyio


def count(to: int) -> Iterator[int]:
    """Count."""
    yield from range(1, to + 1)


async def acount(to: int) -> AsyncIterator[int]:
    """Count."""
    for number in range(1, to + 1):
        yield number


class Counter:
    """Count."""

    def __call__(self, to: int) -> Iterator[int]:
        yield from count(to)


def concluding(to: int) -> Generator[int, None, str]:
    """Count, and say so."""
    yield from count(to)
    return f"counted to {to}"


def timed(function: Any) -> Any:
    @functools.wraps(function)
    def inner(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return inner


def awaited(function: Any) -> Any:
    @functools.wraps(function)
    async def inner(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return inner


class Loud:
    """A decorator that is a class."""

    def __init__(self, function: Any) -> None:
        functools.update_wrapper(self, function)
        self._function = function

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._function(*args, **kwargs)


@pytest.mark.parametrize(
    ("handler", "text"),
    [
        (count, "3"),
        (acount, "3"),
        (Counter(), "3"),
        (concluding, "counted to 3"),
        (timed(count), "3"),
        (timed(timed(concluding)), "counted to 3"),
        (timed(acount), "3"),
        (awaited(concluding), "counted to 3"),
        (awaited(acount), "3"),
        (Loud(acount), "3"),
        (functools.partial(timed(acount)), "3"),
    ],
    ids=[
        "sync",
        "async",
        "object",
        "returns",
        "decorated",
        "decorated twice",
        "decorated async",
        "awaited",
        "awaited async",
        "by a class",
        "partial",
    ],
)
@pytest.mark.parametrize("seconds", [None, 10])
async def test_what_is_yielded_is_progress_and_the_last_is_the_result(
    handler: Any, text: str, seconds: float | None, drive: Driver
) -> None:
    """Each value is told as it comes; what a generator returns, if anything, goes before what it yielded last."""
    made = tool(handler, name="count")
    told: list[Any] = []
    result = await drive(made if seconds is None else made.with_timeout(seconds), {"to": 3}, on_progress=told.append)

    call = ToolCall("call_0", "count", {"to": 3})
    assert told == [Progress(call, 1), Progress(call, 2), Progress(call, 3)]
    assert (result.text, result.is_error) == (text, False)


@pytest.mark.parametrize("handler", [count, acount])
async def test_who_is_told_may_be_async(handler: Any, drive: Driver) -> None:
    """An async function is awaited for each value before the next is asked for."""
    told: list[Any] = []

    async def hear(progress: Progress) -> None:
        await anyio.lowlevel.checkpoint()
        told.append(progress.value)

    if drive is sync_run:  # whose loop is asyncio's, whatever runs around it

        async def hear(progress: Progress) -> None:
            told.append(progress.value)

    await drive(tool(handler, name="count"), {"to": 2}, on_progress=hear)

    assert told == [1, 2]


@pytest.mark.parametrize("handler", [count, acount])
async def test_nobody_need_be_told(handler: Any, drive: Driver) -> None:
    """Without anyone to tell, the result is the same; without a value it is null."""
    assert [(await drive(tool(handler, name="count"), {"to": to})).text for to in (2, 0)] == ["2", "null"]


async def test_progress_is_told_on_the_event_loop() -> None:
    """In an async run, a sync generator goes on in a worker thread, and what it yields is told where the loop runs."""
    threads: list[tuple[int, int]] = []

    def steps() -> Iterator[int]:
        yield threading.get_ident()

    await tool(steps).arun(on_progress=lambda p: threads.append((p.value, threading.get_ident())))

    ((worker, loop),) = threads
    assert loop == threading.get_ident() != worker


@pytest.mark.parametrize("kind", ["sync", "async"])
async def test_a_generator_that_fails_is_a_failure(kind: str, drive: Driver) -> None:
    """What it yielded before was told; the result is the error."""

    def fails() -> Iterator[int]:
        yield 1
        raise ValueError("no more")

    async def afails() -> AsyncIterator[int]:
        yield 1
        raise ValueError("no more")

    told: list[Any] = []
    result = await drive(tool(fails if kind == "sync" else afails, name="t"), None, on_progress=told.append)

    assert [progress.value for progress in told] == [1]
    assert (result.text, result.is_error) == ("t failed: ValueError: no more", True)


@pytest.mark.parametrize("kind", ["sync", "async"])
async def test_a_generator_is_closed_when_telling_fails(kind: str, drive: Driver) -> None:
    """Nothing is left open, and the failure is the call's."""
    closed: list[str] = []

    def steps() -> Iterator[int]:
        try:
            yield 1
        finally:
            closed.append("sync")

    async def asteps() -> AsyncIterator[int]:
        try:
            yield 1
        finally:
            closed.append("async")

    def deaf(progress: Progress) -> None:
        raise LookupError("nobody listens")

    result = await drive(tool(steps if kind == "sync" else asteps, name="t"), None, on_progress=deaf)

    assert closed == [kind]
    assert result.text == "t failed: LookupError: nobody listens"


async def test_a_generator_that_is_late_is_closed() -> None:
    """The time limit holds for all steps together."""
    closed: list[str] = []

    async def slow() -> AsyncIterator[int]:
        try:
            yield 1
            await anyio.sleep_forever()
        finally:
            closed.append("slow")

    result = await tool(slow).with_timeout(0.01).arun()

    assert (result.text, closed) == ("slow took longer than 0.01 s and was given up", ["slow"])


async def test_nothing_is_told_after_the_time_limit(drive: Driver) -> None:
    """A sync generator goes on in its thread until it yields again; then it is closed, and nobody hears of it."""
    release, closed = threading.Event(), threading.Event()
    told: list[Any] = []

    def slow() -> Iterator[int]:
        try:
            yield 1
            release.wait(10)
            yield 2
        finally:
            closed.set()

    result = await drive(tool(slow).with_timeout(0.05), None, on_progress=lambda progress: told.append(progress.value))
    release.set()
    await anyio.to_thread.run_sync(closed.wait, 10)

    assert result.text == "slow took longer than 0.05 s and was given up"
    assert (told, closed.is_set()) == ([1], True)


async def test_progress_names_the_call_within_a_turn() -> None:
    """Calls that run together tell by the ids that their results have."""
    told: list[tuple[str, int]] = []
    calls = [ToolCall("", "count", {"to": 1}), ToolCall("x", "count", {"to": 2})]
    results = await Toolbox([tool(count).concurrent()]).arun(
        calls, on_progress=lambda p: told.append((p.call.id, p.value))
    )

    assert sorted(told) == [("call_0", 1), ("x", 1), ("x", 2)]
    assert [result.call.id for result in results] == ["call_0", "x"]


def test_an_unknown_option_is_refused() -> None:
    """A misspelled option is no silent default."""
    with pytest.raises(TypeError, match="unexpected option 'aprove'; known are approve, provide, on_progress, hooks"):
        tool(count).run({"to": 1}, aprove=print)  # type: ignore[call-arg]


def listed(function: Any) -> Any:
    @functools.wraps(function)
    def inner(*args: Any, **kwargs: Any) -> Any:
        return list(function(*args, **kwargs))

    return inner


@pytest.mark.parametrize("handler", [listed(count), awaited(listed(count))])
async def test_a_decorator_may_go_through_the_generator_itself(handler: Any, drive: Driver) -> None:
    """What it returns is the result, and there is no progress to tell; of its type nothing is known."""
    told: list[Any] = []
    made = tool(handler, name="count")
    result = await drive(made, {"to": 3}, on_progress=told.append)

    assert (result.text, told, made.spec.output) == ("[1, 2, 3]", [], None)


async def test_a_decorated_generator_that_is_late_is_closed(drive: Driver) -> None:
    """Its time is limited as that of any other handler."""
    closed = threading.Event()

    @timed
    async def wait() -> AsyncIterator[int]:
        """Wait."""
        try:
            for number in range(1_000):
                yield number
                await anyio.sleep(0.01)
        finally:
            closed.set()

    result = await drive(tool(wait).with_timeout(1), {})  # which is enough to begin

    assert result.text == "wait took longer than 1 s and was given up"
    assert await anyio.to_thread.run_sync(closed.wait, 10)


async def test_an_executor_takes_a_decorator_but_no_generator(drive: Driver) -> None:
    """It cannot tell from outside what a decorator returns."""
    with ThreadPoolExecutor(1) as pool:
        result = await drive(tool(listed(count), name="count").with_executor(pool), {"to": 2})

    assert result.text == "[1, 2]"


async def test_what_a_decorator_in_an_executor_returns_is_awaited(drive: Driver) -> None:
    """Whichever driver runs it."""

    async def double(to: int) -> int:
        """Double it."""
        return 2 * to

    with ThreadPoolExecutor(1) as pool:
        result = await drive(tool(timed(double)).with_executor(pool), {"to": 2})

    assert result.text == "4"


def test_what_wraps_itself_has_no_end() -> None:
    """Nor is there a generator behind it."""
    handler = timed(listed(count))
    handler.__wrapped__ = handler

    assert hands_on_steps(handler) is False
