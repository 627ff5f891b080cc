"""What is said where a library is missing that comes with an extra."""

import ast
import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from prismpy import Agent, DurableRuns, event_stream_response
from prismpy.assistant import Home, application, serve
from prismpy.errors import NotInstalledError
from prismpy.testing import ScriptedModel
from prismpy.toolkits import (
    CalDAVCalendar,
    Calendar,
    CalendarFile,
    LocalTasks,
    TodoistTasks,
    WebTools,
    open_memories,
)

from .test_architecture import FILES, PACKAGE, imports, modules

PROJECT = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]

FALLS_BACK = {"jsonschema_rs", "sqlite_vec"}
"""Libraries that make something faster, which goes without them."""

THE_APPS_OWN = {"pydantic", "pydantic_core"}
"""Loaded only for values of classes that an app has from them."""

BROUGHT_BY_OTHERS = {
    "jsonschema_specifications": "jsonschema",
    "dataclass_wizard": "todoist_api_python",
    "httpx2": "openai",
}


LENT = {"locked": "filelock"}
"""A name of `storage` to the library behind it: whoever imports the name asks for the library, and it does not."""


def brought(name: str) -> set[str]:
    """Return the modules that an extra brings; those of a plain install for ""."""
    lines = PROJECT["optional-dependencies"][name] if name else PROJECT["dependencies"]
    found = {re.split(r"[^\w-]", line, maxsplit=1)[0].replace("-", "_"): line for line in lines}
    inner = re.findall(r"[\w-]+", re.sub(r"^.*?\[|\].*", "", found.pop("prismpy", "")))
    return {*found, *(module for extra in inner for module in brought(extra))}


def told() -> Iterator[tuple[Path, str, str]]:
    """Yield the calls of `needs` in the package: the file, the extra, a library."""
    for file in FILES:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "needs":
                _, extra, *libraries = [str(word.value) for word in node.args if isinstance(word, ast.Constant)]
                yield from ((file, extra, library) for library in libraries)


def used(file: Path) -> Iterator[str]:
    """Yield the libraries that a file imports, or that stand behind what it imports."""
    for node in imports(ast.parse(file.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.ImportFrom) or not node.level:
            names = (module.split(".")[0] for module in modules(node))
            yield from (BROUGHT_BY_OTHERS.get(name, name) for name in names)
        if isinstance(node, ast.ImportFrom) and node.module == "prismpy.storage":
            yield from (LENT[alias.name] for alias in node.names if alias.name in LENT)


def room(path: Path) -> tuple[str, ...]:
    """Return the folder of a file, as deep as it has a door of its own."""
    return path.relative_to(PACKAGE).parent.parts


def test_whatever_an_extra_brings_is_asked_for_before_it_is_imported() -> None:
    """In the folder of the file that imports it: no bare ImportError comes from a library that nobody thought of."""
    known = {(room(file), library) for file, _, library in told()}
    lent = {(("storage",), library) for library in LENT.values()}
    plain = {*sys.stdlib_module_names, *brought(""), "prismpy", *FALLS_BACK, *THE_APPS_OWN}
    unasked = {
        (file.relative_to(PACKAGE).as_posix(), library)
        for file in FILES
        for library in used(file)
        if library not in plain and (room(file), library) not in known | lent
    }

    assert unasked == set()


def test_an_extra_that_is_named_brings_what_is_missing() -> None:
    """By itself, or by those that it is made of."""
    assert {(extra, library) for _, extra, library in told() if library not in brought(extra)} == set()


def home(path: Path) -> Home:
    return Home.open(path, ScriptedModel([]))


@pytest.mark.parametrize(
    ("library", "make", "what", "extra"),
    [
        ("tzlocal", lambda path: Calendar(CalendarFile(path)), "a calendar", "calendar"),
        ("filelock", CalendarFile, "a calendar in a file", "calendar"),
        ("caldav", lambda path: CalDAVCalendar("https://host/"), "a calendar on a server", "calendar"),
        ("dateparser", LocalTasks, "a list of tasks", "todoist"),
        ("todoist_api_python", lambda path: TodoistTasks("token"), "Todoist", "todoist"),
        ("psycopg", lambda path: open_memories("postgresql://host/database"), "PostgreSQL", "postgres"),
        ("trafilatura", lambda path: WebTools(), "reading pages", "fetch"),
        ("dbos", lambda path: DurableRuns(f"sqlite:///{path}"), "keeping runs alive", "durable"),
        (
            "starlette",
            lambda path: event_stream_response(Agent("a", ScriptedModel([])).stream("hi")),
            "a response of server-sent events",
            "web",
        ),
        ("starlette", lambda path: application(home(path)), "the page", "assistant"),
        ("uvicorn", lambda path: serve(home(path)), "serving the page", "assistant"),
    ],
)
def test_what_is_not_installed_is_told_at_once(
    library: str,
    make: Callable[[Path], Any],
    what: str,
    extra: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By the developer's first line, not by a call of a model; it names what brings the library."""
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(NotInstalledError) as caught:
        make(tmp_path / "place")

    told = f"{what} needs {library}, which is not installed; pip install 'prismpy[{extra}]' brings it"
    assert isinstance(caught.value, ImportError)
    assert (caught.value.name, str(caught.value)) == (library, told)
