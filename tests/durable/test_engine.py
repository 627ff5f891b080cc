"""What is set in the engine, and why: each of these was a trap."""

import gc
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
import sqlalchemy

from prismpy import Agent, DefinitionError, StoreError, Tool, ToolCall
from prismpy.durable import DurableRuns, QueueLimits
from prismpy.durable._dbos import Worker
from prismpy.durable._held import Held
from prismpy.durable._workplace import _Watch
from prismpy.testing import ScriptedModel

from .conftest import NewDatabase


def agent() -> Agent:
    greet = Tool.as_("greet").using(lambda: "hello")
    return Agent("greeter", ScriptedModel([ToolCall("c", "greet"), "done"]), tools=[greet])


@pytest.fixture
def runs(new_database: NewDatabase) -> Iterator[DurableRuns]:
    with DurableRuns(new_database(), [agent()], queues={"greet": QueueLimits(5, 2, (100, 1.0))}) as found:
        yield found


def table(runs: DurableRuns, name: str) -> str:
    return name if runs._sql.path else f"dbos.{name}"


def test_nothing_is_pickled_and_the_version_is_ours(runs: DurableRuns) -> None:
    """Orders, steps and results are JSON; a hash of the source, the default, would leave runs to nobody after an edit."""
    runs.start("greeter", "Hi", id="run")
    runs.result("run", timeout=60)
    steps = runs._sql.read(f"SELECT DISTINCT serialization FROM {table(runs, 'operation_outputs')}")
    orders = runs._sql.read(f"SELECT DISTINCT serialization, application_version FROM {table(runs, 'workflow_status')}")

    assert steps == [("portable_json",)]
    assert orders == [("portable_json", "prismpy-1")]


def test_queues_are_looked_into_twenty_times_a_second(runs: DurableRuns) -> None:
    """The default is once; limits are those of the tool."""
    runs.work()
    columns = "concurrency, worker_concurrency, rate_limit_max, rate_limit_period_sec, polling_interval_sec"
    rows = runs._sql.read(f"SELECT name, {columns} FROM {table(runs, 'queues')} ORDER BY name")

    assert rows == [
        ("prismpy.calls.greet", 5, 2, 100, 1.0, 0.05),
        ("prismpy.runs.greeter", None, None, None, None, 0.05),
    ]


def test_sqlite_has_a_write_ahead_log(new_sqlite: NewDatabase) -> None:
    """And does not wait for the disk at each step: a killed process loses nothing by that."""
    with DurableRuns(new_sqlite(), serve=False) as runs:
        assert runs._sql.read("PRAGMA journal_mode") == [("wal",)]
        assert runs._sql.read("PRAGMA synchronous") == [(1,)]
        with runs._sql.write(lasting=True) as run:
            assert run("PRAGMA synchronous").scalar_one() == 2


@pytest.mark.parametrize(("thread", "locked"), [("queue-worker-x", True), ("another", False)])
def test_limits_of_a_queue_are_looked_at_alone_on_sqlite(new_sqlite: NewDatabase, thread: str, locked: bool) -> None:
    """A worker counts what is under way before it takes more, and nobody takes any in between."""
    with DurableRuns(new_sqlite(), serve=False) as runs:
        found: list[bool] = []

        def count() -> None:
            with runs._sql.engine.begin() as connection:
                connection.execute(
                    sqlalchemy.select(sqlalchemy.func.count()).select_from(sqlalchemy.text("prismpy_runs"))
                )
                found.append(connection.connection.dbapi_connection.in_transaction)

        counting = threading.Thread(target=count, name=thread)
        counting.start()
        counting.join()

    assert found == [locked]


def test_what_somebody_was_told_outlasts_a_power_cut(new_sqlite: NewDatabase) -> None:
    """Starts and answers wait for the disk, and nothing else of a run whose calls may be made twice."""
    tools: list[Any] = [Tool.as_("pay").using(lambda: "paid").requires_approval()]
    payer = Agent("payer", ScriptedModel([ToolCall("c", "pay"), "done"]), tools=tools)
    with DurableRuns(new_sqlite(), [payer]) as runs:
        waited: list[str] = []
        sqlalchemy.event.listen(runs._sql.lasting, "commit", lambda _: waited.append(stage))
        stage = "start"
        runs.start("payer", "Pay", id="run")
        stage = "work"
        runs.result("run", timeout=60)
        stage = "answer"
        runs.answer("run", {"c": True})
        stage = "more work"
        runs.result("run", timeout=60)

        assert waited == ["start", "answer"]


def test_closing_lets_go_of_every_connection(new_postgres: NewDatabase) -> None:
    """Those that the engine's threads had in hand just then, too, which nobody would close else."""
    url = new_postgres()
    others = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    with psycopg.connect(url, autocommit=True) as watcher:
        gc.disable()  # it would close what nobody holds on to any more
        try:
            for number in range(8):
                with DurableRuns(url, [agent()]) as runs:
                    for place in range(4):
                        runs.start("greeter", "Hi", id=f"{number}-{place}")
            deadline = time.monotonic() + 10
            while watcher.execute(others).fetchone() != (0,):  # the server takes a moment to notice
                assert time.monotonic() < deadline
                time.sleep(0.01)
        finally:
            gc.enable()


def test_the_engine_is_imported_when_it_is_needed() -> None:
    """It takes a second."""
    code = "import sys, prismpy.durable; print({'dbos', 'sqlalchemy', 'anyio'} & sys.modules.keys())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout == "set()\n"


def test_a_database_is_a_file_or_a_server() -> None:
    """Nothing that ends with the process, and no other kind."""
    for url in ("sqlite://", "sqlite:///:memory:", "mysql://host/runs", "runs.db"):
        with pytest.raises(DefinitionError, match=r"durable runs got the database '.*'; pass sqlite:///FILE"):
            DurableRuns(url)


def test_tables_of_a_later_release_are_left_alone(new_database: NewDatabase) -> None:
    """Whoever made them knows what they mean."""
    url = new_database()
    with DurableRuns(url, serve=False) as runs, runs._sql.write() as run:
        run("UPDATE prismpy_versions SET version = 99 WHERE component = 'durable'")

    with pytest.raises(StoreError, match=r"the tables of 'durable' are of version 99"):
        DurableRuns(url)


def test_exactly_once_needs_a_connection(new_sqlite: NewDatabase) -> None:
    """Effects elsewhere cannot be undone with the record, so such a tool would promise what it does not keep."""
    tools: list[Any] = [Tool.as_("pay").using(lambda: "paid").with_crash_policy("exactly_once")]
    with (
        DurableRuns(new_sqlite(), [Agent("payer", ScriptedModel([]), tools=tools)]) as runs,
        pytest.raises(DefinitionError, match=r"tool 'pay' is exactly_once, which holds for what it writes through"),
    ):
        runs.work()


def test_a_queue_has_nobody_to_ask(new_sqlite: NewDatabase) -> None:
    """A function that approves stays in its process, so such calls would never be agreed to."""
    tools: list[Any] = [Tool.as_("pay").using(lambda: "paid").requires_approval()]
    agent = Agent("payer", ScriptedModel([]), tools=tools, approve=lambda call: True)
    with (
        DurableRuns(new_sqlite(), [agent], queues={"pay": QueueLimits()}) as runs,
        pytest.raises(DefinitionError, match=r"tool 'pay' goes through a queue, where no function can be asked"),
    ):
        runs.work()


class Unreadable(dict[str, Any]):
    """Workflows that cannot be had."""

    def items(self) -> Any:
        raise OSError("no disk")


def test_a_worker_that_cannot_begin_leaves_nothing_behind(new_sqlite: NewDatabase) -> None:
    """The next one in the process can."""
    url = new_sqlite()
    with DurableRuns(url, [agent()]) as runs:
        with pytest.raises(OSError, match="no disk"):
            Worker(runs._sql, "w", Unreadable(), [], Held(()))
        runs.start("greeter", "Hi", id="run")

        assert runs.result("run", timeout=60).text == "done"


def test_looking_after_dead_workers_outlives_a_database_that_is_away(caplog: pytest.LogCaptureFixture) -> None:
    """It is told, and looked again."""
    looks: list[int] = []
    enough = threading.Event()

    def look() -> None:
        looks.append(1)
        if len(looks) == 1:
            raise LookupError("away")
        enough.set()

    watch = _Watch(look)
    assert enough.wait(30)
    watch.stop()

    assert [record.message for record in caplog.records] == ["could not look after dead workers"]
