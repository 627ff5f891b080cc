"""Agents over the real SDKs and a loopback server: what fails on the way, and who leaves early."""

from collections.abc import Callable
from typing import Any

import anthropic
import anyio
import attrs
import openai
import pytest

from prismpy import (
    Agent,
    AnthropicModel,
    OpenAIModel,
    OpenAIResponsesModel,
    ProviderError,
    RunState,
    Tool,
    known_servers,
    model,
)
from prismpy.loop import AskModel
from prismpy.testing import assert_valid
from tests.loopback import Answer, serving
from tests.recordings import RECORDINGS, Exchange
from tests.shared import needs_shared

Make = Callable[..., Any]

MODELS: list[tuple[str, Make, type[Exception]]] = [
    ("openai-chat", OpenAIModel, openai.RateLimitError),
    ("openai-responses", OpenAIResponsesModel, openai.RateLimitError),
    ("anthropic-messages", AnthropicModel, anthropic.RateLimitError),
]
"""Wire format, model, and what its SDK raises where there are too many requests."""

models = pytest.mark.parametrize(("api", "model", "cause"), MODELS, ids=[api for api, _, _ in MODELS])


def spoken(api: str) -> Exchange:
    """Return a recorded stream that is nothing but words."""
    exchanges = (exchange for each in RECORDINGS if each.api == api for exchange in each.exchanges)
    return next(
        each
        for each in exchanges
        if each.streamed
        and each.answered
        and each.expect.get("text")
        and not each.expect.get("tool_calls")
        and not each.expect.get("provider_tools")
        and each.expect.get("stop_reason") in {"stop", "completed", "end_turn"}
    )


def busy(seconds: str) -> Answer:
    return Answer.json({"error": {"type": "rate_limit_error", "message": "slow down"}}, 429, retry_after=seconds)


@needs_shared
@models
def test_a_failure_that_passes_is_told(api: str, model: Make, cause: type[Exception]) -> None:
    """The SDK asks again; who listens hears why it took longer, and by how much."""
    exchange = spoken(api)
    with serving([busy("0.01"), Answer.of(exchange)]) as loopback, model("m", "k", loopback.url) as asked:
        run = Agent("demo", asked).stream("hi")
        told = [event.to_dict() for event in run if event.type == "error"]

    assert run.response.text == exchange.expect["text"]
    assert [(event["error_type"], event["recoverable"], event["metadata"]) for event in told] == [
        ("rate_limit", True, {"status": 429, "retry_after": 0.01})
    ]


@needs_shared
@models
def test_a_failure_that_stays_is_told_and_raised(api: str, model: Make, cause: type[Exception]) -> None:
    """With the SDK's own exception as the cause; later the run goes on from its stored state."""
    exchange = spoken(api)
    answers = [busy("7"), Answer.of(exchange)]
    with serving(answers) as loopback, model("m", "k", loopback.url, max_retries=0) as asked:
        agent = Agent("demo", asked)
        run, told = agent.stream("hi"), []
        with pytest.raises(ProviderError, match="HTTP 429: slow down") as caught:
            told.extend(run)
        again = agent.resume_stream(RunState.from_dict(run.state.to_dict()))
        types = [event.type for event in again]

    assert isinstance(caught.value.__cause__, cause)
    assert (caught.value.status, caught.value.code, caught.value.retry_after) == (429, "rate_limit_error", 7.0)
    assert [event.type for event in told] == ["stream_start", "step_start", "error", "stream_end"]
    assert told[2].to_dict()["metadata"] == {"status": 429, "retry_after": 7.0}
    assert (types[-1], again.response.text) == ("stream_end", exchange.expect["text"])


@needs_shared
@models
def test_a_stream_that_breaks_off_can_be_asked_again(api: str, model: Make, cause: type[Exception]) -> None:
    """What had come by then is in the error, whose provider is named once; the conversation is as it was."""
    exchange = spoken(api)
    whole = Answer.of(exchange)
    answers = [attrs.evolve(whole, cut=len(whole.body) * 2 // 3), whole]
    with serving(answers) as loopback, model("m", "k", loopback.url, max_retries=0) as asked:
        agent = Agent("demo", asked)
        run = agent.stream("hi")
        with pytest.raises(ProviderError) as caught:
            list(run)
        assert isinstance(run.state.todo, AskModel)
        again = agent.resume_stream(run.state)
        assert [event.type for event in again][-1] == "stream_end"

    assert str(caught.value).count("compatible: ") == 1
    assert type(caught.value.__cause__).__name__ == "RemoteProtocolError"
    assert caught.value.reply.finish_reason == "error"
    assert again.response.text == exchange.expect["text"]


@needs_shared
@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
@models
def test_who_leaves_early_closes_the_connection(api: str, model: Make, cause: type[Exception], is_async: bool) -> None:
    """What the server still has to say is not waited for; the conversation is valid and goes on."""
    exchange = spoken(api)
    words = Answer.of(exchange)
    endless = attrs.evolve(words, body=words.body[:-20] + b": nothing\n\n" * 2_000_000)

    def leave(agent: Agent) -> Any:
        with agent.stream("hi") as run:
            for event in run:
                if event.type == "text_delta":
                    break
        assert_valid(run.state.messages)
        again = agent.stream("And now?", messages=run.state.messages)
        assert [event.type for event in again][-1] == "stream_end"
        return again

    async def aleave(agent: Agent, asked: Any) -> Any:
        async with asked:
            async with agent.stream("hi") as run:
                async for event in run:
                    if event.type == "text_delta":
                        break
            assert_valid(run.state.messages)
            again = agent.stream("And now?", messages=run.state.messages)
            assert [event.type async for event in again][-1] == "stream_end"
            return again

    with serving([endless, words]) as loopback, model("m", "k", loopback.url, max_retries=0) as asked:
        agent = Agent("demo", asked)
        again = anyio.run(aleave, agent, asked) if is_async else leave(agent)

    assert again.response.text == exchange.expect["text"]
    assert len(loopback.asked) == 2


# --- what a server is told of tools ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in known_servers() if not name.endswith("anthropic")])
def test_a_tool_that_takes_text_is_one_at_every_server(name: str) -> None:
    """Where it knows none, it is told of a function with that text, and calls it as such."""
    took: list[str] = []

    def take(sql: str) -> None:
        took.append(sql)

    run = Tool.as_("run_sql").with_string_parameter("sql", "One statement").takes_free_text().using(take)
    with (
        serving(CALLS[name.endswith("-responses"), knows(name)]) as loopback,
        model(f"{name}:m", "k", loopback.url, max_retries=0) as asked,
    ):
        Agent("demo", asked, tools=[run]).run("hi")

    assert took == ["SELECT 1"]
    assert [tool["type"] for tool in loopback.bodies[0]["tools"]] == ["custom" if knows(name) else "function"]


def knows(name: str) -> bool:
    """Whether a server documents tools that take text; at another URL nobody knows whose server `openai` is."""
    return name.startswith("azure")


def called(responses: bool, custom: bool) -> list[Answer]:
    """Call the tool, then be done."""
    call = {"name": "run_sql", **({"input": "SELECT 1"} if custom else {"arguments": '{"sql": "SELECT 1"}'})}
    kind = "custom" if custom else "function"
    if responses:
        item = {"type": "custom_tool_call" if custom else "function_call", "call_id": "c1", **call}
        said = {"type": "message", "content": [{"type": "output_text", "text": "done"}]}
        return [Answer.json({"id": "r", "status": "completed", "output": [each]}) for each in (item, said)]
    turn = {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "type": kind, kind: call}]}
    return [
        Answer.json({"choices": [{"message": turn, "finish_reason": "tool_calls"}]}),
        Answer.json({"choices": [{"message": {"role": "assistant", "content": "done"}, "finish_reason": "stop"}]}),
    ]


CALLS = {(responses, custom): called(responses, custom) for responses in (False, True) for custom in (False, True)}
