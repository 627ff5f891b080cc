"""
DBOS, the engine under durable runs. Nothing else here knows it.

It is one engine a process and takes a second to import, so it is imported late.

Source: dbos 3.4.0, `_dbos.py`, `_client.py`, `_core.py`, `_queue.py` (read 2026-11).
"""

import logging
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from typing import Any, Final

import attrs

from prismpy.errors import DurableError

from ._held import Held, Workflow
from ._sql import Sql

VERSION: Final = "prismpy-1"
"""
Of the workflow, not of the app. DBOS takes a hash of the source otherwise, and
leaves runs that were begun before an edit to nobody.
"""

_APP: Final = "prismpy"

POLL: Final = 0.05
"""Seconds between two looks into a queue; the default is one second."""

_LISTEN: Final = 0.2
"""Seconds between two looks, on SQLite, for messages to each run that waits for one; PostgreSQL tells of them."""

_PATIENCE: Final = 10.0
"""Seconds that a thread of the engine gets to end."""

_FAILED: Final = ("ERROR", "MAX_RECOVERY_ATTEMPTS_EXCEEDED")

_ENDED: Final = ["SUCCESS", "CANCELLED", *_FAILED]


@attrs.frozen
class QueueLimits:
    """How much of a queue may run at once."""

    concurrency: int | None = None
    """Calls at once in all processes; None for no limit."""

    per_worker: int | None = None
    """Calls at once in each process."""

    rate: tuple[int, float] | None = None
    """At most so many calls are begun in so many seconds, in all processes."""


@attrs.frozen
class Status:
    """What the engine knows of a run."""

    id: str
    word: str
    """Such as `PENDING`, which is under way, or `ENQUEUED`."""

    worker: str
    queue: str
    created: float
    updated: float
    error: str


class Client:
    """What can be done to runs from any process, whether or not it drives any."""

    def __init__(self, sql: Sql) -> None:
        dbos = package()
        dbos.DBOS.migrate(sql.url)
        self._sql = sql
        self._client = dbos.DBOSClient(
            system_database_engine=sql.engine, serializer=dbos.DBOSPortableJSONSerializer(), application_name=_APP
        )

    def close(self) -> None:
        """Let go of the database."""
        self._client.destroy()

    def queue(self, name: str, limits: QueueLimits = QueueLimits()) -> None:
        """Make a queue, or change its limits."""
        rate = None if limits.rate is None else {"limit": limits.rate[0], "period": limits.rate[1]}
        self._client.register_queue(
            name,
            global_concurrency=limits.concurrency,
            worker_concurrency=limits.per_worker,
            limiter=rate,
            polling_interval_sec=POLL,
            on_conflict="always_update",
        )

    def enqueue(self, connection: Any, workflow: str, queue: str, id: str, order: Any) -> None:
        """Put a workflow into a queue, in a transaction."""
        self._client.enqueue_in_transaction(connection, _options(workflow, queue, id), order)

    def call(self, workflow: str, queue: str, id: str, order: Any) -> None:
        """Put a workflow into a queue, or have the one of that id end well, if it has not."""
        match [status.word for status in self.statuses(workflow_ids=[id])]:
            case ["CANCELLED"]:
                self.resume(id, queue)
            case [word] if word in _FAILED:
                self.rewind(id, queue, 1)
            case _:
                self._client.enqueue(_options(workflow, queue, id), order)

    def ended(self, ids: Iterable[str]) -> list[str]:
        """Return those of some workflows that have come to an end."""
        return [status.id for status in self.statuses(workflow_ids=list(ids), status=_ENDED)]

    def outcome(self, id: str) -> Any:
        """
        Return what a workflow came to that has ended.

        Raises:
            Exception: if it failed or was cancelled.
        """
        return self._client.retrieve_workflow(id).get_result(polling_interval_sec=POLL)

    def send(self, connection: Any, id: str, message: Any, topic: str) -> None:
        """Send a message to a run, in a transaction."""
        self._client.send_in_transaction(connection, id, message, topic)

    def cancel(self, id: str, topic: str) -> None:
        """Cancel a workflow; it notices before its next step, within a second in one, and where it waits on a topic."""
        self._client.cancel_workflow(id)
        self._client.send(id, None, topic)

    def resume(self, id: str, queue: str) -> None:
        """Put a run that is not at its end back into its queue."""
        self._client.resume_workflow(id, queue_name=queue)

    def rewind(self, id: str, queue: str, step: int) -> None:
        """Forget what a run that is at its end has done from a step on, and put it back into its queue."""
        self._client.rewind_workflow(id, start_step=max(step, 1), queue_name=queue, application_version=VERSION)

    def statuses(self, **only: Any) -> list[Status]:
        """List runs, newest first."""
        found = self._client.list_workflows(sort_desc=True, load_input=False, load_output=False, **only)
        return [_status(each) for each in found]


class Worker:
    """
    The engine of this process, at work.

    Args:
        sql: The database.

        name: Id of the worker.

        workflows: By name.

        queues: Names of the queues it takes work from.

        held: What is to be open on its event loop.

    Raises:
        DurableError: if there is one in this process already.

        Exception: what could not be opened raised.
    """

    _only: threading.Lock = threading.Lock()

    def __init__(
        self, sql: Sql, name: str, workflows: Mapping[str, Workflow], queues: Iterable[str], held: Held
    ) -> None:
        if not Worker._only.acquire(blocking=False):
            msg = "this process drives durable runs already, and an engine of DBOS is one a process; close those first"
            raise DurableError(msg)
        self._engine: Any = None
        self._held = held
        with ExitStack() as stack:
            stack.callback(self.close)
            _in_thread(lambda: self._launch(sql, name, workflows, list(queues)))
            held.open(self._loop())
            stack.pop_all()

    def _launch(self, sql: Sql, name: str, workflows: Mapping[str, Workflow], queues: list[str]) -> None:
        """Launch it in a thread without an event loop, else DBOS would run everything on the loop of the app."""
        dbos = package()
        logging.getLogger("dbos").addHandler(logging.NullHandler())  # else it prints; now the app's own logging has it
        config = {
            "name": _APP,
            "system_database_url": sql.url,
            "system_database_engine": sql.engine,
            "application_version": VERSION,
            "executor_id": name,
            "serializer": dbos.DBOSPortableJSONSerializer(),
            "log_level": "WARNING",
            "notification_listener_polling_interval_sec": _LISTEN,
            "scheduler_polling_interval_sec": 3600.0,
        }
        self._engine = dbos.DBOS(config=config)
        for workflow, function in workflows.items():
            dbos.DBOS.workflow(name=workflow, max_recovery_attempts=None)(_named(self._held.around(function), workflow))
        dbos.DBOS.listen_queues(queues)
        dbos.DBOS.launch()

    def _loop(self) -> Any:
        """Return the event loop that drives what the queues bring; the engine has no public name for it."""
        return self._engine._background_event_loop.target_loop()

    def close(self) -> None:
        """Stop at once; runs that are under way go on elsewhere, or later."""
        engine = self._engine
        with ExitStack() as stack:
            stack.callback(Worker._only.release)
            stack.callback(_waited_for, getattr(engine, "_executor_field", None))
            stack.callback(package().DBOS.destroy, destroy_registry=True)
            stack.callback(self._held.close)
            for event in engine.background_thread_stop_events if engine is not None else ():
                event.set()
            for thread in threading.enumerate():  # one that has not started yet sees at once that it is to stop
                if thread.name.startswith("queue-worker-") and thread.is_alive():
                    thread.join(_PATIENCE)  # else it may take a run from its queue when nobody drives it any more


def _waited_for(threads: Any) -> None:
    """Let what the engine has begun in its threads come to an end, which it does not itself: they hold connections."""
    if threads is not None:
        waiting = threading.Thread(target=threads.shutdown, name="prismpy-durable-end", daemon=True)
        waiting.start()
        waiting.join(_PATIENCE)


def _named(function: Workflow, name: str) -> Workflow:
    async def workflow(order: Any) -> str:
        return await function(order)

    workflow.__qualname__ = name
    return workflow


def _options(workflow: str, queue: str, id: str) -> Any:
    return {"workflow_name": workflow, "queue_name": queue, "workflow_id": id, "app_version": VERSION}


def _status(found: Any) -> Status:
    return Status(
        found.workflow_id,
        found.status,
        found.executor_id or "",
        found.queue_name or "",
        (found.created_at or 0) / 1000,
        (found.updated_at or 0) / 1000,
        f"the engine gave it up: {found.error}" if found.error else "the engine gave it up",
    )


def _in_thread(work: Callable[[], None]) -> None:
    errors: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:  # noqa: BLE001  # raised in the thread that waits
            errors.append(error)

    thread = threading.Thread(target=run, name="prismpy-durable")
    thread.start()
    thread.join()
    if errors:
        raise errors[0]


def package() -> Any:
    """Return the engine's own module, which is imported when it is first needed."""
    import dbos

    return dbos
