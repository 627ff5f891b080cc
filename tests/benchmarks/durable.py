"""
What a durable step costs, beside the plain loop, in the same run of the program.

    python -m tests.benchmarks.durable

A run asks a scripted model 51 times and calls a tool that does nothing 50 times: 101 steps, each with its record,
each call with its claim and its end in the ledger, and all events kept. A call that is made at most once waits for the
disk before it begins; the PostgreSQL here does not wait for its own, as that of the tests.
"""

import os
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from prismpy import Agent, AssistantMessage, Limits, Tool, ToolCall
from prismpy.codecs import Ask
from prismpy.durable import DurableRuns
from prismpy.testing import FunctionModel
from prismpy.tools import CrashPolicy
from tests.durable.conftest import create, url_of
from tests.postgres import cluster, debian

TURNS = 50
STEPS = 2 * TURNS + 1
ROUNDS = 3


def agent(policy: CrashPolicy = "at_least_once") -> Agent:
    """Make the agent."""

    def answer(ask: Ask) -> Any:
        turn = sum(isinstance(message, AssistantMessage) for message in ask.messages)
        return "done" if turn == TURNS else ToolCall(f"c{turn}", "nothing", {"n": turn})

    nothing = Tool.as_("nothing").for_("Do nothing").with_integer_parameter("n", "Any").using(lambda n: "")
    nothing.with_crash_policy(policy)
    return Agent(policy, FunctionModel(answer), tools=[nothing], limits=Limits(max_steps=TURNS + 1))


def median(run: Callable[[], Any]) -> float:
    """Return the seconds of a run, the median of some."""
    took = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        run()
        took.append(time.perf_counter() - begun)
    return statistics.median(took)


def durable(url: str) -> tuple[float, float, float]:
    """Return the seconds of a run with one worker, of one whose calls are made at most once, and of reading events."""
    with DurableRuns(url, [agent(), agent("at_most_once")]) as runs:
        ids: list[str] = []

        def run(name: str) -> None:
            ids.append(runs.start(name, "Go").id)
            assert runs.result(ids[-1], timeout=300).text == "done"

        run("at_least_once")
        often, once = (median(partial(run, name)) for name in ("at_least_once", "at_most_once"))
        return often, once, median(lambda: list(runs.events(ids[-1], follow=False)))


def main() -> None:
    """Print the table."""
    plain = median(lambda: agent().run("Go"))
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    print(f"plain loop: {plain * 1000 / STEPS:.2f} ms a step")
    with tempfile.TemporaryDirectory() as folder, cluster(debian(), "no PostgreSQL") as server:
        create(server, "bench", "template0")
        for name, url in [
            ("SQLite", f"sqlite:///{Path(folder) / 'runs.db'}"),
            ("PostgreSQL", url_of(server, "bench")),
        ]:
            often, once, read = durable(url)
            print(
                f"{name}: {(often - plain) * 1000 / STEPS:.2f} ms a step more, and {(once - often) * 1000 / TURNS:.2f} ms "
                f"a call that is made at most once; all events read in {read * 1000:.1f} ms"
            )


if __name__ == "__main__":
    main()
