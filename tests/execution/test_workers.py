"""Threads for handlers that may block."""

import asyncio
import multiprocessing
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import anyio
import pytest

from prismpy import Progress, Toolbox, ToolCall, tool
from prismpy.execution._beside import in_worker, way_back
from prismpy.execution._workers import WORKERS, Workers


def done(answers: list[Any], event: threading.Event) -> Callable[[], Callable[[], object]]:
    """Make a job that notes its thread, and tells that it did."""

    def job() -> Callable[[], object]:
        answers.append(threading.get_ident())
        return event.set

    return job


def test_a_thread_is_used_again() -> None:
    """One that is free takes the next job; a second one starts only where both have work at once."""
    workers, threads = Workers(), list[Any]()
    for _ in range(3):
        event = threading.Event()
        workers.submit(done(threads, event))
        assert event.wait(10)

    assert len(set(threads)) == 1
    assert workers.idle == 1

    both = threading.Barrier(3)
    for _ in range(2):
        workers.submit(lambda: both.wait)
    both.wait(10)
    workers.forget()

    assert workers.idle == 0


def test_a_thread_without_work_ends() -> None:
    """After a while, and is not given any work then."""
    workers, threads = Workers(idle_seconds=0.01), list[Any]()
    event = threading.Event()
    workers.submit(done(threads, event))
    assert event.wait(10)
    thread = next((t for t in threading.enumerate() if t.ident == threads[0]), None)
    if thread is not None:
        thread.join(10)

    assert workers.idle == 0


def test_a_thread_that_is_taken_as_it_ends_works_on() -> None:
    """Its time was over, but there is a job on its way."""

    class Late(Workers):
        """Takes a thread off the idle ones, and gives it its job when it has looked for one."""

        def _next(self, box: Any) -> Any:
            if not taken and self._idle:
                taken.append(self._idle.pop())
                threading.Timer(0.05, box.put, [done(threads, event)]).start()
            return super()._next(box)

    taken, threads = list[Any](), list[Any]()
    event, first = threading.Event(), threading.Event()
    workers = Late(idle_seconds=0.0)
    workers.submit(done(threads, first))
    assert first.wait(10)

    assert event.wait(10)
    assert len(set(threads)) == 1


@pytest.mark.parametrize("driver", ["asyncio.run(t.arun())", "t.run()"])
def test_a_handler_that_hangs_does_not_keep_a_program_from_ending(driver: str) -> None:
    """Nobody waits for it any more."""
    script = (
        "import asyncio, threading\nfrom prismpy import tool\n"
        f"t = tool(lambda: threading.Event().wait(), name='t').with_timeout(0.05)\nprint(({driver}).text)"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)

    assert ended.stdout == "t took longer than 0.05 s and was given up\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
def test_a_forked_process_starts_threads_of_its_own() -> None:
    """It has none of those that its parent had."""
    made = tool(lambda: "ran", name="t").with_timeout(10)
    assert made.run().text == "ran"
    assert WORKERS.idle

    context = multiprocessing.get_context("fork")
    answers: Any = context.Queue()
    child = context.Process(target=lambda: answers.put(made.run().text))
    child.start()
    assert answers.get(timeout=10) == "ran"
    child.join(10)


def test_turns_of_new_event_loops_start_no_threads() -> None:
    """The threads are those of the turns before."""
    met = threading.Barrier(4)
    box = Toolbox([tool(lambda: met.wait(10) >= 0, name="meet").concurrent()])
    calls = [ToolCall(str(i), "meet") for i in range(4)]

    def threads() -> set[int | None]:
        asyncio.run(box.arun(calls))
        return {thread.ident for thread in threading.enumerate() if thread.name == "prismpy-tool"}

    assert threads() == threads()


def test_a_result_that_comes_after_the_loop_is_dropped() -> None:
    """Whoever waited for it is gone."""
    release = threading.Event()

    def work() -> str:
        release.wait(10)
        return "late"

    async def main() -> None:
        with anyio.move_on_after(0.01):
            await in_worker(work)

    asyncio.run(main())
    before = WORKERS.idle
    release.set()
    deadline = time.monotonic() + 10
    while WORKERS.idle == before and time.monotonic() < deadline:
        time.sleep(0.001)

    assert WORKERS.idle > before


def test_the_way_back_ends_with_the_loop() -> None:
    """A worker that calls the loop back too late hears that it is gone, whether it was gone before or goes meanwhile."""

    async def function() -> None:
        """Never runs."""

    async def main() -> Callable[..., Any]:
        return way_back()

    with pytest.raises(RuntimeError, match="closed"):
        asyncio.run(main())(function)

    loop = asyncio.new_event_loop()
    back = loop.run_until_complete(main())
    errors: list[str] = []

    def call() -> None:
        try:
            back(function)
        except RuntimeError as error:
            errors.append(str(error))

    thread = threading.Thread(target=call)
    thread.start()
    while not loop._ready:  # type: ignore[attr-defined]  # until it is scheduled
        time.sleep(0.001)
    loop._ready.popleft()  # type: ignore[attr-defined]  # as a loop that stops before it gets there
    loop.close()
    thread.join(10)

    assert errors == ["the event loop was closed"]


def test_on_progress_may_fail_with_a_timeout_of_its_own() -> None:
    """It is the app's error, and fails the call."""

    def steps() -> Iterator[int]:
        yield 1

    async def hear(_: Progress) -> None:
        raise TimeoutError("no reader")

    result = asyncio.run(tool(steps).arun(on_progress=hear))

    assert result.text == "steps failed: TimeoutError: no reader"
