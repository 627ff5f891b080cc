"""Several workers on one PostgreSQL."""

import time
from collections import Counter

from prismpy.durable import DurableRuns

from ._spread import CALLS, kill, spreader, workers
from .conftest import NewDatabase


def test_three_workers_share_two_hundred_calls_though_one_is_killed(new_postgres: NewDatabase) -> None:
    """All calls come to their results; what the dead one had under way is done by the others."""
    url = new_postgres()
    names = ("one", "two", "three")
    with DurableRuns(url, [spreader()], serve=False) as runs:
        at_work = workers(url, *names)
        try:
            runs.start("spreader", "Go", id="run")
            deadline = time.monotonic() + 60
            while Counter(record.worker for record in runs.calls("run"))["two"] < CALLS // 20:
                assert time.monotonic() < deadline
                time.sleep(0.01)
            kill(at_work["two"])
            response = runs.result("run", timeout=60)
        finally:
            for process in at_work.values():
                kill(process)
        records = runs.calls("run")

    assert [result.text for result in response.tool_results] == [str(n * n) for n in range(CALLS)]
    assert {record.state for record in records} == {"done"}
    assert {record.worker for record in records if record.attempts == 1} == set(names)
    assert all(record.attempts <= 2 for record in records)
