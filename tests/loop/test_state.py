"""The loop as a value."""

from typing import Any

import attrs
import pytest

from prismpy import (
    Artifact,
    ArtifactEvent,
    AssistantMessage,
    CallPart,
    Citation,
    Decision,
    DefinitionError,
    ErrorEvent,
    Event,
    Limits,
    ProtocolError,
    RunState,
    StepFinishEvent,
    StepStartEvent,
    StreamEndEvent,
    StreamStartEvent,
    TextPart,
    ToolApprovalRequestEvent,
    ToolCall,
    ToolCallEvent,
    ToolError,
    ToolOutput,
    ToolResult,
    ToolResultEvent,
    ToolResultMessage,
    Usage,
    UserMessage,
)
from prismpy.codecs import Failure, Reply
from prismpy.loop import AskModel, Done, RunTools, Step, Wait, faults, unanswered
from prismpy.messages import FinishReason, Pending

ASKED = UserMessage("hi")
USAGE = Usage(10, 5)
CALL_A, CALL_B = ToolCall("a", "w", {"n": 1}), ToolCall("b", "w", {"n": 2})


def begun(**limits: Any) -> RunState:
    """A run of which the model has just been asked."""
    return RunState.of([ASKED], Limits(**limits)).asked()[0]


def reply(*said: str | ToolCall, reason: FinishReason | None = None, id: str = "m") -> Reply:
    """An answer of words and calls."""
    parts = [TextPart(each) if isinstance(each, str) else CallPart(each) for each in said]
    calls = any(isinstance(part, CallPart) for part in parts)
    return Reply(AssistantMessage(parts), reason or ("tool_calls" if calls else "stop"), "raw", USAGE, id, "gpt")


def result(call: ToolCall, text: str = "fine", *artifacts: Artifact) -> ToolResult:
    """The result of a call."""
    return ToolResult(call, ToolOutput(text, artifacts), text)


def kinds(events: tuple[Event, ...]) -> list[str]:
    return [event.type for event in events]


def test_calls_of_a_turn_get_distinct_ids() -> None:
    """Providers repeat ids and leave them out; in the conversation, the events and the results they are told apart."""
    state, told = begun().with_reply(
        reply(ToolCall("x", "w", {"n": 1}), ToolCall("x", "w", {"n": 2}), ToolCall("", "w"))
    )
    ids = ["x", "x_1", "call_2"]

    assert [event.call.id for event in told if isinstance(event, ToolCallEvent)] == ids
    assert [call.id for call in state.pending] == ids
    assert faults(state.with_results([result(call) for call in state.pending])[0].messages) == ()


def test_words_end_a_run() -> None:
    """An answer without calls is the last one."""
    state, told = begun().with_reply(reply("hello"))

    assert state.todo == Done("stop")
    assert told == (StepFinishEvent(USAGE), StreamEndEvent("stop", USAGE))
    assert state.messages == (ASKED, AssistantMessage([TextPart("hello")]))
    assert state.new_messages == state.messages[1:]
    assert state.steps == (Step("stop", "raw", USAGE, "m", "gpt", 1),)


def test_a_run_goes_from_question_to_calls_to_results_to_question() -> None:
    """Each transition says what is due next, and tells what happened."""
    state = RunState.of([ASKED])
    assert state.started("gpt", "openai") == (StreamStartEvent("gpt", "openai"),)
    assert state.todo == AskModel("auto")

    state, told = state.asked()
    assert told == (StepStartEvent(),)

    state, told = state.with_reply(reply("look", CALL_A, CALL_B))
    assert told == (ToolCallEvent(CALL_A, "m"), ToolCallEvent(CALL_B, "m"))
    assert state.todo == RunTools((CALL_A, CALL_B))

    picture = Artifact("eA==", "image/png")
    second = result(CALL_B, "two", picture)
    state, told = state.with_results([second])
    assert told == (ToolResultEvent(second, "m"), ArtifactEvent(picture, "b", "w", "m"))
    assert state.todo == RunTools((CALL_A,))

    state, told = state.with_results([result(CALL_A)])
    assert told == (ToolResultEvent(result(CALL_A), "m"), StepFinishEvent(USAGE))
    assert state.todo == AskModel("auto")
    assert state.messages[-1] == ToolResultMessage([result(CALL_A), second])


def test_a_forced_choice_is_released_after_the_first_step() -> None:
    """Else the model would call for ever; to call nothing is no such choice."""
    forced = RunState.of([ASKED], tool_choice="w")
    after = forced.with_reply(reply(CALL_A))[0].with_results([result(CALL_A)])[0]
    silent = attrs.evolve(after, tool_choice="none")

    assert (forced.todo, after.todo, silent.todo) == (AskModel("w"), AskModel("auto"), AskModel("none"))


def test_the_last_step_is_for_words() -> None:
    """It is asked without tools; words in it end the run, and the outcome says that the limit was reached."""
    state = begun(max_steps=2).with_reply(reply(CALL_A))[0].with_results([result(CALL_A)])[0]
    assert state.todo == AskModel("none")

    state, _ = state.with_reply(reply("so far"))

    assert state.todo == Done("stop", "steps")


def test_calls_in_the_last_step_are_not_run() -> None:
    """They get results that say so, and the conversation stays valid."""
    state = begun(max_steps=2).with_reply(reply(CALL_A))[0].with_results([result(CALL_A)])[0].asked()[0]

    state, told = state.with_reply(reply(CALL_B))

    refused = unanswered(CALL_B, "no tools were offered in this step")
    assert told == (
        ToolCallEvent(CALL_B, "m"),
        ToolResultEvent(refused, "m"),
        StepFinishEvent(USAGE),
        StreamEndEvent("tool_calls", USAGE + USAGE),
    )
    assert state.todo == Done("tool_calls", "steps")
    assert faults(state.messages) == ()


def test_a_single_step_runs_its_calls() -> None:
    """Whoever allows one step wants the results, not words about them."""
    state, _ = begun(max_steps=1).with_reply(reply(CALL_A))
    assert state.todo == RunTools((CALL_A,))

    state, told = state.with_results([result(CALL_A)])

    assert state.todo == Done("tool_calls", "steps")
    assert kinds(told) == ["tool_result", "step_finish", "stream_end"]


@pytest.mark.parametrize(
    ("limits", "seconds", "limit"), [({"max_tokens": 15}, 0.0, "tokens"), ({"max_seconds": 2.0}, 2.5, "time")]
)
def test_a_limit_ends_the_run_before_its_calls(limits: dict[str, Any], seconds: float, limit: str) -> None:
    """Calls are answered with why they were not run."""
    state, _ = begun(**limits).with_reply(reply(CALL_A), seconds=seconds)

    assert state.todo == Done("tool_calls", limit)  # type: ignore[arg-type]  # a parameter
    assert state.messages[-1] == ToolResultMessage([unanswered(CALL_A, f"the run has reached its limit of {limit}")])


def test_words_at_a_limit_are_an_answer() -> None:
    """A run that is done anyway did not fail by a limit."""
    assert begun(max_tokens=1).with_reply(reply("hello"))[0].todo == Done("stop")


def test_calls_beyond_the_limit_of_calls_are_not_run() -> None:
    """Those before are; then the run ends."""
    state, told = begun(max_calls=1).with_reply(reply(CALL_A, CALL_B))
    assert state.todo == RunTools((CALL_A,))
    assert kinds(told) == ["tool_call", "tool_call", "tool_result"]

    state, _ = state.with_results([result(CALL_A)])

    refused = unanswered(CALL_B, "the run has reached its limit of calls")
    assert state.messages[-1] == ToolResultMessage([result(CALL_A), refused])
    assert state.todo == Done("tool_calls", "calls")


def test_no_call_is_left_beyond_the_limit() -> None:
    """A turn all of whose calls are too many ends the run at once."""
    state = begun(max_calls=1).with_reply(reply(CALL_A))[0].with_results([result(CALL_A)])[0].asked()[0]

    state, _ = state.with_reply(reply(CALL_B))

    assert state.todo == Done("tool_calls", "calls")
    assert faults(state.messages) == ()


def test_calls_of_an_answer_that_was_cut_off_are_not_run() -> None:
    """Half of the arguments may be missing, so the run ends and says why."""
    state, _ = begun().with_reply(reply(CALL_A, CALL_B, reason="length"))

    assert state.todo == Done("length")
    assert [each.text for each in state.messages[-1].results] == [  # type: ignore[union-attr]  # the last message has results
        "w was not run: the answer was cut off at the limit of its length",
        "w was not run: the answer was cut off at the limit of its length",
    ]


def test_a_paused_turn_is_sent_back_as_it_is() -> None:
    """The provider goes on with it; nothing is added in between."""
    state, told = begun().with_reply(reply("searching", reason="pause"))

    assert state.todo == AskModel("auto")
    assert state.messages == (ASKED, AssistantMessage([TextPart("searching")]))
    assert told == (StepFinishEvent(USAGE),)


def test_pauses_count_as_steps() -> None:
    """A provider that pauses for ever reaches the limit."""
    assert begun(max_steps=1).with_reply(reply(reason="pause"))[0].todo == Done("pause", "steps")


def test_an_answer_of_the_wrong_form_is_asked_for_again() -> None:
    """The model is told what is wrong, as often as the limits allow."""
    state, told = begun(max_output_retries=1).with_reply(reply("no"), problem="not JSON")
    assert state.messages[-1] == UserMessage(
        "The answer does not have the demanded form: not JSON. Answer again, in that form only."
    )
    assert (state.todo, told) == (AskModel("auto"), (StepFinishEvent(USAGE),))

    state, _ = state.with_reply(reply("no"), problem="not JSON")

    assert state.todo == Done("stop")


def test_a_run_waits_for_what_must_come_from_outside() -> None:
    """It tells what it waits for and ends its stream; the answers let it go on, in a stream of its own."""
    state, _ = begun().with_reply(reply(CALL_A, CALL_B))
    pending = (Pending(CALL_A, "approval"), Pending(CALL_B, "answer"))

    state, told = state.waiting_for(pending)
    assert state.todo == Wait(pending)
    assert told == (
        ToolApprovalRequestEvent(CALL_A, "m", CALL_A.digest),
        StepFinishEvent(USAGE),
        StreamEndEvent("tool_calls", USAGE),
    )

    state = RunState.from_dict(state.to_dict()).with_answers({"a": True, "b": {"x": 1}})
    assert state.todo == RunTools((CALL_A, CALL_B), {"a": Decision(True)}, {"b": ToolOutput({"x": 1})})

    state, told = state.with_results([result(CALL_A), result(CALL_B)])
    assert kinds(told) == ["tool_result", "tool_result"]
    assert state.todo == AskModel("auto")


def test_answers_may_come_one_by_one_and_be_failures() -> None:
    """An exception stands for a client that could not do it; what is missing is asked for again."""
    state = begun().with_reply(reply(CALL_A, CALL_B))[0]
    state = state.waiting_for([Pending(CALL_A, "answer"), Pending(CALL_B, "answer")])[0]

    state = state.with_answers({"a": ValueError("no screen")})
    todo = state.waiting_for([Pending(CALL_B, "answer")])[0].with_answers({"b": ToolOutput("ok")}).todo

    assert isinstance(todo, RunTools)
    assert isinstance(todo.supplied["a"], ToolError)
    assert str(todo.supplied["a"]) == "no screen"
    assert todo.supplied["b"] == ToolOutput("ok")


def test_a_tool_may_have_the_last_word() -> None:
    """The run ends with its result, once all results of the turn are there."""
    state, _ = begun().with_reply(reply(CALL_A, CALL_B))

    state, _ = state.with_results([result(CALL_A)])
    state, told = state.with_results([result(CALL_B)], answer="a")

    assert state.todo == Done("stop", answer="a")
    assert kinds(told) == ["tool_result", "step_finish", "stream_end"]


def test_a_run_can_be_stopped_in_any_state() -> None:
    """Whatever is due, the conversation is valid afterwards."""
    fresh, running = begun(), begun().with_reply(reply(CALL_A, CALL_B))[0].with_results([result(CALL_A)])[0]
    waiting = running.waiting_for([Pending(CALL_B, "answer")])[0]

    for state in (fresh, running, waiting):
        stopped, told = state.stopped("cancelled")
        assert stopped.todo == Done("other")
        assert faults(stopped.messages) == ()
        assert kinds(told)[-1] == "stream_end"
        assert stopped.stopped("again") == (stopped, ())


def test_a_failure_leaves_the_state_alone() -> None:
    """The model can be asked again later; the step that was told to begin goes on then."""
    state = begun()

    assert state.failed("overloaded", "busy") == (ErrorEvent("overloaded", "busy"), StreamEndEvent("error", Usage()))
    assert state.asked() == (state, ())


def test_citations_are_collected() -> None:
    """The end of a run says all that was cited in it."""
    cited = Citation("url", "https://example.com")
    said = Reply(AssistantMessage([TextPart("x", (cited,))]), "stop")

    assert begun().with_reply(said)[1][-1] == StreamEndEvent("stop", Usage(), (cited,))


def test_the_history_is_repaired_at_the_start() -> None:
    """A call of an earlier run that was never answered is answered before the first question."""
    open_turn = AssistantMessage([CallPart(CALL_A)])

    state = RunState.of([ASKED, open_turn, UserMessage("there?")])

    assert faults(state.messages) == ()
    assert state.before == 4


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda: begun().with_results([]), "RunTools is not due, but AskModel is; look at `todo` first"),
        (lambda: begun().with_answers({}), "Wait is not due, but AskModel is; look at `todo` first"),
        (
            lambda: begun().with_reply(Reply(AssistantMessage(), failure=Failure("cut_off", "x"))),
            "the answer broke off (cut_off); raise it, or ask again",
        ),
        (
            lambda: begun().with_reply(reply(CALL_A))[0].with_results([result(CALL_B)]),
            "result for call 'b', but pending are 'a'",
        ),
        (
            lambda: (
                begun()
                .with_reply(reply(CALL_A))[0]
                .waiting_for([Pending(CALL_A, "approval")])[0]
                .with_answers({"b": 1})
            ),
            "answer for call 'b', but those that wait are 'a'",
        ),
        (
            lambda: (
                begun()
                .with_reply(reply(CALL_A))[0]
                .waiting_for([Pending(CALL_A, "approval")])[0]
                .with_answers({"a": 1})
            ),
            "call 'a' waits for approval, got int; answer with a bool or a Decision",
        ),
    ],
)
def test_a_run_driven_out_of_order_says_so(act: Any, message: str) -> None:
    """The error names what was done and what is due."""
    with pytest.raises(ProtocolError) as caught:
        act()

    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"max_steps": 0}, "max_steps is 0; pass a number more than 0, or leave it out"),
        ({"max_seconds": -1.0}, "max_seconds is -1.0; pass a number more than 0, or leave it out"),
        ({"max_output_retries": -1}, "max_output_retries is -1; pass 0 or more"),
    ],
)
def test_limits_must_allow_something(limits: dict[str, Any], message: str) -> None:
    """A limit that allows nothing is a mistake."""
    with pytest.raises(DefinitionError) as caught:
        Limits(**limits)

    assert str(caught.value) == message
