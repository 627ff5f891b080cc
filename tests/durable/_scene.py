"""
A run of ten tools with side effects, and a process that can be killed at any point of it.

The processes come from a fork server that has everything imported, since a new
interpreter would take longer than the run.
"""

import json
import multiprocessing
import os
import re
import signal
import threading
from pathlib import Path
from typing import Annotated, Any

import attrs
import sqlalchemy

from prismpy import Agent, AssistantMessage, Injected, RunContext, Tool, ToolCall
from prismpy.codecs import Ask
from prismpy.durable import DurableRuns
from prismpy.loop import faults
from prismpy.testing import FunctionModel

POLICIES = ("at_least_once", "at_most_once", "exactly_once")
TOOLS = {f"tool_{n}": POLICIES[n % 3] for n in range(10)}
TURNS = [[f"tool_{n}" for n in range(5)], [f"tool_{n}" for n in range(5, 10)]]
SPAWN = multiprocessing.get_context("forkserver")
SPAWN.set_forkserver_preload(["tests.durable._scene", "dbos", "filelock", "psycopg", "anyio._backends._asyncio"])

_WRITES = ("INSERT", "UPDATE")
_TABLES = ("prismpy_run", "operation_outputs")
_ABOUT = ("number", "position", "function_id", "stage")


@attrs.frozen
class Scene:
    """Where a run plays."""

    url: str
    effects: str
    """The outside store: a file that takes a line for each effect, and for each question to the model."""

    concurrent: bool
    kill_at: str | None = None
    """The name of the point at which the process kills itself."""

    def said(self) -> list[str]:
        """Return the lines of the outside store."""
        path = Path(self.effects)
        return path.read_text(encoding="utf-8").splitlines() if path.exists() else []

    def say(self, line: str) -> None:
        """Write a line that stays whatever happens to the process."""
        with Path(self.effects).open("a", encoding="utf-8") as file:
            file.write(line + "\n")


class Points:
    """
    Notes the points of a run, and ends the process at one of them.

    A point is named by what happens there, and not by how many came before: side by
    side, calls come by in any order, and a write may have to be tried again.
    """

    def __init__(self, kill_at: str | None) -> None:
        self.names: dict[str, None] = {}
        """In the order in which they were first come by."""
        self._kill_at = kill_at
        self._lock = threading.Lock()

    def __call__(self, name: str) -> None:
        with self._lock:
            self.names[name] = None
            if name == self._kill_at:
                os.kill(os.getpid(), signal.SIGKILL)

    def watch(self, engine: Any) -> None:
        """Have a point before and after each write that belongs to a run, and after the commit is another."""

        def before(connection: Any, cursor: Any, statement: str, parameters: Any, context: Any, many: bool) -> None:
            if _is_of_a_run(statement):
                self(f"before {_write(statement, context.compiled_parameters[0])}")

        def executed(connection: Any, cursor: Any, statement: str, parameters: Any, context: Any, many: bool) -> None:
            if _is_of_a_run(statement):
                write = _write(statement, context.compiled_parameters[0])
                connection.info.setdefault("writes", []).append(write)  # a transaction may pass from thread to thread

        def ended(connection: Any) -> list[str]:
            writes: list[str] = connection.info.pop("writes", [])
            return writes

        sqlalchemy.event.listen(engine, "before_cursor_execute", before)
        sqlalchemy.event.listen(engine, "after_cursor_execute", executed)
        sqlalchemy.event.listen(engine, "rollback", ended)
        _after_commit(engine, lambda connection: [self(f"after {write}") for write in ended(connection)[-1:]])


def _after_commit(engine: Any, after: Any) -> None:
    """Tell when a commit has been made; SQLAlchemy's own event comes before."""
    dialect, commit = engine.dialect, engine.dialect.do_commit

    def do_commit(connection: Any) -> None:
        commit(connection)
        after(connection)

    dialect.do_commit = do_commit


def _is_of_a_run(statement: str) -> bool:
    words = statement.split()
    return words[0] in _WRITES and any(table in statement for table in _TABLES)


def _write(statement: str, parameters: dict[str, Any]) -> str:
    """Name a write by its verb, its table and what it is about."""
    verb, table = re.match(r"\s*(INSERT INTO|UPDATE) (\S+)", statement).groups()  # type: ignore[union-attr]
    about = [f"{key} {parameters[key]}" for key in _ABOUT if key in parameters]
    return " ".join([verb, table, *about, *(["result"] if "result" in parameters else [])])


def agent_of(scene: Scene, point: Any) -> Agent:
    """Make an agent whose model calls five tools, then five more, then ends."""

    def answer(ask: Ask) -> Any:
        turn = sum(isinstance(message, AssistantMessage) for message in ask.messages)
        scene.say(f"model {turn}")
        point(f"model {turn}")
        if turn == len(TURNS):
            return "done"
        return [ToolCall(f"call_{turn}_{name}", name, {"n": turn}) for name in TURNS[turn]]

    tools = [_tool(scene, point, name, policy) for name, policy in TOOLS.items()]
    return Agent("ten", FunctionModel(answer), tools=tools)


def _tool(scene: Scene, point: Any, name: str, policy: Any) -> Tool:
    def outside(n: int, context: RunContext) -> str:
        point(f"before {name}")
        scene.say(f"{name} {context.idempotency_key}")
        point(f"after {name}")
        return f"{name} did {n}"

    def inside(n: int, connection: Annotated[sqlalchemy.Connection, Injected]) -> str:
        point(f"before {name}")
        connection.execute(sqlalchemy.text("INSERT INTO effects VALUES (:name)"), {"name": name})
        point(f"after {name}")
        return f"{name} did {n}"

    made = Tool.as_(name).for_("Do it").with_integer_parameter("n", "Which").with_crash_policy(policy)
    return made.concurrent(scene.concurrent).using(inside if policy == "exactly_once" else outside)


def play(scene: Scene, sender: Any) -> None:
    """Start the run, or go on with it, and tell how it went: `{"points", "before", "after", "results", "text"}`."""
    points = Points(scene.kill_at)
    with DurableRuns(scene.url, [agent_of(scene, points)]) as runs:
        for engine in {runs._sql.engine, runs._sql.lasting}:
            points.watch(engine)
        with runs._sql.write() as run:
            run("CREATE TABLE IF NOT EXISTS effects (name TEXT)")
        resumed = bool(runs.list())
        before = [(event.id, event.type) for event in runs.events("run", follow=False)] if resumed else []
        if not resumed:
            runs.start("ten", "Go", id="run")
        runs.work()
        response = runs.result("run", timeout=60)
        after = runs.events("run", after=before[-1][0] if before else None)
        told = {
            "points": list(points.names),
            "before": before,
            "after": [(event.id, event.type) for event in after],
            "results": [result.text for result in response.tool_results],
            "calls": [(record.tool, record.state, record.attempts) for record in runs.calls("run")],
            "effects": [row[0] for row in runs._sql.read("SELECT name FROM effects")],
            "faults": faults(response.messages),
            "text": response.text,
        }
    sender.send(json.dumps(told))
    sender.close()


def played(scene: Scene) -> dict[str, Any] | None:
    """Play in a process of its own; None if it was killed."""
    receiver, sender = SPAWN.Pipe(duplex=False)
    process = SPAWN.Process(target=play, args=(scene, sender))
    process.start()
    sender.close()
    try:
        told = json.loads(receiver.recv())
    except EOFError:
        told = None
    process.join()
    receiver.close()
    assert process.exitcode == (0 if told is not None else -signal.SIGKILL)
    return told
