"""A list of tasks in an SQLite file, for who has no Todoist."""

import datetime
import json
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import attrs

from prismpy.extras import needs
from prismpy.storage import Clock, Database

from ._due import understand
from ._values import Due, Filter, NewTask, Task, TaskChange, completed_already, in_order, unknown

_MIGRATIONS: Final = (
    (
        """
        CREATE TABLE tasks (
            id TEXT PRIMARY KEY,
            content TEXT NOT NULL,
            description TEXT NOT NULL,
            project TEXT NOT NULL,
            labels TEXT NOT NULL,
            priority TEXT NOT NULL,
            due_text TEXT,
            due TEXT,
            completed TEXT
        )
        """,
    ),
)

_TASKS: Final = (
    "SELECT id, content, description, project, labels, priority, due_text, due, completed IS NOT NULL FROM tasks"
)
_WRITE: Final = """
    INSERT INTO tasks VALUES
        (:id, :content, :description, :project, :labels, :priority, :due_text, :due, NULL)
    ON CONFLICT (id) DO UPDATE SET
        content = :content, description = :description, project = :project, labels = :labels, priority = :priority,
        due_text = :due_text, due = :due
"""

INBOX: Final = "Inbox"


def _now() -> datetime.datetime:
    return datetime.datetime.now().astimezone()


class LocalTasks:
    """
    A `TaskStore` in an SQLite file, which may hold other stores too.

    Args:
        path: Of the file, made where there is none; `:memory:` for one that ends with the process.

        clock: Tells the time where the user is.

    Raises:
        NotInstalledError: if what `prismpy[todoist]` brings is not installed.
    """

    def __init__(self, path: str | Path, *, clock: Clock = _now) -> None:
        needs("a list of tasks", "todoist", "dateparser")
        self._database = Database(path, "tasks", _MIGRATIONS)
        self._clock = clock

    def list(self, filter: Filter) -> tuple[Task, ...]:
        """Return open tasks; see `TaskStore.list`."""
        tasks = map(_task, self._database.read(_TASKS + " WHERE completed IS NULL"))
        return in_order(task for task in tasks if filter.fits(task))

    def add(self, new: NewTask) -> Task:
        """Add a task; see `TaskStore.add`."""
        task = self._changed(Task(f"t{secrets.token_hex(6)}", ""), attrs.asdict(new))
        with self._database.write() as connection:
            connection.execute(_WRITE, _row(task))
        return task

    def update(self, id: str, change: TaskChange) -> Task:
        """Change an open task; see `TaskStore.update`."""
        given = change.given()
        with self._database.write() as connection:
            task = self._changed(_open(connection, id), given)
            connection.execute(_WRITE, _row(task))
            return task

    def complete(self, id: str) -> Task:
        """Complete a task; see `TaskStore.complete`."""
        with self._database.write() as connection:
            task = _open(connection, id)
            connection.execute("UPDATE tasks SET completed = ? WHERE id = ?", (self._clock().isoformat(), id))
            return attrs.evolve(task, completed=True)

    def delete(self, id: str) -> Task:
        """Delete a task; see `TaskStore.delete`."""
        with self._database.write() as connection:
            task = _get(connection, id)
            connection.execute("DELETE FROM tasks WHERE id = ?", (id,))
            return task

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        self._database.close()

    def _changed(self, task: Task, given: Mapping[str, Any]) -> Task:
        due = given.get("due")
        changes = {**given, "due": understand(due, self._clock()) if due else None} if due is not None else given
        changed = attrs.evolve(task, **changes)
        return attrs.evolve(changed, project=changed.project or INBOX)


def _open(connection: Any, id: str) -> Task:
    task = _get(connection, id)
    if task.completed:
        raise completed_already(task)
    return task


def _get(connection: Any, id: str) -> Task:
    row = connection.execute(_TASKS + " WHERE id = ?", (id,)).fetchone()
    if row is None:
        raise unknown(id)
    return _task(row)


def _row(task: Task) -> dict[str, Any]:
    row = {**attrs.asdict(task), "labels": json.dumps(task.labels, ensure_ascii=False), "due": None, "due_text": None}
    del row["completed"]
    return row if task.due is None else {**row, "due": task.due.date.isoformat(), "due_text": task.due.text}


def _task(row: Sequence[Any]) -> Task:
    id, content, description, project, labels, priority, text, date, completed = row
    due = None if date is None else Due(text, _moment(date))
    return Task(id, content, description, project, tuple(json.loads(labels)), priority, due, bool(completed))


def _moment(text: str) -> datetime.date | datetime.datetime:
    return datetime.datetime.fromisoformat(text) if "T" in text else datetime.date.fromisoformat(text)
