"""Handlers that run elsewhere, and how many run at once."""

import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import anyio
import pytest
from anyio import to_thread

from prismpy import DefinitionError, Toolbox, ToolCall, tool
from tests.execution.drivers import Driver

pytestmark = pytest.mark.anyio


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(1, thread_name_prefix="pool") as pool:
        yield pool


def square(n: int) -> int:
    """Square a number."""
    return n * n


async def test_a_handler_runs_in_its_executor(pool: ThreadPoolExecutor, drive: Driver) -> None:
    """Arguments are judged here, the handler runs there, its result and its failure come back."""

    def where(fail: bool = False) -> str:
        if fail:
            raise ValueError("no stock")
        return threading.current_thread().name

    made = tool(where).with_executor(pool)

    assert (await drive(made)).text == "pool_0"
    assert (await drive(made, {"fail": True})).text == "where failed: ValueError: no stock"
    assert (await drive(made, {"fail": 3})).problems[0].path == "fail"


def test_a_process_pool_is_an_executor() -> None:
    """Heavy work leaves this process."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert tool(square).with_executor(pool).run({"n": 12}).text == "144"


async def test_a_call_that_waits_too_long_for_its_executor_is_withdrawn(
    pool: ThreadPoolExecutor, drive: Driver
) -> None:
    """It has not begun, so it never does."""
    release = threading.Event()
    blocking = pool.submit(release.wait, 10)
    ran: list[int] = []
    made = tool(lambda: ran.append(1), name="late").with_executor(pool).with_timeout(0.01)
    result = await drive(made)
    release.set()
    assert blocking.result(10)
    pool.submit(int).result(10)

    assert (result.text, ran) == ("late took longer than 0.01 s and was given up", [])


@pytest.mark.parametrize("kind", ["async", "generator"])
def test_an_executor_runs_plain_functions_only(pool: ThreadPoolExecutor, kind: str) -> None:
    """What it could not run is refused when the tool is run."""

    async def acall() -> None: ...

    def steps() -> Iterator[int]:
        yield 1

    made = tool(acall if kind == "async" else steps, name="t").with_executor(pool)

    with pytest.raises(
        DefinitionError, match="tool 't': its handler is async or a generator, which no executor can run"
    ):
        made.run()


def test_what_is_no_executor_is_refused() -> None:
    """The mistake shows where it was made."""
    with pytest.raises(DefinitionError, match=r"with_executor\(\) got 3; pass a concurrent.futures.Executor"):
        tool(square).with_executor(3)  # type: ignore[arg-type]


@pytest.mark.parametrize("at_once", [1, 2])
@pytest.mark.parametrize("driver", ["run", "arun"])
async def test_no_more_calls_run_at_once_than_allowed(at_once: int, driver: str) -> None:
    """The others wait; all are answered, in order."""
    running, most = 0, 0
    lock = threading.Lock()
    full = threading.Barrier(at_once)

    def work(n: int) -> int:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        full.wait(10)
        with lock:
            running -= 1
        return n

    box = Toolbox([tool(work).concurrent()], max_concurrency=at_once)
    calls = [ToolCall(str(n), "work", {"n": n}) for n in range(4)]
    results = await (box.arun(calls) if driver == "arun" else to_thread.run_sync(box.run, calls))

    assert [result.text for result in results] == ["0", "1", "2", "3"]
    assert most <= at_once


def test_a_cap_must_let_something_run() -> None:
    """None is no limit, 0 would be a standstill."""
    with pytest.raises(DefinitionError, match="max_concurrency is 0; pass how many calls may run at once, from 1 up"):
        Toolbox([], max_concurrency=0)


async def test_cancelling_a_run_withdraws_what_has_not_begun(pool: ThreadPoolExecutor) -> None:
    """The executor does not get to it after the run is gone."""
    release, ran = threading.Event(), []
    blocking = pool.submit(release.wait, 10)
    made = tool(lambda: ran.append(1), name="t").with_executor(pool)
    async with anyio.create_task_group() as group:
        group.start_soon(made.arun)
        await anyio.wait_all_tasks_blocked()
        group.cancel_scope.cancel()
    release.set()
    assert blocking.result(10)
    pool.submit(int).result(10)

    assert ran == []
