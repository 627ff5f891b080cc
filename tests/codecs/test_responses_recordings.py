"""Recorded responses: what they mean, whole and streamed, and that they go back as the API takes them."""

from typing import Any

import pytest

from prismpy import (
    AssistantMessage,
    ProviderError,
    SystemMessage,
    ToolCall,
    ToolOutput,
    ToolResult,
    ToolResultMessage,
    UserMessage,
)
from prismpy.codecs import Ask, Reply, ResponsesCodec, tell, to_answer
from prismpy.events import Event
from prismpy.messages import ProviderToolPart, TextPart
from tests.codecs.streams import folded, merged, pieces
from tests.openapi import complaints
from tests.recordings import Exchange, Recording, expected, recorded, told

responses = recorded("openai-responses")


def decoded(recording: Recording, exchange: Exchange) -> Reply:
    codec = ResponsesCodec(recording.provider)
    if exchange.streamed:
        return folded(codec, pieces(exchange.response["sse"]))[1]
    return codec.reply(exchange.response["body"])


def activity(reply: Reply) -> list[Any]:
    return [part for part in reply.message.parts if isinstance(part, ProviderToolPart)]


def items(message: AssistantMessage) -> list[Any]:
    """Return the items that a turn holds."""
    pieces = {"output_text", "refusal", "summary_text", "reasoning_text"}
    return [part.raw for part in message.parts if part.raw is not None and part.raw["type"] not in pieces]


# --- what they mean -------------------------------------------------------------------------------------------------


@responses
def test_a_recorded_turn_is_what_is_expected(recording: Recording) -> None:
    """Text, reasoning, calls, status, usage, activity of tools, citations and items are those of the recording."""
    for exchange in recording.exchanges:
        if not exchange.answered:
            continue
        reply, expect = decoded(recording, exchange), exchange.expect

        assert told(reply) == expected(exchange)
        assert [
            {key: part.raw[key] for key in tool if key in part.raw}
            for part, tool in zip(activity(reply), expect.get("provider_tools", ()), strict=True)
        ] == list(expect.get("provider_tools", ()))
        texts = [part for part in reply.message.parts if isinstance(part, TextPart)]
        assert sum(len(part.citations) for part in texts) == expect.get("citations", 0)
        assert [item["type"] for item in items(reply.message)] == expect["items"]
        encrypted = [
            item for item in items(reply.message) if item["type"] == "reasoning" and item.get("encrypted_content")
        ]
        assert len(encrypted) == expect.get("encrypted_reasoning_items", 0)
        called = [part.raw for part in reply.message.parts if hasattr(part, "call")]
        for item, sent in zip(called, expect["tool_calls"], strict=True):
            assert item["id"] == sent["item_id"]
            assert [item.get(key) for key in ("namespace", "caller", "input")] == [
                sent.get(key) for key in ("namespace", "caller", "input")
            ]


@responses
def test_recorded_failures_are_told(recording: Recording) -> None:
    """An error inside a stream is a failure of the reply, with the provider's code; an HTTP error's body is no answer."""
    for exchange in recording.exchanges:
        error = exchange.expect.get("error")
        if not exchange.answered:
            with pytest.raises(ProviderError):
                ResponsesCodec().reply(exchange.response["body"])
        elif error is not None:
            failure = decoded(recording, exchange).failure

            assert failure is not None
            assert (failure.code, failure.message, failure.raw) == (error["code"], error["message"], error)


CONTRADICTORY = {"openai-responses/shell-hosted-stream"}
"""Recordings whose source shortened the deltas of a text but not the text; the text counts, the deltas are told."""


def same(recording: Recording, events: list[Event], reply: Reply) -> bool:
    """Tell whether a stream told what its reply says."""
    left_out = {"texts"} if recording.name in CONTRADICTORY else set()
    streamed, whole = merged(events), merged(list(tell(reply)))
    return all(streamed[key] == whole[key] for key in whole.keys() - left_out)


@responses
def test_a_recorded_stream_tells_what_its_whole_answer_tells(recording: Recording) -> None:
    """Law 4: merged, the events of a stream are those of the reply that it becomes."""
    for exchange in recording.exchanges:
        if exchange.streamed:
            events, reply = folded(ResponsesCodec(), pieces(exchange.response["sse"]))

            assert same(recording, events, reply)


@responses
def test_a_recorded_stream_cut_anywhere_tells_what_its_reply_says(recording: Recording) -> None:
    """Law 4: whatever came is told and kept; only a stream that ended is no failure."""
    for exchange in recording.exchanges:
        if not exchange.streamed:
            continue
        whole = pieces(exchange.response["sse"])
        for length in range(len(whole)):
            events, reply = folded(ResponsesCodec(), whole[:length])

            assert same(recording, events, reply)
            assert reply.failure is not None
            assert reply.failure.code in {"cut_off", "insufficient_quota"}
            assert reply.finish_reason == "error"


# --- how they go back -----------------------------------------------------------------------------------------------


def answers(message: AssistantMessage) -> list[ToolResult]:
    """Answer everything that a turn asks of us."""
    ours = [to_answer(part) for part in message.parts if isinstance(part, ProviderToolPart)]
    calls: list[ToolCall] = [*message.calls, *(call for call in ours if call is not None)]
    return [ToolResult(call, ToolOutput("done"), "done") for call in calls]


def sent_back(recording: Recording, message: AssistantMessage) -> dict[str, Any]:
    results = answers(message)
    answered = [ToolResultMessage(results)] if results else []
    said = [SystemMessage("Be brief."), UserMessage("hi"), message, *answered, UserMessage("and?")]
    return ResponsesCodec(recording.provider).request(Ask("gpt-5", said))


CHANGED = {"custom_tool_call", "web_search_call", "reasoning"}
"""Types of items that a recording has and the API refuses as they are; `test_responses_history` says why and how."""


@responses
def test_recorded_turns_go_back_as_they_came(recording: Recording) -> None:
    """Law: every item in its place and untouched, but for what the API would refuse."""
    for exchange in recording.exchanges:
        if not exchange.answered:
            continue
        message = decoded(recording, exchange).message
        body = sent_back(recording, message)
        sent = [item for item in body["input"] if "role" not in item or item["role"] == "assistant"]
        wanted = items(message)
        kept = [item for item in wanted if item in sent]

        assert [item for item in sent if item in wanted] == kept
        assert {item["type"] for item in wanted if item not in sent} <= CHANGED
        assert [item for item in wanted if item["type"] == "reasoning" and item not in sent] == (
            wanted if recording.name.endswith("incomplete-only-reasoning") else []
        )


ODD = {
    "openai-responses/mcp-approval-denied-stream": "the description demands a `request_id` that nothing else knows",
    "openai-responses/shell-local-stream": "the strict description demands a `call_id` that it does not allow",
    "openai-responses/image-generation-stream": "the SDK (3.57.0) takes more keys than the strict description (2.3.0)",
    "openai-responses/image-generation": "the same",
    "xai/responses-x-search": "x_search_call and citations without a title are xAI's own",
}
"""Recordings whose requests the description refuses, and why that is right; the SDK's types judge them instead."""


@responses
def test_what_goes_back_is_a_valid_request(recording: Recording) -> None:
    """A request built of a decoded turn is what OpenAI's description of its API says, in its strict form too."""
    for exchange in recording.exchanges:
        if exchange.answered and recording.name not in ODD:
            body = sent_back(recording, decoded(recording, exchange).message)

            assert complaints(body, "CreateResponse", strict=False) == []
            assert complaints(body, "CreateResponse") == []
