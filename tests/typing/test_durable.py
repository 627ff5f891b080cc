"""What type checkers see of durable runs."""

from collections.abc import Iterator
from typing import assert_type

from prismpy import Agent, DurableRuns, Response, Tool
from prismpy.durable import CallRecord, DurableRun, RunEvent


def durable_runs(runs: DurableRuns, agent: Agent) -> None:
    """Each method says what it returns."""
    assert_type(runs.start(agent, "Hi"), DurableRun)
    assert_type(runs.result("id"), Response)
    assert_type(runs.events("id"), Iterator[RunEvent])
    assert_type(runs.calls("id"), tuple[CallRecord, ...])
    assert_type(runs.list(), tuple[DurableRun, ...])


async def the_same_from_async_code(runs: DurableRuns) -> None:
    """The twins return the same."""
    assert_type(await runs.aresult("id"), Response)
    async for event in runs.aevents("id"):
        assert_type(event, RunEvent)


def crash_policies(tool: Tool) -> None:
    """Only the three words are taken."""
    assert_type(tool.with_crash_policy("at_most_once"), Tool)
    tool.with_crash_policy("sometimes")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
