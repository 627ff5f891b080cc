"""Recorded loops of Anthropic's messages, run by an agent from start to end over the real SDK and a loopback server."""

from collections.abc import Mapping
from typing import Any

import anyio
import pytest

from prismpy import Agent, AnthropicModel, Image, ProviderTool, Response, RunContext, Tool, ToolError
from tests.codecs.anthropic_messages import complaints, decoded
from tests.loopback import Answer, serving
from tests.recordings import Exchange, Recording, recorded


def results(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the results in a request, by the id of the call."""
    blocks = [block for message in body["messages"] for block in message["content"] if isinstance(block, dict)]
    return {block["tool_use_id"]: block for block in blocks if block["type"] == "tool_result"}


def recorded_results(recording: Recording) -> dict[str, Any]:
    """Return the results in all requests of a recording."""
    return {id: found for exchange in recording.exchanges for id, found in results(exchange.request["body"]).items()}


def returned(result: Mapping[str, Any]) -> Any:
    """Return what a handler returns to be written as this result, or raise what is written so."""
    content = result["content"]
    if not isinstance(content, str) and any(block["type"] not in {"text", "image"} for block in content):
        return content  # what only Anthropic knows is meant as it is
    said = [content] if isinstance(content, str) else [_piece(block) for block in content]
    if result.get("is_error"):
        raise ToolError("".join(said))
    return said if any(isinstance(each, Image) for each in said) else "".join(said)


def _piece(block: Mapping[str, Any]) -> Any:
    if block["type"] == "text":
        return block["text"]
    return Image.from_base64(block["source"]["data"], block["source"]["media_type"])


def plain(result: Mapping[str, Any]) -> tuple[list[Any], bool]:
    """Return the content of a result and whether it failed, however it was written."""
    content = result["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else content, result.get("is_error", False)


def tools(recording: Recording) -> tuple[list[Tool], list[ProviderTool]]:
    """Return the tools of all requests, with handlers that answer as recorded."""
    answers = recorded_results(recording)

    def handler(context: RunContext, **_: Any) -> Any:
        return returned(answers[context.call.id])

    offered = {each["name"]: each for one in recording.exchanges for each in one.request["body"]["tools"]}
    ours = [each for each in offered.values() if "input_schema" in each]
    theirs = [each for each in offered.values() if "input_schema" not in each and not _is_ours(each)]
    memory = [Tool.from_schema(each["name"], "", ANYTHING, handler) for each in offered.values() if _is_ours(each)]
    made = [Tool.from_schema(each["name"], each.get("description", ""), ANYTHING, handler) for each in ours]
    return [*made, *memory], [ProviderTool(each["type"], each["name"]) for each in theirs]


ANYTHING = {"type": "object"}
"""Parameters that take what models sent, right or wrong: what handlers answer was recorded."""


def _is_ours(tool: Mapping[str, Any]) -> bool:
    """Tell whether a tool that the provider describes is run by the app."""
    return str(tool.get("type", "")).startswith("memory_")


def run(agent: Agent, model: AnthropicModel, *, streamed: bool) -> Response:
    with model:
        if not streamed:
            return agent.run("go")
        under_way = agent.stream("go")
        assert [event.type for event in under_way][-1] == "stream_end"
        return under_way.response


def arun(agent: Agent, model: AnthropicModel, *, streamed: bool) -> Response:
    async def main() -> Response:
        async with model:
            if not streamed:
                return await agent.arun("go")
            under_way = agent.astream("go")
            assert [event.type async for event in under_way][-1] == "stream_end"
            return under_way.response

    return anyio.run(main)


def blocks(exchange: Exchange) -> list[Any]:
    """Return the blocks of an answer, in order, without blank texts."""
    raws = [part.raw for part in decoded(exchange).message.parts if part.raw is not None]
    return [raw for raw in raws if raw["type"] != "text" or raw["text"].strip()]


@recorded("anthropic-messages", flow="tool-loop")
@pytest.mark.parametrize("way", [run, arun])
def test_an_agent_runs_a_recorded_loop(recording: Recording, way: Any) -> None:
    """Each request is valid, has all answers before it as they came, and the results that were recorded."""
    exchanges = recording.exchanges
    ours, theirs = tools(recording)
    with serving([Answer.of(exchange) for exchange in exchanges]) as loopback:
        model = AnthropicModel("claude", "k", loopback.url, max_retries=0)
        agent = Agent("replay", model, tools=ours, provider_tools=theirs, max_steps=len(exchanges))
        response = way(agent, model, streamed=exchanges[0].streamed)

    assert response.text == exchanges[-1].expect["text"]
    came: list[Any] = []
    for exchange, body in zip(exchanges, loopback.bodies, strict=True):
        said = [block for message in body["messages"] if message["role"] == "assistant" for block in message["content"]]
        answers, wanted = results(body), recorded_results(recording)

        assert complaints(body) == []
        assert said == came
        assert {id: plain(answer) for id, answer in answers.items()} == {id: plain(wanted[id]) for id in answers}
        assert len(answers) == sum(block["type"] == "tool_use" for block in came)
        came += blocks(exchange)
