"""Turns in which everything happens at once: each call has one result, in order, and nothing is left behind."""

import asyncio
import gc
import random
import threading
import time
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import anyio
import pytest

from prismpy import Retry, Tool, Toolbox, ToolCall, ToolError, tool
from prismpy.execution._workers import WORKERS

pytestmark = pytest.mark.anyio

SEEDS = range(12)


def chances(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311  # no secrets here


class World:
    """Tools that do all a tool can do; `open` counts the handlers that have begun and not ended."""

    def __init__(self, pool: ThreadPoolExecutor) -> None:
        self.open = 0
        self.lock = threading.Lock()
        self.release = threading.Event()
        plain = [
            tool(self.answer),
            tool(self.aanswer),
            tool(self.fail),
            tool(self.afail),
            tool(self.ask_again),
            tool(self.steps),
            tool(self.asteps),
        ]
        self.tools: list[Tool] = [
            *plain,
            *(Tool.make(made.spec.handler).as_(f"{made.spec.name}_together").concurrent() for made in plain),
            tool(self.answer, name="elsewhere").with_executor(pool).concurrent(),
            tool(self.hang, name="hang").with_timeout(0.001).concurrent(),
            tool(self.ahang, name="ahang").with_timeout(0.001),
            tool(self.answer, name="guarded").requires_approval(),
        ]

    def begin(self) -> None:
        with self.lock:
            self.open += 1

    def end(self) -> None:
        with self.lock:
            self.open -= 1

    def answer(self, n: int) -> str:
        return str(n)

    async def aanswer(self, n: int) -> str:
        self.begin()
        try:
            await anyio.lowlevel.checkpoint()
            return str(n)
        finally:
            self.end()

    def fail(self, n: int) -> str:
        raise ToolError(str(n))

    async def afail(self, n: int) -> str:
        self.begin()
        try:
            await anyio.lowlevel.checkpoint()
            raise ToolError(str(n))
        finally:
            self.end()

    def ask_again(self, n: int) -> str:
        raise Retry(str(n))

    def steps(self, n: int) -> Iterator[str]:
        self.begin()
        try:
            yield "step"
            yield str(n)
        finally:
            self.end()

    async def asteps(self, n: int) -> AsyncIterator[str]:
        self.begin()
        try:
            yield "step"
            await anyio.lowlevel.checkpoint()
            yield str(n)
        finally:
            self.end()

    def hang(self, n: int) -> str:
        self.begin()
        try:
            self.release.wait(10)
            return str(n)
        finally:
            self.end()

    async def ahang(self, n: int) -> str:
        self.begin()
        try:
            await anyio.sleep_forever()
            return str(n)
        finally:
            self.end()

    def turn(self, chance: random.Random, size: int) -> list[ToolCall]:
        names = [made.spec.name for made in self.tools] + ["nobody"]
        arguments: list[Any] = [{"n": 1}, '{"n": 2}', '{"n": "3"}', '{"n": "x"}', "{", None]
        ids = ["", "same", "a", "b"]
        return [ToolCall(chance.choice(ids), chance.choice(names), chance.choice(arguments)) for _ in range(size)]


@pytest.fixture
def world() -> Iterator[World]:
    """Make a world, and hold that nothing of it is left running."""
    others = at_work()  # threads that a test before has left behind for good
    with ThreadPoolExecutor(2) as pool:
        made = World(pool)
        yield made
        made.release.set()
    given_up = time.monotonic() + 10
    while at_work() > others and time.monotonic() < given_up:  # handlers that were given up, and may end now
        time.sleep(0.001)
    assert at_work() <= others


def at_work() -> int:
    """Count the worker threads that do not wait for work."""
    return sum(thread.name == "prismpy-tool" for thread in threading.enumerate()) - WORKERS.idle


def check(calls: list[ToolCall], results: Any) -> None:
    assert [(result.call.name, result.call.arguments) for result in results] == [(c.name, c.arguments) for c in calls]
    assert len({result.call.id for result in results}) == len(calls)


@pytest.mark.parametrize("seed", SEEDS)
async def test_every_call_has_one_result_in_order(seed: int, world: World) -> None:
    """Failures, refusals, time limits, approvals and unknown tools included; async handlers have all ended."""
    chance = chances(seed)
    calls = world.turn(chance, 25)
    box = Toolbox(world.tools, max_concurrency=chance.choice([None, 1, 3]))
    results = await box.arun(calls, approve=lambda _: chance.random() < 0.5)
    world.release.set()

    check(calls, results)


@pytest.mark.parametrize("seed", SEEDS)
def test_so_it_is_without_an_event_loop(seed: int, world: World) -> None:
    """The sync driver gives as many results, in the same order."""
    chance = chances(seed)
    calls = world.turn(chance, 12)
    results = Toolbox(world.tools).run(calls, approve=lambda _: chance.random() < 0.5)
    assert world.open <= [call.name for call in calls].count("hang")
    world.release.set()

    check(calls, results)


@pytest.mark.parametrize("seed", SEEDS)
async def test_a_cancelled_run_leaves_nothing(seed: int, world: World) -> None:
    """Wherever the run is when it is cancelled, every async handler that began has ended when it returns."""
    chance = chances(seed)
    calls = [call for call in world.turn(chance, 25) if call.name not in {"hang", "steps", "steps_together"}]
    box, steps = Toolbox(world.tools), chance.randrange(1, 60)
    async with anyio.create_task_group() as group:
        group.start_soon(box.arun, calls)
        for _ in range(steps):
            await anyio.lowlevel.checkpoint()
        group.cancel_scope.cancel()
    gc.collect()

    assert world.open == 0


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_no_task_is_left(world: World) -> None:
    """After a run there are the tasks that were there before."""
    before = asyncio.all_tasks()
    await Toolbox(world.tools).arun(world.turn(chances(0), 40))
    world.release.set()

    assert asyncio.all_tasks() == before
