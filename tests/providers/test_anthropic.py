"""The Anthropic SDK over a loopback server: every recording, sync and async, streamed and whole; what is sent; what fails."""

import asyncio
import json
import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import anthropic
import attrs
import pytest

from prismpy import AnthropicModel, DefinitionError, ErrorEvent, ProviderError, TextDeltaEvent, UserMessage, model
from prismpy.codecs import Ask, Reply
from tests.codecs.anthropic_messages import CODEC, asks, decoded
from tests.codecs.streams import pieces
from tests.loopback import Answer, Loopback, serving
from tests.recordings import RECORDINGS, Exchange, Recording, expected, told
from tests.shared import needs_shared

pytestmark = pytest.mark.filterwarnings("ignore:The model:DeprecationWarning")  # recordings are of older models

API = "anthropic-messages"
ASK = Ask("m", [UserMessage("hi")])
LONG = attrs.evolve(ASK, max_tokens=64_000)
USAGE = {"input_tokens": 3, "output_tokens": 9}
BODY = {
    "id": "m1",
    "type": "message",
    "role": "assistant",
    "model": "claude",
    "content": [{"type": "text", "text": "hello"}],
    "stop_reason": "end_turn",
    "usage": USAGE,
}


def sse(*events: Mapping[str, Any]) -> str:
    return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)


def as_stream(body: Mapping[str, Any]) -> str:
    """Write a whole answer as the stream that it might have been."""
    blocks = [event for index, block in enumerate(body["content"]) for event in _block(index, block)]
    begin = {"type": "message_start", "message": {**body, "content": [], "stop_reason": None}}
    end = {"type": "message_delta", "delta": {"stop_reason": body["stop_reason"]}, "usage": body["usage"]}
    return sse(begin, *blocks, end, {"type": "message_stop"})


def _block(index: int, block: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    grown = {"text": "text_delta", "thinking": "thinking_delta"}.get(block["type"])
    empty = {**block, block["type"]: ""} if grown else {**block, "input": {}} if "input" in block else block
    yield {"type": "content_block_start", "index": index, "content_block": empty}
    delta = {"type": "content_block_delta", "index": index}
    if grown:
        yield {**delta, "delta": {"type": grown, block["type"]: block[block["type"]]}}
    if "input" in block:
        yield {**delta, "delta": {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}}
    yield {"type": "content_block_stop", "index": index}


# --- ways to ask ----------------------------------------------------------------------------------------------------


def asked(model: Any, *asks: Ask) -> list[Any]:
    with model:
        return [model.ask(ask) for ask in asks]


def aasked(model: Any, *asks: Ask) -> list[Any]:
    async def run() -> list[Any]:
        async with model:
            return [await model.aask(ask) for ask in asks]

    return asyncio.run(run())


def streamed(model: Any, *asks: Ask) -> list[Any]:
    with model:
        return [each for ask in asks for each in model.stream(ask)]


def astreamed(model: Any, *asks: Ask) -> list[Any]:
    async def run() -> list[Any]:
        async with model:
            return [each for ask in asks async for each in model.astream(ask)]

    return asyncio.run(run())


Way = Callable[..., list[Any]]
"""Asks a model, in one go, and gives what came: events, and a reply for each question."""

WHOLE = [asked, aasked]
STREAMED = [streamed, astreamed]
WAYS = pytest.mark.parametrize("way", [*WHOLE, *STREAMED])


def at(loopback: Loopback, **options: Any) -> AnthropicModel:
    return AnthropicModel("m", "sk-ant-secret", loopback.url, **options)


def answer(way: Way) -> Answer:
    return Answer.sse(as_stream(BODY)) if way in STREAMED else Answer.json(BODY)


# --- recordings -----------------------------------------------------------------------------------------------------


def turns() -> list[tuple[Recording, Exchange, Ask]]:
    """Give every answered exchange of every recording, with a question for it."""
    found = []
    for recording in (each for each in RECORDINGS if each.api == API):
        known = {id(exchange): ask for exchange, ask in asks(recording)}
        found += [(recording, each, known.get(id(each), ASK)) for each in recording.exchanges if each.answered]
    return found


def body_of(exchange: Exchange) -> dict[str, Any]:
    """Return the answer of an exchange as if it had come whole."""
    if not exchange.streamed:
        body: dict[str, Any] = exchange.response["body"]
        return body
    reply = decoded(exchange)
    blocks = [part.raw for part in reply.message.parts if part.raw is not None and part.kind != "refusal"]
    return {"content": blocks, "stop_reason": reply.raw_finish_reason, "usage": reply.usage.raw}


def stream_of(exchange: Exchange) -> Answer:
    """Return the answer of an exchange as a stream."""
    return Answer.of(exchange) if exchange.streamed else Answer.sse(as_stream(exchange.response["body"]))


@needs_shared
@WAYS
def test_recordings_come_through_the_sdk(way: Way) -> None:
    """Whichever way an answer comes, it says what was recorded; requests are as the codec wrote them."""
    exchanges = turns()
    sent = [attrs.evolve(ask, max_tokens=4096) for _, _, ask in exchanges]
    answers = [stream_of(each) if way in STREAMED else Answer.json(body_of(each)) for _, each, _ in exchanges]
    with serving(answers) as loopback:
        replies = [each for each in way(at(loopback), *sent) if isinstance(each, Reply)]

    names = [recording.name for recording, _, _ in exchanges]
    assert len(replies) == len(names) > 60
    assert [
        name
        for name, reply, (_, each, _) in zip(names, replies, exchanges, strict=True)
        if told(reply) != expected(each)
    ] == []
    bodies = [CODEC.request(ask, stream=way in STREAMED) for ask in sent]
    assert [name for name, body, found in zip(names, bodies, loopback.bodies, strict=True) if body != found] == []


@needs_shared
@pytest.mark.parametrize("way", WHOLE)
def test_long_answers_are_streamed_and_put_together(way: Way) -> None:
    """Where the SDK will not wait for a whole answer, it comes as a stream, and is the same."""
    exchanges = [(each, attrs.evolve(ask, max_tokens=64_000)) for _, each, ask in turns()]
    with serving([stream_of(each) for each, _ in exchanges]) as loopback:
        replies = way(at(loopback), *(ask for _, ask in exchanges))

    assert [told(reply) for reply in replies] == [expected(each) for each, _ in exchanges]
    assert {body["stream"] for body in loopback.bodies} == {True}


@needs_shared
@WAYS
def test_recorded_errors_are_raised(way: Way) -> None:
    """Status, code and sentence are the provider's."""
    exchanges = [each for recording in RECORDINGS if recording.api == API for each in recording.exchanges]
    failed = [each for each in exchanges if not each.answered]
    for exchange in failed:
        with serving([Answer.of(exchange)]) as loopback, pytest.raises(ProviderError) as caught:
            way(at(loopback), ASK)
        error = exchange.expect["error"]
        assert (caught.value.status, caught.value.code) == (exchange.response["status"], error["type"])
        assert str(caught.value) == f"compatible: HTTP {caught.value.status}: {error['message']}"

    assert len(failed) == 2


# --- what is sent ---------------------------------------------------------------------------------------------------


@WAYS
def test_the_body_is_the_codecs(way: Way) -> None:
    """The SDK adds nothing, and takes keys that it has no argument for."""
    with serving([answer(way)]) as loopback:
        way(at(loopback), attrs.evolve(ASK, temperature=0.5, options={"top_k": 3}))

    (request,) = loopback.asked
    assert (request.path, request.headers["authorization"]) == ("/v1/messages", "Bearer sk-ant-secret")
    assert request.body == {
        "model": "m",
        "max_tokens": 8192,
        "messages": [{"role": "user", "content": [{"type": "text", "text": "hi"}]}],
        "temperature": 0.5,
        "top_k": 3,
        **({"stream": True} if way in STREAMED else {}),
    }


@WAYS
def test_some_options_are_headers(way: Way) -> None:
    """Names of beta features are, as is what the SDK sends as a header; the body has none of them."""
    options = {"betas": ["a-1", "b-2"], "user_profile_id": "u", "extra_headers": {"x-moon": "full"}}
    with serving([answer(way)]) as loopback:
        way(at(loopback), attrs.evolve(ASK, options=options))

    (request,) = loopback.asked
    names = ("anthropic-beta", "anthropic-user-profile-id", "x-moon")
    assert [request.headers[name] for name in names] == ["a-1,b-2", "u", "full"]
    assert set(request.body) - {"stream"} == {"model", "max_tokens", "messages"}


def test_the_client_is_kept_and_closed() -> None:
    """One client serves all questions; after `close`, another one is made."""
    with serving([Answer.json(BODY)] * 3) as loopback:
        claude = at(loopback)
        made = [(claude.ask(ASK), claude.transport._client)[1] for _ in range(2)]  # type: ignore[attr-defined]
        claude.close()
        claude.ask(ASK)
        again = claude.transport._client  # type: ignore[attr-defined]
        claude.close()

    assert made[0] is made[1] is not again
    assert [client.is_closed() for client in (made[0], again)] == [True, True]


def test_a_client_of_the_apps_own() -> None:
    """It is used as it is, and stays open; async code needs an async one."""
    with serving([Answer.json(BODY)]) as loopback, anthropic.Anthropic(api_key="own", base_url=loopback.url) as client:
        (reply,) = asked(AnthropicModel("m", client=client), ASK)
        with pytest.raises(DefinitionError, match="client is a sync client, Anthropic; hand in its async twin"):
            aasked(AnthropicModel("m", client=client), ASK)
        closed = client.is_closed()

    assert (reply.message.text, closed, loopback.asked[0].headers["authorization"]) == ("hello", False, "Bearer own")


def test_an_async_client_of_the_apps_own() -> None:
    """So it is in async code."""

    async def run(url: str) -> tuple[str, bool]:
        async with anthropic.AsyncAnthropic(api_key="own", base_url=url) as client:
            claude = AnthropicModel("m", client=client)
            reply = await claude.aask(ASK)
            await claude.aclose()
            with pytest.raises(
                DefinitionError, match="client is an async client, AsyncAnthropic; hand in its sync twin"
            ):
                claude.ask(ASK)
            return reply.message.text, client.is_closed()

    with serving([Answer.json(BODY)]) as loopback:
        assert asyncio.run(run(loopback.url)) == ("hello", False)


# --- what fails -----------------------------------------------------------------------------------------------------


@WAYS
@pytest.mark.parametrize(("status", "code"), [(400, "invalid_request_error"), (401, "authentication_error"), (429, "rate_limit_error"), (529, "overloaded_error")])  # fmt: skip
def test_a_failure_is_told_in_one_way(way: Way, status: int, code: str) -> None:
    """Status, code and wait are those of the provider; the key is in no message; the SDK's error is the cause."""
    error = {"type": "error", "error": {"type": code, "message": "no, sk-ant-secret"}}
    refusal = Answer.json(error, status, retry_after="7", x_should_retry="false")
    with serving([refusal]) as loopback, pytest.raises(ProviderError) as caught:
        way(at(loopback), ASK)

    found = caught.value
    assert str(found) == f"compatible: HTTP {status}: no, [key]"
    assert (found.provider, found.status, found.code, found.retry_after) == ("compatible", status, code, 7)
    assert isinstance(found.__cause__, anthropic.APIStatusError)


@WAYS
@pytest.mark.parametrize("status", [429, 529])
def test_the_sdk_asks_again(way: Way, status: int) -> None:
    """Where it pays off; a stream tells of it before all else."""
    busy = Answer.json({"type": "error", "error": {"type": "x", "message": "busy"}}, status, retry_after_ms="1")
    with serving([busy, answer(way)]) as loopback:
        found = way(at(loopback), ASK)

    retried = [event for event in found if isinstance(event, ErrorEvent)]
    word = {429: "rate_limit", 529: "overloaded"}[status]
    assert (found[-1].message.text, len(loopback.asked)) == ("hello", 2)
    assert retried == ([] if way in WHOLE else [ErrorEvent(word, f"compatible: HTTP {status}; asked again", True, {"status": status, "retry_after": 0.001})])  # fmt: skip
    assert found.index(retried[0]) == 0 if retried else way in WHOLE


CUT = sse(*pieces(as_stream(BODY))[:3])
BUSY = CUT + sse({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}})


@pytest.mark.parametrize("way", STREAMED)
@pytest.mark.parametrize(
    ("text", "cut", "code"),
    [(CUT, None, "cut_off"), (CUT + "data: {", 1, "connection"), (BUSY, None, "overloaded_error")],
    ids=["ended", "broken", "error"],
)
def test_a_stream_that_breaks_off_is_a_reply_with_a_failure(way: Way, text: str, cut: int | None, code: str) -> None:
    """What came is kept; nothing is raised."""
    whole = Answer.sse(text)
    with serving([attrs.evolve(whole, cut=cut and len(whole.body) - cut)]) as loopback:
        reply = way(at(loopback), ASK)[-1]

    assert (reply.message.text, reply.failure.code) == ("hello", code)


@pytest.mark.parametrize("way", WHOLE)
def test_a_long_answer_that_breaks_off_is_an_error(way: Way) -> None:
    """Whoever asks for a whole answer gets one or none; what came is with the error."""
    with serving([Answer.sse(BUSY)]) as loopback, pytest.raises(ProviderError) as caught:
        way(at(loopback), LONG)

    assert str(caught.value) == "compatible: the answer broke off: Overloaded"
    assert (caught.value.code, caught.value.reply.message.text) == ("overloaded_error", "hello")
    assert caught.value.reply.failure.code == "overloaded_error"


def test_leaving_a_stream_closes_the_connection() -> None:
    """So that the provider stops writing."""
    with serving([Answer.sse(as_stream(BODY))]) as loopback:
        claude = at(loopback)
        stream = claude.stream(ASK)
        first = next(event for event in stream if isinstance(event, TextDeltaEvent))
        stream.close()
        pool = claude.transport._client._client._transport._pool  # type: ignore[attr-defined]
        waiting = list(pool.connections)
        claude.close()

    assert first.delta == "hello"
    assert waiting == []


@WAYS
def test_what_is_no_answer_is_an_error(way: Way) -> None:
    """A page in the place of an answer says where to look; as a stream, it has nothing to say."""
    with serving([Answer(b"<html>", headers={"content-type": "text/html"})]) as loopback:
        if way in STREAMED:
            assert way(at(loopback), ASK)[-1].failure.code == "cut_off"
            return
        with pytest.raises(ProviderError, match="check base_url"):
            way(at(loopback), ASK)


# --- names ----------------------------------------------------------------------------------------------------------


def test_models_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Anthropic, and a server that speaks its messages, have rows."""
    for name in ("ANTHROPIC_API_KEY", "DEEPSEEK_API_KEY"):
        monkeypatch.setenv(name, "k")
    monkeypatch.delenv("ANTHROPIC_BASE_URL", raising=False)
    found = [model("anthropic:claude-haiku-4-5"), model("deepseek-anthropic:deepseek-chat")]

    assert [(each.provider, each.model_name, each.dialect, each.tool_dialect) for each in found] == [
        ("anthropic", "claude-haiku-4-5", "anthropic", "anthropic"),
        ("deepseek-anthropic", "deepseek-chat", "anthropic", "anthropic"),
    ]
    assert [each.transport.options["base_url"] for each in found] == [  # type: ignore[attr-defined]
        "https://api.anthropic.com",
        "https://api.deepseek.com/anthropic",
    ]


def test_a_server_is_recognised_by_its_host() -> None:
    """A row is found by the URL; any other server is a compatible one, and may want no key."""
    urls = ["https://api.deepseek.com/anthropic", "https://api.anthropic.com", "http://localhost:4000"]

    assert [AnthropicModel("m", "k", url).provider for url in urls] == ["deepseek-anthropic", "anthropic", "compatible"]
    assert "ANTHROPIC_API_KEY" in os.environ or AnthropicModel("m", base_url=urls[2]).provider == "compatible"
