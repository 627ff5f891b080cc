"""The assistant from the command line."""

import sys
from pathlib import Path
from typing import Any

import pytest

from prismpy.assistant import Home
from prismpy.cli import _assistant

from .conftest import Command

SCENARIO = "Schedule a meeting with John tomorrow and remind me to prepare"


@pytest.fixture(autouse=True)
def keyless(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "TODOIST_API_TOKEN"):
        monkeypatch.delenv(name, raising=False)


def test_the_scenario_leaves_its_traces_in_the_folder(prismpy: Command, here: Path) -> None:
    """An event, a task and a memory, and the words of what was done."""
    answer = prismpy("assistant", "--folder", "home", "--ask", SCENARIO)

    assert answer.code == 0
    assert answer.out.splitlines()[-1].startswith("Done: Meeting with John on ")
    assert "SUMMARY:Meeting with John" in (here / "home" / "calendar.ics").read_text(encoding="utf-8")
    assert {"memory.db", "tasks.db"} <= {file.name for file in (here / "home").iterdir()}
    assert "kept in home" in answer.err
    assert "this was the offline model" in answer.err


def test_an_approval_is_refused_where_nobody_can_be_asked(prismpy: Command) -> None:
    """Unless `--yes` agrees beforehand."""
    prismpy("assistant", "--folder", "home", "--ask", "Remember that I like tea")

    assert "Then it stays." in prismpy("assistant", "--folder", "home", "--ask", "Forget tea").out
    assert "It is forgotten." in prismpy("assistant", "--folder", "home", "--ask", "Forget tea", "--yes").out


@pytest.mark.parametrize(
    ("options", "hosts", "shown", "warned"),
    [
        ([], ("127.0.0.1", "localhost", "[::1]"), "http://127.0.0.1:8321/", False),
        (["--host", "::1", "--port", "9"], ("127.0.0.1", "localhost", "[::1]"), "http://[::1]:9/", False),
        (
            ["--host", "192.0.2.7"],
            ("127.0.0.1", "localhost", "[::1]", "192.0.2.7"),
            "http://192.0.2.7:8321/",
            True,
        ),
        (
            ["--host", "2001:db8::7"],
            ("127.0.0.1", "localhost", "[::1]", "[2001:db8::7]"),
            "http://[2001:db8::7]:8321/",
            True,
        ),
    ],
)
def test_the_page_is_for_this_machine_unless_asked(
    prismpy: Command,
    monkeypatch: pytest.MonkeyPatch,
    options: list[str],
    hosts: tuple[str, ...],
    shown: str,
    warned: bool,
) -> None:
    """Where it is served is told, and who else could use it."""
    served: list[dict[str, Any]] = []
    monkeypatch.setattr(_assistant, "serve", lambda home, **where: served.append({"home": home, **where}))

    answer = prismpy("assistant", "--folder", "home", *options)

    assert answer.out == f"{shown}\n"
    assert served[0]["hosts"] == hosts
    assert ("anybody who reaches" in answer.err) is warned


def test_what_is_not_installed_is_named(prismpy: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """With what brings it."""

    def missing(*_: Any, **__: Any) -> Any:
        raise ImportError(name="uvicorn")

    monkeypatch.setattr(_assistant, "serve", missing)
    page = prismpy("assistant", "--folder", "home")
    monkeypatch.setattr(Home, "open", missing)
    home = prismpy("assistant", "--folder", "home")

    brought = "which is not installed; pip install 'prismpy[assistant]' brings it"
    assert (page.code, page.err) == (2, f"prismpy: the page needs uvicorn, {brought}\n")
    assert (home.code, home.err) == (2, f"prismpy: the assistant needs uvicorn, {brought}\n")


@pytest.mark.parametrize(
    ("system", "environment", "folder"),
    [
        ("linux", {"XDG_DATA_HOME": "/data"}, Path("/data/prismpy")),
        ("linux", {}, Path.home() / ".local" / "share" / "prismpy"),
        ("darwin", {}, Path.home() / "Library" / "Application Support" / "prismpy"),
        ("win32", {"LOCALAPPDATA": "/local"}, Path("/local/prismpy")),
        ("win32", {}, Path.home() / "AppData" / "Local" / "prismpy"),
    ],
)
def test_data_lies_where_the_system_keeps_it(
    monkeypatch: pytest.MonkeyPatch, system: str, environment: dict[str, str], folder: Path
) -> None:
    """On each system in its own place."""
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", system)

    assert _assistant.data_folder() == folder
