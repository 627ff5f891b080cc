"""Recorded loops of Anthropic's messages, run by an agent from start to end over the real SDK and a loopback server."""

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from prismpy import AnthropicModel, Image, RunContext, Tool, ToolError
from tests.agent.replay import WAYS, offered, ours, replayed, theirs
from tests.codecs.anthropic_messages import complaints, decoded
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


ANYTHING = {"type": "object"}
"""Parameters that take what models sent, right or wrong: what handlers answer was recorded."""


def tools(recording: Recording) -> list[Tool]:
    """Return the tools of all requests, and those that answer for the provider, with handlers that answer as recorded."""
    answers = recorded_results(recording)

    def handler(context: RunContext, **_: Any) -> Any:
        return returned(answers[context.call.id])

    left_to_us = [each for each in theirs(recording) if each.type.startswith("memory_")]
    return [
        *ours(recording, handler, ANYTHING),
        *(Tool.from_schema(str(each.name), "", ANYTHING, handler) for each in left_to_us),
    ]


def types(tools: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return the types of tools by name; of those of a server, by type."""
    return {each.get("name", each.get("type")): each.get("type", "custom") for each in tools}


def blocks(exchange: Exchange) -> list[Any]:
    """Return the blocks of an answer, in order, without blank texts."""
    raws = [part.raw for part in decoded(exchange).message.parts if part.raw is not None]
    return [raw for raw in raws if raw["type"] != "text" or raw["text"].strip()]


@recorded("anthropic-messages", flow="tool-loop")
@pytest.mark.parametrize("way", WAYS)
def test_an_agent_runs_a_recorded_loop(recording: Recording, way: Any) -> None:
    """Each request is valid, has all answers before it as they came, and the results that were recorded."""
    exchanges = recording.exchanges
    response, bodies = replayed(
        recording,
        way,
        lambda url: AnthropicModel("claude", "k", url, max_retries=0),
        tools(recording),
        theirs(recording),
    )

    assert response.text == exchanges[-1].expect["text"]
    came: list[Any] = []
    for exchange, body in zip(exchanges, bodies, strict=True):
        said = [block for message in body["messages"] if message["role"] == "assistant" for block in message["content"]]
        answers, wanted = results(body), recorded_results(recording)

        assert complaints(body) == []
        assert types(body["tools"]) == types(offered(recording))
        assert said == came
        assert {id: plain(answer) for id, answer in answers.items()} == {id: plain(wanted[id]) for id in answers}
        assert len(answers) == sum(block["type"] == "tool_use" for block in came)
        came += blocks(exchange)
