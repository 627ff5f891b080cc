"""What the app hears about calls."""

import io
import json
from typing import Any

import pytest

from prismpy import HookError, Hooks, Toolbox, ToolCall, ToolResult, log_calls, tool
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


def deaf(*_: Any) -> None:
    raise LookupError("nobody listens")


async def adeaf(*_: Any) -> None:
    raise LookupError("nobody listens")


@pytest.mark.parametrize("together", [False, True])
@pytest.mark.parametrize("hook", [deaf, adeaf])
async def test_a_hook_that_fails_loses_no_result(hook: Any, together: bool, drive: Driver) -> None:
    """All calls run to their end; then the error is raised, with what they came to."""
    box = Toolbox([tool(divide).concurrent(together)])
    expected = await drive(box, CALLS)
    for hooks, times in ((Hooks(failed=hook), 1), (Hooks(after=hook), 4)):
        with pytest.raises(
            HookError, match=r"^a hook failed \(LookupError: nobody listens\); all calls have ended"
        ) as caught:
            await drive(box, CALLS, hooks=hooks)

        assert caught.value.results == expected
        assert [str(error) for error in caught.value.errors] == ["nobody listens"] * times
        assert caught.value.__cause__ is caught.value.errors[0]


@pytest.mark.parametrize("hook", [deaf, adeaf])
async def test_a_call_that_a_hook_fails_before_is_not_run(hook: Any, drive: Driver) -> None:
    """Its handler is not called, as nobody knows whether it may be; the model hears that it was not."""
    box = Toolbox([tool(lambda n: pytest.fail("ran"), name="t")])

    with pytest.raises(HookError) as caught:
        await drive(box, [ToolCall("1", "t", {"n": 1})], hooks=Hooks(before=hook))
    assert [result.text for result in caught.value.results] == ["t was not run, since the app failed before"]


async def test_a_failing_hook_is_noted_on_what_is_let_through(drive: Driver) -> None:
    """The handler's own error goes before; that of the hook is in its notes."""
    with pytest.raises(ZeroDivisionError) as caught:
        await drive(Toolbox([tool(divide).without_error_handling()]), CALLS[1:2], hooks=Hooks(failed=deaf))
    assert caught.value.__notes__ == ["a hook failed as well: LookupError: nobody listens"]


async def test_hooks_hear_of_whoever_fails_to_decide(drive: Driver) -> None:
    """The call is refused, the others run, and the app hears of its error."""
    heard: list[str] = []
    box = Toolbox([tool(divide).requires_approval(), tool(lambda: "ran", name="other")])
    results = await drive(
        box,
        [CALLS[0], ToolCall("5", "other")],
        approve=deaf,
        hooks=Hooks(failed=lambda call, error: heard.append(f"{call.id} {error}")),
    )

    assert [(result.text, result.is_error) for result in results] == [
        ("divide was not run, since asking for approval failed (LookupError: nobody listens)", True),
        ("ran", False),
    ]
    assert heard == ["1 nobody listens"]


async def test_what_hooks_do_to_arguments_reaches_nobody(drive: Driver) -> None:
    """They get copies; so do those who approve."""
    got: list[Any] = []

    def meddle(call: ToolCall, *_: Any) -> bool:
        call.arguments["days"].append("never")  # type: ignore[index,call-overload]
        return True

    def take(days: list[str]) -> None:
        got.append(list(days))
        days.append("handler")
        raise ValueError

    shown: list[Any] = []
    call = ToolCall("1", "take", {"days": ["Monday"]})
    made = tool(take).requires_approval().failed(lambda error, arguments: shown.append(arguments) or "failed")
    (result,) = await drive(Toolbox([made]), [call], approve=meddle, hooks=Hooks(before=meddle, failed=meddle))

    assert (got, shown) == ([["Monday"]], [{"days": ["Monday"]}])
    assert result.call.arguments == call.arguments == {"days": ["Monday"]}


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
