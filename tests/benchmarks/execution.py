"""
What running a call costs, as multiples of a bare `json.loads` plus function call in the same run.

    python tests/benchmarks/execution.py
    python tests/benchmarks/execution.py --without-rust     as if jsonschema-rs were not installed
    python tests/benchmarks/execution.py --rounds 500       more rounds, steadier figures
    python -m tests.benchmarks.execution --peers            and five other libraries, a right and a refused call

Rows of the first table, each from JSON text to `ToolResult`, validated: a right call, sync and async; arguments
that are refused, that are repaired; a handler that raises. A round times the bare call and every row in turn. Whatever
else runs on the machine only ever adds, so the figure is the fastest round of the row over the fastest of the bare call.

Rows of the second, as multiples of the time that one of the calls takes, each the fastest of several: blocking tools
that run together in one async turn, async ones, and the growth of memory over 100,000 calls.

Peers run in environments of their own, which are built where there are none yet, each beside the bare call in its own
process. They are given the text of the arguments, decoded by `json.loads` where they take objects; theirs is what the
library does with one call of a tool, be it validation alone or a result as its protocol has it.
"""

import argparse
import asyncio
import gc
import json
import math
import sys
import time
import tracemalloc
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

from prismpy import Tool, Toolbox, ToolCall, tool

TEXT: Final = '{"city": "Paris", "days": 3}'
WRONG: Final = '{"city": "Paris", "days": "soon"}'
REPAIRABLE: Final = '{"city": "Paris", "days": "3"}'


def forecast(city: str, days: int = 1) -> str:
    """Tell the weather."""
    return f"Sunny in {city} for {days} days"


async def aforecast(city: str, days: int = 1) -> str:
    """Tell the weather."""
    return f"Sunny in {city} for {days} days"


def boom(city: str, days: int = 1) -> str:
    """Fail."""
    raise ValueError(city)


# --- one call -----------------------------------------------------------------------------------------------


def timed(work: Callable[[], Any], calls: int) -> float:
    """Return the seconds that so many calls take."""
    started = time.perf_counter()
    for _ in range(calls):
        work()
    return time.perf_counter() - started


async def atimed(work: Callable[[], Awaitable[Any]], calls: int) -> float:
    """Return the seconds that so many awaited calls take."""
    started = time.perf_counter()
    for _ in range(calls):
        await work()
    return time.perf_counter() - started


def one_call(rounds: int, calls: int = 200) -> dict[str, float]:
    """Measure single calls: row to multiple of the bare call."""
    made, amade, failing = tool(forecast), tool(aforecast), tool(boom)
    rows: dict[str, Callable[[], Any]] = {
        "bare": lambda: forecast(**json.loads(TEXT)),
        "sync": lambda: made.run(TEXT),
        "refused": lambda: made.run(WRONG),
        "repaired": lambda: made.run(REPAIRABLE),
        "handler raises": lambda: failing.run(TEXT),
    }
    arows: dict[str, Callable[[], Awaitable[Any]]] = {
        "async bare": lambda: aforecast(**json.loads(TEXT)),
        "async": lambda: amade.arun(TEXT),
    }
    fastest = dict.fromkeys([*rows, *arows], math.inf)
    with asyncio.Runner() as runner:
        gc.disable()
        for _ in range(rounds):
            for row, work in rows.items():
                fastest[row] = min(fastest[row], timed(work, calls))
            for row, awork in arows.items():
                fastest[row] = min(fastest[row], runner.run(atimed(awork, calls)))
            gc.collect()
        gc.enable()
    return {row: fastest[row] / fastest[BARE.get(row, "bare")] for row in fastest if row not in BARE.values()}


BARE: Final = {"async": "async bare", "sync": "bare"}
"""Row to what it is a multiple of; the bare sync call for the others."""


# --- many calls ---------------------------------------------------------------------------------------------


def turn(made: Tool, calls: int) -> float:
    """Return the seconds that a turn of so many calls takes, the loop's own start aside."""
    box, batch = Toolbox([made]), [ToolCall(str(number), made.spec.name) for number in range(calls)]

    async def run() -> float:
        started = time.perf_counter()
        await box.arun(batch)
        return time.perf_counter() - started

    return asyncio.run(run())


def many_calls() -> dict[str, float]:
    """Measure turns of calls that run together: row to multiple of one call."""
    blocking = tool(lambda: time.sleep(0.05), name="blocking").concurrent()
    waiting = tool(_wait, name="waiting").concurrent()
    one_blocking, one_waiting = best(blocking, 1), best(waiting, 1)
    return {
        "16 blocking calls of 50 ms": best(blocking, 16) / one_blocking,
        "100 async calls of 10 ms": best(waiting, 100) / one_waiting,
        "1,000 async calls of 10 ms": best(waiting, 1000) / one_waiting,
    }


def best(made: Tool, calls: int, repeats: int = 7) -> float:
    """Return the seconds of the fastest of several turns: whatever else runs on the machine only ever adds."""
    return min(turn(made, calls) for _ in range(repeats))


async def _wait() -> str:
    await asyncio.sleep(0.01)
    return "ok"


def growth(calls: int = 100_000) -> int:
    """Return by how many bytes the memory grew over so many calls."""
    made = tool(forecast)
    timed(lambda: made.run(TEXT), 1000)
    tracemalloc.start()
    timed(lambda: made.run(TEXT), 10)
    before = tracemalloc.get_traced_memory()[0]
    timed(lambda: made.run(TEXT), calls)
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return after - before


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--without-rust", action="store_true")
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--cache", type=Path, help="where their environments are built")
    options = parser.parse_args()
    if options.without_rust:
        sys.modules["jsonschema_rs"] = None  # type: ignore[assignment]
    print("one call, as multiples of json.loads and the function")
    for row, ratio in one_call(options.rounds).items():
        print(f"  {row:<28} {ratio:6.2f}")
    print("a turn, as multiples of one call")
    for row, ratio in many_calls().items():
        print(f"  {row:<28} {ratio:6.2f}")
    print(f"bytes grown over 100,000 calls {growth():6}")
    if options.peers:
        peers(options.rounds, options.cache)


def peers(rounds: int, cache: Path | None) -> None:
    """Print what a right and a refused call cost elsewhere."""
    from tests.benchmarks import _calls  # only with --peers, since a script does not find it
    from tests.benchmarks.callables import CACHE

    print(f"{'elsewhere':<30} {'right':>6} {'refused':>8}")
    for library in _calls.CALLS:
        found = _calls.run(library, rounds, cache or CACHE)
        print(f"  {library + ' ' + found['release']:<28} {found['right']:6.1f} {found['refused']:8.1f}")


if __name__ == "__main__":
    main()
