"""What the commands for durable runs do: find the agents of a target, drive their runs, show runs."""

import datetime
import signal
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import attrs
from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from prismpy.agent import Agent, Response
from prismpy.durable import CallRecord, DurableRun, DurableRuns
from prismpy.messages import Decision
from prismpy.schema import JSON

from ._output import Output, printable
from ._targets import held
from ._usage import UsageError

_LOOK = 0.2
"""Seconds between two looks whether there is anything left to do."""


def runs_of(target: str, database: str | None, name: str | None) -> DurableRuns:
    """
    Return durable runs for a worker.

    Args:
        target: `module`, `module:object`, `file.py` or `file.py:object`: a `DurableRuns`, an agent or a list of agents,
            or a module that has one of these.

        database: The URL; None for that of a `DurableRuns`.

        name: Of the worker; None for one that is made up.

    Raises:
        UsageError: if there are no agents in it, or there is no database.
    """
    found = held(target)
    ready = [each for each in found if isinstance(each, DurableRuns)]
    if ready and database is None and name is None:
        return ready[0]
    agents = list(_agents(found)) or [agent for each in ready for agent in each.agents]
    if not agents:
        msg = f"{target} holds no agents; name a DurableRuns, an Agent or a list of agents"
        raise UsageError(msg)
    if database is None:
        msg = "no database is named; give its URL with --database, such as sqlite:///runs.db"
        raise UsageError(msg)
    queues = ready[0].queues if ready else {}
    return DurableRuns(database, agents, worker=name, queues=queues)


def _agents(found: Iterable[Any]) -> Iterable[Agent]:
    for each in found:
        if isinstance(each, Agent):
            yield each
        elif isinstance(each, list | tuple):
            yield from (agent for agent in each if isinstance(agent, Agent))


def work(runs: DurableRuns, out: Output, drain: bool) -> None:
    """Drive runs until Ctrl-C or a polite end of the process, or until nothing is left to do."""
    with _until_told() as over:
        runs.work()
        out.note(f"worker {runs.worker} drives {', '.join(agent.name for agent in runs.agents)}")
        while not over.wait(_LOOK):
            if drain and runs.idle:
                return


def answer_of(yes: bool, no: str | None, text: str | None) -> Any:
    """
    Return the one answer that was given.

    Raises:
        UsageError: if there is none, or more than one.
    """
    chosen = (Decision(True) if yes else None, None if no is None else Decision(False, no), text)
    given = [each for each in chosen if each is not None]
    if len(given) != 1:
        msg = "answer with one of --yes, --no WHY and --text TEXT"
        raise UsageError(msg)
    return given[0]


@contextmanager
def opened(database: str) -> Iterator[DurableRuns]:
    """
    Open a database, to look at its runs.

    Raises:
        UsageError: if it is a file that is not there.
    """
    path = Path(database.removeprefix("sqlite:///"))
    if database.startswith("sqlite:///") and not path.exists():
        msg = f"{path} is no file; name the database that the runs are in"
        raise UsageError(msg)
    with DurableRuns(database, serve=False) as runs:
        yield runs


@contextmanager
def _until_told() -> Iterator[threading.Event]:
    """Lend an event that is set by Ctrl-C, or by who ends the process politely."""
    over = threading.Event()
    before = {number: signal.signal(number, lambda *_: over.set()) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield over
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _time(seconds: float) -> str:
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC).isoformat(" ", "seconds").removesuffix("+00:00")


def _answer(run: DurableRun) -> str:
    return Response(run.state).text if run.status == "done" else ""


def overview(found: tuple[DurableRun, ...]) -> RenderableType:
    """Render runs as a table with one row each."""
    if not found:
        return Text("no runs")
    table = Table("run", "agent", "status", "since (UTC)", "worker", box=box.SIMPLE_HEAD, pad_edge=False)
    for run in found:
        table.add_row(*map(printable, (run.id, run.agent, run.status, _time(run.created), run.worker)))
    return table


def details(run: DurableRun, calls: tuple[CallRecord, ...]) -> Iterator[RenderableType]:
    """Render how a run stands, what it waits for, its calls and its answer."""
    yield Text(printable(f"{run.id}: {run.status}, agent {run.agent}{f', {run.error}' if run.error else ''}"))
    for each in run.pending:
        yield Text(printable(f"waits for {each.needs} of call {each.call.id}: {each.call.name} {each.call.decoded}"))
    if calls:
        table = Table("call", "tool", "policy", "state", "attempts", "digest", box=box.SIMPLE_HEAD, pad_edge=False)
        for call in calls:
            row = (call.call_id, call.tool, call.policy, call.state, str(call.attempts), call.digest[:12])
            table.add_row(*map(printable, row))
        yield table
    if text := _answer(run):
        yield Text(printable(text))


def as_json(run: DurableRun, calls: tuple[CallRecord, ...] | None = None) -> dict[str, JSON]:
    """Tell a run to programs; with its calls, its answer too."""
    told: dict[str, JSON] = {
        "id": run.id,
        "agent": run.agent,
        "status": run.status,
        "error": run.error,
        "worker": run.worker,
        "created": run.created,
        "updated": run.updated,
        "pending": [each.to_dict() for each in run.pending],
    }
    if calls is None:
        return told
    return {**told, "calls": [attrs.asdict(call) for call in calls], "text": _answer(run)}
