"""Recorded answers of Anthropic: what they are decoded to, what their streams tell, and how they go back."""

import itertools
import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from prismpy import CallPart, ProviderToolPart, RefusalPart, SystemMessage, TextPart, ThinkingPart, UserMessage
from prismpy.codecs import Ask, Reply, tell
from prismpy.errors import ProviderError
from tests.recordings import Exchange, Recording, expected, recorded, told

from .anthropic_messages import CODEC, asks, complaints, decoded, streamed
from .anthropic_told import merged
from .streams import pieces

API = "anthropic-messages"


def answers(recording: Recording, *, streams: bool = False) -> Iterator[Exchange]:
    """Give the exchanges that were answered, or only those that were streamed."""
    return (each for each in recording.exchanges if each.answered and (each.streamed or not streams))


# --- what an answer says --------------------------------------------------------------------------------------------


DIRECT = {"type": "direct"}


def facts(reply: Reply) -> dict[str, Any]:
    """Return what `expect` holds of an answer, in its words: what only Anthropic has."""
    raws = [part.raw for part in reply.message.parts if part.raw is not None and not isinstance(part, RefusalPart)]
    refusals = [part.raw for part in reply.message.parts if isinstance(part, RefusalPart)]
    extra = reply.message.extra
    return {
        "items": [raw["type"] for raw in raws],
        "provider_tools": [_tool(part) for part in reply.message.parts if isinstance(part, ProviderToolPart)],
        "citations": sum(len(part.citations) for part in reply.message.parts if isinstance(part, TextPart)),
        "signatures": sum("signature" in raw for raw in raws),
        "callers": [_caller(part.raw or {}) for part in reply.message.parts if isinstance(part, CallPart)],
        "container": extra.get("container"),
        "context_management": extra.get("context_management"),
        "stop_details": refusals[0] if refusals else None,
    }


def _tool(part: ProviderToolPart) -> dict[str, Any]:
    """Tell a block of a provider's tool as the recordings do."""
    raw = part.raw or {}
    if "tool_use_id" not in raw:
        named = {key: raw[key] for key in ("name", "server_name") if key in raw}
        return {"type": raw["type"], "id": part.id, **named, "arguments": raw["input"]}
    content = raw["content"]
    return {"type": raw["type"], "tool_use_id": part.id, **_result(content), **_flag(raw)}


def _result(content: Any) -> dict[str, Any]:
    if isinstance(content, list):
        return {"results": len(content)}
    code = {"error_code": content["error_code"]} if "error_code" in content else {}
    return {"result_type": content["type"], **code}


def _flag(raw: Mapping[str, Any]) -> dict[str, Any]:
    return {"is_error": raw["is_error"]} if "is_error" in raw else {}


def _caller(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Tell who called, where that is not the model itself."""
    return {"caller": raw["caller"]} if raw.get("caller", DIRECT) != DIRECT else {}


def recorded_facts(turn: Mapping[str, Any]) -> dict[str, Any]:
    """Return what `facts` must give."""
    return {
        "items": turn["items"],
        "provider_tools": turn.get("provider_tools", []),
        "citations": turn.get("citations", 0),
        "signatures": turn.get("signatures", 0),
        "callers": [_caller(call) for call in turn["tool_calls"]],
        "container": turn.get("container"),
        "context_management": turn.get("context_management"),
        "stop_details": turn.get("stop_details"),
    }


@recorded(API)
def test_answers_say_what_was_recorded(recording: Recording) -> None:
    """Text, thoughts, calls, stop reason and usage are those that were recorded."""
    for exchange in answers(recording):
        assert told(decoded(exchange)) == expected(exchange)


@recorded(API)
def test_blocks_are_what_was_recorded(recording: Recording) -> None:
    """So are the order of blocks, the activity of the provider's tools, citations, signatures and containers."""
    for exchange in answers(recording):
        found, wanted = facts(decoded(exchange)), recorded_facts(exchange.expect)
        if "container" not in exchange.expect:  # where a stream says it at its start, the recordings do not tell it
            del found["container"], wanted["container"]
        assert found == wanted


@recorded(API)
def test_every_answer_is_complete_and_its_reason_known(recording: Recording) -> None:
    """None of the recorded answers is cut off, and no stop reason is strange to us."""
    for exchange in answers(recording):
        reply = decoded(exchange)
        assert (reply.failure, reply.finish_reason in {"unknown", "error"}) == (None, False)


@recorded(API)
def test_errors_are_no_answers(recording: Recording) -> None:
    """The body of an error is refused, with the provider's word for it."""
    for exchange in recording.exchanges:
        if not exchange.answered:
            with pytest.raises(ProviderError) as caught:
                CODEC.reply(exchange.response["body"])
            assert caught.value.code == exchange.expect["error"]["type"]


# --- streams --------------------------------------------------------------------------------------------------------


@recorded(API)
def test_a_stream_tells_what_the_whole_turn_tells(recording: Recording) -> None:
    """The events of a stream are those of its reply, but for the size of deltas."""
    for exchange in answers(recording, streams=True):
        events, reply = streamed(pieces(exchange.response["sse"]))
        assert merged(events) == merged(tell(reply))


@recorded(API)
def test_a_stream_is_put_together_as_if_it_had_come_whole(recording: Recording) -> None:
    """The blocks of a folded stream, sent as a whole body, decode to the same parts."""
    for exchange in answers(recording, streams=True):
        reply = decoded(exchange)
        content = [part.raw for part in reply.message.parts if not isinstance(part, RefusalPart)]
        assert CODEC.reply({"content": content}).message.parts == tuple(
            part for part in reply.message.parts if not isinstance(part, RefusalPart)
        )


@recorded(API)
def test_a_stream_may_end_anywhere(recording: Recording) -> None:
    """However little came, it is a reply that says so, and what was told is what it holds."""
    for exchange in itertools.islice(answers(recording, streams=True), 3):
        stream = pieces(exchange.response["sse"])
        said = [bool((p.get("delta") or p.get("message") or {}).get("stop_reason")) for p in stream]
        for end in range(len(stream)):
            events, reply = streamed(stream[:end])
            assert (reply.failure and reply.failure.code) == (None if any(said[:end]) else "cut_off")
            assert merged(events) == merged(tell(reply))


# --- requests -------------------------------------------------------------------------------------------------------


@recorded(API)
def test_what_we_send_is_what_the_sdk_takes(recording: Recording) -> None:
    """A request that is made from decoded turns fits the SDK's own types."""
    for exchange, ask in asks(recording):
        assert complaints(CODEC.request(ask, stream=exchange.streamed)) == []


OPTIONAL = {"cache_control": None, "caller": {"type": "direct"}, "citations": None, "is_error": False}
"""Keys that mean nothing where they have this value; marks for the cache never mean anything."""


def meant(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return a message without what may be said in several ways."""
    return {"role": message["role"], "content": _meant(message["content"])}


def _meant(content: Any) -> list[Any]:
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return [_plainly(block) for block in blocks if block["type"] != "text" or block["text"].strip()]


def _plainly(block: Mapping[str, Any]) -> dict[str, Any]:
    kept = {k: v for k, v in block.items() if k != "cache_control" and (k not in OPTIONAL or v != OPTIONAL[k])}
    return {**kept, "content": _meant(block["content"])} if block["type"] in RESULTS and "content" in block else kept


RESULTS = {"tool_result", "mcp_tool_result"}
"""Blocks whose content is a text or blocks."""

PLACEHOLDER = {"role": "assistant", "content": [{"type": "text", "text": "[empty string]"}]}
"""What one client says in the place of an empty turn."""


@recorded(API)
def test_conversations_go_back_as_they_were_recorded(recording: Recording) -> None:
    """Our messages mean what the recorded ones do; those of an empty turn are left out, and its neighbours are one."""
    for exchange, ask in asks(recording):
        sent = [meant(message) for message in CODEC.request(ask)["messages"]]
        wanted = [meant(message) for message in exchange.request["body"]["messages"]]
        if PLACEHOLDER in wanted:
            first, _, second = wanted
            wanted = [{"role": "user", "content": first["content"] + second["content"]}]
        assert sent == wanted


@recorded(API)
def test_blocks_go_back_byte_for_byte(recording: Recording) -> None:
    """Whatever a model said goes back as it came, in order, but for blank texts and our own words for a refusal."""
    for exchange in answers(recording):
        reply = decoded(exchange)
        if reply.raw_finish_reason == "max_tokens":
            continue  # its input is no object; see test_anthropic_messages
        said = [part.raw for part in reply.message.parts if part.raw is not None and not isinstance(part, RefusalPart)]
        kept = [raw for raw in said if raw["type"] != "text" or raw["text"].strip()]
        sent = CODEC.request(Ask("m", [UserMessage("?"), reply.message]))["messages"][1:]
        orphans = {"mcp_tool_result", "web_search_tool_result", "code_execution_tool_result"}
        if kept and kept[0]["type"] in orphans:  # it goes on from a turn before, which is not there
            kept = kept[1:]
        assert json.dumps([block for message in sent for block in message["content"]]) == json.dumps(kept)


@recorded(API)
def test_the_container_goes_along(recording: Recording) -> None:
    """The container of the last turn that had one is that of the next request."""
    used = None
    for exchange in answers(recording):
        reply = decoded(exchange)
        ask = Ask("m", [UserMessage("?"), reply.message, UserMessage("!")])
        used = (reply.message.extra.get("container") or {}).get("id")
        assert CODEC.request(ask).get("container") == used


@recorded(API)
def test_readable_parts_are_what_a_stream_shows(recording: Recording) -> None:
    """No text and no thought is told that the reply does not hold."""
    for exchange in answers(recording, streams=True):
        events, reply = streamed(pieces(exchange.response["sse"]))
        shown = {TextPart: reply.message.text + reply.message.refusal, ThinkingPart: reply.message.thinking}
        deltas = {TextPart: "text_delta", ThinkingPart: "thinking_delta"}
        for kind, text in shown.items():
            assert "".join(event.delta for event in events if event.type == deltas[kind]) == text


@recorded(API)
def test_requests_say_what_the_recorded_ones_say(recording: Recording) -> None:
    """Beside the messages, too: tools, system prompt, container, thinking, structured output."""
    for exchange, ask in asks(recording):
        body, wanted = CODEC.request(ask, stream=exchange.streamed), exchange.request["body"]
        rest = {key: value for key, value in wanted.items() if key not in {"messages", "system", "tool_choice"}}
        assert {key: body.get(key, UNSAID.get(key)) for key in rest} == rest
        assert body.get("tool_choice", {"type": "auto"}) == wanted.get("tool_choice", {"type": "auto"})
        assert [block["text"] for block in body.get("system", [])] == [
            each.text for each in ask.messages if isinstance(each, SystemMessage)
        ]


UNSAID = {"stream": False, "tools": []}
"""What a key means that is left out."""
