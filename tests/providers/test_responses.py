"""The Responses API through the OpenAI SDK: every recording replayed over a loopback server, in all four ways."""

import asyncio
import json
from typing import Any

import openai
import pytest

from prismpy import OpenAIResponsesModel, ProviderError, TextDeltaEvent, UnknownProviderError, UserMessage, model
from prismpy.codecs import Ask, Reply, ResponsesCodec
from tests.codecs.streams import folded, pieces
from tests.loopback import Answer, serving
from tests.providers.ways import Way, aasked, asked, astreamed, streamed
from tests.recordings import RECORDINGS, Exchange, Recording, expected, recorded, told
from tests.shared import needs_shared

ASK = Ask("gpt-5", [UserMessage("hi")])


def at(url: str) -> OpenAIResponsesModel:
    return OpenAIResponsesModel("gpt-5", "secret", url + "/v1", max_retries=0, poll_seconds=0)


# --- recordings -----------------------------------------------------------------------------------------------------


@recorded("openai-responses")
@pytest.mark.parametrize("ways", [(asked, streamed), (aasked, astreamed)], ids=["sync", "async"])
def test_a_recording_replayed_is_what_is_expected(recording: Recording, ways: tuple[Way, Way]) -> None:
    """What comes through the SDK is what was recorded; an HTTP error has its status and code."""
    for exchange in recording.exchanges:
        if exchange.expect["stop_reason"] in {"queued", "in_progress"}:
            continue  # see the test of the background
        way = ways[exchange.streamed]
        with serving([Answer.of(exchange)]) as loopback:
            if not exchange.answered:
                refused(way, loopback.url, exchange)
                continue
            reply = way(at(loopback.url), ASK)

        body = exchange.response.get("body")
        whole = folded(ResponsesCodec("compatible"), pieces(exchange.response["sse"]))[1] if body is None else None
        assert reply == (whole or ResponsesCodec("compatible").reply(body))
        assert told(reply) | {"tool_calls": []} == expected(exchange) | {"tool_calls": []}


def refused(way: Way, url: str, exchange: Exchange) -> None:
    error = exchange.expect["error"]
    with pytest.raises(ProviderError) as caught:
        way(at(url), ASK)

    assert caught.value.status == exchange.response["status"]
    assert caught.value.code == (error["code"] or error["type"])
    assert error["message"] in str(caught.value)


BACKGROUND = [each for each in RECORDINGS if each.name == "openai-responses/background-polling-tool-loop"]


@needs_shared
@pytest.mark.parametrize("turns", [slice(2), slice(2, None)], ids=["done at once", "still in progress"])
@pytest.mark.parametrize("way", [asked, aasked])
def test_an_answer_made_in_the_background_is_waited_for(turns: slice, way: Way) -> None:
    """It is looked for by its id until it is done."""
    exchanges = BACKGROUND[0].exchanges[turns]
    with serving([Answer.of(exchange) for exchange in exchanges]) as loopback:
        reply = way(at(loopback.url), ASK)

    assert [asked.method for asked in loopback.asked] == ["POST", *["GET"] * (len(exchanges) - 1)]
    assert {asked.path for asked in loopback.asked[1:]} == {f"/v1/responses/{reply.id}"}
    assert reply.raw_finish_reason == "completed"


# --- what is sent, what fails ---------------------------------------------------------------------------------------

BODY = {
    "id": "r1",
    "status": "completed",
    "output": [{"type": "message", "content": [{"type": "output_text", "text": "ok"}]}],
}
STREAM = f"data: {json.dumps({'type': 'response.completed', 'response': BODY})}\n\n"
WAYS = pytest.mark.parametrize("way", [asked, aasked, streamed, astreamed])


def answer(way: Way) -> Answer:
    return Answer.sse(STREAM) if way in (streamed, astreamed) else Answer.json(BODY)


@WAYS
def test_all_four_ways_send_the_codecs_body(way: Way) -> None:
    """The SDK adds nothing."""
    with serving([answer(way)]) as loopback:
        reply = way(at(loopback.url), ASK)

    (request,) = loopback.asked
    assert reply.message.text == "ok"
    assert (request.method, request.path) == ("POST", "/v1/responses")
    assert request.body == ResponsesCodec().request(ASK, stream=way in (streamed, astreamed))


@pytest.mark.parametrize("way", [asked, aasked])
def test_the_provider_says_when_to_look_again(way: Way) -> None:
    """Its header counts more than the model's own measure."""
    waiting = Answer.json({"id": "r1", "status": "queued", "output": []}, openai_poll_after_ms="1")
    with serving([waiting, Answer.json(BODY)]) as loopback:
        reply = way(OpenAIResponsesModel("gpt-5", "secret", loopback.url, poll_seconds=600), ASK)

    assert reply.message.text == "ok"


@pytest.mark.parametrize("way", [streamed, astreamed])
def test_a_stream_that_breaks_off_is_a_reply_with_a_failure(way: Way) -> None:
    """What came is kept."""
    delta = json.dumps({"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "delta": "hel"})
    text = f"data: {delta}\n\ndata: {delta}"
    with serving([Answer(text.encode(), headers={"content-type": "text/event-stream"}, cut=len(text) - 2)]) as loopback:
        reply = way(at(loopback.url), ASK)

    assert reply.message.text == "hel"
    assert reply.failure is not None
    assert reply.failure.code == "connection"


@pytest.mark.parametrize("way", [streamed, asked])
def test_a_client_of_the_app_is_used(way: Way) -> None:
    """With its key and its URL, and not closed."""
    with serving([answer(way), answer(way)]) as loopback, openai.OpenAI(api_key="k", base_url=loopback.url) as client:
        for _ in range(2):
            assert way(OpenAIResponsesModel("gpt-5", client=client), ASK).message.text == "ok"


# --- streams of answers made in the background ------------------------------------------------------------------------

IN_BACKGROUND = Ask("gpt-5", [UserMessage("hi")], options={"background": True})
STREAMING = pytest.mark.parametrize("way", [streamed, astreamed])


def event(number: int) -> str:
    """Write one event of an answer that says hello: 0 begins it, 4 ends it."""
    delta = {"type": "response.output_text.delta", "item_id": "m", "output_index": 0, "content_index": 0}
    text = [{"type": "output_text", "text": "hello"}]
    done = {"id": "r1", "status": "completed", "output": [{"type": "message", "id": "m", "content": text}]}
    events: list[dict[str, Any]] = [
        {"type": "response.created", "response": {"id": "r1", "status": "queued", "output": []}},
        {"type": "response.in_progress", "response": {"id": "r1", "status": "in_progress", "output": []}},
        {**delta, "delta": "hel"},
        {**delta, "delta": "lo"},
        {"type": "response.completed", "response": done},
    ]
    return f"data: {json.dumps({**events[number], 'sequence_number': number})}\n\n"


def part(begin: int, end: int, *, broken: bool = True) -> Answer:
    """Answer with some events, and break off or just end."""
    text = "".join(map(event, range(begin, end))).encode()
    headers = {"content-type": "text/event-stream"}
    return Answer(text + b"data: {", 200, headers, cut=len(text) + 3) if broken else Answer(text, 200, headers)


def texts(way: Way, url: str, ask: Ask = IN_BACKGROUND) -> tuple[list[str], Reply]:
    """Return the deltas that are told, and the reply."""
    told: list[Any] = []

    async def arun() -> None:
        async with at(url) as model:
            told.extend([each async for each in model.astream(ask)])

    if way is astreamed:
        asyncio.run(arun())
    else:
        with at(url) as model:
            told.extend(model.stream(ask))
    return [each.delta for each in told if isinstance(each, TextDeltaEvent)], told[-1]


@STREAMING
@pytest.mark.parametrize("broken", [True, False], ids=["broken", "just ended"])
@pytest.mark.parametrize("cut", [1, 2, 3, 4])
def test_a_stream_in_the_background_is_taken_up_where_it_broke_off(way: Way, cut: int, broken: bool) -> None:
    """Wherever that was, nothing is missed and nothing comes twice."""
    with serving([part(0, cut, broken=broken), part(cut, 5)]) as loopback:
        deltas, reply = texts(way, loopback.url)

    assert [(asked.method, asked.path) for asked in loopback.asked] == [
        ("POST", "/v1/responses"),
        ("GET", f"/v1/responses/r1?starting_after={cut - 1}&stream=true"),
    ]
    assert (deltas, reply.message.text, reply.failure) == (["hel", "lo"], "hello", None)


@STREAMING
def test_events_that_come_again_are_left_out(way: Way) -> None:
    """As from a server that begins from the front."""
    with serving([part(0, 3), part(0, 5)]) as loopback:
        deltas, reply = texts(way, loopback.url)

    assert (deltas, reply.failure) == (["hel", "lo"], None)


@STREAMING
def test_a_stream_may_break_off_often(way: Way) -> None:
    """As long as each connection brings something; a try that fails is tried again."""
    busy = Answer.json({"error": {"message": "busy"}}, 503)
    with serving([part(0, 1), busy, part(1, 2), busy, busy, part(2, 3), part(3, 4), part(4, 5)]) as loopback:
        deltas, reply = texts(way, loopback.url)

    assert len(loopback.asked) == 8
    assert (deltas, reply.failure) == (["hel", "lo"], None)


@STREAMING
def test_a_stream_that_cannot_be_taken_up_is_a_failure(way: Way) -> None:
    """With what broke it off; what came is kept."""
    with serving([part(0, 3), Answer.json({"error": {"message": "no such response"}}, 404)]) as loopback:
        _, reply = texts(way, loopback.url)

    assert len(loopback.asked) == 2
    assert reply.message.text == "hel"
    assert reply.failure is not None
    assert reply.failure.code == "connection"


@STREAMING
@pytest.mark.parametrize(("broken", "code"), [(True, "connection"), (False, "cut_off")])
def test_a_stream_is_taken_up_three_times_in_vain(way: Way, broken: bool, code: str) -> None:
    """Then it is given up."""
    with serving([part(0, 3, broken=broken), *[part(0, 0, broken=False)] * 3]) as loopback:
        _, reply = texts(way, loopback.url)

    assert len(loopback.asked) == 4
    assert reply.failure is not None
    assert reply.failure.code == code


@STREAMING
def test_what_is_complete_is_not_asked_for_again(way: Way) -> None:
    """Though its connection breaks off behind the end, or an error ended it."""
    failed = json.dumps({"type": "error", "code": "server_error", "message": "oh", "sequence_number": 1})
    with serving([part(0, 5), Answer.sse(event(0) + f"data: {failed}\n\n")]) as loopback:
        replies = [texts(way, loopback.url)[1] for _ in range(2)]

    assert len(loopback.asked) == 2
    assert [reply.failure and reply.failure.code for reply in replies] == [None, "server_error"]


@STREAMING
@pytest.mark.parametrize("first", [part(0, 3), part(2, 3)], ids=["not in the background", "without an id"])
def test_other_streams_are_not_taken_up(way: Way, first: Answer) -> None:
    """OpenAI keeps the events of answers in the background only; and an answer must have said who it is."""
    ask = IN_BACKGROUND if first.body == part(2, 3).body else ASK
    with serving([first]) as loopback:
        _, reply = texts(way, loopback.url, ask)

    assert len(loopback.asked) == 1
    assert reply.failure is not None


# --- names ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "provider", "tools", "base"),
    [
        ("openai-responses:gpt-5", "openai", "openai-responses", "https://api.openai.com/v1"),
        ("xai-responses:grok-4", "xai", "openai-responses-compatible", "https://api.x.ai/v1"),
        ("deepseek-responses:flash", "deepseek", "openai-responses-compatible", "https://api.deepseek.com"),
    ],
)
def test_models_by_name(name: str, provider: str, tools: str, base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The provider is who it is by any API of theirs."""
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    found: Any = model(name, "k")

    assert isinstance(found, OpenAIResponsesModel)
    assert (found.provider, found.dialect, found.tool_dialect) == (provider, "openai-responses", tools)
    assert found.transport.options.get("base_url") == base


def test_servers_that_do_not_speak_it_are_refused() -> None:
    """By name; a URL will do for any."""
    with pytest.raises(UnknownProviderError, match="unknown provider 'groq-responses'"):
        OpenAIResponsesModel("x", "k", server="groq")

    assert OpenAIResponsesModel("x", "k", "https://api.groq.com/openai/v1").provider == "compatible"


def test_a_known_server_is_recognised_by_its_host() -> None:
    """Whoever gives the URL of xAI speaks to xAI; an app's own client says where it goes, too."""
    azure = openai.AzureOpenAI(api_key="k", azure_endpoint="https://mine.openai.azure.com", api_version="preview")
    with azure, openai.OpenAI(api_key="k", base_url="https://api.openai.com/v1") as own:
        assert OpenAIResponsesModel("x", client=own).provider == "openai"
        assert OpenAIResponsesModel("x", client=azure).provider == "azure"
    assert OpenAIResponsesModel("x", "k", "https://api.x.ai/v1").provider == "xai"
    assert OpenAIResponsesModel("x", "k", server="xai").provider == "xai"
