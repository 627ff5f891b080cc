"""Calling a tool from the command line."""

import json
from pathlib import Path

import pytest

from .conftest import Answer, Command

TOOLS = """
import sys
from prismpy import Artifact, Tool, ToolOutput, tool

@tool
def echo(text: str = "nothing") -> str:
    return text

@tool
def fail(how: str) -> str:
    if how == "exit":
        sys.exit("bye")
    if how == "interrupt":
        raise KeyboardInterrupt
    raise ValueError(f"[red]{how}")

let_through = Tool.as_("let_through").without_error_handling().using(fail)
worded_badly = Tool.as_("worded_badly").failed(lambda error, arguments: 1 / 0).using(fail)
worded = Tool.as_("worded").failed(lambda error, arguments: f"sorry: {error}").using(fail)
described = Tool.as_("described")
outside = Tool.as_("outside").external().using(fail)

@tool
def draw() -> ToolOutput:
    made = Artifact.from_raw(b"\\x89PNG", "image/png", {"of": ["x"]}, "chart")
    return ToolOutput("drawn", [made, Artifact("%", "image/png"), Artifact.from_raw(b"", "x/y", {1: object})])

@tool
def write() -> Artifact:
    return Artifact.from_raw(b"text", "text/csv")

@tool
def remove(path: str = "") -> str:
    return f"removed {path}"

remove.requires_approval()
"""


@pytest.fixture(autouse=True)
def tools(here: Path) -> Path:
    file = here / "tools_of_test.py"
    file.write_text(TOOLS)
    return file


@pytest.fixture
def call(prismpy: Command) -> Command:
    """Call a tool of the file."""
    return lambda name, *words, **options: prismpy("call", f"tools_of_test.py:{name}", *words, **options)


# --- arguments ----------------------------------------------------------------


def test_a_result_is_what_the_model_reads(call: Command) -> None:
    """Text goes to standard output as it is."""
    assert call("echo", '{"text": "[bold]ü"}') == Answer(0, "[bold]ü\n")


def test_without_arguments_there_are_none(call: Command) -> None:
    """Defaults apply."""
    assert call("echo") == Answer(0, "nothing\n")


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_arguments_may_come_on_standard_input(call: Command, mark: str) -> None:
    """In UTF-8, with or without the mark that Windows puts before it."""
    assert call("echo", "-", stdin=mark + '{"text": "ü"}') == Answer(0, "ü\n")


def test_standard_input_must_be_text(call: Command) -> None:
    """Bytes in another encoding are a mistake, told without a stack trace."""
    answer = call("echo", "-", stdin=b"\xff")

    assert answer == Answer(
        2,
        "",
        "prismpy: standard input is no UTF-8 text: UnicodeDecodeError: 'utf-8' codec can't decode byte 0xff in "
        "position 0: invalid start byte\n",
    )


def test_wrong_arguments_are_told_as_to_a_model(call: Command) -> None:
    """What is wrong, and what was expected, on standard error."""
    assert call("echo", '{"txet": "x"}') == Answer(
        1,
        "",
        "echo was not called; its arguments are wrong:\n"
        "- txet: unknown; did you mean 'text'?\n"
        "Expected: {text?: string}\n",
    )


def test_wrong_arguments_are_told_as_json(call: Command) -> None:
    """Programs get the problems as data, and the same exit code."""
    answer = call("echo", '{"text": 1}', "--json")

    assert (answer.code, answer.err) == (1, "")
    assert json.loads(answer.out) == {
        "text": "echo was not called; its arguments are wrong:\n- text: expected string, got 1\nExpected: {text?: string}",
        "is_error": True,
        "problems": [{"path": "text", "rule": "type", "message": "expected string, got 1"}],
        "artifacts": [],
    }


# --- which tool ---------------------------------------------------------------


def test_several_tools_are_too_many(prismpy: Command, tools: Path) -> None:
    """One must be named; the message says which there are."""
    tools.write_text("def a(): ...\ndef b(x: type[int]): ...\n")

    assert prismpy("call", "tools_of_test.py") == Answer(
        2, "", "prismpy: tools_of_test.py holds 2 tools; name one behind a colon: a, b\n"
    )


def test_the_only_tool_needs_no_name(prismpy: Command, tools: Path) -> None:
    """A target with one tool means that one."""
    tools.write_text("def a():\n    return 'done'\n")

    assert prismpy("call", "tools_of_test.py") == Answer(0, "done\n")


def test_a_refused_tool_cannot_be_called(prismpy: Command, tools: Path) -> None:
    """The reason is told; the exit code is that of a tool that failed."""
    tools.write_text("from prismpy import Tool\nclass A(Tool):\n    def __init__(self, x): ...\n")

    assert prismpy("call", "tools_of_test.py:A") == Answer(
        1,
        "",
        "refused A: parameter 'x': A is not made without it; make an instance in the module (tools_of_test.py:3)\n",
    )


def test_a_described_tool_cannot_be_called(call: Command) -> None:
    """There is nothing here to run."""
    assert call("described") == Answer(
        2, "", "prismpy: described has no handler: it is described here and run elsewhere\n"
    )
    assert call("outside") == Answer(2, "", "prismpy: outside is external: it is described here and run elsewhere\n")


# --- failures -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "how", "text"),
    [
        ("fail", "badly", "fail failed: ValueError: [red]badly"),
        ("fail", "exit", "fail failed: SystemExit: bye"),
        ("let_through", "badly", "let_through failed: ValueError: [red]badly"),
        ("worded", "badly", "sorry: [red]badly"),
        (
            "worded_badly",
            "badly",
            "worded_badly failed: ValueError: [red]badly; and so did the words for it: ZeroDivisionError: division by zero",
        ),
    ],
)
def test_a_failure_is_an_error_result(call: Command, name: str, how: str, text: str) -> None:
    """Whatever a handler does, and however its failures are worded, there is no stack trace."""
    assert call(name, json.dumps({"how": how})) == Answer(1, "", text + "\n")


def test_ctrl_c_is_no_failure_of_the_tool(call: Command) -> None:
    """The exit code is that of an interrupted program."""
    assert call("fail", '{"how": "interrupt"}') == Answer(130, "")


# --- artifacts ----------------------------------------------------------------


def test_artifacts_are_told_as_json(call: Command) -> None:
    """Sizes are in bytes, null for broken data; metadata that is no JSON is told in words."""
    answer = call("draw", "--json")

    assert json.loads(answer.out) == {
        "text": "drawn",
        "is_error": False,
        "problems": [],
        "artifacts": [
            {"mime_type": "image/png", "size": 4, "id": "chart", "metadata": {"of": ["x"]}},
            {"mime_type": "image/png", "size": None, "id": None, "metadata": {}},
            {"mime_type": "x/y", "size": 0, "id": None, "metadata": {"1": "<class 'object'>"}},
        ],
    }


def test_artifacts_that_are_not_kept_are_told(call: Command) -> None:
    """Nothing is lost silently."""
    assert call("write") == Answer(
        0,
        "made an artifact of type text/csv\n",
        "artifact 1 (text/csv) is not kept; --save DIR writes it to a file\n",
    )


def test_artifacts_are_written_to_a_folder(call: Command, here: Path) -> None:
    """The folder is made, and each file told; one that cannot be written fails the command, not the others."""
    answer = call("draw", "--save", "new/folder")

    assert answer == Answer(
        1,
        "drawn\n",
        f"artifact 1 (image/png) is in {Path('new/folder/chart.png')}\n"
        "artifact 2 (image/png) cannot be saved: PrismError: artifact None: data is no base64 (Only base64 data is "
        "allowed); build artifacts from bytes with Artifact.from_raw\n"
        f"artifact 3 (x/y) is in {Path('new/folder/3.bin')}\n",
    )
    assert (here / "new/folder/chart.png").read_bytes() == b"\x89PNG"


def test_a_folder_that_cannot_be_made_is_told_before_the_call(call: Command, here: Path) -> None:
    """A tool does not run in vain."""
    (here / "file").touch()

    answer = call("fail", '{"how": "interrupt"}', "--save", "file")

    assert answer == Answer(2, "", "prismpy: --save file: FileExistsError: [Errno 17] File exists: 'file'\n")


# --- approval -----------------------------------------------------------------


def test_approval_may_be_given_beforehand(call: Command) -> None:
    """For scripts that know what they do."""
    assert call("remove", '{"path": "x"}', "--yes") == Answer(0, "removed x\n")


def test_without_a_terminal_nobody_approves(call: Command) -> None:
    """What comes on standard input is no consent."""
    assert call("remove", '{"path": "x"}', stdin="y\n") == Answer(
        1,
        "",
        "remove needs approval, and standard input is no terminal to ask on; --yes agrees\n"
        "remove needs approval and did not get it, so it was not run\n",
    )
