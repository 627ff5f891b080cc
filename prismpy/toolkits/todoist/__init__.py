"""Tasks: what is to be done, in Todoist or in a local list with the same tools."""

from ._local import LocalTasks
from ._todoist import TodoistTasks
from ._tools import (
    CompleteTodoistTask,
    CreateTodoistTask,
    DeleteTodoistTask,
    ListTodoistTasks,
    TodoistTools,
    UpdateTodoistTask,
)
from ._values import PRIORITIES, Due, Filter, NewTask, Task, TaskChange, TaskStore

__all__ = [
    "PRIORITIES",
    "CompleteTodoistTask",
    "CreateTodoistTask",
    "DeleteTodoistTask",
    "Due",
    "Filter",
    "ListTodoistTasks",
    "LocalTasks",
    "NewTask",
    "Task",
    "TaskChange",
    "TaskStore",
    "TodoistTasks",
    "TodoistTools",
    "UpdateTodoistTask",
]
