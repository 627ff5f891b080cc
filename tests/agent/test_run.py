"""Runs under way: what they tell, how they end, what they leave behind."""

import asyncio
import json
from collections.abc import AsyncGenerator, Iterable
from contextlib import aclosing, nullcontext
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prismpy import (
    Agent,
    Artifact,
    Decision,
    Event,
    HistoryMemory,
    HookError,
    Hooks,
    Limits,
    ProtocolError,
    ProviderError,
    Retry,
    RunState,
    Tool,
    ToolCall,
    ToolOutput,
    tool,
)
from prismpy.agent._run import Run
from prismpy.codecs import Failure, Reply
from prismpy.loop import faults
from prismpy.testing import ScriptedModel, assert_order, assert_valid, reply_of
from tests.agent.drivers import Driver, astream, merged, stream


@tool
def add(a: int, b: int = 1) -> int:
    """Add."""
    return a + b


@tool
def fail() -> str:
    """Fail."""
    raise ValueError("no stock")


@tool
def again() -> str:
    """Ask for another try."""
    raise Retry("once more")


@tool
def paint() -> ToolOutput:
    """Paint."""
    return ToolOutput("painted", [Artifact.from_raw(b"x", "image/png")])


@tool
async def later(word: str) -> str:
    """Say it."""
    return word


def boom() -> str:
    """Break the run."""
    raise RuntimeError("boom")


breaking = Tool.as_("boom").using(boom).without_error_handling()
risky = Tool.as_("risky").for_("Do it.").using(lambda: "did it").requires_approval()
outside = Tool.as_("outside").for_("Ask the client.").with_string_parameter("q", "Question").external()
final = Tool.as_("final").for_("Answer.").using(lambda: "the answer").return_direct()
together = Tool.as_("together").using(lambda: "both").concurrent()
TOOLS = [add, fail, again, paint, later, breaking, risky, outside, final, together]


def agent(*answers: Any, **options: Any) -> Agent:
    return Agent("demo", ScriptedModel(answers), tools=TOOLS, **options)


def call(name: str, **arguments: Any) -> ToolCall:
    return ToolCall("", name, arguments)


def events_of(run: Run) -> list[Event]:
    return list(run)


def kinds(events: Iterable[Event]) -> list[str]:
    return [event.type for event in events]


def test_every_way_to_drive_a_run_gives_the_same(drive: Driver) -> None:
    """Sync and async, whole and streamed."""
    response = drive(
        agent(["look", call("add", a=1), call("later", word="w"), call("fail")], call("paint"), "done"), "hi"
    )

    assert response.text == "done"
    assert_order(response, "add", "later", "fail", "paint")
    assert [(result.text, result.is_error) for result in response.tool_results] == [
        ("2", False),
        ("w", False),
        ("fail failed: ValueError: no stock", True),
        ("painted", False),
    ]
    assert response.artifacts == (Artifact.from_raw(b"x", "image/png"),)
    assert_valid(response.messages)


def test_a_run_tells_each_thing_once_in_order() -> None:
    """One start, one end, steps nested between them, ids in a row."""
    run = agent(["look", call("paint")], "done").stream("hi")

    events = events_of(run)

    assert [told["event"] for told in merged(events)] == [
        "stream_start",
        "step_start",
        "text_start",
        "text_delta",
        "text_complete",
        "tool_call_delta",
        "tool_call",
        "tool_result",
        "artifact",
        "step_finish",
        "step_start",
        "text_start",
        "text_delta",
        "text_complete",
        "step_finish",
        "stream_end",
    ]
    prefix = events[0].id.removesuffix("-0")
    assert [event.id for event in events] == [f"{prefix}-{number}" for number in range(len(events))]
    assert all(event.timestamp > 0 for event in events)


def test_deltas_name_tools_as_they_are_declared() -> None:
    """Whatever the provider is told, where a name does not fit its rules."""
    odd = tool(add.spec.handler, name="add up!")
    model = ScriptedModel([ToolCall("", "add_up_", {"a": 1}), "done"], tool_dialect="openai")
    events = events_of(Agent("demo", model, tools=[odd]).stream("hi"))

    assert {event.to_dict()["tool_name"] for event in events if event.type.startswith("tool_")} == {"add up!"}


def test_a_run_that_has_not_begun_has_come_to_nothing() -> None:
    """It can be looked at all the same."""
    response = agent("done").stream("hi").response

    assert (response.text, response.finish_reason, response.citations, response.steps) == ("", "unknown", (), ())


def test_a_front_end_gets_server_sent_events() -> None:
    """As text, sync and async."""
    streamed = list(agent("hello").as_event_stream("hi"))

    async def main() -> list[str]:
        return [text async for text in agent("hello").as_async_event_stream("hi")]

    assert streamed[0].startswith("event: stream_start\ndata: {")
    assert [text.split("\n")[0] for text in anyio.run(main)] == [text.split("\n")[0] for text in streamed]


def test_a_tool_has_the_last_word(drive: Driver) -> None:
    """The run ends with its result and asks nothing more."""
    response = drive(agent([call("final"), call("add", a=1)]), "hi")

    assert (response.text, response.finish_reason) == ("the answer", "stop")
    assert_valid(response.messages)


def test_text_beside_a_call_is_no_answer(drive: Driver) -> None:
    """A run that ends with a turn without words has no text."""
    assert drive(agent(["Let me look.", call("add", a=1)], ""), "hi").text == ""
    assert drive(agent(["Let me look.", call("add", a=1)], limits=Limits(max_steps=1)), "hi").text == ""


def test_the_app_may_end_a_run(drive: Driver) -> None:
    """Its condition is looked at after each step with tools."""
    response = drive(agent(call("add", a=1), call("add", a=2), stop_when=lambda state: len(state.steps) == 2), "hi")

    assert (response.limit, len(response.steps)) == ("condition", 2)
    assert_valid(response.messages)


def test_a_call_waits_for_approval_and_goes_on_with_it(drive: Driver) -> None:
    """The state is stored in between, as JSON."""
    asking = agent([call("add", a=1), call("risky")], "done")

    waiting = drive(asking, "hi")
    assert [(each.call.name, each.needs) for each in waiting.pending] == [("risky", "approval")]
    assert (waiting.finish_reason, waiting.text) == ("tool_calls", "")
    stored = RunState.from_dict(waiting.state.to_dict())
    [pending] = waiting.pending

    response = asking.resume(stored, {pending.call.id: Decision(True, digest=pending.call.digest)})
    assert [result.text for result in response.tool_results] == ["2", "did it"]
    assert response.text == "done"


def test_a_refusal_is_told_to_the_model() -> None:
    """The run goes on with it."""
    asking = agent(call("risky"), "as you wish")
    waiting = asking.run("hi")

    async def main() -> Any:
        return await asking.aresume(waiting.state, {waiting.pending[0].call.id: Decision(False, "too dangerous")})

    response = anyio.run(main)
    assert response.tool_results[0].text == "risky needs approval and did not get it: too dangerous"
    assert response.text == "as you wish"


def test_whoever_is_there_to_ask_is_asked(drive: Driver) -> None:
    """With `approve` a run does not wait."""
    asked: list[str] = []

    def approve(call: ToolCall) -> bool:
        asked.append(call.name)
        return True

    response = drive(agent(call("risky"), "done"), "hi", approve=approve)

    assert (asked, response.tool_results[0].text) == (["risky"], "did it")


def test_the_client_answers_an_external_tool() -> None:
    """Its answer is taken as what a handler returned; decisions and answers may come at different times."""
    asking = agent([call("outside", q="where?"), call("risky")], "done")
    waiting = asking.run("hi")
    outer, risk = (pending.call.id for pending in waiting.pending)

    half = asking.resume(waiting.state, {outer: "here"})
    assert [pending.call.id for pending in half.pending] == [risk]

    run = asking.resume_stream(half.state, {risk: True}, approve=lambda _: False)
    assert kinds(events_of(run))[:3] == ["stream_start", "tool_result", "tool_result"]
    assert [result.text for result in run.response.tool_results] == ["here", "did it"]


def test_answers_without_a_wait_are_refused() -> None:
    """A run that is done asks for nothing."""
    done = agent("hello").run("hi")

    with pytest.raises(ProtocolError, match="Wait is not due"):
        agent().resume(done.state, {"a": True})


def test_a_run_that_broke_off_can_be_resumed(drive: Driver) -> None:
    """The provider's failure is told and raised, and the state is as it was before the question."""
    failing = agent(call("add", a=1), ProviderError("busy", provider="scripted", code="overloaded"), "done")
    run = failing.stream("hi")
    told: list[Event] = []

    with pytest.raises(ProviderError, match="busy"):
        told.extend(run)
    with pytest.raises(ProviderError):
        drive(agent(ProviderError("busy")), "hi")

    assert faults(run.state.messages) == ()
    assert failing.resume(run.state).text == "done"


def test_an_answer_that_breaks_off_is_an_error_with_what_came() -> None:
    """The words so far are on the exception; the conversation does not have them."""
    said = reply_of("half an ans")
    broken = Reply(said.message, failure=Failure("cut_off", "the stream ended"))
    run = agent(broken).stream("hi")
    told: list[Event] = []

    with pytest.raises(ProviderError) as caught:
        told.extend(run)  # keeps those before the exception

    assert caught.value.reply.message.text == "half an ans"
    assert (caught.value.code, str(caught.value)) == ("cut_off", "scripted: the stream ended")
    assert kinds(told)[-2:] == ["error", "stream_end"]
    assert len(run.state.messages) == 1


def test_every_announced_call_is_closed_before_an_exception(drive: Driver) -> None:
    """A handler without error handling ends the run; nothing is left open."""
    run = agent([call("add", a=1), call("boom"), call("add", a=2)]).stream("hi")
    told: list[Event] = []

    with pytest.raises(RuntimeError, match="boom"):
        told.extend(run)
    with pytest.raises(RuntimeError, match="boom"):
        drive(agent(call("boom")), "hi")

    assert kinds(told)[-5:] == ["tool_result", "tool_result", "tool_result", "step_finish", "stream_end"]
    results = [event for event in told if event.type == "tool_result"]
    assert [event.to_dict()["success"] for event in results] == [True, False, False]
    assert faults(run.state.messages) == ()


@pytest.mark.parametrize(
    ("calls", "successes"), [([call("add", a=1), call("add", a=2)], [True, False]), ([call("final")], [True])]
)
def test_a_hook_that_fails_ends_the_run_behind_the_results(calls: Any, successes: list[bool], drive: Driver) -> None:
    """What the tools did is in the conversation, so that a run can go on from there."""

    def deaf(result: Any) -> None:
        raise LookupError("nobody listens")

    run = agent(calls, hooks=Hooks(after=deaf)).stream("hi")
    told: list[Event] = []

    with pytest.raises(HookError):
        told.extend(run)
    with pytest.raises(HookError):
        drive(agent(calls, hooks=Hooks(after=deaf)), "hi")
    results = [event for event in told if event.type == "tool_result"]
    assert [event.to_dict()["success"] for event in results] == successes
    assert kinds(told)[-1] == "stream_end"
    assert faults(run.state.messages) == ()


def test_a_model_may_get_a_tool_wrong_so_often(drive: Driver) -> None:
    """The agent counts over the turns of a run, and begins anew with the next."""
    script = ScriptedModel([call("again"), call("again"), call("again"), "sorry"])
    limited = Tool.make(again.spec.handler).as_("again").with_retries(1)
    response = drive(Agent("demo", script, tools=[limited]), "hi")

    assert [result.retry for result in response.tool_results] == ["open", "spent", "spent"]


def test_whoever_stops_listening_leaves_a_valid_conversation() -> None:
    """Wherever that is; the stream of the model is closed."""
    script = [["look", call("add", a=1), call("add", a=2)], "done"]
    length = len(events_of(agent(*script).stream("hi")))

    for stop in range(1, length):
        run = agent(*script).stream("hi")
        listening = iter(run)
        for _ in range(stop):
            next(listening)
        listening.close()  # type: ignore[attr-defined]  # it is a generator

        assert_valid(run.state.messages)


def test_leaving_a_loop_ends_the_run() -> None:
    """Python closes the driver, as nobody else holds on to it."""
    run = agent(call("add", a=1), "done").stream("hi")
    for event in run:
        if event.type == "tool_call":
            break

    assert_valid(run.state.messages)
    assert run.state.done is not None


def test_a_run_that_is_held_on_to_can_be_closed() -> None:
    """With `close`, or at the end of a block; closing again does nothing."""
    for is_block in (False, True):
        run = agent(call("add", a=1), "done").stream("hi")
        with run if is_block else nullcontext():
            listening = iter(run)
            while next(listening).type != "tool_call":
                pass
            if not is_block:
                run.close()

        run.close()
        assert_valid(run.state.messages)
        assert list(listening) == []


@pytest.mark.anyio
async def test_closing_a_run_that_has_not_begun_does_nothing() -> None:
    """It can be run still."""
    run = agent("done").stream("hi")
    run.close()
    await run.aclose()

    assert [event.type for event in run][-1] == "stream_end"


@pytest.mark.anyio
async def test_leaving_an_async_loop_ends_the_run_in_a_block() -> None:
    """At once, and closing again does nothing; `aclose` does so by itself where the iterator is held on to."""
    async with agent(call("add", a=1), "done").stream("hi") as run:
        async for event in run:
            if event.type == "tool_call":
                break

    await run.aclose()
    assert_valid(run.state.messages)

    other = agent(call("add", a=1), "done").stream("hi")
    listening = aiter(other)
    while (await anext(listening)).type != "tool_call":
        pass
    await other.aclose()
    assert_valid(other.state.messages)


def test_a_run_that_is_over_tells_nothing_more() -> None:
    """And is handed on once, to what remembers it."""
    memory = HistoryMemory()
    run = Agent("demo", ScriptedModel(["done"]), contexts=[memory]).stream("hi")

    assert [event.type for event in run][-1] == "stream_end"
    assert list(run) == []
    assert [block.text for block in memory.get_blocks("hi")] == ["User: hi\nAssistant: done"]
    assert run.response.text == "done"
    assert asyncio.run(_listed(run)) == []


async def _listed(run: Run) -> list[Event]:
    return [event async for event in run]


@pytest.mark.anyio
async def test_cancelling_leaves_a_valid_conversation() -> None:
    """The call that was under way says that it was cancelled; the one before has its result."""
    entered = anyio.Event()

    @tool
    async def hang() -> str:
        """Hang."""
        entered.set()
        await anyio.sleep_forever()
        raise AssertionError

    run = Agent("demo", ScriptedModel([[call("add", a=1), call("hang")]]), tools=[add, hang]).astream("hi")

    async def listen() -> None:
        async for _ in run:
            pass

    async with anyio.create_task_group() as group:
        group.start_soon(listen)
        await entered.wait()
        group.cancel_scope.cancel()

    assert [result.text for result in run.response.tool_results] == [
        "2",
        "hang had begun when the run was cancelled; it is not known whether it took effect",
    ]
    assert_valid(run.state.messages)


# --- laws

CALLS = st.sampled_from(
    [
        call("add", a=1),
        call("add", a="x"),
        ToolCall("", "add", '{"a":'),
        ToolCall("same", "add", {"a": 3}),
        call("fail"),
        call("again"),
        call("paint"),
        call("later", word="w"),
        call("boom"),
        call("risky"),
        call("outside", q="?"),
        call("final"),
        call("together"),
        call("nothing_of_this_name"),
    ]
)
ANSWERS = st.one_of(
    st.text(max_size=12),
    st.lists(st.one_of(st.text(max_size=6), CALLS), max_size=4),
    st.just(ProviderError("busy")),
)
LIMITS = st.builds(
    Limits,
    max_steps=st.integers(1, 4),
    max_tokens=st.none() | st.integers(1, 60),
    max_calls=st.none() | st.integers(1, 4),
)
SCRIPTS = st.lists(ANSWERS, max_size=4).map(lambda answers: [*answers, "end", "end", "end", "end"])


def outcome(run: Run) -> tuple[list[dict[str, Any]], str]:
    """Return what a run tells, and how it ends."""
    told: list[Event] = []
    try:
        told.extend(run)
    except Exception as error:  # noqa: BLE001  # how it ends is what is compared
        return merged(told), repr(error)
    return merged(told), ""


def aoutcome(run: Run) -> tuple[list[dict[str, Any]], str]:
    """Return the same, driven from async code."""
    told: list[Event] = []

    async def main() -> str:
        try:
            async for event in run:
                told.append(event)  # noqa: PERF401  # extend would lose those before an exception
        except Exception as error:  # noqa: BLE001  # how it ends is what is compared
            return repr(error)
        return ""

    end = anyio.run(main)
    return merged(told), end


@given(SCRIPTS, LIMITS)
def test_sync_and_async_whole_and_streamed_are_the_same(script: list[Any], limits: Limits) -> None:
    """The same events, the same end, the same conversation."""
    runs = [agent(*script, limits=limits)._begun("hi", (), {}, streamed=streamed) for streamed in (True, False)]
    aruns = [agent(*script, limits=limits)._begun("hi", (), {}, streamed=streamed) for streamed in (True, False)]

    outcomes = [*map(outcome, runs), *map(aoutcome, aruns)]

    assert all(each == outcomes[0] for each in outcomes)
    assert all(run.state == runs[0].state for run in (*runs, *aruns))


@given(SCRIPTS, LIMITS, st.booleans(), st.integers(0, 30))
def test_every_call_has_exactly_one_result_after_any_outcome(
    script: list[Any], limits: Limits, agreed: bool, stop: int
) -> None:
    """Limits, errors, refusals, waiting and leaving early: the conversation is valid, and the state can be stored."""
    asking = agent(*script, limits=limits)
    run = asking.stream("hi")
    listening = iter(run)
    try:
        for _, _event in zip(range(stop), listening, strict=False):
            pass
    except (ProviderError, RuntimeError):
        pass
    assert RunState.from_dict(json.loads(json.dumps(run.state.to_dict()))) == run.state  # in the middle of a turn too
    listening.close()  # type: ignore[attr-defined]  # it is a generator
    state = RunState.from_dict(json.loads(json.dumps(run.state.to_dict())))
    assert state == run.state

    if state.waiting:
        answers = {each.call.id: agreed if each.needs == "approval" else "here" for each in state.waiting}
        try:
            state = asking.resume(state, answers).state
        except (ProviderError, RuntimeError):
            return
    if state.waiting:
        state = state.stopped("nobody answered")[0]
    assert faults(state.messages) == ()


class Silent(ScriptedModel):
    """A model that breaks its promise: it ends without an answer, or yields something else."""

    def __init__(self, *items: Any) -> None:
        super().__init__([])
        self.items = items

    def stream(self, _: Any) -> Any:
        yield from self.items

    async def astream(self, _: Any) -> Any:
        for item in self.items:
            yield item


@pytest.mark.parametrize("driver", [stream, astream])
def test_a_model_that_ends_without_an_answer_is_not_asked_for_ever(driver: Driver) -> None:
    """It is a failure of the provider, and told as one."""
    with pytest.raises(ProviderError, match="scripted: the model ended without an answer"):
        driver(Agent("demo", Silent()), "hi")
    with pytest.raises(ProtocolError, match="scripted: the model yields 'words'; events are due, and a Reply"):
        driver(Agent("demo", Silent("words")), "hi")


def test_a_run_that_is_over_tells_nothing_again() -> None:
    """Nor is anything remembered twice."""
    memory = HistoryMemory()
    run = Agent("demo", ScriptedModel(["hello"]), contexts=[memory]).stream("hi")
    first = [event.type for event in run]

    async def again() -> list[Event]:
        return [event async for event in run]

    assert first[-1] == "stream_end"
    assert list(run) == []
    assert anyio.run(again) == []
    assert len(memory.get_blocks("")) == 1


class Closing(ScriptedModel):
    """A model that says when nobody listens any more."""

    def __init__(self) -> None:
        super().__init__(["hello"])
        self.closed = False

    async def astream(self, ask: Any) -> Any:
        try:
            async with aclosing(super().astream(ask)) as items:
                async for item in items:
                    yield item
        finally:
            self.closed = True


@pytest.mark.anyio
async def test_a_stream_of_text_that_is_closed_closes_its_connection() -> None:
    """At once, not whenever Python closes what nobody holds on to."""
    model = Closing()
    texts = Agent("demo", model).as_async_event_stream("hi")
    while not (await anext(texts)).startswith("event: text_delta"):
        pass
    assert isinstance(texts, AsyncGenerator)
    await texts.aclose()

    assert model.closed
