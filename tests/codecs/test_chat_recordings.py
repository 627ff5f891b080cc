"""Every recording of chat completions, through the pure codec."""

import json
from typing import Any

import pytest

from prismpy.codecs import Ask, tell
from prismpy.errors import ProviderError
from prismpy.messages import ProviderToolPart, TextPart
from tests.codecs.chat import codec_of, conversation, decoded, pieces_of
from tests.codecs.streams import folded, merged
from tests.openapi import complaints
from tests.recordings import Exchange, Recording, expected, recorded, told

EACH = recorded("openai-chat")
BODY = "CreateChatCompletionRequest"


def answers(recording: Recording) -> list[Exchange]:
    return [each for each in recording.exchanges if each.answered and recording.name != "openai-chat/not-a-completion"]


def streams(recording: Recording) -> list[Exchange]:
    return [each for each in answers(recording) if each.streamed]


@EACH
def test_an_answer_is_read_as_it_was_recorded(recording: Recording) -> None:
    """Text, thoughts, calls in order, the reason of the end, usage: all as the recording says."""
    for exchange in answers(recording):
        assert told(decoded(codec_of(recording), exchange)) == expected(exchange)


@EACH
def test_what_only_some_answers_have_is_read_too(recording: Recording) -> None:
    """Tools of the provider, citations, refusals, and errors in the middle."""
    for exchange in answers(recording):
        reply = decoded(codec_of(recording), exchange)
        parts, turn = reply.message.parts, exchange.expect
        error = turn.get("error") or {}

        assert [part.type for part in parts if isinstance(part, ProviderToolPart)] == [
            each["type"] for each in turn.get("provider_tools", ())
        ]
        assert sum(len(part.citations) for part in parts if isinstance(part, TextPart)) == turn.get("citations", 0)
        assert reply.message.refusal == turn.get("refusal", "")
        assert (reply.failure and reply.failure.message) == error.get("message")
        assert [each["type"] for each in reply.message.extra.get("reasoning_details", ())] == turn.get(
            "reasoning_details", []
        )


@EACH
def test_a_stream_tells_what_its_whole_answer_does(recording: Recording) -> None:
    """Once deltas are joined, nobody can say whether a turn was streamed."""
    for exchange in streams(recording):
        events, reply = folded(codec_of(recording), pieces_of(exchange))

        assert merged(events) == merged([*tell(reply)])


@EACH
def test_a_stream_may_be_cut_anywhere(recording: Recording) -> None:
    """What came is kept and told; that it broke off is said, unless the reason of the end had come."""
    for exchange in streams(recording):
        pieces = pieces_of(exchange)
        for length in range(len(pieces)):
            events, reply = folded(codec_of(recording), pieces[:length])

            assert merged(events) == merged([*tell(reply)])
            assert reply.raw_finish_reason or (reply.failure is not None and reply.finish_reason == "error")


@EACH
def test_what_was_read_goes_back(recording: Recording) -> None:
    """
    A history of our own replies says what the recorded request says: calls, arguments, thoughts that are demanded back.

    It holds against OpenAI's description, apart from what other servers add to it.
    """
    codec = codec_of(recording)
    replies = [decoded(codec, each) for each in answers(recording)]
    for exchange in recording.exchanges:
        body = exchange.request["body"]
        if body is None:
            continue
        said = conversation(exchange, replies)
        written = codec.request(Ask(body["model"], said, body.get("tools", ())), stream=body.get("stream", False))
        ours, theirs = turns(written, codec.quirks.goes_back), turns(body, codec.quirks.goes_back)

        assert ours == {ids: turn for ids, turn in theirs.items() if ids in ours}
        if not codec.quirks.content_lists:
            assert complaints(written, BODY, strict=not codec.quirks.goes_back) == []


def turns(body: Any, kept: tuple[str, ...]) -> dict[tuple[str, ...], Any]:
    """Return what the turns with calls say, by the ids of the calls."""
    return {
        tuple(call["id"] for call in message["tool_calls"]): (
            [(call["function"]["name"], json.loads(call["function"]["arguments"])) for call in message["tool_calls"]],
            {key: thoughts(message)[key] for key in kept if key in thoughts(message)},
        )
        for message in body["messages"]
        if message.get("tool_calls")
    }


def thoughts(message: Any) -> Any:
    """Return a message with its thoughts under the key of its server; the framework behind Groq's sent them as text."""
    before, found, rest = (message.get("content") or "").partition("<think>\n")
    return {**message, "reasoning": rest.removesuffix("\n</think>")} if found and not before else message


def test_what_is_no_completion_is_refused() -> None:
    """JSON from somewhere else is the provider's error, with a hint at what may be wrong."""
    for recording in [each for each in EACH.args[1] if getattr(each, "name", "") == "openai-chat/not-a-completion"]:
        with pytest.raises(ProviderError, match="the answer is no chat completion, it has no choices; check base_url"):
            codec_of(recording).reply(recording.exchanges[0].response["body"])
