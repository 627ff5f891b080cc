"""Calls that somebody has to agree to: what they are asked, and what their answers do."""

from typing import Any

import pytest

from prismpy import Decision, ToolCall, tool
from tests.execution.drivers import Driver

pytestmark = pytest.mark.anyio


def delete(path: str, times: int = 1) -> str:
    """Delete a file."""
    return f"deleted {path} {times}"


DELETE = tool(delete).requires_approval()
CALL = ToolCall("call_0", "delete", {"path": "/x", "times": 2})


async def test_the_one_asked_sees_what_would_be_run(drive: Driver) -> None:
    """The arguments are decoded and repaired before anybody is asked about them."""
    asked: list[ToolCall] = []
    result = await drive(DELETE, '{"path": "/x", "times": "2"}', approve=lambda call: asked.append(call) or True)

    assert asked == [CALL]
    assert (result.text, result.call.arguments) == ("deleted /x 2", '{"path": "/x", "times": "2"}')


@pytest.mark.parametrize(
    ("decision", "text", "is_error"),
    [
        (True, "deleted /x 2", False),
        (Decision(True), "deleted /x 2", False),
        (Decision(True, digest=CALL.digest), "deleted /x 2", False),
        (False, "delete needs approval and did not get it, so it was not run", True),
        (None, "delete needs approval and did not get it, so it was not run", True),
        ("yes", "delete needs approval and did not get it, so it was not run", True),
        (Decision(False), "delete needs approval and did not get it, so it was not run", True),
        (Decision(False, "not on Fridays"), "delete needs approval and did not get it: not on Fridays", True),
        (
            Decision(True, digest=ToolCall("call_0", "delete", {"path": "/y", "times": 2}).digest),
            "delete was not run: what was approved is not what was called",
            True,
        ),
    ],
)
async def test_a_decision_is_obeyed(decision: Any, text: str, is_error: bool, drive: Driver) -> None:
    """Yes is True or a Decision that agrees, on these very arguments; anything else is no."""
    result = await drive(DELETE, CALL.arguments, approve=lambda _: decision)

    assert (result.text, result.is_error) == (text, is_error)


async def test_arguments_can_be_changed_by_the_one_who_agrees(drive: Driver) -> None:
    """The handler gets the changed ones, checked and repaired like any; the call in the result stays the model's."""
    decision = Decision(True, arguments={"path": "/z", "times": "3"})
    result = await drive(DELETE, CALL.arguments, approve=lambda _: decision)

    assert (result.text, result.call) == ("deleted /z 3", CALL)
    assert result.repairs == (
        'times: took the text "3" for the integer it spells',
        "the arguments were changed by whoever approved the call",
    )


async def test_changed_arguments_must_be_right(drive: Driver) -> None:
    """Nobody's word goes round the schema; the call in the result stays the model's."""
    result = await drive(DELETE, CALL.arguments, approve=lambda _: Decision(True, arguments={"path": 3}))

    assert ([problem.path for problem in result.problems], result.call) == (["path"], CALL)


async def test_who_fails_to_decide_does_not_agree(drive: Driver) -> None:
    """The call is refused; sync or async, the error is told."""

    def broken(call: ToolCall) -> bool:
        raise TimeoutError("no operator")

    async def abroken(call: ToolCall) -> bool:
        raise TimeoutError("no operator")

    for approve in (broken, abroken):
        result = await drive(DELETE, CALL.arguments, approve=approve)

        assert result.text == "delete was not run, since asking for approval failed (TimeoutError: no operator)"
        assert result.is_error


def test_a_digest_is_of_name_and_arguments() -> None:
    """Neither the id nor the order of keys is in it; 1 and true are different."""
    other = ToolCall("y", "delete", {"times": 2, "path": "/x"})

    assert CALL.digest == other.digest
    assert len(CALL.digest) == 64
    assert ToolCall("", "t", {"a": 1}).digest != ToolCall("", "t", {"a": True}).digest
    for same in ('{"path": "/x", "times": 2}', b' {"times": 2, "path": "/x"}'):  # and no matter how they came
        assert ToolCall("", "delete", same).digest == CALL.digest
    assert ToolCall("", "t", None).digest == ToolCall("", "t", "").digest == ToolCall("", "t", {}).digest
    assert ToolCall("", "t", "{").digest != ToolCall("", "t", {}).digest
