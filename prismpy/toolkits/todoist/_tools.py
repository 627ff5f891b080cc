"""The five tools: each describes itself in `__init__`, and its parameters by the signature of `__call__`."""

import datetime
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Final

from prismpy.errors import Retry
from prismpy.fluent import Tool
from prismpy.types import Param

from ._values import Filter, NewTask, PriorityName, Task, TaskChange, TaskStore

_MOST: Final = 100
"""Tasks in one answer."""

Content = Annotated[str, Param(description="What to do", min_length=1, max_length=500)]
Notes = Annotated[str, Param(description="What else there is to know", max_length=16_000)]
Project = Annotated[str, Param(description="Name of a project; without it the inbox", max_length=120)]
Labels = Annotated[
    Sequence[Annotated[str, Param(max_length=60)]], Param(description="Words to find it by", max_length=20)
]
Priority = Annotated[PriorityName, Param(description="How much it matters")]
Time = Annotated[str, Param(description="When: 'tomorrow at 10:00', 'next friday', '2024-05-06'", max_length=150)]
Id = Annotated[str, Param(description="As list_todoist_tasks gives it")]


class ListTodoistTasks(Tool):
    """The tool `list_todoist_tasks`."""

    def __init__(self, store: TaskStore) -> None:
        self.store = store
        self.as_("list_todoist_tasks").for_("List the tasks that are to be done, the ones due first.").concurrent()

    def __call__(
        self,
        query: Annotated[str, Param(description="Only tasks with this in content or description")] = "",
        project: Annotated[str, Param(description="Only tasks of this project")] = "",
        label: Annotated[str, Param(description="Only tasks with this label")] = "",
        due_by: Annotated[datetime.date | None, Param(description="Only tasks due on this day or before")] = None,
    ) -> dict[str, Any]:
        """List the tasks."""
        found = self.store.list(Filter(query, project, label, due_by))
        told: dict[str, Any] = {"tasks": [_told(task) for task in found[:_MOST]]}
        return {**told, "left_out": f"{len(found) - _MOST} more; narrow the search"} if len(found) > _MOST else told


class CreateTodoistTask(Tool):
    """The tool `create_todoist_task`."""

    def __init__(self, store: TaskStore) -> None:
        self.store = store
        self.as_("create_todoist_task").for_("Add a task to the user's list.")

    def __call__(
        self,
        content: Content,
        description: Notes = "",
        due: Time = "",
        priority: Priority = "normal",
        labels: Labels = (),
        project: Project = "",
    ) -> dict[str, Any]:
        """Add the task."""
        return {"created": _told(self.store.add(NewTask(content, description, project, labels, priority, due)))}


class UpdateTodoistTask(Tool):
    """The tool `update_todoist_task`."""

    def __init__(self, store: TaskStore) -> None:
        self.store = store
        self.as_("update_todoist_task").for_("Change a task. What is left out stays as it is.")

    def __call__(
        self,
        id: Id,
        content: Content | None = None,
        description: Notes | None = None,
        due: Annotated[Time | None, Param(description="When; '' for no time")] = None,
        priority: Priority | None = None,
        labels: Annotated[Labels | None, Param(description="Instead of all it has")] = None,
        project: Project | None = None,
    ) -> dict[str, Any]:
        """Change what is given."""
        change = TaskChange(content, description, project, labels, priority, due)
        if change == TaskChange():
            msg = "nothing was changed; give content, description, due, priority, labels or project"
            raise Retry(msg)
        return {"updated": _told(self.store.update(id, change))}


class CompleteTodoistTask(Tool):
    """The tool `complete_todoist_task`."""

    def __init__(self, store: TaskStore) -> None:
        self.store = store
        self.as_("complete_todoist_task").for_("Mark a task as done. One that repeats is due again.")

    def __call__(self, id: Id) -> dict[str, Any]:
        """Complete the task."""
        task = self.store.complete(id)
        return {"completed": _told(task)} if task.completed else {"completed": _told(task), "note": "it is due again"}


class DeleteTodoistTask(Tool):
    """The tool `delete_todoist_task`."""

    def __init__(self, store: TaskStore) -> None:
        self.store = store
        self.as_("delete_todoist_task").for_("Delete a task for good; what was done is completed instead.")

    def __call__(self, id: Id) -> dict[str, Any]:
        """Delete, and tell what was deleted."""
        return {"deleted": _told(self.store.delete(id))}


class TodoistTools:
    """
    The tools of a list of tasks, for a `Toolbox`.

    Args:
        store: Where tasks are kept: `TodoistTasks(token)`, or `LocalTasks(path)` for who has no Todoist.
    """

    def __init__(self, store: TaskStore) -> None:
        kinds = (ListTodoistTasks, CreateTodoistTask, UpdateTodoistTask, CompleteTodoistTask, DeleteTodoistTask)
        self._tools = tuple(kind(store) for kind in kinds)

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools)


def _told(task: Task) -> dict[str, Any]:
    """Tell about a task what a model needs."""
    told: dict[str, Any] = {
        "id": task.id,
        "content": task.content,
        "description": task.description,
        "project": task.project,
        "labels": list(task.labels),
        "priority": "" if task.priority == "normal" else task.priority,
        "due": "" if task.due is None else task.due.date.isoformat(),
        "repeats": task.due.text if task.due is not None and task.due.repeats else "",
    }
    return {name: value for name, value in told.items() if value}
