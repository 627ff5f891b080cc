"""The two drivers: order, concurrency, time limits, approval, and what travels along."""

import asyncio
import contextvars
import threading

import anyio
import pytest

from prismpy import FunctionTool, Tool, Toolbox, ToolCall, tool
from tests.execution.drivers import Driver, sync_run

pytestmark = pytest.mark.anyio

WHO: contextvars.ContextVar[str] = contextvars.ContextVar("WHO", default="nobody")


def calls_of(*names: str) -> list[ToolCall]:
    return [ToolCall(str(i), name) for i, name in enumerate(names)]


async def test_results_come_in_the_order_of_the_calls(drive: Driver) -> None:
    """Each call gets its result, the same tool twice, one id twice and an id missing included."""
    say = tool(lambda t: t, name="say")
    calls = [
        ToolCall("x", "say", {"t": "one"}),
        ToolCall("x", "say", {"t": "two"}),
        ToolCall("", "say", {"t": "three"}),
    ]
    results = await drive(Toolbox([say]), calls)

    assert [(result.call.id, result.text) for result in results] == [("x", "one"), ("x_1", "two"), ("call_2", "three")]


async def test_async_and_sync_handlers_give_the_same(drive: Driver) -> None:
    """Either driver runs either kind of handler, and one that returns an awaitable."""

    async def coroutine(n: int) -> int:
        await anyio.sleep(0)
        return n + 1

    class Callable_(Tool):
        async def __call__(self, n: int) -> int:
            return n + 2

    tools = [
        tool(lambda n: n, name="plain"),
        tool(coroutine),
        Callable_(),
        tool(lambda n: coroutine(n + 2), name="returns_one"),
    ]
    calls = [
        ToolCall(str(i), name, {"n": 0}) for i, name in enumerate(["plain", "coroutine", "callable_", "returns_one"])
    ]

    if drive is sync_run:  # whose event loop is asyncio's, whatever runs around it
        tools[1] = tool(asyncio_coroutine, name="coroutine")
        tools[3] = tool(lambda n: asyncio_coroutine(n + 2), name="returns_one")
    assert [result.text for result in await drive(Toolbox(tools), calls)] == ["0", "1", "2", "3"]


async def asyncio_coroutine(n: int) -> int:
    await asyncio.sleep(0)
    return n + 1


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_an_async_handler_runs_from_sync_code_inside_a_running_loop() -> None:
    """`run` works where a loop runs already; the loop that runs is not touched."""
    assert tool(asyncio_coroutine).run({"n": 1}).text == "2"


def meeting(parties: int) -> tuple[FunctionTool[[], str], FunctionTool[[], str]]:
    """Two tools that end only if they run at the same time."""
    barrier = threading.Barrier(parties)

    def meet() -> str:
        barrier.wait(10)
        return "met"

    return tool(meet, name="a").concurrent(), tool(meet, name="b").concurrent()


async def test_neighbouring_concurrent_calls_run_together(drive: Driver) -> None:
    """Two calls that wait for each other both end."""
    results = await drive(Toolbox(meeting(2)), calls_of("a", "b"))

    assert [result.text for result in results] == ["met", "met"]


async def test_a_call_that_is_not_concurrent_is_a_barrier(drive: Driver) -> None:
    """It waits for those before it, and those after it wait."""
    log: list[str] = []
    tools = [
        tool(lambda: log.append("start") or log.append("end"), name="c").concurrent(),
        tool(lambda: log.append("alone"), name="s"),
    ]
    await drive(Toolbox(tools), calls_of("c", "s", "c"))

    assert log == ["start", "end", "alone", "start", "end"]


async def test_an_unknown_tool_between_concurrent_ones_is_answered(drive: Driver) -> None:
    """Every call has its result, also those that no tool answers to."""
    results = await drive(Toolbox(meeting(2)), calls_of("a", "b", "gone"))

    assert [result.is_error for result in results] == [False, False, True]


async def test_context_variables_travel_along(drive: Driver) -> None:
    """Handlers see the caller's context, in threads and concurrent groups too."""
    whoami = tool(lambda: str(WHO.get()), name="whoami").concurrent()
    WHO.set("ann")

    assert [r.text for r in await drive(Toolbox([whoami]), calls_of("whoami", "whoami"))] == ["ann", "ann"]


async def test_a_sync_handler_that_is_late_is_given_up(drive: Driver) -> None:
    """The result says so; the handler's thread is left to end by itself."""
    release = threading.Event()
    late = tool(lambda: release.wait(10), name="late").with_timeout(0.01)
    (result,) = await drive(Toolbox([late]), calls_of("late"))
    release.set()

    assert (result.text, result.is_error) == ("late took longer than 0.01 s and was given up", True)


async def test_an_async_handler_that_is_late_is_cancelled(drive: Driver) -> None:
    """It sees the cancellation, whichever driver runs it."""
    seen = []

    async def late() -> None:
        try:
            await anyio.sleep(10)
        except anyio.get_cancelled_exc_class():
            seen.append("cancelled")
            raise

    (result,) = await drive(Toolbox([tool(late).with_timeout(0.01)]), calls_of("late"))

    assert (result.is_error, seen) == (True, ["cancelled"])


async def test_a_handlers_own_timeout_error_is_told_from_the_limit(drive: Driver) -> None:
    """A TimeoutError that the handler raises is its failure, not ours; one in time returns."""

    def fails() -> str:
        raise TimeoutError

    tools = [tool(fails).with_timeout(10), tool(lambda: "in time", name="quick").with_timeout(10)]
    results = await drive(Toolbox(tools), calls_of("fails", "quick"))

    assert [result.text for result in results] == ["fails failed: TimeoutError", "in time"]


async def test_cancelling_the_run_cancels_its_async_tools() -> None:
    """No handler goes on behind a cancelled run."""
    started, ended = anyio.Event(), []

    async def forever() -> None:
        started.set()
        try:
            await anyio.sleep_forever()
        finally:
            ended.append("ended")

    async with anyio.create_task_group() as group:
        group.start_soon(tool(forever).arun)
        await started.wait()
        group.cancel_scope.cancel()

    assert ended == ["ended"]


async def test_a_sync_handler_leaves_the_event_loop_free() -> None:
    """While it blocks, other tasks run."""
    reached = threading.Event()

    async def tick() -> None:
        reached.set()

    async with anyio.create_task_group() as group:
        group.start_soon(tick)
        result = await tool(lambda: reached.wait(10), name="blocking").arun()

    assert result.text == "true"


@pytest.mark.parametrize("limit", [None, 100])
async def test_a_large_result_leaves_the_event_loop_free(limit: int | None) -> None:
    """What a sync handler returned is turned into text in its worker thread too."""
    threads: list[int] = []

    class Large:
        def __str__(self) -> str:
            threads.append(threading.get_ident())
            return "large"

    made = tool(Large, name="t")
    result = await (made if limit is None else made.with_result_limit(limit)).arun()

    assert (result.text, len(threads)) == ("large", 1)
    assert threads[0] != threading.get_ident()


@pytest.mark.parametrize("anyio_backend", ["asyncio"])  # which `run` starts for async handlers
async def test_an_error_let_through_cancels_its_neighbours(drive: Driver) -> None:
    """They have ended when the error leaves the run, whichever driver ran them."""
    started, ended = threading.Event(), []

    async def slow() -> None:
        started.set()
        try:
            await anyio.sleep_forever()
        finally:
            ended.append("slow")

    def fatal() -> None:
        assert started.wait(10)
        raise LookupError("gone")

    tools = [tool(slow).concurrent(), tool(fatal).concurrent().without_error_handling()]

    with pytest.raises(LookupError, match="gone"):
        await drive(Toolbox(tools), calls_of("slow", "fatal"))
    assert ended == ["slow"]


async def test_a_tool_that_requires_approval_runs_only_with_it(drive: Driver) -> None:
    """Without someone to ask, the call is refused; the one asked sees the call, and may be async."""
    asked = []

    async def agree(call: ToolCall) -> bool:
        asked.append(call)
        return True

    def refuse(call: ToolCall) -> bool:
        asked.append(call)
        return False

    box = Toolbox([tool(lambda city: f"deleted {city}", name="delete").requires_approval()])
    calls = [ToolCall("1", "delete", {"city": "Oslo"})]
    results = [(await drive(box, calls, **options))[0] for options in ({}, {"approve": refuse}, {"approve": agree})]

    assert [(result.text, result.is_error) for result in results] == [
        ("delete needs approval and did not get it, so it was not run", True),
        ("delete needs approval and did not get it, so it was not run", True),
        ("deleted Oslo", False),
    ]
    assert asked == [calls[0], calls[0]]


async def test_wrong_arguments_are_refused_before_anyone_is_asked(drive: Driver) -> None:
    """Nobody approves a call that cannot run."""
    box = Toolbox([tool(lambda city: city, name="delete").requires_approval()])
    (result,) = await drive(box, [ToolCall("1", "delete")], approve=lambda _: pytest.fail("asked"))

    assert [problem.path for problem in result.problems] == ["city"]


async def test_an_exception_without_words_is_named(drive: Driver) -> None:
    """A failing text of an exception does not hide which it was."""

    class MuteError(Exception):
        def __str__(self) -> str:
            raise ValueError

    def fail() -> None:
        raise MuteError

    result = await drive(tool(fail), {})

    assert (result.is_error, result.text) == (True, "fail failed: MuteError")


async def test_an_integer_beyond_every_float_is_refused(drive: Driver) -> None:
    """JSON has integers of any size, a float has not; the model reads which one it was."""

    def half(x: float) -> float:
        return x / 2

    result = await drive(tool(half), {"x": 10**400})

    assert [(problem.path, problem.message) for problem in result.problems] == [("x", "the number is too large")]


async def test_an_async_handler_runs_inside_any_event_loop() -> None:
    """`run` is a sync call; where a loop is running, asyncio's or trio's, the handler gets its own."""
    assert tool(asyncio_coroutine, name="t").run({"n": 0}).text == "1"


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_a_handler_that_cancels_itself_cancels_the_batch() -> None:
    """Nothing is returned in the place of a result that never came."""

    async def leave() -> None:
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await Toolbox([tool(leave).concurrent()]).arun(calls_of("leave", "leave"))
