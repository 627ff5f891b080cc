"""What crosses processes: approvals that outlive a restart, two who answer at once, agents that were changed meanwhile."""

import os
import signal
import time
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

import pytest

from prismpy import Agent, AnsweredError, AssistantMessage, Decision, Tool, ToolCall
from prismpy.codecs import Ask
from prismpy.durable import DurableRuns
from prismpy.durable._alive import _number
from prismpy.testing import FunctionModel

from ._scene import SPAWN
from .conftest import NewDatabase


def payer(said: str = "paid") -> Agent:
    """Make an agent that pays once somebody agrees; another release of the app says it in other words."""

    def answer(ask: Ask) -> Any:
        if any(isinstance(message, AssistantMessage) for message in ask.messages):
            return "done"
        return ToolCall("c", "pay", {"amount": 5})

    pay = Tool.as_("pay").using(lambda amount: f"{said} {amount}").with_integer_parameter("amount", "How much")
    return Agent("payer", FunctionModel(answer), tools=[pay.requires_approval()])


def ask_and_die(url: str) -> None:
    """Start a run, wait until it asks, and be killed."""
    with DurableRuns(url, [payer()]) as runs:
        runs.start("payer", "Pay", id="run")
        runs.result("run", timeout=60)
        os.kill(os.getpid(), signal.SIGKILL)


def answer_it(url: str, number: int, barrier: Barrier, sender: Any) -> None:
    """Answer when everybody is ready, and tell how that went."""
    with DurableRuns(url, serve=False) as runs:
        runs.get("run")
        barrier.wait(60)
        try:
            runs.answer("run", {"c": Decision(True, arguments={"amount": number})})
        except AnsweredError as error:
            sender.send(str(error))
        else:
            sender.send(number)


@pytest.fixture
def asked(new_database: NewDatabase) -> str:
    """A database with a run that waits for approval, and nobody at work."""
    url = new_database()
    process = SPAWN.Process(target=ask_and_die, args=(url,))
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    return url


def test_an_approval_that_was_asked_before_a_restart_is_answered_after_it(asked: str) -> None:
    """Two processes answer at once: one wins, the other is told; then a new process goes on with the run."""
    barrier = SPAWN.Barrier(2)
    receiver, sender = SPAWN.Pipe(duplex=False)
    processes = [SPAWN.Process(target=answer_it, args=(asked, number, barrier, sender)) for number in (1, 2)]
    for process in processes:
        process.start()
    told = [receiver.recv() for _ in processes]
    for process in processes:
        process.join()

    (winner,) = [each for each in told if isinstance(each, int)]
    (loser,) = [each for each in told if isinstance(each, str)]
    assert loser == "somebody else has answered 'c' before; look at the run to see what it came to"
    with DurableRuns(asked, [payer()]) as runs:
        runs.work()
        response = runs.result("run", timeout=60)
    assert [result.text for result in response.tool_results] == [f"paid {winner}"]


def test_a_wait_may_take_days(asked: str) -> None:
    """The engine waits for a day at once; here that day was over long ago, and so the run waits anew."""
    with DurableRuns(asked, [payer()]) as runs:
        runs.work()
        waits(runs, 1)
    with DurableRuns(asked, serve=False) as runs, runs._sql.write() as run:
        run(f"UPDATE {steps(runs)} SET output = '1.5' WHERE function_name = 'DBOS.sleep'")
    with DurableRuns(asked, [payer()]) as runs:
        runs.work()
        waits(runs, 2)
        runs.answer("run", {"c": True})

        assert [result.text for result in runs.result("run", timeout=60).tool_results] == ["paid 5"]


def steps(runs: DurableRuns) -> str:
    """Return the name of the engine's table."""
    return "operation_outputs" if runs._sql.path else "dbos.operation_outputs"


def waits(runs: DurableRuns, count: int) -> None:
    """Wait until the engine has noted so often until when it waits."""
    deadline = time.monotonic() + 60
    while len(runs._sql.read(f"SELECT 1 FROM {steps(runs)} WHERE function_name = 'DBOS.sleep'")) < count:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_changed_app_goes_on_with_runs_that_were_begun_before(asked: str) -> None:
    """The version of the workflow is ours, so that an edit of the app leaves no run behind."""
    with DurableRuns(asked, [payer("transferred")]) as runs:
        runs.answer("run", {"c": True})
        response = runs.result("run", timeout=60)

    assert [result.text for result in response.tool_results] == ["transferred 5"]


def test_nobody_takes_over_from_a_worker_that_is_alive(new_database: NewDatabase) -> None:
    """Its lock tells, not the clock; that of a dead one is free."""
    url = new_database()
    with DurableRuns(url, [payer()]) as runs, DurableRuns(url, serve=False) as other:
        runs.start("payer", "Pay", id="run")
        runs.result("run", timeout=60)

        assert other.recover() == ()
        runs.close()
        assert other.recover() == ("run",)
        assert other.get("run").status == "queued"


def test_a_worker_takes_only_runs_of_agents_it_knows(new_database: NewDatabase, tmp_path: Path) -> None:
    """The others stay in their queue until somebody comes who does."""
    url = new_database()
    with DurableRuns(url, [payer()], serve=False) as runs:
        runs.start("payer", "Pay", id="run")
    with DurableRuns(url, [Agent("other", FunctionModel(lambda ask: "hi"))]) as runs:
        runs.start("other", "Hi", id="other")
        runs.result("other", timeout=60)

        assert runs.get("run").status == "queued"
    with DurableRuns(url, [payer()]) as runs:
        runs.resume("run")
        assert runs.result("run", timeout=60).pending


def test_a_dead_workers_run_is_taken_over_by_one_that_is_at_work(asked: str) -> None:
    """Without being told to: every worker looks once a second."""
    deadline = time.monotonic() + 60
    with DurableRuns(asked, [payer()], worker="second") as runs:
        runs.work()
        while runs.get("run").worker != "second":
            assert time.monotonic() < deadline
            time.sleep(0.01)
        runs.answer("run", {"c": True})
        assert runs.result("run", timeout=60).text == "done"


def test_a_worker_whose_connection_was_lost_gets_its_lock_again(new_postgres: NewDatabase) -> None:
    """As after a restart of the server; else the others would think it dead for ever."""
    url = new_postgres()
    key = _number("mine")
    held = f"SELECT pid FROM pg_locks WHERE classid = {key >> 32} AND objid = {key & 0xFFFFFFFF}"
    with DurableRuns(url, [payer()], worker="mine") as runs, DurableRuns(url, serve=False) as other:
        runs.start("payer", "Pay", id="run")
        runs.result("run", timeout=60)
        ((before,),) = other._sql.read(held)
        other._sql.read("SELECT pg_terminate_backend(:pid)", pid=before)
        deadline = time.monotonic() + 60
        while other._sql.read(held) in ([], [(before,)]):
            assert time.monotonic() < deadline
            time.sleep(0.01)

        assert other.recover() == ()
        runs.answer("run", {"c": True})
        assert runs.result("run", timeout=60).text == "done"
