"""The assistant from the command line."""

import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from prismpy.assistant import Home
from prismpy.cli import _assistant

from .conftest import Answer, Command

SCENARIO = "Schedule a meeting with John tomorrow and remind me to prepare"


@pytest.fixture(autouse=True)
def keyless(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "TODOIST_API_TOKEN", "PRISMPY_PASSWORD"):
        monkeypatch.delenv(name, raising=False)


def test_the_scenario_leaves_its_traces_in_the_folder(prismpy: Command, here: Path) -> None:
    """An event, a task and a memory, and the words of what was done."""
    answer = prismpy("assistant", "--folder", "home", "--ask", SCENARIO)

    assert answer.code == 0
    assert answer.out.splitlines()[-1].startswith("Done: Meeting with John on ")
    assert "SUMMARY:Meeting with John" in (here / "home" / "calendar.ics").read_text(encoding="utf-8")
    assert {"memory.db", "tasks.db"} <= {file.name for file in (here / "home").iterdir()}
    assert [each.title for each in Home.open("home").conversations.list()] == [f"{SCENARIO[:59]}…"]
    assert "kept in home" in answer.err
    assert "this was the offline model" in answer.err


def test_an_approval_is_refused_where_nobody_can_be_asked(prismpy: Command) -> None:
    """Unless `--yes` agrees beforehand."""
    prismpy("assistant", "--folder", "home", "--ask", "Remember that I like tea")

    assert "Then it stays." in prismpy("assistant", "--folder", "home", "--ask", "Forget tea").out
    assert "It is forgotten." in prismpy("assistant", "--folder", "home", "--ask", "Forget tea", "--yes").out


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What the page was to be served with; nothing listens."""
    calls: list[dict[str, Any]] = []

    def serve(_: Home, *, told: Callable[[str], None], **options: Any) -> None:
        calls.append(options)
        told("http://there/")

    monkeypatch.setattr(_assistant, "serve", serve)
    return calls


@pytest.mark.parametrize(
    ("options", "where"),
    [
        ([], ("127.0.0.1", 8321)),
        (["--host", "::1", "--port", "9"], ("::1", 9)),
        (["--host", "127.0.0.2"], ("127.0.0.2", 8321)),
        (["--host", "localhost"], ("localhost", 8321)),
    ],
)
def test_the_page_is_for_this_machine_unless_asked(
    prismpy: Command, served: list[dict[str, Any]], options: list[str], where: tuple[str, int]
) -> None:
    """Where it is served is told once it is; nobody is asked for a password."""
    answer = prismpy("assistant", "--folder", "home", *options)

    assert answer == Answer(0, "http://there/\n", "Ctrl-C ends it\n")
    assert served == [{"host": where[0], "port": where[1], "password": ""}]


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "desk.local"])  # noqa: S104  # nothing listens
def test_beyond_this_machine_the_address_has_a_password(
    prismpy: Command, served: list[dict[str, Any]], host: str
) -> None:
    """Another one each time, told once."""
    first, second = (prismpy("assistant", "--folder", "home", "--host", host) for _ in range(2))

    made = [each["password"] for each in served]
    assert [first.out, second.out] == [f"http://there/?key={each}\n" for each in made]
    assert (made[0] != made[1], len(made[0])) == (True, 32)
    assert made[0] not in first.err
    assert first.err.splitlines() == [
        f"whoever has this address and reaches {host} can use this assistant, its stores and its key",
        "the way there is not encrypted; where others may listen, put a server with TLS before it",
        "Ctrl-C ends it",
    ]


@pytest.mark.parametrize(("host", "warnings"), [("127.0.0.1", 0), ("0.0.0.0", 2)])  # noqa: S104  # nothing listens
def test_a_password_of_ones_own_is_never_told(
    prismpy: Command, served: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch, host: str, warnings: int
) -> None:
    """It holds on this machine, too, which others may have accounts on."""
    monkeypatch.setenv("PRISMPY_PASSWORD", "a long password")
    answer = prismpy("assistant", "--folder", "home", "--host", host)

    assert (answer.out, [each["password"] for each in served]) == ("http://there/\n", ["a long password"])
    assert "it asks for the password in PRISMPY_PASSWORD" in answer.err
    assert "a long password" not in answer.err
    assert len(answer.err.splitlines()) == 2 + warnings


def test_a_short_password_is_refused(prismpy: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one line, before anything listens."""
    monkeypatch.setenv("PRISMPY_PASSWORD", "short")

    told = "prismpy: the password of the page has 5 characters; give it 12 or more\n"
    assert prismpy("assistant", "--folder", "home", "--port", "0") == Answer(2, "", told)


def test_a_port_that_is_taken_is_told_in_one_line(prismpy: Command) -> None:
    """Without a URL that leads to somebody else."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        answer = prismpy("assistant", "--folder", "home", "--port", str(port))

    assert (answer.code, answer.out, answer.err) == (
        2,
        "",
        f"prismpy: cannot listen on 127.0.0.1, port {port}: another program listens there; choose another address or port\n",
    )
    assert "65535" in prismpy("assistant", "--port", "65536").err


def test_what_cannot_be_a_folder_is_told_in_one_line(prismpy: Command, here: Path) -> None:
    """A file, or something below one; nor are a few blanks a question."""
    (here / "file").touch()

    assert prismpy("assistant", "--folder", "file").err == (
        "prismpy: could not use the folder file: there is a file of that name; nothing was changed\n"
    )
    assert prismpy("assistant", "--folder", "file/home").err == (
        "prismpy: could not use the folder file/home: a part of its path is no folder; nothing was changed\n"
    )
    assert prismpy("assistant", "--ask", "  ").code == 2


@pytest.mark.parametrize(("library", "what"), [("uvicorn", "serving the page"), ("icalendar", "the assistant")])
def test_what_is_not_installed_is_named(
    prismpy: Command, monkeypatch: pytest.MonkeyPatch, library: str, what: str
) -> None:
    """With what brings all of it, not the part of it that one tool needs."""
    monkeypatch.setitem(sys.modules, library, None)

    told = f"prismpy: {what} needs {library}, which is not installed; pip install 'prismpy[assistant]' brings it\n"
    assert prismpy("assistant", "--folder", "home") == Answer(2, "", told)


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
