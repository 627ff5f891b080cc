"""The OpenAI SDK over a loopback server: what is sent, what comes, what fails."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from prismpy import OpenAIModel, ProviderError, UserMessage
from prismpy.codecs import Ask, Reply
from tests.loopback import Answer, serving

ASK = Ask("m", [UserMessage("hi")])
BODY = {"id": "c1", "model": "m-1", "choices": [{"message": {"content": "hello"}, "finish_reason": "stop"}]}
STREAM = 'data: {"id": "c1", "choices": [{"delta": {"content": "hello"}, "finish_reason": "stop"}]}\n\ndata: [DONE]\n\n'


def asked(model: Any) -> Reply:
    with model:
        return model.ask(ASK)


def aasked(model: Any) -> Reply:
    async def ask() -> Reply:
        async with model:
            return await model.aask(ASK)

    return asyncio.run(ask())


def streamed(model: Any) -> Reply:
    with model:
        return list(model.stream(ASK))[-1]


def astreamed(model: Any) -> Reply:
    async def stream() -> Reply:
        async with model:
            return [each async for each in model.astream(ASK)][-1]

    return asyncio.run(stream())


WAYS = pytest.mark.parametrize("way", [asked, aasked, streamed, astreamed])
Way = Callable[[Any], Reply]


def answer(way: Way) -> Answer:
    return Answer.sse(STREAM) if way in (streamed, astreamed) else Answer.json(BODY)


@WAYS
def test_all_four_ways_send_the_codecs_body_and_read_the_answer(way: Way) -> None:
    """The body is what the codec wrote; the SDK adds nothing."""
    with serving([answer(way)]) as loopback:
        reply = way(OpenAIModel("m", "secret", loopback.url + "/v1"))

    (request,) = loopback.asked
    stream = {"stream": True, "stream_options": {"include_usage": True}} if way in (streamed, astreamed) else {}
    assert reply.message.text == "hello"
    assert (request.path, request.headers["authorization"]) == ("/v1/chat/completions", "Bearer secret")
    assert request.body == {
        "model": "m",
        "messages": [{"role": "user", "content": "hi"}],
        **stream,
    }


@WAYS
def test_a_failure_is_told_in_one_way(way: Way) -> None:
    """Status, code and wait are those of the provider; the key is in no message; the SDK's error is the cause."""
    error = {"error": {"message": "slow down, sk-very-secret", "code": "rate_limit_exceeded"}}
    refusal = Answer.json(error, 429, retry_after="7", x_should_retry="false")
    with serving([refusal]) as loopback, pytest.raises(ProviderError) as caught:
        way(OpenAIModel("m", "sk-very-secret", loopback.url))

    found = caught.value
    assert str(found) == "compatible: HTTP 429: slow down, [key]"
    assert (found.provider, found.status, found.code, found.retry_after) == (
        "compatible",
        429,
        "rate_limit_exceeded",
        7,
    )
    assert type(found.__cause__).__name__ == "RateLimitError"


@pytest.mark.parametrize("way", [streamed, astreamed])
def test_a_stream_that_breaks_off_is_a_reply_with_a_failure(way: Way) -> None:
    """What came is kept."""
    whole = Answer.sse('data: {"id": "c1", "choices": [{"delta": {"content": "hel"}}]}\n\ndata: {"id": "c1", "cho')
    cut = Answer(whole.body, headers=whole.headers, cut=len(whole.body) - 2)
    with serving([cut]) as loopback:
        reply = way(OpenAIModel("m", "k", loopback.url))

    assert reply.message.text == "hel"
    assert reply.failure is not None
    assert reply.failure.code == "connection"
