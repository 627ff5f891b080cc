"""Calls that need something from outside: answers that no handler gives, decisions that are yet to come."""

from typing import Annotated, Any

import pytest

from prismpy import (
    Artifact,
    Decision,
    Hooks,
    Injected,
    IntegerSchema,
    ObjectSchema,
    Pending,
    Retry,
    Tool,
    Toolbox,
    ToolCall,
    ToolError,
    ToolOutput,
    tool,
)
from tests.execution.drivers import Driver

pytestmark = pytest.mark.anyio

ASK = Tool.as_("ask").with_string_parameter("question").external()
PICTURE = Artifact.from_raw(b"abc", "image/png")


def delete(path: str, times: int = 1) -> str:
    """Delete a file."""
    return f"deleted {path} {times}"


DELETE = tool(delete).requires_approval()


def ask(id: str = "a", question: Any = "Why?") -> ToolCall:
    return ToolCall(id, "ask", {"question": question})


@pytest.mark.parametrize(
    ("answer", "text", "is_error"),
    [
        ("Because.", "Because.", False),
        (None, "null", False),
        ({"n": [1]}, '{"n": [1]}', False),
        (ToolOutput("drawn", [PICTURE]), "drawn", False),
        (PICTURE, "made an artifact of type image/png", False),
        (ToolError("nobody is there"), "nobody is there", True),
        (Retry("that was asked before"), "that was asked before; call ask again with this set right", True),
        (TimeoutError("no reply"), "ask failed: TimeoutError: no reply", True),
    ],
)
async def test_an_answer_is_taken_as_what_a_handler_returned(
    answer: Any, text: str, is_error: bool, drive: Driver
) -> None:
    """Text, JSON, outputs with artifacts and failures alike, under the id of the call."""
    (result,) = await drive(Toolbox([ASK]), [ask()], supplied={"a": answer})

    assert (result.call, result.text, result.is_error) == (ask(), text, is_error)
    assert bool(result.artifacts) == (answer is PICTURE or isinstance(answer, ToolOutput))


async def test_what_was_promised_of_answers_is_held(drive: Driver) -> None:
    """A declared output and a limit hold for them, and failures are worded and told as always."""
    told: list[str] = []
    declared = ObjectSchema(properties=(IntegerSchema("n"),), required_fields=("n",))
    held = Tool.as_("held").with_output(declared).external()
    cut = Tool.as_("cut").with_result_limit(3).external()
    worded = Tool.as_("worded").failed(lambda error, arguments: f"sorry: {error}").external()
    calls = [ToolCall(name, name) for name in ("held", "cut", "worded")]
    results = await drive(
        Toolbox([held, cut, worded]),
        calls,
        supplied={"held": {"n": "x"}, "cut": "abcdef", "worded": ValueError("gone")},
        hooks=Hooks(before=pytest.fail, failed=lambda call, error: told.append(f"{call.id} {error}")),
    )

    assert [result.text for result in results] == [
        'held failed: its result is not what it should be (n: expected integer, got "x")',
        "abc\n[cut after 3 of 6 characters; read_result reads on with id 'bef57ec7f53a' and start 3]",
        "sorry: gone",
    ]
    assert told == ["worded gone"]


async def test_an_answer_that_is_an_exception_is_let_through_as_others(drive: Driver) -> None:
    """A tool without error handling raises it."""
    with pytest.raises(LookupError, match="gone"):
        await drive(
            Toolbox([Tool.as_("t").external().without_error_handling()]),
            [ToolCall("a", "t")],
            supplied={"a": LookupError("gone")},
        )


async def test_without_an_answer_the_call_has_an_error_for_its_result(drive: Driver) -> None:
    """Every call has a result, and its arguments are judged whether there is an answer or not."""
    results = await drive(Toolbox([ASK]), [ask(), ask("b", 3)], supplied={"b": "never asked"})

    assert [(result.text.splitlines()[0], result.is_error) for result in results] == [
        ("ask is answered outside of this run, and no answer has come", True),
        ("ask was not called; its arguments are wrong:", True),
    ]


async def test_the_handler_of_an_external_tool_describes_it(drive: Driver) -> None:
    """It is never called, so nothing need be provided for it; what it could not take is refused."""

    def pick(day: int, user: Annotated[Toolbox, Injected]) -> str:
        """Let the user pick a day."""
        raise AssertionError

    made = tool(pick).external()
    results = await drive(
        Toolbox([made]), [ToolCall("1", "pick", '{"day": "3"}'), ToolCall("2", "pick")], supplied={"1": "Monday"}
    )

    assert made.to("anthropic")["description"] == "Let the user pick a day."
    assert (results[0].text, results[0].repairs) == ("Monday", ('day: took the text "3" for the integer it spells',))
    assert [problem.path for problem in results[1].problems] == ["day"]


async def test_a_tool_run_alone_takes_an_answer_too(drive: Driver) -> None:
    """Its call has the id call_0."""
    assert (await drive(ASK, {"question": "Why?"}, supplied={"call_0": "Because."})).text == "Because."


def test_waiting_are_calls_that_nobody_here_can_answer() -> None:
    """Those with right arguments, as they would be run, under the ids of their results; nothing else, and nothing runs."""
    box = Toolbox([ASK, DELETE, tool(lambda: pytest.fail("ran"), name="plain")])
    calls = [
        ask(),
        ask(),
        ask("wrong", 3),
        ToolCall("d", "delete", '{"path": "/x", "times": "2"}'),
        ToolCall("e", "delete", "{"),
        ToolCall("p", "plain"),
        ToolCall("u", "nobody"),
    ]

    assert box.waiting(calls) == (
        Pending(ask(), "answer"),
        Pending(ask("a_1"), "answer"),
        Pending(ToolCall("d", "delete", {"path": "/x", "times": 2}), "approval"),
    )


@pytest.mark.parametrize(
    ("options", "ids"),
    [
        ({"supplied": {"a": None}}, ["d"]),
        ({"approve": {"d": True}}, ["a"]),
        ({"approve": {"d": False}}, ["a"]),
        ({"approve": {"x": True}}, ["a", "d"]),
        ({"approve": lambda call: pytest.fail("asked")}, ["a"]),
        ({"supplied": {"a": "x"}, "approve": {"d": Decision(True)}}, []),
    ],
)
def test_what_has_come_is_waited_for_no_more(options: Any, ids: list[str]) -> None:
    """Answers and decisions, be they yes or no; who decides at once is not asked yet."""
    box = Toolbox([ASK, DELETE])
    pending = box.waiting([ask(), ToolCall("d", "delete", {"path": "/x"})], **options)

    assert [one.call.id for one in pending] == ids


def test_an_external_call_is_decided_about_before_it_is_handed_out() -> None:
    """First the decision, then the answer, with the arguments that were agreed to; a refused one waits for nothing."""
    box = Toolbox([Tool.as_("pay").with_integer_parameter("cents").external().requires_approval()])
    calls = [ToolCall("p", "pay", {"cents": 999})]

    assert box.waiting(calls) == box.waiting(calls, approve=bool) == (Pending(calls[0], "approval"),)
    assert box.waiting(calls, approve={"p": True}) == (Pending(calls[0], "answer"),)
    assert box.waiting(calls, approve={"p": Decision(True, arguments={"cents": "9"})}) == (
        Pending(ToolCall("p", "pay", {"cents": 9}), "answer"),
    )
    assert box.waiting(calls, approve={"p": False}) == ()
    assert box.run(calls, approve={"p": True}, supplied={"p": "paid"})[0].text == "paid"


async def test_decisions_can_be_made_before_the_run(drive: Driver) -> None:
    """By id, bound to what was shown; a call without one is refused."""
    shown = Toolbox([DELETE]).waiting([ToolCall("d", "delete", '{"path": "/x"}')])[0].call.digest
    calls = [
        ToolCall("d", "delete", {"path": "/x"}),
        ToolCall("e", "delete", {"path": "/y"}),
        ToolCall("f", "delete", {"path": "/z"}),
    ]
    results = await drive(
        Toolbox([DELETE]), calls, approve={"d": Decision(True, digest=shown), "e": Decision(True, digest=shown)}
    )

    assert [result.text for result in results] == [
        "deleted /x 1",
        "delete was not run: what was approved is not what was called",
        "delete needs approval and did not get it, so it was not run",
    ]


def test_what_a_chain_says_can_be_taken_back() -> None:
    """As with the other flags."""
    made = Tool.as_("t").external().return_direct()

    assert (made.spec.external, made.spec.return_direct) == (True, True)
    assert made.external(False).return_direct(False).spec.external is False
    assert made.spec.return_direct is False
