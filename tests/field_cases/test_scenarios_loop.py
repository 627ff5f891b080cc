"""The field cases about the loop, the history and the order of events; see `test_scenarios`."""

import anyio
import pytest

from prismpy import (
    Agent,
    AssistantMessage,
    CallPart,
    Event,
    Limits,
    RunState,
    TextPart,
    ToolCall,
    ToolOutput,
    ToolResult,
    ToolResultMessage,
    UserMessage,
    tool,
)
from prismpy.codecs import Reply
from prismpy.loop import faults, repaired
from prismpy.testing import FunctionModel, ScriptedModel, assert_valid, faked

W = ToolCall("", "w", {})


@tool
def w() -> str:
    """Work."""
    return "1"


def answer(id: str, text: str = "1") -> ToolResultMessage:
    return ToolResultMessage([ToolResult(ToolCall(id, "w", {}), ToolOutput(text), text)])


def test_fc_loop_01_step_limit_with_calls_in_the_last_response() -> None:
    """Two requests, one result a call, the limit in the outcome, and a conversation that can go on."""
    model = ScriptedModel([W, W, "more"])
    agent = Agent("demo", model, tools=[w], max_steps=2)

    response = agent.run("hi")

    assert len(model.asked) == 2
    assert response.limit == "steps"
    assert_valid(response.messages)
    assert agent.run("and?", messages=response.messages).text == "more"


def test_fc_loop_02_cancelled_during_a_tool() -> None:
    """The first call keeps its result, the second says that it was cancelled."""

    async def main() -> RunState:
        begun = anyio.Event()

        @tool
        async def slow() -> str:
            """Never end."""
            begun.set()
            await anyio.sleep_forever()
            raise AssertionError

        run = Agent("demo", ScriptedModel([[W, ToolCall("", "slow", {})]]), tools=[w, slow]).astream("hi")

        async def listen() -> None:
            async for _ in run:
                pass

        async with anyio.create_task_group() as group:
            group.start_soon(listen)
            await begun.wait()
            group.cancel_scope.cancel()
        return run.state

    state = anyio.run(main)
    results = state.messages[-1]
    assert isinstance(results, ToolResultMessage)
    assert [result.text for result in results.results] == [
        "1",
        "slow had begun when the run was cancelled; it is not known whether it took effect",
    ]
    goes_on = Agent("demo", ScriptedModel(["fine"]), tools=[w]).run("go on", messages=state.messages)
    assert_valid(goes_on.messages)


def test_fc_loop_03_forced_tool_choice_must_not_loop() -> None:
    """A model that obeys is forced once."""
    for forced in ("w", "any"):
        model = FunctionModel(lambda ask: "done" if ask.tool_choice == "auto" else W)

        Agent("demo", model, tools=[w]).run("hi", tool_choice=forced)

        assert [ask.tool_choice for ask in model.asked] == [forced, "auto"]


def test_fc_loop_04_response_cut_off_with_calls() -> None:
    """Nothing is run, nothing is repaired, and the outcome says why."""
    ran: list[str] = []

    @tool
    def write(path: str, content: str = "") -> None:
        """Write."""
        ran.append(path)

    calls = [ToolCall("a", "write", '{"path": "f", "content": "ab'), ToolCall("b", "write", '{"path": "g"}')]
    cut = Reply(AssistantMessage([CallPart(call) for call in calls]), "length", "length")

    response = Agent("demo", ScriptedModel([cut]), tools=[write]).run("hi")

    assert ran == []
    assert response.finish_reason == "length"
    assert all(result.is_error for result in response.tool_results)
    assert_valid(response.messages)


def test_fc_loop_05_pause_turn() -> None:
    """The turn goes back as it is, and the loop goes on."""
    searching = AssistantMessage([TextPart("searching")])
    model = ScriptedModel([Reply(searching, "pause", "pause_turn"), "done"])

    response = Agent("demo", model, tools=[w]).run("hi")

    assert response.text == "done"
    assert [ask.messages for ask in model.asked] == [(UserMessage("hi"),), (UserMessage("hi"), searching)]


def test_fc_loop_06_text_beside_a_call_is_not_the_final_answer() -> None:
    """The loop goes on; an empty last answer stays empty."""
    response = Agent("demo", ScriptedModel([["Let me look.", W], ""]), tools=[w]).run("hi")

    turn = response.messages[1]
    assert isinstance(turn, AssistantMessage)
    assert (turn.text, len(turn.calls)) == ("Let me look.", 1)
    assert len(response.steps) == 2
    assert response.text == ""


def test_fc_dispatch_02_unknown_tools_use_up_no_budget() -> None:
    """Only the steps count."""
    unknown = ToolCall("", "wrok", {})
    model = ScriptedModel([[unknown, W], [unknown, W], [unknown, W], "final"])

    response = Agent("demo", model, tools=[w], limits=Limits(max_output_retries=1)).run("hi")

    assert response.text == "final"
    assert [result.is_error for result in response.tool_results] == [True, False] * 3


def test_fc_args_17_every_path_validates() -> None:
    """Sync, async, in a batch, in a run, and through a fake: wrong arguments never reach the handler."""
    seen: list[object] = []

    @tool
    def take(n: int) -> str:
        """Take."""
        seen.append(n)
        return "ok"

    wrong, right = {"n": "x"}, {"n": "5"}
    batch = [ToolCall("a", "take", wrong), ToolCall("b", "take", right)]
    fakes = faked([take], {"take": lambda n: seen.append(n) or "ok"})

    async def main() -> list[bool]:
        one = await take.arun(wrong)
        turn = await fakes.arun(batch)
        return [one.is_error, *(result.is_error for result in turn)]

    assert take.run(wrong).is_error
    assert [result.is_error for result in fakes.run(batch)] == [True, False]
    assert anyio.run(main) == [True, True, False]
    ran = Agent("demo", ScriptedModel([batch, "done"]), tools=[take]).run("hi")
    assert [result.is_error for result in ran.tool_results] == [True, False]
    assert seen == [5, 5, 5]


def test_fc_stream_08_one_start_and_one_end_per_stream() -> None:
    """Steps are nested between them."""
    events = [event.type for event in Agent("demo", ScriptedModel([W, "done"]), tools=[w]).stream("hi")]

    outer = [type for type in events if type in {"stream_start", "step_start", "step_finish", "stream_end"}]
    assert outer == ["stream_start", "step_start", "step_finish", "step_start", "step_finish", "stream_end"]


def test_fc_stream_09_calls_are_closed_when_a_tool_ends_the_run() -> None:
    """Both announced calls get a result before the exception."""

    @tool
    def bad() -> str:
        """Fail."""
        raise ValueError("no")

    calls = [ToolCall("a", "bad", {}), ToolCall("b", "w", {})]
    agent = Agent("demo", ScriptedModel([calls]), tools=[bad.without_error_handling(), w])
    told: list[Event] = []

    with pytest.raises(ValueError, match="no"):
        told.extend(agent.stream("hi"))

    announced = [event.to_dict()["tool_id"] for event in told if event.type == "tool_call"]
    closed = [event.to_dict() for event in told if event.type == "tool_result"]
    assert announced == [event["tool_id"] for event in closed] == ["a", "b"]
    assert [event["success"] for event in closed] == [False, False]


def test_fc_history_04_trimming_must_not_separate_call_and_result() -> None:
    """A window that begins with a result is made valid before it is sent."""
    turn = AssistantMessage([CallPart(ToolCall("a", "w", {}))])
    history = [UserMessage("1"), turn, answer("a"), AssistantMessage([TextPart("ok")]), UserMessage("2")]

    for kept in range(1, 6):
        assert faults(repaired(history[-kept:])) == ()
    assert repaired(history[-4:-1]) == (turn, answer("a"), history[3])
    assert repaired(history[-3:]) == (history[3], history[4])


def test_fc_history_05_loading_a_damaged_history() -> None:
    """Orphans are dropped, open calls are answered, the first result is kept; a sound history stays as it is."""
    turns = {id: AssistantMessage([CallPart(ToolCall(id, "w", {}))]) for id in "ab"}
    damaged = [
        answer("zz", "?"),
        UserMessage("hi"),
        turns["a"],
        UserMessage("still there?"),
        turns["b"],
        answer("b", "1"),
        answer("b", "2"),
    ]

    model = ScriptedModel(["yes"])
    Agent("demo", model, tools=[w]).run("now?", messages=damaged)

    sent = model.asked[0].messages
    assert faults(sent) == ()
    texts = [result.text for message in sent if isinstance(message, ToolResultMessage) for result in message.results]
    assert texts == ["w was not run: the conversation went on without its result", "1"]
    assert repaired(sent) == sent
