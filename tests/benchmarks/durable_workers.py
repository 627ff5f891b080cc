"""
200 calls that wait 50 ms each, by one worker and by three on one PostgreSQL, five at once in each.

    python -m tests.benchmarks.durable_workers
"""

import time

from prismpy import Toolbox
from prismpy.durable import DurableRuns
from tests.durable._spread import CALLS, SECONDS, kill, spreader, workers
from tests.durable.conftest import create, url_of
from tests.postgres import cluster, debian


def seconds(url: str, *names: str, killed: str = "") -> tuple[float, dict[str, int]]:
    """Return how long the calls take, from start to result, and how many each worker ended."""
    with DurableRuns(url, [spreader()], serve=False) as runs:
        at_work = workers(url, *names)
        try:
            runs.start("spreader", "Go", id="warm")
            runs.result("warm", timeout=120)
            begun = time.perf_counter()
            runs.start("spreader", "Go", id="run")
            while killed and sum(record.worker == killed for record in runs.calls("run")) < CALLS // 20:
                time.sleep(0.01)
            if killed:
                kill(at_work[killed])
            runs.result("run", timeout=120)
            took = time.perf_counter() - begun
        finally:
            for process in at_work.values():
                kill(process)
        counts = {name: sum(record.worker == name for record in runs.calls("run")) for name in names}
    return took, counts


def main() -> None:
    """Print the table."""
    print(f"{CALLS} calls of {SECONDS * 1000:.0f} ms, five at once in each worker, PostgreSQL")
    agent = spreader()
    agent.toolbox = Toolbox(agent.toolbox, max_concurrency=5)
    begun = time.perf_counter()
    agent.run("Go")
    print(f"one process without an engine: {time.perf_counter() - begun:.2f} s")
    with cluster(debian(), "no PostgreSQL") as server:
        for place, (names, killed) in enumerate(
            [(("one",), ""), (("one", "two", "three"), ""), (("one", "two", "three"), "two")]
        ):
            create(server, f"bench_{place}", "template0")
            took, counts = seconds(url_of(server, f"bench_{place}"), *names, killed=killed)
            said = f", {killed!r} killed on the way" if killed else ""
            print(f"{len(names)} worker(s){said}: {took:.2f} s, {CALLS / took:.0f} calls/s, {counts}")


if __name__ == "__main__":
    main()
