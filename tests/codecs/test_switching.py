"""A conversation that changes its provider in the middle."""

from typing import Any

import pytest

from prismpy import ProviderError, Toolbox, ToolResultMessage, UserMessage
from prismpy.codecs import AnthropicCodec, Ask, ChatCodec, Codec, Reply, ResponsesCodec, chat_quirks
from prismpy.codecs._chat_quirks import CHAT_QUIRKS
from prismpy.providers._sse import SseDecoder
from tests.codecs.streams import folded
from tests.openapi import complaints
from tests.recordings import RECORDINGS, Exchange, Recording

CODECS: dict[str, Codec] = {
    "openai-chat": ChatCodec(),
    "openai-responses": ResponsesCodec(),
    "anthropic-messages": AnthropicCodec(),
}


def read(recording: Recording, exchange: Exchange) -> Reply | None:
    codec = CODECS[recording.api]
    if exchange.streamed:
        return folded(codec, SseDecoder().feed(exchange.response["sse"].encode()))[1]
    try:
        return codec.reply(exchange.response["body"])
    except ProviderError:  # a recorded error
        return None


def said(recording: Recording) -> list[Any]:
    """Return a conversation of all turns of a recording, with a result for each call."""
    messages: list[Any] = [UserMessage("hi")]
    for exchange in recording.exchanges:
        reply = read(recording, exchange)
        if reply is not None:
            messages += [reply.message, ToolResultMessage(Toolbox([]).run(reply.message.calls))]
            messages += [UserMessage("go on")]
    return messages


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda each: each.name)
def test_any_recorded_turn_can_be_sent_to_openai(recording: Recording) -> None:
    """Both of its formats are valid requests by its own description, whoever said what is in them."""
    ask = Ask("m", said(recording))
    chat = ChatCodec(quirks=chat_quirks("openai")).request(ask)

    assert complaints(chat, "CreateChatCompletionRequest") == []
    if recording.api != "openai-responses":  # what comes from there goes back there as it came
        assert complaints(ResponsesCodec().request(ask), "CreateResponse") == []


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda each: each.name)
def test_every_chat_server_gets_calls_with_their_results(recording: Recording) -> None:
    """Ids fit the server, and each result follows its call."""
    messages = said(recording)
    for server, quirks in CHAT_QUIRKS.items():
        body = ChatCodec(server, quirks).request(Ask("m", messages))
        called = [call["id"] for each in body["messages"] for call in each.get("tool_calls", ())]

        assert [each["tool_call_id"] for each in body["messages"] if each["role"] == "tool"] == called
        assert all(quirks.call_id.fullmatch(id) for id in called)
