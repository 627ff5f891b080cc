"""Recorded loops of the Responses API, run by an agent from start to end over the real SDK and a loopback server."""

from collections.abc import Mapping
from typing import Any

import pytest

from prismpy import Agent, Image, OpenAIResponsesModel, ProviderTool, RunContext, Tool
from tests.agent.replays import arun, run
from tests.codecs.streams import folded, pieces
from tests.loopback import Answer, serving
from tests.openapi import complaints
from tests.recordings import Exchange, Recording, recorded


def outputs(recording: Recording) -> dict[str, Any]:
    """Return what was answered, by the id of the call; some of those who recorded answered to the id of its item."""
    said = [item for exchange in recording.exchanges for item in exchange.request["body"]["input"]]
    found = {item["call_id"]: item["output"] for item in said if item.get("type") == "function_call_output"}
    calls = [call for exchange in recording.exchanges for call in exchange.expect["tool_calls"]]
    return {call["id"]: found.get(call["id"], found.get(call["item_id"], "done")) for call in calls}


def returned(output: Any) -> Any:
    """Return what a handler returns to be written as this output."""
    if isinstance(output, str):
        return output
    heads = [piece["image_url"].removeprefix("data:").split(";base64,") for piece in output]
    return [Image.from_base64(data, mime_type) for mime_type, data in heads]


def tools(recording: Recording) -> tuple[list[Tool], list[ProviderTool]]:
    """Return the tools of all requests, with handlers that answer as recorded."""
    answers = outputs(recording)

    def handler(context: RunContext, **_: Any) -> Any:
        return returned(answers[context.call.id])

    offered = {
        each.get("name", each["type"]): each for one in recording.exchanges for each in one.request["body"]["tools"]
    }
    ours = [each for each in offered.values() if each["type"] == "function"]
    theirs = [each for each in offered.values() if each["type"] != "function"]
    return [
        Tool.from_schema(each["name"], each.get("description") or "", each["parameters"], handler) for each in ours
    ], [ProviderTool(each["type"]) for each in theirs]


def items(exchange: Exchange, model: OpenAIResponsesModel) -> list[Mapping[str, Any]]:
    """Return the items that an answer has, in order."""
    if exchange.streamed:
        reply = folded(model.codec, pieces(exchange.response["sse"]))[1]
    else:
        reply = model.codec.reply(exchange.response["body"])
    return [part.raw for part in reply.message.parts if part.raw is not None]


@recorded("openai-responses", flow="tool-loop")
@pytest.mark.parametrize("way", [run, arun])
def test_an_agent_runs_a_recorded_loop(recording: Recording, way: Any) -> None:
    """Each request is valid, has all answers before it as they came, and the outputs that were recorded."""
    exchanges = recording.exchanges
    ours, theirs = tools(recording)
    with serving([Answer.of(exchange) for exchange in exchanges]) as loopback:
        model = OpenAIResponsesModel("gpt-5", "k", loopback.url, max_retries=0)
        agent = Agent("replay", model, tools=ours, provider_tools=theirs, max_steps=len(exchanges))
        response = way(agent, model, streamed=exchanges[0].streamed)

    assert response.text == exchanges[-1].expect["text"]
    came: list[Any] = []
    wanted = outputs(recording)
    for exchange, body in zip(exchanges, loopback.bodies, strict=True):
        answers = {
            item["call_id"]: item["output"] for item in body["input"] if item.get("type") == "function_call_output"
        }

        assert complaints(body, "CreateResponse") == []
        assert [item for item in body["input"] if item in came] == came
        assert answers == {id: wanted[id] for id in answers}
        assert len(answers) == sum(item["type"] == "function_call" for item in came)
        came += items(exchange, model)
