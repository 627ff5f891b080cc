"""The places where tasks are kept, for one suite over both: a local list, and a server that speaks Todoist's API."""

import datetime
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from prismpy import Toolbox, ToolCall
from prismpy.toolkits.todoist import LocalTasks, TodoistTasks, TodoistTools

from .server import TODAY, TOKEN, Account, todoist

Call: TypeAlias = Callable[..., Any]


def local(folder: Path) -> LocalTasks:
    now = datetime.datetime.combine(TODAY, datetime.time(9))
    return LocalTasks(folder / "tasks.db", clock=lambda: now)


@pytest.fixture
def account() -> Account:
    return Account()


@pytest.fixture(params=["local", "todoist"])
def store(request: pytest.FixtureRequest, tmp_path: Path, account: Account) -> Iterator[Any]:
    if request.param == "local":
        kept = local(tmp_path)
        yield kept
        kept.close()
        return
    with todoist(account) as url:
        served = TodoistTasks(TOKEN, base_url=url)
        yield served
        served.close()


@pytest.fixture
def call(store: Any) -> Call:
    """Call a tool; return its result as JSON, or the text of an error."""
    toolbox = Toolbox(TodoistTools(store))

    def run(name: str, **arguments: Any) -> Any:
        (result,) = toolbox.run([ToolCall("1", f"{name}_todoist_task" + "s" * (name == "list"), arguments)])
        return result.text if result.is_error else json.loads(result.text)

    return run
