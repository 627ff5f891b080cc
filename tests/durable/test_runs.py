"""Durable runs in one process: started, looked at, answered, stopped and gone on with."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from prismpy import (
    Agent,
    AnsweredError,
    Artifact,
    AssistantMessage,
    Decision,
    DefinitionError,
    DurableError,
    Hooks,
    ProtocolError,
    ProviderError,
    Tool,
    ToolCall,
    ToolOutput,
    tool,
)
from prismpy.codecs import Ask, Failure, Reply
from prismpy.durable import DurableRuns, QueueLimits
from prismpy.loop import faults
from prismpy.testing import FunctionModel, ScriptedModel

PNG = Artifact.from_raw(b"\x00" * 60_000, "image/png")


class Stage:
    """What the agents of these tests look at: how often something happened, and whether something may."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}
        self.open = threading.Event()
        self.begun = threading.Event()
        self.lock = threading.Lock()
        self.now = self.most = 0

    def count(self, name: str) -> int:
        self.counts[name] = self.counts.get(name, 0) + 1
        return self.counts[name]


STAGE = Stage()


def once(*calls: ToolCall, then: str = "done") -> FunctionModel:
    """Make a model that calls tools in its first turn and ends in the second, in each of many runs."""

    def answer(ask: Ask) -> Any:
        return then if any(isinstance(message, AssistantMessage) for message in ask.messages) else calls

    return FunctionModel(answer)


def flaky(ask: Ask) -> Any:
    """Fail twice in a way that passes, then answer."""
    if STAGE.count("flaky") <= 2:
        raise ProviderError("overloaded", provider="x", status=529, retry_after=0.01)
    return "there"


def broken_off(ask: Ask) -> Any:
    """Break off at first."""
    if STAGE.count("broken off") == 1:
        return Reply(AssistantMessage("he"), failure=Failure("cut_off", "the stream ended"))
    return "hello"


def refusing(ask: Ask) -> Any:
    """Refuse at first, and not when asked again later."""
    if STAGE.count("refusing") == 1:
        raise ProviderError("no such model", provider="x", status=404)
    return "fine"


def stopping(state: Any) -> bool:
    """Fail twice, then let the run go on."""
    if (count := STAGE.count("stopping")) <= 2:
        msg = f"try {count}"
        raise LookupError(msg)
    return False


def strange(ask: Ask) -> Any:
    """Raise what is no error of a provider."""
    raise LookupError


def raising() -> str:
    """Fail at first."""
    if STAGE.count("raising") == 1:
        raise OSError("no disk")
    return "written"


async def slow() -> str:
    """Wait until the test says so."""
    STAGE.count("slow")
    STAGE.begun.set()
    while not STAGE.open.is_set():
        await anyio.sleep(0.01)
    return "slept"


def block() -> str:
    """Wait in a thread until the test says so."""
    STAGE.begun.set()
    STAGE.open.wait(30)
    return "woken"


def picture() -> ToolOutput:
    """Make a picture."""
    return ToolOutput("made", [PNG])


def heavy(n: int) -> int:
    """Compute, and wait until two have begun."""
    with STAGE.lock:
        STAGE.now += 1
        STAGE.most = max(STAGE.most, STAGE.now)
    until(lambda: STAGE.most == 2)
    with STAGE.lock:
        STAGE.now -= 1
    return n * n


def queued(n: int) -> str:
    """Fail at first."""
    if STAGE.count("queued") == 1:
        raise OSError("no disk")
    return "written"


async def queued_slow() -> str:
    """Wait until the test says so, on a worker."""
    return await slow()


def fail_after(_: Any) -> None:
    raise LookupError("the app")


def agents() -> list[Agent]:
    pay = Tool.as_("pay").using(lambda amount: f"paid {amount}").with_integer_parameter("amount", "How much")
    ask_user = Tool.as_("ask_user").for_("Ask").with_string_parameter("question", "What").external()
    return [
        Agent("weather", once(ToolCall("c", "weather", {"city": "Rome"})), tools=[tool(weather)]),
        Agent("payer", once(ToolCall("c", "pay", {"amount": 5})), tools=[pay.requires_approval()]),
        Agent(
            "asker",
            once(ToolCall("a", "ask_user", {"question": "?"}), ToolCall("b", "ask_user", {"question": "!"})),
            tools=[ask_user],
        ),
        Agent("flaky", FunctionModel(flaky)),
        Agent("broken off", FunctionModel(broken_off)),
        Agent("refusing", FunctionModel(refusing)),
        Agent("strange", FunctionModel(strange)),
        Agent("stopping", once(ToolCall("c", "weather", {"city": "Rome"})), tools=[weather], stop_when=stopping),
        Agent("raising", once(ToolCall("c", "raising")), tools=[tool(raising).without_error_handling()]),
        Agent(
            "beside",
            once(ToolCall("a", "raising"), ToolCall("b", "weather", {"city": "Rome"})),
            tools=[tool(raising).without_error_handling().concurrent(), tool(weather).concurrent()],
        ),
        Agent("blocking", once(ToolCall("c", "block"), then="asked again"), tools=[block]),
        Agent(
            "raising once",
            once(ToolCall("c", "raising")),
            tools=[tool(raising).without_error_handling().with_crash_policy("at_most_once")],
        ),
        Agent("slow", once(ToolCall("c", "slow")), tools=[slow]),
        Agent("picture", once(ToolCall("c", "picture")), tools=[picture]),
        Agent(
            "square", once(*(ToolCall(f"c{n}", "heavy", {"n": n}) for n in range(3))), tools=[tool(heavy).concurrent()]
        ),
        Agent("queued", once(ToolCall("c", "queued", {"n": 1})), tools=[tool(queued).without_error_handling()]),
        Agent("queued slow", once(ToolCall("c", "queued_slow")), tools=[queued_slow]),
        Agent(
            "queued payer",
            once(ToolCall("c", "order", {"amount": 5})),
            tools=[
                Tool.as_("order")
                .using(lambda amount: f"ordered {amount}")
                .with_integer_parameter("amount", "How much")
                .requires_approval()
            ],
        ),
        Agent("form", ScriptedModel(['{"value": 5}']), output=int),
        Agent("misfit", FunctionModel(lambda ask: "five"), output=int),
        Agent(
            "hooked", once(ToolCall("c", "weather", {"city": "Rome"})), tools=[weather], hooks=Hooks(after=fail_after)
        ),
    ]


def weather(city: str) -> str:
    """Tell the weather."""
    return f"sunny in {city}"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DurableRuns]:
    """Runs in one file, with many agents."""
    path = tmp_path_factory.mktemp("runs") / "runs.db"
    with DurableRuns(
        f"sqlite:///{path}",
        agents(),
        queues={"heavy": QueueLimits(per_worker=2), **dict.fromkeys(["queued", "queued_slow", "order"], QueueLimits())},
    ) as found:
        yield found


def until(condition: Any) -> None:
    """Wait until something holds, for half a minute at most."""
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


# --- start and look


def test_a_run_comes_to_what_it_would_without_an_engine(runs: DurableRuns) -> None:
    """The conversation, the steps and the answer are those of `Agent.run`."""
    runs.start("weather", "How is it?", id="weather")
    response = runs.result("weather", timeout=30)
    plain = agents()[0].run("How is it?")

    assert (response.text, response.messages) == (plain.text, plain.messages)
    assert runs.get("weather").status == "done"
    assert [run.id for run in runs.list()] == ["weather"]


def test_the_ledger_has_every_call(runs: DurableRuns) -> None:
    """With its digest, the policy of its tool, its state, how often it was begun and what it came to."""
    runs.start("weather", "How is it?", id="ledger")
    runs.result("ledger", timeout=30)

    (record,) = runs.calls("ledger")
    assert (record.number, record.call_id, record.tool, record.policy, record.state, record.attempts) == (
        0,
        "c",
        "weather",
        "at_least_once",
        "done",
        1,
    )
    assert record.digest == ToolCall("c", "weather", {"city": "Rome"}).digest
    assert record.result == runs.result("ledger").tool_results[0]
    assert record.worker == runs.worker
    assert record.ended is not None
    assert record.ended >= record.began


def test_a_run_is_started_once(runs: DurableRuns) -> None:
    """The same words under the same id find the run; other words are refused."""
    first = runs.start("weather", "Once", id="once")
    runs.result("once", timeout=30)

    assert runs.start("weather", "Once", id="once").created == first.created
    with pytest.raises(DurableError, match=r"there is a run 'once' already, which began otherwise"):
        runs.start("weather", "Twice", id="once")


def test_events_are_read_in_pieces(runs: DurableRuns) -> None:
    """Whoever comes back with the id of the last event it read gets the rest, each event once and in order."""
    runs.start("weather", "How is it?", id="events")
    events = list(runs.events("events"))
    ids = [event.id for event in events]

    assert ids == [f"events-{n}" for n in range(len(events))]
    assert [event.type for event in events][:: len(events) - 1] == ["stream_start", "stream_end"]
    assert events[0].data == {
        "id": "events-0",
        "timestamp": events[0].data["timestamp"],
        "model": "scripted",
        "provider": "scripted",
    } | {"metadata": None}
    for place, id in enumerate(ids):
        assert [event.id for event in runs.events("events", after=id, follow=False)] == ids[place + 1 :]


def test_what_is_not_there_is_told(runs: DurableRuns) -> None:
    """Runs, agents, events."""
    runs.start("weather", "How is it?", id="there")

    with pytest.raises(DurableError, match=r"there is no run 'gone'; list the runs to see their ids") as caught:
        runs.get("gone")
    assert caught.value.run == "gone"
    with pytest.raises(DurableError, match=r"there is no run 'gone'"):
        runs.result("gone")
    with pytest.raises(DurableError, match=r"run 'there' has no event 'x'"):
        list(runs.events("there", after="x"))
    with pytest.raises(DefinitionError, match=r"there is no agent 'x'; known are 'weather', 'payer'"):
        runs.start("x", "Hi")
    with pytest.raises(DefinitionError, match=r"agent 'late' came after the work had begun"):
        runs.start(Agent("late", ScriptedModel([])), "Hi")
    with pytest.raises(DefinitionError, match=r"two agents are called 'weather'"):
        runs.start(Agent("weather", ScriptedModel([])), "Hi")


def test_waiting_for_a_result_may_end(runs: DurableRuns) -> None:
    """The run goes on all the same."""
    STAGE.open.clear()
    runs.start("slow", "Go", id="patience")

    with pytest.raises(TimeoutError, match=r"run 'patience' is (queued|running) still"):
        runs.result("patience", timeout=0.05)
    STAGE.open.set()
    assert runs.result("patience", timeout=30).text == "done"


def test_an_answer_of_a_demanded_form_is_a_value(runs: DurableRuns) -> None:
    """An answer that never has the form fails the run."""
    runs.start("form", "How many?", id="form")
    runs.start("misfit", "How many?", id="misfit")

    assert runs.result("form", timeout=30).output == 5
    with pytest.raises(DurableError, match=r"run 'misfit' failed: the answer does not have the demanded form"):
        runs.result("misfit", timeout=30)


# --- what comes from outside


def test_a_call_waits_for_approval(runs: DurableRuns) -> None:
    """The decision is bound to what was asked, and nobody can decide twice."""
    runs.start("payer", "Pay", id="payer")
    (pending,) = runs.result("payer", timeout=30).pending

    assert runs.get("payer").pending == (pending,)
    with pytest.raises(ProtocolError, match=r"answer for call 'x', but those that wait are 'c'"):
        runs.answer("payer", {"x": True})
    with pytest.raises(ProtocolError, match=r"call 'c' is not what was decided about: its digest is"):
        runs.answer("payer", {"c": Decision(True, digest="0")})
    runs.answer("payer", {"c": Decision(True, digest=pending.call.digest)})
    assert runs.result("payer", timeout=30).tool_results[0].text == "paid 5"
    with pytest.raises(ProtocolError, match=r"those that wait are none"):
        runs.answer("payer", {"c": True})


def test_a_refusal_reaches_the_model(runs: DurableRuns) -> None:
    """With its reason."""
    runs.start("payer", "Pay", id="refused")
    runs.result("refused", timeout=30)
    runs.answer("refused", {"c": Decision(False, "too much")})

    assert runs.result("refused", timeout=30).tool_results[0].text == "pay needs approval and did not get it: too much"


def test_external_calls_are_answered_one_by_one(runs: DurableRuns) -> None:
    """The run goes on when the last one is; what was answered once is not answered again."""
    runs.start("asker", "Ask", id="asker")
    runs.result("asker", timeout=30)
    runs.answer("asker", {"a": "forty-two"})

    assert runs.get("asker").status == "waiting"
    with pytest.raises(AnsweredError, match=r"somebody else has answered 'a' before") as caught:
        runs.answer("asker", {"a": "other", "b": "more"})
    assert caught.value.calls == ("a",)
    runs.answer("asker", {"b": LookupError("nobody there")})
    assert [result.text for result in runs.result("asker", timeout=30).tool_results] == [
        "forty-two",
        "nobody there",
    ]


# --- what goes wrong


def test_failures_that_pass_are_tried_again(runs: DurableRuns) -> None:
    """Each try is a step of its own, so that none is repeated after a crash."""
    runs.start("flaky", "Hi", id="flaky")
    runs.start("broken off", "Hi", id="broken")

    assert runs.result("flaky", timeout=30).text == "there"
    assert runs.result("broken", timeout=30).text == "hello"
    assert STAGE.counts["flaky"] == 3


def test_a_run_that_failed_goes_on_at_the_step_that_failed(runs: DurableRuns) -> None:
    """The failure is told as an event, and events go on behind it."""
    runs.start("refusing", "Hi", id="refusing")

    with pytest.raises(DurableError, match=r"run 'refusing' failed: ProviderError: no such model; resume it"):
        runs.result("refusing", timeout=30)
    before = list(runs.events("refusing"))
    runs.resume("refusing")
    assert runs.result("refusing", timeout=30).text == "fine"
    after = [event.type for event in runs.events("refusing", after=before[-1].id)]
    assert [event.type for event in before][-2:] == ["error", "stream_end"]
    assert after == ["text_start", "text_delta", "text_complete", "step_finish", "stream_end"]
    assert runs.resume("refusing").status == "done"


def test_what_the_app_raises_between_two_steps_fails_the_run(runs: DurableRuns) -> None:
    """Each failure is told once, apart from what comes after it; no call is made again."""
    runs.start("stopping", "Go", id="stopping")
    for number in (1, 2):
        with pytest.raises(DurableError, match=rf"failed: LookupError: try {number}; resume it to try again"):
            runs.result("stopping", timeout=30)
        runs.resume("stopping")
    assert runs.result("stopping", timeout=30).text == "done"

    assert [(event.id.removeprefix("stopping-"), event.type) for event in runs.events("stopping")][4:] == [
        ("4", "tool_result"),
        ("5", "step_finish"),
        ("6-failed-0", "error"),
        ("7-failed-0", "stream_end"),
        ("6-failed-1", "error"),
        ("7-failed-1", "stream_end"),
        ("6", "step_start"),
        ("7", "text_start"),
        ("8", "text_delta"),
        ("9", "text_complete"),
        ("10", "step_finish"),
        ("11", "stream_end"),
    ]
    assert [(record.state, record.attempts) for record in runs.calls("stopping")] == [("done", 1)]


def test_what_a_model_raises_fails_the_run(runs: DurableRuns) -> None:
    """An exception of any class, in words, since classes are not kept."""
    runs.start("strange", "Hi", id="strange")

    with pytest.raises(DurableError, match=r"failed: DurableError: the model could not be asked \(LookupError\)"):
        runs.result("strange", timeout=30)


def test_a_handler_that_raises_fails_the_run(runs: DurableRuns) -> None:
    """Resumed, it is run again; one that runs at most once is not, and the model hears of it at once."""
    runs.start("raising", "Go", id="raising")

    with pytest.raises(DurableError, match=r"failed: DurableError: a tool failed \(OSError: no disk\)"):
        runs.result("raising", timeout=30)
    assert faults(runs.get("raising").state.messages) == ()
    runs.resume("raising")
    assert runs.result("raising", timeout=30).tool_results[0].text == "written"
    STAGE.counts.clear()
    runs.start("raising once", "Go", id="raising once")
    text = runs.result("raising once", timeout=30).tool_results[0].text
    assert text == "raising failed: OSError: no disk; it is not run again"


def test_a_hook_that_fails_fails_the_run(runs: DurableRuns) -> None:
    """What the call came to is kept."""
    runs.start("hooked", "How is it?", id="hooked")

    with pytest.raises(DurableError, match=r"failed: HookError: a hook failed"):
        runs.result("hooked", timeout=30)
    (record,) = runs.calls("hooked")
    assert record.state == "done"
    runs.resume("hooked")
    assert runs.result("hooked", timeout=30).text == "done"


def test_the_first_of_several_calls_that_raised_is_made_again(runs: DurableRuns) -> None:
    """Those beside it that ended well are not, since the ledger has their results."""
    STAGE.counts.clear()
    runs.start("beside", "Go", id="beside")

    with pytest.raises(DurableError, match=r"failed: DurableError: a tool failed \(OSError: no disk\)"):
        runs.result("beside", timeout=30)
    runs.resume("beside")
    assert [result.text for result in runs.result("beside", timeout=30).tool_results] == ["written", "sunny in Rome"]
    assert [(record.state, record.attempts) for record in runs.calls("beside")] == [("done", 1), ("done", 1)]
    told = [(event.id, event.data["result"]) for event in runs.events("beside") if event.type == "tool_result"]
    assert told == [
        ("beside-5-failed-0", "raising was not run: another call of the same turn ended the run"),
        ("beside-6-failed-0", "weather was not run: another call of the same turn ended the run"),
        ("beside-5", "written"),
        ("beside-6", "sunny in Rome"),
    ]


# --- cancel


def test_a_run_is_cancelled_in_the_middle_of_a_step(runs: DurableRuns) -> None:
    """What it has come to is a valid conversation; resumed, it makes the call again."""
    STAGE.open.clear()
    STAGE.begun.clear()
    STAGE.counts.clear()
    runs.start("slow", "Go", id="cancelled")
    assert STAGE.begun.wait(30)

    assert runs.cancel("cancelled").status == "cancelled"
    with pytest.raises(DurableError, match=r"run 'cancelled' was cancelled; resume it to go on"):
        runs.result("cancelled", timeout=30)
    until(lambda: len(runs.get("cancelled").state.messages) == 3)
    assert faults(runs.get("cancelled").state.messages) == ()
    STAGE.open.set()
    runs.resume("cancelled")
    assert runs.result("cancelled", timeout=30).text == "done"
    assert [(record.attempts, record.state) for record in runs.calls("cancelled")] == [(2, "done")]


def test_a_run_is_cancelled_between_two_steps(runs: DurableRuns) -> None:
    """A sync handler ends in its thread; what it returned is dropped, and the model is not asked again."""
    STAGE.open.clear()
    STAGE.begun.clear()
    runs.start("blocking", "Go", id="between")
    assert STAGE.begun.wait(30)
    runs.cancel("between")
    STAGE.open.set()
    until(lambda: len(runs.get("between").state.messages) == 3)

    assert runs.get("between").state.usage.total_tokens == 15
    assert [event.type for event in runs.events("between")][-1] == "tool_call"


def test_a_run_is_cancelled_while_it_waits(runs: DurableRuns) -> None:
    """Resumed, it waits for the same."""
    runs.start("payer", "Pay", id="waits")
    runs.result("waits", timeout=30)

    assert runs.cancel("waits").status == "cancelled"
    assert runs.resume("waits").status in {"queued", "waiting"}
    assert runs.result("waits", timeout=30).pending[0].call.name == "pay"
    runs.answer("waits", {"c": True})
    assert runs.result("waits", timeout=30).text == "done"


# --- what is kept


def test_long_texts_are_kept_once(runs: DurableRuns) -> None:
    """A picture stands in the result, the ledger, the history and an event, and once in the database."""
    runs.start("picture", "Draw", id="picture")

    assert runs.result("picture", timeout=30).artifacts == (PNG,)
    artifact = next(event for event in runs.events("picture") if event.type == "artifact")
    assert artifact.data["artifact"]["data"] == PNG.data
    kept = runs._sql.read("SELECT content FROM prismpy_run_contents")
    assert kept == [(f'"{PNG.data}"',)]
    for longest in (
        "SELECT max(length(output)) FROM operation_outputs",
        "SELECT max(length(result)) FROM prismpy_run_calls",
        "SELECT max(length(event)) FROM prismpy_run_events",
    ):
        assert runs._sql.read(longest)[0][0] < 10_000


def test_calls_go_through_a_queue(runs: DurableRuns) -> None:
    """A tool with limits is run by whichever worker takes its calls, under the same ledger."""
    runs.start("square", "Go", id="square")

    assert [result.text for result in runs.result("square", timeout=30).tool_results] == ["0", "1", "4"]
    assert STAGE.most == 2
    assert [record.state for record in runs.calls("square")] == ["done"] * 3
    assert {status.id for status in runs._client.statuses(name="prismpy.call")} == {"square:0", "square:1", "square:2"}


def test_a_call_that_raised_on_a_worker_is_made_again(runs: DurableRuns) -> None:
    """The run fails with its words, and goes on there when it is resumed."""
    runs.start("queued", "Go", id="queued")

    with pytest.raises(DurableError, match=r"failed: DurableError: a tool failed \(OSError: no disk\)"):
        runs.result("queued", timeout=30)
    runs.resume("queued")
    assert runs.result("queued", timeout=30).tool_results[0].text == "written"


def test_a_call_on_a_worker_is_cancelled_with_its_run(runs: DurableRuns) -> None:
    """And made again when the run is resumed."""
    STAGE.open.clear()
    STAGE.begun.clear()
    runs.start("queued slow", "Go", id="queued slow")
    assert STAGE.begun.wait(30)
    runs.cancel("queued slow")
    until(lambda: runs._client.statuses(workflow_ids=["queued slow:0"])[0].word == "CANCELLED")
    STAGE.open.set()
    runs.resume("queued slow")

    assert runs.result("queued slow", timeout=30).tool_results[0].text == "slept"


def test_an_approval_goes_with_the_call_to_the_worker(runs: DurableRuns) -> None:
    """As the decision that it is."""
    runs.start("queued payer", "Order", id="queued payer")
    runs.result("queued payer", timeout=30)
    runs.answer("queued payer", {"c": Decision(True, arguments={"amount": 4})})

    assert runs.result("queued payer", timeout=30).tool_results[0].text == "ordered 4"


def test_everything_works_from_async_code(runs: DurableRuns) -> None:
    """Each method has its twin."""

    async def main() -> list[Any]:
        events: list[str] = []

        async def read(other: DurableRuns, started: anyio.Event) -> None:
            async for event in other.aevents("async"):
                events.append(event.type)
                started.set()

        async with (
            DurableRuns(f"sqlite:///{runs._sql.path}", agents(), serve=False) as other,
            anyio.create_task_group() as group,
        ):
            await other.astart("payer", "Pay", id="async")
            (pending,) = (await other.aresult("async", timeout=30)).pending
            started = anyio.Event()
            group.start_soon(read, other, started)
            await started.wait()
            await other.aanswer("async", {pending.call.id: True})
            await other.aresult("async", timeout=30)
            while events[-1:] != ["stream_end"] or "tool_result" not in events:
                await anyio.sleep(0.01)
            await other.acancel("async")
            await other.aresume("async")
            return [
                events[-1],
                (await other.aget("async")).status,
                "async" in [run.id for run in await other.alist()],
                len(await other.acalls("async")),
            ]

    assert anyio.run(main) == ["stream_end", "done", True, 1]


# --- one engine a process


def test_a_process_drives_one_database(runs: DurableRuns, tmp_path: Path) -> None:
    """A second one is refused, and so is a second worker of one name."""
    runs.work()

    with (
        DurableRuns(f"sqlite:///{tmp_path}/other.db", agents()) as other,
        pytest.raises(DurableError, match="one a process"),
    ):
        other.work()
    url = f"sqlite:///{runs._sql.path}"
    with (
        DurableRuns(url, agents(), worker=runs.worker) as same,
        pytest.raises(DurableError, match="is at work in another"),
    ):
        same.work()
