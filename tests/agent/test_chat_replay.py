"""Recorded loops of chat completions, run by an agent from start to end over the real SDK and a loopback server."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from prismpy import Image, OpenAIModel, Text, Tool
from tests.agent.replay import WAYS, ours, replayed
from tests.codecs.chat import decoded, server_of
from tests.openapi import complaints
from tests.recordings import Recording, recorded

PICTURE = "https://t3.ftcdn.net/jpg/00/85/79/92/360_F_85799278_0BBGV9OAdQDTLnKwAPBCcg1J7QtiieJY.jpg"
"""What one recorded tool returned; its message said so in words."""


def model_of(recording: Recording, url: str) -> Any:
    return OpenAIModel("m", "k", url, server=server_of(recording), max_retries=0)


def answers(recording: Recording) -> list[str]:
    """Return what tools answered, in the order of the calls; calls that no answer made were made up on the way."""
    said = recording.exchanges[-1].request["body"]["messages"]
    called = [call["id"] for exchange in recording.exchanges for call in exchange.expect["tool_calls"]]
    found = [(each["tool_call_id"], each["content"]) for each in said if each["role"] == "tool"]
    return [text for id, text in found if id in called or id.startswith("pyd_ai_")]  # given to calls without ids


def tools(recording: Recording) -> Iterator[Tool]:
    """Return the tools of all requests, with handlers that answer as recorded; one without an answer ends the run."""
    texts = iter(answers(recording))

    def handler(**_: Any) -> Any:
        text = next(texts)
        return [Text(text), Image.from_url(PICTURE)] if text == "See file bd38f5" else text

    for made in ours(recording, handler):
        is_last = made.spec.name == "final_result"
        yield made.using(lambda **_: "done").return_direct() if is_last else made


def results(body: Mapping[str, Any]) -> list[str]:
    """Return what tools answered; a picture is told in words too."""
    return [each["content"].partition("\n[image")[0] for each in body["messages"] if each["role"] == "tool"]


@recorded("openai-chat", flow="tool-loop")
@pytest.mark.parametrize("way", WAYS)
def test_an_agent_runs_a_recorded_loop(recording: Recording, way: Any) -> None:
    """Each request is valid, has all turns before it with what must go back, and the results that were recorded."""
    exchanges = recording.exchanges
    response, bodies = replayed(
        recording, way, lambda url: model_of(recording, url), [*tools(recording)], max_steps=len(exchanges) + 1
    )

    codec = model_of(recording, "http://localhost").codec
    last = bodies[-1]
    replies = [decoded(codec, exchange) for exchange in exchanges]
    turns = [each for each in last["messages"] if each["role"] == "assistant"]
    assert response.text == (exchanges[-1].expect["text"] or "done")
    assert len(bodies) == len(exchanges)
    assert results(last) == answers(recording)
    for turn, reply in zip(turns, replies, strict=False):
        kept = {key: reply.message.extra[key] for key in codec.quirks.goes_back if key in reply.message.extra}

        assert {key: turn[key] for key in kept} == kept
        assert [call["id"] for call in turn["tool_calls"]] == [call.id for call in reply.message.calls]
    for body in bodies:
        assert complaints(body, "CreateChatCompletionRequest", strict=not codec.quirks.goes_back) == []
    if PICTURE in str(exchanges[-1].request["body"]):
        assert PICTURE in str(last["messages"][-1]["content"])
