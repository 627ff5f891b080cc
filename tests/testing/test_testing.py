"""What prismpy offers to tests of apps."""

import re
from typing import Any

import anyio
import pytest

from prismpy import (
    Agent,
    DefinitionError,
    Document,
    ProviderError,
    Tool,
    Toolbox,
    ToolCall,
    ToolResultMessage,
    UnknownProviderError,
    UserMessage,
    tool,
)
from prismpy.codecs import Ask, Reply
from prismpy.testing import (
    FunctionModel,
    ScriptedModel,
    assert_called,
    assert_not_called,
    assert_order,
    assert_valid,
    faked,
    reply_of,
)

DATE = "2026-11-30"


@tool
def book(day: str, seats: int = 1) -> str:
    """Book seats."""
    raise AssertionError("nothing is booked in a test")


SCRIPT = [ToolCall("", "book", {"day": DATE, "seats": 2}), "booked"]


def test_fakes_answer_without_running_a_tool() -> None:
    """Arguments are checked and converted as always; only the handler is another."""
    seen: list[object] = []
    fakes = faked([book], {"book": lambda **arguments: seen.append(arguments) or "ok"})

    assert fakes.run([ToolCall("a", "book", {"day": DATE, "seats": "2"})])[0].text == "ok"
    assert fakes.run([ToolCall("a", "book", {"seats": 2})])[0].is_error
    assert seen == [{"day": DATE, "seats": 2}]


def test_fakes_are_values_and_exceptions_too() -> None:
    """A tool that is not named is run."""
    real = Tool.as_("real").using(lambda: "real")
    elsewhere = Tool.as_("elsewhere").for_("Elsewhere.").external()
    fakes = faked(Toolbox([real, book, elsewhere]), {"book": ValueError("full"), "elsewhere": 7})

    results = fakes.run([ToolCall("a", "real"), ToolCall("b", "book", {"day": DATE}), ToolCall("c", "elsewhere")])

    assert [result.text for result in results] == ["real", "book failed: ValueError: full", "7"]


def test_a_fake_needs_a_tool() -> None:
    """A name that no tool has is a mistake of the test."""
    with pytest.raises(DefinitionError, match="no tool is called 'bok'; there are book"):
        faked([book], {"bok": 1})


def test_checks_say_what_was_called() -> None:
    """They pass where they are right, and list the calls where they are not."""
    response = Agent("demo", ScriptedModel(SCRIPT), tools=faked([book], {"book": "ok"})).run("hi")

    assert assert_called(response, "book", seats=2).decoded == {"day": DATE, "seats": 2}
    assert_called(response, "book")
    assert_not_called(response, "cancel")
    assert_order(response, "book")
    assert_valid(response.messages)
    listed = f"the calls were book({{'day': '{DATE}', 'seats': 2}})"
    for check, message in [
        (lambda: assert_called(response, "book", seats=3), f"book was not called with {{'seats': 3}}; {listed}"),
        (lambda: assert_called(response, "cancel"), f"cancel was not called; {listed}"),
        (lambda: assert_not_called(response, "book"), f"book was called; {listed}"),
        (lambda: assert_order(response), f"expected the calls none; {listed}"),
        (
            lambda: assert_valid([ToolResultMessage(response.tool_results)]),
            "the conversation is not valid: message 0: result for 'reply_1_0' answers no call",
        ),
    ]:
        with pytest.raises(AssertionError) as caught:
            check()
        assert str(caught.value) == message


def test_a_conversation_may_be_one_that_a_provider_cannot_say() -> None:
    """Each that is named must be able to say all of it."""
    linked = [UserMessage(Document.from_url("https://example.org/a.pdf"))]

    assert_valid(linked, "anthropic", "openai-responses")
    with pytest.raises(AssertionError) as caught:
        assert_valid(linked, "anthropic", "groq")
    assert str(caught.value) == (
        "the conversation is not valid: groq: a document by URL cannot be said in chat completions; give its bytes, or "
        "ask openai-responses"
    )
    with pytest.raises(UnknownProviderError):
        assert_valid(linked, "nobody")


def test_a_script_is_read_from_json() -> None:
    """Words, calls, and lists of both."""
    model = ScriptedModel.from_json(["hi", {"tool": "book", "arguments": {"day": DATE}}, ["so", {"tool": "book"}]])

    turns = [model.ask(Ask("m", ())).message for _ in range(3)]
    assert [turn.text for turn in turns] == ["hi", "", "so"]
    assert [turn.calls for turn in turns] == [
        (),
        (ToolCall("reply_2_0", "book", {"day": DATE}),),
        (ToolCall("reply_3_1", "book", {}),),
    ]
    with pytest.raises(DefinitionError, match="answer 0 of the script is 3; write words"):
        ScriptedModel.from_json([3])


def test_a_script_that_is_over_says_so() -> None:
    """It names the question that nobody wrote an answer for."""
    with pytest.raises(DefinitionError, match="the script has no answer left for question 1; add one"):
        ScriptedModel([]).ask(Ask("m", ()))


def test_a_function_answers_what_it_is_asked() -> None:
    """It gets the question, and may fail."""
    model = FunctionModel(lambda ask: f"{len(ask.messages)} messages")

    async def main() -> Reply:
        return await model.aask(Ask("m", (UserMessage("a"),)))

    assert anyio.run(main).message.text == "1 messages"
    with pytest.raises(ProviderError, match="busy"):
        reply_of(ProviderError("busy"))


@pytest.mark.parametrize("answer", [None, 5, [5], b"x", {"tool": "add"}])
def test_what_is_no_scripted_answer_is_refused(answer: Any) -> None:
    """With the ways to write one."""
    with pytest.raises(DefinitionError, match="is no scripted answer; write words, a ToolCall"):
        ScriptedModel([answer]).ask(Ask("m", ()))


def test_words_alone_are_no_script() -> None:
    """Their letters would be the answers."""
    with pytest.raises(DefinitionError, match=re.escape("write ['hello']")):
        ScriptedModel("hello")
