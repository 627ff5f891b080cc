"""Recorded loops of the Responses API, run by an agent from start to end over the real SDK and a loopback server."""

from collections.abc import Mapping
from typing import Any

import pytest

from prismpy import (
    Agent,
    AssistantMessage,
    Image,
    OpenAIResponsesModel,
    ProviderToolPart,
    Response,
    RunContext,
    RunState,
    Tool,
    ToolCall,
    ToolOutput,
    ToolResult,
    ToolResultMessage,
)
from prismpy.codecs import to_answer
from tests.agent.replay import WAYS, ours, replayed, theirs
from tests.codecs.streams import folded, pieces
from tests.loopback import Answer, serving
from tests.openapi import complaints
from tests.recordings import RECORDINGS, Exchange, Recording, recorded
from tests.shared import needs_shared


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


def tools(recording: Recording) -> list[Tool]:
    """Return the tools of all requests, with handlers that answer as recorded."""
    answers = outputs(recording)

    def handler(context: RunContext, **_: Any) -> Any:
        return returned(answers[context.call.id])

    return ours(recording, handler)


def model_at(url: str) -> OpenAIResponsesModel:
    return OpenAIResponsesModel("gpt-5", "k", url, max_retries=0)


def items(exchange: Exchange, codec: Any) -> list[Mapping[str, Any]]:
    """Return the items that an answer has, in order."""
    if exchange.streamed:
        reply = folded(codec, pieces(exchange.response["sse"]))[1]
    else:
        reply = codec.reply(exchange.response["body"])
    return [part.raw for part in reply.message.parts if part.raw is not None]


@recorded("openai-responses", flow="tool-loop")
@pytest.mark.parametrize("way", WAYS)
def test_an_agent_runs_a_recorded_loop(recording: Recording, way: Any) -> None:
    """Each request is valid, has all answers before it as they came, and the outputs that were recorded."""
    exchanges = recording.exchanges
    response, bodies = replayed(recording, way, model_at, tools(recording), theirs(recording))
    codec = model_at("http://localhost").codec

    assert response.text == exchanges[-1].expect["text"]
    came: list[Any] = []
    wanted = outputs(recording)
    for exchange, body in zip(exchanges, bodies, strict=True):
        answers = {
            item["call_id"]: item["output"] for item in body["input"] if item.get("type") == "function_call_output"
        }

        assert complaints(body, "CreateResponse") == []
        assert [item for item in body["input"] if item in came] == came
        assert answers == {id: wanted[id] for id in answers}
        assert len(answers) == sum(item["type"] == "function_call" for item in came)
        came += items(exchange, codec)


def named(name: str) -> Recording:
    (found,) = (each for each in RECORDINGS if each.name == f"openai-responses/{name}")
    return found


def left_to_us(response: Response) -> ToolCall:
    """Return what a provider's tool asks of the app, in the last turn."""
    turn = response.messages[-1]
    assert isinstance(turn, AssistantMessage)
    (call,) = (call for part in turn.parts if isinstance(part, ProviderToolPart) if (call := to_answer(part)))
    return call


def answered(agent: Agent, response: Response, output: Any, *, is_error: bool = False) -> Response:
    """Answer it, and go on."""
    result = ToolResult(left_to_us(response), ToolOutput(output), str(output), is_error)
    return agent.resume(RunState.of([*response.messages, ToolResultMessage([result])]))


@needs_shared
def test_tools_that_the_client_finds() -> None:
    """A search of the client's tools is answered with tools, one of which is then called."""
    recording = named("tool-search-by-client")
    (found,) = (
        item for item in recording.exchanges[1].request["body"]["input"] if item.get("type") == "tool_search_output"
    )
    with serving([Answer.of(each) for each in recording.exchanges]) as loopback:
        model = model_at(loopback.url)
        with model, Agent("replay", model, tools=tools(recording)) as agent:
            response = answered(agent, agent.run("USD to EUR?"), found["tools"])

    assert response.text == "1 USD = 0.92 EUR."
    assert found in loopback.bodies[1]["input"]
    assert [complaints(body, "CreateResponse") for body in loopback.bodies] == [[], [], []]


@needs_shared
def test_a_call_to_an_mcp_server_that_somebody_denies() -> None:
    """What the provider wants agreed to can be refused, with a reason."""
    recording = named("mcp-approval-denied-stream")
    with serving([Answer.of(each) for each in recording.exchanges]) as loopback:
        model = model_at(loopback.url)
        with model, Agent("replay", model) as agent:
            under_way = agent.stream("Shorten this.")
            assert [event.type for event in under_way][-1] == "stream_end"
            asked = under_way.response
            result = ToolResult(left_to_us(asked), ToolOutput("no"), "Not this one.", is_error=True)
            again = agent.resume_stream(RunState.of([*asked.messages, ToolResultMessage([result])]))
            assert [event.type for event in again][-1] == "stream_end"

    assert again.response.text == recording.exchanges[1].expect["text"]
    assert loopback.bodies[1]["input"][-1] == {
        "type": "mcp_approval_response",
        "approval_request_id": left_to_us(asked).id,
        "approve": False,
        "reason": "Not this one.",
    }


@needs_shared
@pytest.mark.parametrize(
    ("name", "key", "first"),
    [
        ("conversation-state-tool-loop", "conversation", None),
        ("previous-response-id-parallel", "previous_response_id", "auto"),
    ],
)
def test_what_the_provider_keeps_is_not_sent_again(name: str, key: str, first: str | None) -> None:
    """The second request of a loop has the outputs alone, as was recorded."""
    recording = named(name)
    recorded_bodies = [exchange.request["body"] for exchange in recording.exchanges]
    with serving([Answer.of(each) for each in recording.exchanges]) as loopback:
        model = model_at(loopback.url)
        with model, Agent("replay", model, tools=tools(recording)) as agent:
            response = agent.run("go", options={key: first or recorded_bodies[0][key]})

    assert response.text == recording.exchanges[-1].expect["text"]
    assert loopback.bodies[1]["input"] == recorded_bodies[1]["input"]
    assert loopback.bodies[1][key] == recorded_bodies[1][key]
    assert [complaints(body, "CreateResponse") for body in loopback.bodies] == [[], []]
