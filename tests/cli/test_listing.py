"""JSON files as targets."""

import json
from pathlib import Path
from typing import Any

import pytest

from .conftest import Answer, Command

ECHO = {"name": "echo.it", "description": "Say it again", "inputSchema": {"type": "object", "properties": {"x": {}}}}
NOW = {"type": "function", "function": {"name": "now"}}

FORMS = [[ECHO, NOW], {"tools": [ECHO, NOW]}, {"jsonrpc": "2.0", "id": 1, "result": {"tools": [ECHO, NOW]}}]


@pytest.mark.parametrize("content", FORMS, ids=["a list", "an object", "an answer"])
def test_tools_in_a_file_are_listed(prismpy: Command, here: Path, content: Any) -> None:
    """As an MCP server lists them, or a request holds them."""
    (here / "tools.json").write_text(json.dumps(content))

    answer = prismpy("export", "tools.json", "--to", "anthropic", "--compact")

    assert json.loads(answer.out) == [
        {"name": "echo_it", "description": "Say it again", "input_schema": ECHO["inputSchema"]},
        {"name": "now", "input_schema": {"type": "object", "properties": {}}},
    ]


def test_one_tool_is_had_by_its_name(prismpy: Command, here: Path) -> None:
    """Dots in it are letters of it; a file may hold one tool only, after the mark that Windows shells write."""
    (here / "tools.json").write_text(json.dumps(FORMS[1]))
    (here / "one.json").write_text(json.dumps(ECHO), encoding="utf-8-sig")
    shown = "echo.it\n  Say it again\n\n  x  any value  optional\n\n  has no handler: it is described here and run elsewhere\n\n"

    assert prismpy("show", "tools.json:echo.it") == Answer(0, shown)
    assert prismpy("show", str(here / "one.json")) == Answer(0, shown)


def test_what_is_no_tool_is_refused_by_its_place(prismpy: Command, here: Path) -> None:
    """The others are there."""
    broken = {"name": "broken", "inputSchema": {"type": "nonsense"}}
    (here / "tools.json").write_text(json.dumps([ECHO, 3, broken]))

    answer = prismpy("check", "tools.json", "--to", "mcp")

    assert answer.code == 1
    assert [line.partition(" is ")[0] for line in answer.out.splitlines() if "refused" in line] == [
        "1: refused: 3",
        "broken: refused: tool 'broken': $.type",
    ]


@pytest.mark.parametrize(
    ("content", "target", "message"),
    [
        ("[]", "f.json", 'f.json holds no tools, but []; it should hold a list of them, or {"tools": [...]}'),
        ('{"tools": []}', "f.json", 'f.json holds no tools, but {"tools": []}; '),
        ("{", "f.json", "f.json cannot be read: JSONDecodeError: "),
        (json.dumps([ECHO]), "f.json:echo.is", "f.json holds no tool 'echo.is'; did you mean 'echo.it'?"),
        ("[]", "g.json", "g.json cannot be read: FileNotFoundError: "),
    ],
)
def test_what_holds_no_tools_is_told(prismpy: Command, here: Path, content: str, target: str, message: str) -> None:
    """The exit code is 2."""
    (here / "f.json").write_text(content)

    answer = prismpy("list", target)

    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(f"prismpy: {message}")
