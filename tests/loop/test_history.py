"""Conversations that providers would refuse, and their repair."""

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prismpy import (
    AssistantMessage,
    CallPart,
    Message,
    ProviderToolPart,
    SystemMessage,
    TextPart,
    ToolCall,
    ToolOutput,
    ToolResult,
    ToolResultMessage,
    UserMessage,
)
from prismpy.loop import faults, repaired, unanswered, with_calls

WHY = "the conversation went on without its result"


def calling(*ids: str) -> AssistantMessage:
    """A turn that calls w once for each id."""
    return AssistantMessage([TextPart("look"), *(CallPart(ToolCall(id, "w", {"n": n})) for n, id in enumerate(ids))])


def results(*answered: tuple[str, str]) -> ToolResultMessage:
    """Results of w, by call id and text."""
    return ToolResultMessage([ToolResult(ToolCall(id, "w"), ToolOutput(text), text) for id, text in answered])


@pytest.mark.parametrize(
    ("messages", "told"),
    [
        ([UserMessage("hi"), calling("a", "b"), results(("a", "1"), ("b", "2")), AssistantMessage()], ()),
        ([calling("a")], ("message 0: call 'a' has no result",)),
        ([calling("a"), UserMessage("there?")], ("message 0: call 'a' has no result",)),
        ([calling("a", "b"), results(("a", "1"))], ("message 0: call 'b' has no result",)),
        ([results(("z", "1"))], ("message 0: result for 'z' answers no call",)),
        ([calling("a"), results(("a", "1"), ("a", "2"))], ("message 1: call 'a' has several results",)),
        (
            [calling("a", "b"), results(("b", "2"), ("a", "1"))],
            ("message 1: the results are not in the order of the calls",),
        ),
        (
            [calling("a", "a"), results(("a", "1"), ("a", "2"))],
            ("message 0: two calls have the id 'a'", "message 1: call 'a' has several results"),
        ),
    ],
)
def test_faults_are_named(messages: list[Message], told: tuple[str, ...]) -> None:
    """What a provider would refuse is listed with its place."""
    assert faults(messages) == told


def test_a_valid_conversation_is_left_alone() -> None:
    """Nothing is rebuilt where nothing is wrong."""
    messages = (SystemMessage("s"), UserMessage("hi"), calling("a"), results(("a", "1")))

    assert repaired(messages) == messages


def test_a_call_without_result_gets_one_that_says_so() -> None:
    """The result stands right behind the call's turn."""
    turn, later = calling("a"), UserMessage("there?")

    refused = unanswered(turn.calls[0], WHY)
    assert repaired([turn, later]) == (turn, ToolResultMessage([refused]), later)
    assert refused.is_error
    assert refused.text == f"w was not run: {WHY}"


def test_what_a_providers_tool_leaves_to_the_app_may_have_a_result() -> None:
    """It is no fault, and no repair takes it away: here that of a call which lacks one."""
    shell = ProviderToolPart("local_shell_call", raw={"type": "local_shell_call", "call_id": "s"})
    asked, both = AssistantMessage([shell]), AssistantMessage([*calling("a").parts, shell])
    answer, again = results(("s", "1")), results(("s", "2"))

    assert faults([asked, answer]) == faults([asked, UserMessage("no")]) == ()
    assert repaired([asked, answer, again, asked, UserMessage("no")]) == (asked, answer, asked, UserMessage("no"))
    assert repaired([both, answer]) == (
        both,
        ToolResultMessage([unanswered(both.calls[0], WHY), *answer.results]),
    )


def test_results_that_answer_nothing_are_dropped() -> None:
    """A result before its call, or a second one, has no place in a conversation."""
    turn, first = calling("b"), results(("b", "1"))

    again = results(("b", "2"))
    assert repaired([results(("zz", "?")), UserMessage("hi"), turn, first, again]) == (
        UserMessage("hi"),
        turn,
        attrs.evolve(first, results=[attrs.evolve(first.results[0], call=turn.calls[0])]),
    )


def test_calls_that_share_an_id_get_ids_of_their_own() -> None:
    """The n-th call of an id keeps the n-th result of it."""
    turn, answer = repaired([calling("a", "a"), results(("a", "1"), ("a", "2"))])

    assert isinstance(turn, AssistantMessage)
    assert isinstance(answer, ToolResultMessage)
    assert [call.id for call in turn.calls] == ["a", "a_1"]
    assert [(result.call.id, result.text) for result in answer.results] == [("a", "1"), ("a_1", "2")]


def test_results_in_several_messages_are_put_together() -> None:
    """Foreign histories hold one message for each result."""
    turn, answer = repaired([calling("a", "b"), results(("b", "2")), results(("a", "1"))])

    assert turn == calling("a", "b")
    assert isinstance(answer, ToolResultMessage)
    assert [result.text for result in answer.results] == ["1", "2"]


def test_with_calls_keeps_everything_else() -> None:
    """Other calls take the places of a turn's own."""
    turn = with_calls(calling("a", "b"), [ToolCall("x", "v"), ToolCall("y", "v")])

    assert turn.parts == (TextPart("look"), CallPart(ToolCall("x", "v")), CallPart(ToolCall("y", "v")))


IDS = st.sampled_from(["a", "b", "c"])
MESSAGES: st.SearchStrategy[Message] = st.one_of(
    st.just(UserMessage("hi")),
    st.just(AssistantMessage([TextPart("words")])),
    st.lists(IDS, max_size=3).map(lambda ids: calling(*ids)),
    st.lists(st.tuples(IDS, st.just("r")), max_size=3).map(lambda told: results(*told)),
)


@given(st.lists(MESSAGES, max_size=8))
def test_repair_makes_any_conversation_valid(messages: list[Message]) -> None:
    """Whatever is handed in, what comes out has no faults, and repairing it again changes nothing."""
    mended = repaired(messages)

    assert faults(mended) == ()
    assert repaired(mended) == mended
    assert [m for m in mended if isinstance(m, UserMessage)] == [m for m in messages if isinstance(m, UserMessage)]


@given(st.lists(MESSAGES, max_size=8), st.integers(0, 8))
def test_a_conversation_cut_anywhere_can_be_made_valid(messages: list[Message], start: int) -> None:
    """A window onto a conversation may begin and end in the middle of a turn."""
    assert faults(repaired(repaired(messages)[start:])) == ()
