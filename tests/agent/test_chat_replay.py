"""Recorded loops of chat completions, run by an agent from start to end over the real SDK and a loopback server."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from prismpy import Agent, Image, OpenAIModel, Text, Tool
from tests.agent.replays import arun, run
from tests.codecs.chat import decoded, server_of
from tests.loopback import Answer, serving
from tests.openapi import complaints
from tests.recordings import Recording, recorded

PICTURE = "https://t3.ftcdn.net/jpg/00/85/79/92/360_F_85799278_0BBGV9OAdQDTLnKwAPBCcg1J7QtiieJY.jpg"
"""What one recorded tool returned; its message said so in words."""


def answers(recording: Recording) -> list[str]:
    """Return what tools answered, in the order of the calls; calls that no answer made were made up on the way."""
    said = recording.exchanges[-1].request["body"]["messages"]
    called = [call["id"] for exchange in recording.exchanges for call in exchange.expect["tool_calls"]]
    found = [(each["tool_call_id"], each["content"]) for each in said if each["role"] == "tool"]
    return [text for id, text in found if id in called or id.startswith("pyd_ai_")]  # given to calls without ids


def tools(recording: Recording) -> Iterator[Tool]:
    """Return the tools of all requests, with handlers that answer as recorded; one without an answer ends the run."""
    texts = iter(answers(recording))
    offered = {
        each["function"]["name"]: each["function"]
        for exchange in recording.exchanges
        for each in exchange.request["body"].get("tools", ())
    }

    def handler(**_: Any) -> Any:
        text = next(texts)
        return [Text(text), Image.from_url(PICTURE)] if text == "See file bd38f5" else text

    for name, function in offered.items():
        made = Tool.from_schema(name, function.get("description") or "", function.get("parameters") or {}, handler)
        yield made if name != "final_result" else made.using(lambda **_: "done").return_direct()


def results(body: Mapping[str, Any]) -> list[str]:
    """Return what tools answered; a picture is told in words too."""
    return [each["content"].partition("\n[image")[0] for each in body["messages"] if each["role"] == "tool"]


@recorded("openai-chat", flow="tool-loop")
@pytest.mark.parametrize("way", [run, arun])
def test_an_agent_runs_a_recorded_loop(recording: Recording, way: Any) -> None:
    """Each request is valid, has all turns before it with what must go back, and the results that were recorded."""
    exchanges = recording.exchanges
    with serving([Answer.of(exchange) for exchange in exchanges]) as loopback:
        model = OpenAIModel("m", "k", loopback.url, server=server_of(recording), max_retries=0)
        agent = Agent("replay", model, tools=list(tools(recording)), max_steps=len(exchanges) + 1)
        response = way(agent, model, streamed=exchanges[0].streamed)

    last = loopback.bodies[-1]
    replies = [decoded(model.codec, exchange) for exchange in exchanges]
    turns = [each for each in last["messages"] if each["role"] == "assistant"]
    assert response.text == (exchanges[-1].expect["text"] or "done")
    assert len(loopback.bodies) == len(exchanges)
    assert results(last) == answers(recording)
    for turn, reply in zip(turns, replies, strict=False):
        kept = {key: reply.message.extra[key] for key in model.codec.quirks.goes_back if key in reply.message.extra}

        assert {key: turn[key] for key in kept} == kept
        assert [call["id"] for call in turn["tool_calls"]] == [call.id for call in reply.message.calls]
    for body in loopback.bodies:
        assert complaints(body, "CreateChatCompletionRequest", strict=not model.codec.quirks.goes_back) == []
    if PICTURE in str(exchanges[-1].request["body"]):
        assert PICTURE in str(last["messages"][-1]["content"])
