"""What goes into a list of tasks and what comes out."""

import datetime
from collections.abc import Iterable
from typing import Any, Final, Literal, Protocol, TypeAlias, get_args

import attrs

from prismpy.errors import StoreError, UnknownIdError

PriorityName: TypeAlias = Literal["normal", "medium", "high", "urgent"]

PRIORITIES: Final[tuple[PriorityName, ...]] = get_args(PriorityName)
"""In the order of Todoist's numbers, from 1. Source: todoist-api-python 4.0, `TodoistAPI.add_task` (read 2026-11)."""


def _text(text: str) -> str:
    return text.replace("\0", "").strip()


def _labels(labels: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_text(label).lstrip("@") for label in labels if _text(label)))


@attrs.frozen
class Due:
    """When a task shall be done."""

    text: str
    """In the words of whoever set it, such as `every monday`."""

    date: datetime.date | datetime.datetime
    """The day, or the day and time; without a zone it is the time where the user is."""

    repeats: bool = False
    """Whether completing the task makes it due again."""


@attrs.frozen
class Task:
    """Something to do."""

    id: str
    content: str
    description: str = ""
    project: str = ""
    labels: tuple[str, ...] = ()

    priority: str = PRIORITIES[0]
    """One of `PRIORITIES`."""

    due: Due | None = None
    completed: bool = False


@attrs.frozen
class NewTask:
    """Something to do, that is not on the list yet."""

    content: str = attrs.field(converter=_text)
    description: str = attrs.field(default="", converter=_text)

    project: str = attrs.field(default="", converter=_text)
    """Its name; made where there is none of it. "" for the inbox."""

    labels: tuple[str, ...] = attrs.field(default=(), converter=_labels)

    priority: str = PRIORITIES[0]
    """One of `PRIORITIES`."""

    due: str = attrs.field(default="", converter=_text)
    """When, in words or as ISO 8601; "" for no time."""

    def __attrs_post_init__(self) -> None:
        if not self.content:
            msg = "a task without content was not added; say what to do"
            raise StoreError(msg)


@attrs.frozen
class TaskChange:
    """What to change of a task; None leaves things as they are."""

    content: str | None = None
    description: str | None = None
    project: str | None = None
    labels: Iterable[str] | None = None
    """Instead of all it had."""
    priority: str | None = None
    due: str | None = None
    """"" for no time."""

    def given(self) -> dict[str, Any]:
        """Return what is to change, cleaned as it is for a new task."""
        given = {name: value for name, value in attrs.asdict(self, recurse=False).items() if value is not None}
        clean = attrs.evolve(NewTask("-"), **given)
        return {name: getattr(clean, name) for name in given}


@attrs.frozen
class Filter:
    """Which tasks to list; all that is given must hold."""

    query: str = ""
    """Stands in the content or the description, in whatever case."""

    project: str = ""
    label: str = ""

    due_by: datetime.date | None = None
    """Due on this day or before."""

    def fits(self, task: Task) -> bool:
        """Tell whether a task is one of these."""
        text = f"{task.content}\n{task.description}".casefold()
        return (
            self.query.casefold() in text
            and self.project.casefold() in {"", task.project.casefold()}
            and (not self.label or self.label.lstrip("@").casefold() in map(str.casefold, task.labels))
            and (self.due_by is None or (task.due is not None and _day(task.due) <= self.due_by))
        )


def in_order(tasks: Iterable[Task]) -> tuple[Task, ...]:
    """Sort tasks: the ones due first, of those the urgent ones, then the others."""

    def key(task: Task) -> tuple[str, int, str]:
        day = "9999" if task.due is None else _day(task.due).isoformat()
        return day, -PRIORITIES.index(task.priority), task.content.casefold()

    return tuple(sorted(tasks, key=key))


def _day(due: Due) -> datetime.date:
    return due.date.date() if isinstance(due.date, datetime.datetime) else due.date


def unknown(id: str) -> UnknownIdError:
    """Make the error for an id that no task has."""
    return UnknownIdError(f"there is no task {id[:80]!r}; list_todoist_tasks tells the ids", id=id)


def completed_already(task: Task) -> StoreError:
    """Make the error for a task that is done."""
    return StoreError(f"task {task.id!r} is completed already: {task.content[:80]!r}")


class TaskStore(Protocol):
    """
    Keeps tasks. Its methods may be called from any thread.

    `LocalTasks` and `TodoistTasks` are ones, and pass the same tests.
    """

    def list(self, filter: Filter) -> tuple[Task, ...]:
        """
        Return open tasks, the ones due first.

        Raises:
            StoreError: if the place to keep them fails.
        """
        ...

    def add(self, new: NewTask) -> Task:
        """
        Add a task.

        Raises:
            StoreError: if the words for its time are not understood, or the place to keep it fails.
        """
        ...

    def update(self, id: str, change: TaskChange) -> Task:
        """
        Change an open task.

        Raises:
            UnknownIdError: if there is none of that id.

            StoreError: as `add` does.
        """
        ...

    def complete(self, id: str) -> Task:
        """
        Complete a task; one that repeats is due again.

        Raises:
            UnknownIdError: if there is none of that id.

            StoreError: if it is completed already.
        """
        ...

    def delete(self, id: str) -> Task:
        """
        Delete a task, and return what it was.

        Raises:
            UnknownIdError: if there is none of that id.
        """
        ...
