"""Durable runs from the command line."""

import json
import runpy
import signal
import threading
from pathlib import Path

import pytest

from .conftest import Answer, Command

APP = """\
from prismpy import Agent, AssistantMessage, Tool, ToolCall
from prismpy.durable import DurableRuns
from prismpy.testing import FunctionModel


def model(ask):
    if any(isinstance(message, AssistantMessage) for message in ask.messages):
        return "done"
    return [ToolCall("a", "pay", {"amount": 5}), ToolCall("b", "look", {"where": "here"})]


pay = Tool.as_("pay").for_("Pay").with_integer_parameter("amount", "How much").using(lambda amount: "paid")
look = Tool.as_("look").for_("Look").with_string_parameter("where", "Where").external()
tools = [pay.requires_approval().with_crash_policy("at_most_once"), look]
agents = [Agent("payer", FunctionModel(model), tools=tools)]


def start():
    with DurableRuns("sqlite:///runs.db", agents, serve=False) as runs:
        runs.start("payer", "Pay", id="run")
"""

DATABASE = ("--database", "sqlite:///runs.db")


@pytest.fixture
def started(here: Path) -> None:
    """A run in a queue, and the app that it belongs to."""
    (here / "payer.py").write_text(APP)
    runpy.run_path("payer.py")["start"]()


def drained(prismpy: Command, *words: str) -> Answer:
    return prismpy("worker", *(words or ("payer.py:agents", *DATABASE)), "--name", "w", "--drain")


@pytest.mark.usefixtures("started")
def test_a_worker_drives_what_is_in_the_queue(prismpy: Command) -> None:
    """A run waits for its answers, and goes on with the next worker after they came."""
    assert prismpy("runs", "show", "run", *DATABASE) == Answer(0, "run: queued, agent payer\n")
    assert drained(prismpy) == Answer(0, "", "worker w drives payer\n")
    assert prismpy("runs", "show", "run", *DATABASE) == Answer(
        0,
        """\
run: waiting, agent payer
waits for approval of call a: pay {'amount': 5}
waits for answer of call b: look {'where': 'here'}
""",
    )
    assert prismpy("runs", "answer", "run", "a", "--yes", *DATABASE).out == "run: waiting\n"
    assert prismpy("runs", "answer", "run", "b", "--text", "nothing", *DATABASE).out == "run: running\n"
    assert drained(prismpy).code == 0
    assert prismpy("runs", "show", "run", *DATABASE).out.splitlines()[0] == "run: done, agent payer"
    told = json.loads(prismpy("runs", "show", "run", "--json", *DATABASE).out)
    assert [(call["tool"], call["policy"], call["state"]) for call in told["calls"]] == [
        ("pay", "at_most_once", "done"),
        ("look", "at_least_once", "done"),
    ]
    assert (told["text"], told["pending"]) == ("done", [])
    shown = prismpy("runs", "show", "run", *DATABASE).out
    assert [line.split()[:5] for line in shown.splitlines() if "done    1" in line] == [
        ["a", "pay", "at_most_once", "done", "1"],
        ["b", "look", "at_least_once", "done", "1"],
    ]
    assert shown.endswith("\ndone\n")


@pytest.mark.usefixtures("started")
def test_runs_are_listed_stopped_and_gone_on_with(prismpy: Command) -> None:
    """For people as a table, for programs as JSON."""
    assert [run["id"] for run in json.loads(prismpy("runs", "list", "--json", *DATABASE).out)] == ["run"]
    listed = prismpy("runs", "list", *DATABASE).out.splitlines()
    assert listed[1].split() == ["run", "agent", "status", "since", "(UTC)", "worker"]
    assert listed[3].split()[:3] == ["run", "payer", "queued"]
    assert prismpy("runs", "cancel", "run", *DATABASE).out == "run: cancelled\n"
    assert drained(prismpy).code == 0
    assert prismpy("runs", "resume", "run", *DATABASE).out == "run: queued\n"
    assert drained(prismpy).code == 0
    assert prismpy("runs", "answer", "run", "a", "--no", "too much", *DATABASE).code == 0


def test_there_may_be_no_runs(prismpy: Command, here: Path) -> None:
    """A database that nothing was started in."""
    (here / "payer.py").write_text(APP)

    assert drained(prismpy).code == 0
    assert prismpy("runs", "list", *DATABASE) == Answer(0, "no runs\n")


@pytest.mark.usefixtures("started")
def test_a_worker_ends_when_it_is_told_to(prismpy: Command) -> None:
    """By Ctrl-C, or politely by whoever watches over processes; a DurableRuns of a module says its own database."""
    (Path("mine.py")).write_text(APP + "\nruns = DurableRuns('sqlite:///runs.db', agents, worker='mine')\n")
    timer = threading.Timer(1.0, signal.raise_signal, [signal.SIGTERM])
    timer.start()

    assert prismpy("worker", "mine.py") == Answer(0, "", "worker mine drives payer\n")
    timer.join()
    assert drained(prismpy, "mine.py", *DATABASE).err == "worker w drives payer\n"


def test_what_is_not_there_is_told(prismpy: Command, here: Path) -> None:
    """No agents, no database, no run, no answer."""
    (here / "payer.py").write_text(APP)
    (here / "empty.py").write_text("x = 1\n")

    assert prismpy("worker", "empty.py", *DATABASE) == Answer(
        2, "", "prismpy: empty.py holds no agents; name a DurableRuns, an Agent or a list of agents\n"
    )
    assert prismpy("worker", "payer.py:agents.0") == Answer(
        2, "", "prismpy: no database is named; give its URL with --database, such as sqlite:///runs.db\n"
    )
    assert prismpy("runs", "list", *DATABASE) == Answer(
        2, "", "prismpy: runs.db is no file; name the database that the runs are in\n"
    )
    assert (
        prismpy("runs", "answer", "run", "a", *DATABASE).err
        == "prismpy: answer with one of --yes, --no WHY and --text TEXT\n"
    )
