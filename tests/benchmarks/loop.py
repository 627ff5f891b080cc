"""
What a step of an agent costs, beside five other libraries, each as a multiple of ours in the same run.

    python -m tests.benchmarks.loop
    python -m tests.benchmarks.loop --rounds 50         more rounds, steadier medians
    python -m tests.benchmarks.loop --without-peers     ours only

A loop is 30 steps over a model in the same process: 29 calls of a tool that adds two numbers, then words; once with
whole answers, once streamed, with every event. All that is counted is the library's: the model answers at once, the
tool does nothing. Each peer runs in an environment of its own, which is built where there is none yet; its versions
are the newest that agree with what is installed here.

A round runs every library in turn, so that a machine that slows down slows all of them, and counts the processor's
seconds, so that what else runs counts for nothing. A figure is the median of the rounds.
"""

import argparse
import statistics
from contextlib import ExitStack
from pathlib import Path

from tests.benchmarks._loops import LOOPS, STEPS, Worker
from tests.benchmarks.callables import CACHE

WAYS = ("run", "stream")


def measured(workers: dict[str, Worker], rounds: int) -> dict[tuple[str, str], list[float]]:
    """Return library and way to the seconds of each round."""
    found: dict[tuple[str, str], list[float]] = {(library, way): [] for library in workers for way in WAYS}
    for _ in range(rounds):
        for (library, way), times in found.items():
            times.append(workers[library].seconds(way))
    return found


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--without-peers", action="store_true")
    parser.add_argument("--cache", type=Path, default=CACHE, help="where environments are built (default: %(default)s)")
    options = parser.parse_args()
    libraries = ["prismpy"] if options.without_peers else list(LOOPS)
    with ExitStack() as stack:
        workers = {}
        for library in libraries:
            workers[library] = Worker(library, options.cache)
            stack.callback(workers[library].close)
        times = measured(workers, options.rounds)
    print(f"{'':<24}{'run':>8}{'stream':>8}{'run µs':>10}{'stream µs':>11}")
    for library, worker in workers.items():
        ratios = [
            statistics.median(
                theirs / ours for theirs, ours in zip(times[library, way], times["prismpy", way], strict=True)
            )
            for way in WAYS
        ]
        steps = [statistics.median(times[library, way]) / STEPS * 1e6 for way in WAYS]
        name = f"{library} {worker.release}"
        print(f"{name:<24}{ratios[0]:>8.2f}{ratios[1]:>8.2f}{steps[0]:>10.0f}{steps[1]:>11.0f}")


if __name__ == "__main__":
    main()
