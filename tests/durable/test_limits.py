"""Limits of a tool hold over all workers: seen in what its calls write down outside, where they begin and end."""

import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import attrs
import pytest

from prismpy import Agent, AssistantMessage, Tool, ToolCall
from prismpy.codecs import Ask
from prismpy.durable import DurableRuns, QueueLimits
from prismpy.durable._workflow import CALL
from prismpy.testing import FunctionModel

from ._scene import SPAWN
from .conftest import NewDatabase

CALLS = 12
WORKERS = ("one", "two")
LOOKS = 4 * 0.05
"""Seconds in which a worker looks into a queue four times, and takes from it what it may."""


@attrs.frozen
class Outside:
    """Where a run plays, and the file that its calls write to."""

    url: str
    path: str
    together: int
    """So many calls wait for each other before the first of them ends."""

    def say(self, what: str, worker: str) -> None:
        with Path(self.path).open("a", encoding="utf-8") as file:
            file.write(f"{what} {worker} {time.time()}\n")

    def said(self) -> list[tuple[str, str, float]]:
        """Return what was written, in order: `begin` or `end`, the worker, seconds since 1970."""
        path = Path(self.path)
        lines = [line.split() for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
        return [(what, worker, float(at)) for what, worker, at in lines]

    def until(self, what: str, count: int) -> None:
        """Wait until so many lines of a kind were written."""
        deadline = time.monotonic() + 60
        while sum(kind == what for kind, _, _ in self.said()) < count:
            assert time.monotonic() < deadline
            time.sleep(0.01)


def agent(outside: Outside, worker: str) -> Agent:
    """Make an agent that makes many calls in one turn."""

    def answer(ask: Ask) -> Any:
        if any(isinstance(message, AssistantMessage) for message in ask.messages):
            return "done"
        return [ToolCall(f"c{n}", "look_up", {"n": n}) for n in range(CALLS)]

    def look_up(n: int) -> int:
        outside.say("begin", worker)
        outside.until("begin", outside.together)
        time.sleep(LOOKS)  # as long as one that should not begin has the chance to
        outside.say("end", worker)
        return n

    tool = Tool.as_("look_up").for_("Look it up").using(look_up).concurrent()
    return Agent("reader", FunctionModel(answer), tools=[tool])


def work(outside: Outside, worker: str, limits: QueueLimits) -> None:
    """Work until killed."""
    with DurableRuns(outside.url, [agent(outside, worker)], worker=worker, queues={"look_up": limits}) as runs:
        runs.work()
        outside.say("ready", worker)
        while True:
            signal.pause()


@contextmanager
def at_work(outside: Outside, limits: QueueLimits) -> Iterator[None]:
    processes = [SPAWN.Process(target=work, args=(outside, worker, limits)) for worker in WORKERS]
    try:
        for process in processes:
            process.start()
        yield
    finally:
        for process in processes:
            process.kill()
            process.join()


def played(outside: Outside, limits: QueueLimits) -> tuple[float, list[tuple[str, str, float]]]:
    """Return when the first call was put into the queue, and what the calls wrote down."""
    with DurableRuns(outside.url, [agent(outside, "")], serve=False) as runs, at_work(outside, limits):
        outside.until("ready", len(WORKERS))
        runs.start("reader", "Go", id="run")
        results = runs.result("run", timeout=120).tool_results
        queued = min(status.created for status in runs._client.statuses(name=CALL))
    assert [result.text for result in results] == [str(n) for n in range(CALLS)]
    return queued, [line for line in outside.said() if line[0] != "ready"]


def most_at_once(said: list[tuple[str, str, float]]) -> int:
    """Return how many calls were between beginning and end at the same time."""
    now = most = 0
    for what, _, _ in said:
        now += 1 if what == "begin" else -1
        most = max(most, now)
    return most


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "outside")


def test_so_many_calls_are_under_way_at_once_in_all_workers(new_database: NewDatabase, path: str) -> None:
    """Three of twelve, whichever of the two makes them."""
    _, said = played(Outside(new_database(), path, together=3), QueueLimits(concurrency=3))

    assert most_at_once(said) == 3


def test_so_many_calls_are_under_way_at_once_in_each_worker(new_database: NewDatabase, path: str) -> None:
    """Two in each, four in both."""
    _, said = played(Outside(new_database(), path, together=4), QueueLimits(per_worker=2))

    assert most_at_once(said) == 4
    assert [most_at_once([line for line in said if line[1] == worker]) for worker in WORKERS] == [2, 2]


def test_so_many_calls_are_begun_in_a_time(new_database: NewDatabase, path: str) -> None:
    """Six in two seconds: the seventh is begun two seconds after the first, which was in the queue before."""
    queued, said = played(Outside(new_database(), path, together=1), QueueLimits(rate=(6, 2.0)))
    begun = sorted(at - queued for what, _, at in said if what == "begin")

    assert begun[0] > 0
    assert begun[6] > 1.99  # the clocks of the database and of this process may differ in how they round
    assert Counter(what for what, _, _ in said) == {"begin": CALLS, "end": CALLS}
