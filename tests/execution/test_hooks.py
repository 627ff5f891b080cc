"""What the app hears about calls."""

import io
import json
from typing import Any

import pytest

from prismpy import Hooks, Toolbox, ToolCall, ToolResult, log_calls, tool
from tests.execution.drivers import Driver

pytestmark = pytest.mark.anyio


def divide(a: int, b: int = 1) -> float:
    """Divide."""
    return a / b


CALLS = [
    ToolCall("1", "divide", '{"a": "6", "b": 2}'),
    ToolCall("2", "divide", {"a": 6, "b": 0}),
    ToolCall("3", "divide", {"b": 0}),
    ToolCall("4", "devide", {}),
]


@pytest.mark.parametrize("is_async", [False, True], ids=["plain", "async"])
async def test_hooks_hear_of_every_call(is_async: bool, drive: Driver) -> None:
    """Before the handler runs, when it raises, and of the result, whatever it is; in the order in which it happens."""
    heard: list[Any] = []

    def before(call: ToolCall) -> None:
        heard.append(("before", call.id, call.arguments))

    def failed(call: ToolCall, error: Exception) -> None:
        heard.append(("failed", call.id, str(error)))

    def after(result: ToolResult) -> None:
        heard.append(("after", result.call.id, result.is_error))

    async def abefore(call: ToolCall) -> None:
        before(call)

    async def afailed(call: ToolCall, error: Exception) -> None:
        failed(call, error)

    async def aafter(result: ToolResult) -> None:
        after(result)

    hooks = Hooks(abefore, afailed, aafter) if is_async else Hooks(before, failed, after)
    results = await drive(Toolbox([divide]), CALLS, hooks=hooks)

    assert heard == [
        ("before", "1", {"a": 6, "b": 2}),
        ("after", "1", False),
        ("before", "2", {"a": 6, "b": 0}),
        ("failed", "2", "division by zero"),
        ("after", "2", True),
        ("after", "3", True),
        ("after", "4", True),
    ]
    assert results == await drive(Toolbox([divide]), CALLS, hooks=Hooks())


async def test_hooks_hear_of_what_is_let_through(drive: Driver) -> None:
    """An exception that leaves the run is told first; there is no result to tell of."""
    heard: list[str] = []
    hooks = Hooks(failed=lambda call, error: heard.append(str(error)), after=lambda result: heard.append(result.text))

    with pytest.raises(ZeroDivisionError):
        await drive(Toolbox([tool(divide).without_error_handling()]), CALLS[1:2], hooks=hooks)
    assert heard == ["division by zero"]


async def test_an_exception_of_a_hook_leaves_the_run(drive: Driver) -> None:
    """It is the app's mistake, and no answer to a model."""

    def deaf(call: ToolCall) -> None:
        raise LookupError("nobody listens")

    with pytest.raises(LookupError, match="nobody listens"):
        await drive(Toolbox([divide]), CALLS, hooks=Hooks(before=deaf))


async def test_calls_are_logged_as_json_lines(drive: Driver) -> None:
    """A line has what was asked, what came of it, and how long the handler took, if it ran."""
    file, ticks = io.StringIO(), iter(range(100))
    await drive(Toolbox([divide]), CALLS, hooks=log_calls(file, lambda: float(next(ticks))))

    assert [json.loads(line) for line in file.getvalue().splitlines()] == [
        {
            "id": "1",
            "tool": "divide",
            "arguments": '{"a": "6", "b": 2}',
            "text": "3.0",
            "is_error": False,
            "problems": [],
            "repairs": ['a: took the text "6" for the integer it spells'],
            "seconds": 1.0,
        },
        {
            "id": "2",
            "tool": "divide",
            "arguments": {"a": 6, "b": 0},
            "text": "divide failed: ZeroDivisionError: division by zero",
            "is_error": True,
            "problems": [],
            "repairs": [],
            "seconds": 1.0,
        },
        {
            "id": "3",
            "tool": "divide",
            "arguments": {"b": 0},
            "text": "divide was not called; its arguments are wrong:\n- a: missing; expected integer\n"
            "Expected: {a: integer, b?: integer}",
            "is_error": True,
            "problems": ["a: missing; expected integer"],
            "repairs": [],
            "seconds": None,
        },
        {
            "id": "4",
            "tool": "devide",
            "arguments": {},
            "text": "there is no tool 'devide'; did you mean 'divide'?; available are divide",
            "is_error": True,
            "problems": [],
            "repairs": [],
            "seconds": None,
        },
    ]


def test_a_tool_run_alone_is_heard_of_as_well() -> None:
    """Hooks are an option of every run."""
    heard: list[str] = []
    tool(divide).run({"a": 1}, hooks=Hooks(after=lambda result: heard.append(result.text)))

    assert heard == ["1.0"]
