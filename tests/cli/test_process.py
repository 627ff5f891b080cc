"""The command as a process: its streams, terminals, and signals."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import pytest

pty = pytest.importorskip("pty", reason="Windows has no pseudo-terminals")

ROOT = Path(__file__).parents[2]
COMMAND = (sys.executable, "-m", "prismpy")

TOOLS = """
from prismpy import tool

@tool
def remove(path: str) -> str:
    print("removing")
    return f"removed {path}"

remove.requires_approval()
"""


@pytest.fixture
def env(here: Path) -> dict[str, str]:
    """Return an environment in which the package is found, and write a file with a tool."""
    (here / "tools_of_test.py").write_text(TOOLS)
    return {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color"}


def on_terminal(*words: str, env: Mapping[str, str], reply: str | signal.Signals = "") -> tuple[int, str]:
    """
    Type a command on a terminal.

    Args:
        words: Of the command line.

        env: The environment.

        reply: Typed, or sent as a signal, when the command asks.

    Returns:
        Exit code, and what the terminal shows.
    """
    ours, theirs = pty.openpty()
    # who started the tests in the background had them ignore Ctrl-C, which processes hand on
    listening = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    process = subprocess.Popen(
        [*COMMAND, *words],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=env,
        preexec_fn=listening,  # noqa: PLW1509  # it takes no lock
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            shown += (more := os.read(ours, 10_000))
        except OSError:  # how Linux says that the other side is closed
            break
        if not more:
            break
        if not shown.endswith(b"[y/N] "):
            continue
        if isinstance(reply, signal.Signals):
            process.send_signal(reply)
        else:
            os.write(ours, reply.encode())
    os.close(ours)
    return process.wait(), shown.decode().replace("\r\n", "\n")


# --- streams ------------------------------------------------------------------

NOISE = """
import atexit, os, subprocess, sys

atexit.register(lambda: print("exit handler"))
print("import")

def noisy():
    subprocess.run([sys.executable, "-c", "print('program')"])
    os.write(1, b"descriptor\\n")
    sys.__stdout__.write("original stream\\n")
    print("handler")
    return "answer"
"""


def test_nothing_breaks_an_answer_to_programs(here: Path, env: dict[str, str]) -> None:
    """Neither programs that a tool starts, nor what writes past Python, nor what prints when all is over."""
    (here / "noise.py").write_text(NOISE)

    done = subprocess.run([*COMMAND, "call", "noise:noisy", "--json"], capture_output=True, env=env, check=True)

    assert json.loads(done.stdout) == {"text": "answer", "is_error": False, "problems": [], "artifacts": []}
    assert sorted(done.stderr.decode().splitlines()) == [
        "descriptor",
        "exit handler",
        "handler",
        "import",
        "original stream",
        "program",
    ]


def test_a_reader_that_goes_away_sees_no_stack_trace(env: dict[str, str]) -> None:
    """As with `| head`; the answer is longer than a pipe holds."""
    process = subprocess.Popen(
        [*COMMAND, "export", "os", "--to", "openai"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env
    )
    assert process.stdout is not None
    process.stdout.read(1)
    process.stdout.close()
    assert process.stderr is not None

    assert b"Traceback" not in process.stderr.read()
    assert process.wait() == 1
    process.stderr.close()


def test_closed_streams_do_no_harm(env: dict[str, str]) -> None:
    """Whoever starts the command without streams, such as a daemon, gets an exit code."""
    closed = [
        f"{sys.executable} -m prismpy call json:loads {words} <&- >&- 2>&-" for words in ("""'{"s": "1"}'""", "-")
    ]

    assert [subprocess.run(["sh", "-c", line], env=env, check=False).returncode for line in closed] == [0, 1]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_told(env: dict[str, str]) -> None:
    """An answer that was not written is no success."""
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([*COMMAND, "list", "json"], stdout=full, stderr=subprocess.PIPE, env=env, check=False)

    assert (done.returncode, done.stderr) == (1, b"prismpy: OSError: [Errno 28] No space left on device\n")


def test_a_console_that_is_no_utf_8_gets_json_in_utf_8(env: dict[str, str]) -> None:
    """Programs need not know what the terminal speaks."""
    done = subprocess.run(
        [*COMMAND, "call", "json:loads", r'{"s": "\"ü图\""}', "--json"],
        capture_output=True,
        env={**env, "PYTHONIOENCODING": "latin-1"},
        check=True,
    )

    assert json.loads(done.stdout.decode("utf-8"))["text"] == "ü图"


# --- terminals ----------------------------------------------------------------


def test_a_terminal_shows_colours(env: dict[str, str]) -> None:
    """Errors are red there."""
    assert on_terminal("list", "jsn", env=env) == (
        2,
        "\x1b[31mprismpy: there is no module 'jsn'; did you mean 'json'?\x1b[0m\n",
    )


def test_colours_can_be_had_without(env: dict[str, str]) -> None:
    """`NO_COLOR` is respected."""
    assert on_terminal("list", "jsn", env={**env, "NO_COLOR": "1"}) == (
        2,
        "prismpy: there is no module 'jsn'; did you mean 'json'?\n",
    )


def test_a_table_fits_the_terminal(env: dict[str, str]) -> None:
    """Long words are folded, and nothing is cut."""
    code, shown = on_terminal("list", "tools_of_test.py", env={**env, "COLUMNS": "24"})

    assert (code, [line.rstrip() for line in re.sub(r"\x1b\[[0-9;]*m", "", shown).splitlines()]) == (
        0,
        [
            "",
            "                  descr",
            "          param   iptio",
            " name     eters   n",
            " ──────────────────────",
            " remove   path:",
            "          strin",
            "          g",
            "",
            "1 tool",
        ],
    )


# --- somebody at the terminal -------------------------------------------------

QUESTION = 'Run remove with {"path": "x"}? [y/N] '


@pytest.mark.parametrize("reply", ["y", "Yes"])
def test_a_yes_runs_the_tool(env: dict[str, str], reply: str) -> None:
    """The terminal shows the question and what was typed."""
    assert on_terminal("call", "tools_of_test.py", '{"path": "x"}', env=env, reply=f"{reply}\n") == (
        0,
        f"{QUESTION}{reply}\nremoving\nremoved x\n",
    )


@pytest.mark.parametrize(("reply", "echo"), [("n\n", "n\n"), ("\n", "\n"), ("why\n", "why\n"), ("\x04", "")])
def test_anything_else_is_a_no(env: dict[str, str], reply: str, echo: str) -> None:
    """Nor does the end of input agree."""
    code, shown = on_terminal("call", "tools_of_test.py", '{"path": "x"}', env={**env, "NO_COLOR": "1"}, reply=reply)

    assert code == 1
    assert shown.replace("^D\b\b", "") == (
        f"{QUESTION}{echo}remove needs approval and did not get it, so it was not run\n"
    )


def test_ctrl_c_ends_the_command(env: dict[str, str]) -> None:
    """Quietly, with the exit code of an interrupted program."""
    assert on_terminal("call", "tools_of_test.py", '{"path": "x"}', env=env, reply=signal.SIGINT) == (130, QUESTION)
