"""Several workers: on one PostgreSQL, or one after the other."""

import os
import signal
import time
from collections import Counter
from pathlib import Path
from typing import Any

from prismpy import Agent, AssistantMessage, Tool, ToolCall
from prismpy.codecs import Ask
from prismpy.durable import DurableRuns, QueueLimits
from prismpy.testing import FunctionModel

from ._scene import SPAWN
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


QUEUES = {"send": QueueLimits()}


def sender(path: str) -> Agent:
    """Make an agent that sends a mail, in the middle of which its process ends."""

    def answer(ask: Ask) -> Any:
        return (
            "done" if any(isinstance(message, AssistantMessage) for message in ask.messages) else ToolCall("c", "send")
        )

    def send() -> str:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write("sent\n")
        os.kill(os.getpid(), signal.SIGKILL)
        return "never told"

    tool = Tool.as_("send").for_("Send it").using(send).with_crash_policy("at_most_once")
    return Agent("sender", FunctionModel(answer), tools=[tool])


def send_and_die(url: str, path: str) -> None:
    """Work until the tool ends the process."""
    with DurableRuns(url, [sender(path)], queues=QUEUES) as runs:
        runs.start("sender", "Go", id="run")
        runs.result("run", timeout=60)


def test_a_call_in_a_queue_is_under_its_policy(new_database: NewDatabase, tmp_path: Path) -> None:
    """The worker that made it was killed; the next one does not make it again, and tells the model."""
    url, path = new_database(), tmp_path / "sent"
    process = SPAWN.Process(target=send_and_die, args=(url, str(path)))
    process.start()
    process.join()
    with DurableRuns(url, [sender(str(path))], queues=QUEUES) as runs:
        runs.work()
        (result,) = runs.result("run", timeout=60).tool_results
        (record,) = runs.calls("run")

    assert process.exitcode == -signal.SIGKILL
    assert result.text.startswith("send: whether it took effect is not known: the program was ended while it ran")
    assert (record.state, record.attempts, path.read_text()) == ("unknown", 2, "sent\n")
