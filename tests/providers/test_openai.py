"""The OpenAI SDK over a loopback server: what is sent, what comes, what fails."""

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import openai
import pytest
import trio

from prismpy import DefinitionError, ErrorEvent, OpenAIModel, ProviderError, UserMessage
from prismpy.codecs import Ask
from prismpy.providers._failures import retry_after
from prismpy.providers._openai_client import OpenAISdk
from prismpy.providers._sdk import SdkTransport, _watching, note
from tests.loopback import Answer, serving
from tests.misbehaving import silent
from tests.providers.ways import Way, aasked, asked, astreamed, streamed

ASK = Ask("m", [UserMessage("hi")])
BODY = {"id": "c1", "model": "m-1", "choices": [{"message": {"content": "hello"}, "finish_reason": "stop"}]}
STREAM = 'data: {"id": "c1", "choices": [{"delta": {"content": "hello"}, "finish_reason": "stop"}]}\n\ndata: [DONE]\n\n'


WAYS = pytest.mark.parametrize("way", [asked, aasked, streamed, astreamed])


def answer(way: Way) -> Answer:
    return Answer.sse(STREAM) if way in (streamed, astreamed) else Answer.json(BODY)


@WAYS
def test_all_four_ways_send_the_codecs_body_and_read_the_answer(way: Way) -> None:
    """The body is what the codec wrote; the SDK adds nothing."""
    with serving([answer(way)]) as loopback:
        reply = way(OpenAIModel("m", "secret", loopback.url + "/v1"), ASK)

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
        way(OpenAIModel("m", "sk-very-secret", loopback.url), ASK)

    found = caught.value
    assert str(found) == "compatible: HTTP 429: slow down, [key]"
    assert (found.provider, found.status, found.code, found.retry_after) == (
        "compatible",
        429,
        "rate_limit_exceeded",
        7,
    )
    assert type(found.__cause__).__name__ == "RateLimitError"


STREAMS = pytest.mark.parametrize("way", [streamed, astreamed])


@STREAMS
def test_a_stream_that_breaks_off_is_a_reply_with_a_failure(way: Way) -> None:
    """What came is kept."""
    whole = Answer.sse('data: {"id": "c1", "choices": [{"delta": {"content": "hel"}}]}\n\ndata: {"id": "c1", "cho')
    cut = Answer(whole.body, headers=whole.headers, cut=len(whole.body) - 2)
    with serving([cut]) as loopback:
        reply = way(OpenAIModel("m", "k", loopback.url), ASK)

    assert reply.message.text == "hel"
    assert reply.failure is not None
    assert reply.failure.code == "connection"


@STREAMS
def test_a_server_that_answers_at_once_is_understood(way: Way) -> None:
    """Though it was asked to stream."""
    with serving([Answer.json(BODY)]) as loopback:
        reply = way(OpenAIModel("m", "k", loopback.url), ASK)

    assert (reply.message.text, reply.failure) == ("hello", None)


@pytest.mark.parametrize("way", [asked, aasked])
def test_what_is_no_json_is_the_providers_error(way: Way) -> None:
    """Such as the page of a web server at a wrong URL."""
    page = Answer(b"<html>hello", 200, {"content-type": "text/html"})
    with (
        serving([page]) as loopback,
        pytest.raises(ProviderError, match="no JSON, it begins '<html>hello'; check base"),
    ):
        way(OpenAIModel("m", "k", loopback.url), ASK)


@WAYS
def test_no_connection_is_the_providers_error(way: Way) -> None:
    """There is no status then."""
    with serving([]) as loopback:
        url = loopback.url
    with pytest.raises(ProviderError, match="compatible: APIConnectionError") as caught:
        way(OpenAIModel("m", "k", url, max_retries=0), ASK)

    assert (caught.value.status, caught.value.code) == (None, "connection")


def told_of_retries(model: Any) -> list[Any]:
    with model:
        return [event for event in model.stream(ASK) if isinstance(event, ErrorEvent)]


def atold_of_retries(model: Any) -> list[Any]:
    async def stream() -> list[Any]:
        async with model:
            return [event async for event in model.astream(ASK) if isinstance(event, ErrorEvent)]

    return asyncio.run(stream())


@pytest.mark.parametrize("told_by", [told_of_retries, atold_of_retries])
def test_what_the_sdk_tried_again_is_told_first(told_by: Callable[[Any], list[Any]]) -> None:
    """Each failed try, with its status and the time that the provider asked to wait."""
    busy = Answer.json({}, 429, retry_after_ms="1")
    with serving([busy, Answer.json({}, 503, retry_after_ms="2"), answer(streamed)]) as loopback:
        told = told_by(OpenAIModel("m", "k", loopback.url))

    assert told == [
        ErrorEvent(
            "rate_limit",
            "compatible: HTTP 429; asked again",
            recoverable=True,
            metadata={"status": 429, "retry_after": 0.001},
        ),
        ErrorEvent(
            "overloaded",
            "compatible: HTTP 503; asked again",
            recoverable=True,
            metadata={"status": 503, "retry_after": 0.002},
        ),
    ]


def test_retries_of_an_apps_own_client_are_told_without_a_status() -> None:
    """Only how many there were is known; the client is used as it is, and left open."""
    with (
        serving([Answer.json({}, 429, retry_after_ms="1"), answer(streamed)]) as loopback,
        openai.OpenAI(api_key="own", base_url=loopback.url) as client,
    ):
        told = told_of_retries(OpenAIModel("m", client=client))

        assert not client.is_closed()
    assert [event.metadata for event in told] == [{"status": None, "retry_after": None}]
    assert loopback.asked[0].headers["authorization"] == "Bearer own"


def test_an_async_client_serves_async_code() -> None:
    """And a sync one sync code: the other way says what is missing."""

    async def run() -> None:
        async with openai.AsyncOpenAI(api_key="own", base_url="http://127.0.0.1:1") as client:
            with pytest.raises(DefinitionError, match="client is an async client, AsyncOpenAI; hand in its sync twin"):
                OpenAIModel("m", client=client).ask(ASK)
            with pytest.raises(ProviderError):
                await OpenAIModel("m", client=client.with_options(max_retries=0)).aask(ASK)

    asyncio.run(run())
    with openai.OpenAI(api_key="own") as client, pytest.raises(DefinitionError, match="hand in its async twin"):
        asyncio.run(OpenAIModel("m", client=client).aask(ASK))


def test_azure_is_spoken_to_by_its_own_client() -> None:
    """It puts the model's name into the path."""
    with (
        serving([Answer.json(BODY)]) as loopback,
        openai.AzureOpenAI(api_key="k", api_version="2024-10-21", azure_endpoint=loopback.url) as client,
    ):
        reply = OpenAIModel("gpt", client=client, server="azure").ask(Ask("gpt", [UserMessage("hi")]))

    assert reply.message.text == "hello"
    assert loopback.asked[0].path == "/openai/deployments/gpt/chat/completions?api-version=2024-10-21"


def test_a_model_serves_one_event_loop_after_another() -> None:
    """Connections belong to a loop, so each has a client of its own; trio works too."""
    with serving([Answer.json(BODY)] * 4) as loopback, OpenAIModel("m", "k", loopback.url) as model:

        async def twice() -> list[str]:
            async with model:
                return [(await model.aask(ASK)).message.text for _ in range(2)]

        assert [*asyncio.run(twice()), *trio.run(twice)] == ["hello"] * 4


@WAYS
def test_a_server_that_does_not_answer_in_time(way: Way) -> None:
    """That is told apart from no connection."""
    with silent() as address, pytest.raises(ProviderError, match="compatible: APITimeoutError") as caught:
        way(OpenAIModel("m", "k", f"http://{address}", timeout=0.05, max_retries=0), ASK)

    assert (caught.value.status, caught.value.code) == (None, "timeout")


def test_the_key_of_an_apps_own_client_is_in_no_message() -> None:
    """As little as one that was given."""
    refusal = Answer.json({"error": {"message": "wrong key own-secret-key"}}, 401)
    with (
        serving([refusal]) as loopback,
        openai.OpenAI(api_key="own-secret-key", base_url=loopback.url) as client,
        pytest.raises(ProviderError, match=r"HTTP 401: wrong key \[key\]"),
    ):
        OpenAIModel("m", client=client).ask(ASK)


def test_leaving_an_async_stream_closes_the_connection_too() -> None:
    """The next question gets a new one."""
    endless = Answer(STREAM.encode() * 5000, headers={"content-type": "text/event-stream"})

    async def leave(url: str) -> str:
        async with OpenAIModel("m", "k", url) as model:
            stream = model.astream(ASK)
            await anext(stream)
            await stream.aclose()
            return (await model.aask(ASK)).message.text

    with serving([endless, Answer.json(BODY)]) as loopback:
        assert asyncio.run(leave(loopback.url)) == "hello"


def test_leaving_a_stream_closes_the_connection() -> None:
    """The next question gets a new one, and the model can go on."""
    endless = Answer(STREAM.encode() * 5000, headers={"content-type": "text/event-stream"})
    with serving([endless, Answer.json(BODY)]) as loopback, OpenAIModel("m", "k", loopback.url) as model:
        stream = model.stream(ASK)
        next(stream)
        stream.close()

        assert model.ask(ASK).message.text == "hello"


def test_a_closed_model_opens_again() -> None:
    """Closing twice does nothing."""
    with serving([Answer.json(BODY)] * 2) as loopback:
        model = OpenAIModel("m", "k", loopback.url)
        texts = [asked(model, ASK).message.text for _ in range(2)]
        model.close()
        asyncio.run(model.aclose())

    assert texts == ["hello", "hello"]


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "2.5"}, 2.5),
        ({"retry-after": "-1"}, 0),
        ({"retry-after-ms": "250"}, 0.25),
        ({"retry-after-ms": "0", "retry-after": "1"}, 1),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 -0000"}, None),
        ({"retry-after": "soon"}, None),
    ],
)
def test_the_wait_that_a_provider_asks_for(headers: dict[str, str], seconds: float | None) -> None:
    """In seconds, milliseconds or as a date; a date that has passed asks for none."""
    assert retry_after(headers) == seconds


def test_the_sdk_has_two_apis() -> None:
    """The other one has a path of its own."""
    with serving([Answer.json({"id": "r1"})]) as loopback:
        transport = SdkTransport("openai", OpenAISdk("responses"), {"api_key": "k", "base_url": loopback.url})
        body = transport.send({"model": "m", "input": "hi"})
        transport.close()

    assert body == {"id": "r1"}
    assert (loopback.asked[0].path, loopback.bodies) == ("/responses", [{"model": "m", "input": "hi"}])


def test_hooks_note_what_fails_while_somebody_opens() -> None:
    """Not what fails before and after, as for a request that is not streamed."""
    response = SimpleNamespace(status_code=500, headers={})

    note(response)
    with _watching() as failed:
        note(response)
    note(response)

    assert failed == [(500, None)]
