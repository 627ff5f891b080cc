"""
Tasks in Todoist, by its own SDK.

Source: todoist-api-python 4.0, `api.py` and `models.py`; Todoist, "API v1"
(both read 2026-11).
"""

import json
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

import attrs

from prismpy.errors import StoreError
from prismpy.extras import needs

from ._values import (
    PRIORITIES,
    Due,
    Filter,
    NewTask,
    Task,
    TaskChange,
    completed_already,
    in_order,
    unknown,
)

_REFUSALS: Final = {
    401: "it does not accept the token; check it under Todoist's settings, Integrations, Developer",
    403: "the token does not allow that",
    404: "there is no such thing",
    429: "it takes no more requests for now",
}
"""HTTP status to what it means here."""

_NO_DATE: Final = "no date"
"""What Todoist takes for the words that remove a time."""


class TodoistTasks:
    """
    A `TaskStore` in Todoist.

    Args:
        token: Of the user, from Todoist's settings.

        base_url: Of a server to ask instead, such as a proxy; only its scheme, host and port count.

        patience: Seconds to wait for an answer, more than 0.

    Raises:
        NotInstalledError: if what `prismpy[todoist]` brings is not installed.
    """

    def __init__(self, token: str, *, base_url: str | None = None, patience: float = 30.0) -> None:
        needs("Todoist", "todoist", "httpx", "todoist_api_python")
        self._token = token
        self._base_url = base_url
        self._patience = patience
        self._lock = threading.RLock()
        self._opened: Any = None

    def list(self, filter: Filter) -> tuple[Task, ...]:
        """Return open tasks; see `TaskStore.list`."""
        with self._api("list the tasks") as api:
            projects = _projects(api)
            id = projects.id_of(filter.project) if filter.project else None
            if filter.project and id is None:
                return ()
            found = [task for page in api.get_tasks(project_id=id) for task in page]
            tasks = [_task(task, projects) for task in found]
        return in_order(task for task in tasks if filter.fits(task))

    def add(self, new: NewTask) -> Task:
        """Add a task; see `TaskStore.add`."""
        with self._api("add the task") as api:
            projects = _projects(api)
            made = api.add_task(
                new.content,
                description=new.description or None,
                project_id=_project_id(api, projects, new.project) if new.project else None,
                labels=list(new.labels) or None,
                priority=PRIORITIES.index(new.priority) + 1,
                due_string=new.due or None,
                due_lang="en" if new.due else None,
                auto_parse_labels=False,  # `@` in a text is part of it
            )
            return _task(made, projects)

    def update(self, id: str, change: TaskChange) -> Task:
        """Change an open task; see `TaskStore.update`."""
        given = change.given()
        with self._api("change the task", id) as api:
            projects = _projects(api)
            old = _still_open(api, id, projects)
            fields = _fields(given)
            task = _task(api.update_task(id, **fields), projects) if fields else old
            if "project" in given:
                api.move_task(id, project_id=_project_id(api, projects, given["project"]))
                task = _task(api.get_task(id), projects)
            return task

    def complete(self, id: str) -> Task:
        """Complete a task; see `TaskStore.complete`."""
        with self._api("complete the task", id) as api:
            projects = _projects(api)
            task = _still_open(api, id, projects)
            api.complete_task(id)
            if task.due is not None and task.due.repeats:
                return _task(api.get_task(id), projects)
            return attrs.evolve(task, completed=True)

    def delete(self, id: str) -> Task:
        """Delete a task; see `TaskStore.delete`."""
        with self._api("delete the task", id) as api:
            task = _task(api.get_task(id), _projects(api))
            api.delete_task(id)
            return task

    def close(self) -> None:
        """Close the connection; the next use opens another."""
        with self._lock:
            if self._opened is not None:
                self._opened.__exit__(None, None, None)
            self._opened = None

    @contextmanager
    def _api(self, doing: str, id: str = "0") -> Iterator[Any]:
        """Lend the SDK for calls of it alone, and say in words what goes wrong in them."""
        import httpx
        from dataclass_wizard.errors import JSONWizardError

        if not re.fullmatch(r"[\w-]+", id, re.ASCII):  # it becomes a part of a path
            raise unknown(id)
        with self._lock:
            try:
                if self._opened is None:
                    self._opened = self._open()
                yield self._opened
            except StoreError:
                raise
            except httpx.HTTPStatusError as error:
                if error.response.status_code == 404 and id != "0":  # noqa: PLR2004  # HTTP's own number
                    raise unknown(id) from error
                raise _failure(doing, _refusal(error.response)) from error
            except httpx.TimeoutException as error:
                raise _failure(doing, "it does not answer in time") from error
            except httpx.HTTPError as error:
                raise _failure(doing, f"it cannot be reached ({type(error).__name__})") from error
            except (JSONWizardError, LookupError, TypeError, ValueError) as error:
                raise _failure(doing, "its answer is none of Todoist's") from error

    def _open(self) -> Any:
        import httpx
        from todoist_api_python.api import TodoistAPI

        base = httpx.URL(self._base_url) if self._base_url else None
        limits = httpx.Timeout(self._patience).as_dict()

        def adjust(request: Any) -> None:
            """Ask another server, and wait as long as we want to: the SDK has an address and limits of its own."""
            request.extensions["timeout"] = limits
            if base is not None:
                request.url = request.url.copy_with(scheme=base.scheme, host=base.host, port=base.port)
                request.headers["Host"] = base.netloc.decode()

        return TodoistAPI(self._token, client=httpx.Client(event_hooks={"request": [adjust]}))


def _failure(doing: str, reason: str) -> StoreError:
    return StoreError(f"Todoist did not {doing}: {reason}")


def _refusal(response: Any) -> str:
    """Say what Todoist says about a refusal, as far as that helps."""
    status = response.status_code
    reason = _REFUSALS.get(status, f"it answers with status {status}")
    try:
        said = json.loads(response.text)
        words, wait = said.get("error"), said.get("error_extra", {}).get("retry_after")
    except (ValueError, AttributeError):
        words = wait = None
    wait = response.headers.get("Retry-After", wait)
    if status == 429 and str(wait).isdecimal():  # noqa: PLR2004  # HTTP's own number
        return f"{reason}; try again in {wait} seconds"
    return f"{reason} ({words[:200]})" if isinstance(words, str) and status not in _REFUSALS else reason


@attrs.define
class _Projects:
    """The projects of a user, as they were when they were asked for."""

    names: dict[str, str]
    """By id."""

    inbox: str | None
    """Id of the one that is always there; its name is in the user's language."""

    def id_of(self, name: str) -> str | None:
        """Return the id of a project, however its name is written."""
        return next((id for id, known in self.names.items() if known.casefold() == name.casefold()), None)


def _projects(api: Any) -> _Projects:
    found = [project for page in api.get_projects() for project in page]
    inbox = next((project.id for project in found if project.is_inbox_project), None)
    return _Projects({project.id: project.name for project in found}, inbox)


def _project_id(api: Any, projects: _Projects, name: str) -> str | None:
    """Return the id of a project; one that is not there is made, and becomes known."""
    id = projects.id_of(name) if name else projects.inbox
    if id is None and name:
        id = str(api.add_project(name).id)
        projects.names[id] = name
    return id


def _fields(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what changes in the words of the SDK."""
    fields = {name: given[name] for name in ("content", "description") if name in given}
    if "labels" in given:
        fields["labels"] = list(given["labels"])
    if "priority" in given:
        fields["priority"] = PRIORITIES.index(given["priority"]) + 1
    if "due" in given:
        fields |= {"due_string": given["due"] or _NO_DATE, "due_lang": "en"}
    return fields


def _still_open(api: Any, id: str, projects: _Projects) -> Task:
    task = _task(api.get_task(id), projects)
    if task.completed:
        raise completed_already(task)
    return task


def _task(task: Any, projects: _Projects) -> Task:
    due = None if task.due is None else Due(task.due.string, task.due.date, task.due.is_recurring)
    return Task(
        id=task.id,
        content=task.content,
        description=task.description,
        project=projects.names.get(task.project_id, ""),
        labels=tuple(task.labels or ()),
        priority=PRIORITIES[task.priority - 1],
        due=due,
        completed=task.is_completed,
    )
