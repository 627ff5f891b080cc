"""Streams of chat completions, in all the ways in which servers cut and number them."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prismpy.codecs import ChatCodec, Failure, Reply, tell
from prismpy.events import (
    CitationEvent,
    Event,
    ProviderToolEvent,
    TextCompleteEvent,
    TextDeltaEvent,
    TextStartEvent,
    ThinkingCompleteEvent,
    ThinkingEvent,
    ThinkingStartEvent,
    ToolCallDeltaEvent,
)
from prismpy.messages import Citation, ToolCall
from tests.codecs.streams import folded, merged

CODEC = ChatCodec()


def chunk(delta: Mapping[str, Any], finish: str | None = None, **head: Any) -> dict[str, Any]:
    return {"id": "c1", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}], **head}


def calling(*pieces: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [chunk({"tool_calls": [piece]}) for piece in pieces]


def piece(text: str = "", *, name: str = "", id: str = "", index: int | None = None) -> dict[str, Any]:
    numbered = {} if index is None else {"index": index}
    return {**numbered, "id": id, "function": {"name": name, "arguments": text}}


def fold(*chunks: Mapping[str, Any]) -> tuple[list[Event], Reply]:
    return folded(CODEC, chunks)


def calls(*pieces: Mapping[str, Any]) -> tuple[ToolCall, ...]:
    _, reply = fold(*calling(*pieces), chunk({}, "tool_calls"))
    return reply.message.calls


# --- whole and streamed ---------------------------------------------------------

names = st.sampled_from(["read", "write", "now"])
arguments = st.dictionaries(st.sampled_from("abc"), st.text(max_size=8) | st.integers(), max_size=3).map(json.dumps)
messages = st.fixed_dictionaries(
    {},
    optional={
        "reasoning_content": st.text(min_size=1, max_size=12),
        "content": st.text(max_size=12),
        "refusal": st.text(min_size=1, max_size=8),
        "annotations": st.just(
            [{"type": "url_citation", "url_citation": {"url": "u", "start_index": 0, "end_index": 1}}]
        ),
        "tool_calls": st.lists(
            st.builds(
                lambda name, text: {"type": "function", "function": {"name": name, "arguments": text}}, names, arguments
            ),
            max_size=3,
        ).map(lambda calls: [{"id": f"id{i}", **call} for i, call in enumerate(calls)]),
    },
)
cuts = st.lists(st.integers(1, 5), min_size=1, max_size=6)
NUMBERINGS = ["usual", "from 1", "none", "all 0", "repeated"]


def cut(text: str, sizes: Sequence[int]) -> list[str]:
    """Cut a text in pieces of the sizes, over and over."""
    pieces = []
    while text:
        size = sizes[len(pieces) % len(sizes)]
        pieces.append(text[:size])
        text = text[size:]
    return pieces


def deltas(message: Mapping[str, Any], sizes: Sequence[int], numbering: str) -> list[Mapping[str, Any]]:
    told: list[Mapping[str, Any]] = [{"role": "assistant", "content": ""}]
    for key in ("reasoning_content", "content", "refusal"):
        told += [{key: text} for text in cut(message.get(key) or "", sizes)]
    told += [{"annotations": message["annotations"]}] if "annotations" in message else []
    for slot, call in enumerate(message.get("tool_calls", ())):
        index = {"usual": slot, "from 1": slot + 1, "none": None, "all 0": 0, "repeated": slot}[numbering]
        name, id = call["function"]["name"], call["id"]
        first, *rest = cut(call["function"]["arguments"], sizes)
        again = {"name": name, "id": id} if numbering == "repeated" else {}
        told += [{"tool_calls": [piece(first, name=name, id=id, index=index)]}]
        told += [{"tool_calls": [piece(text, index=index, **again)]} for text in rest]
    return told


@given(messages, cuts, st.sampled_from(NUMBERINGS))
def test_a_stream_is_its_whole_answer(message: Mapping[str, Any], sizes: Sequence[int], numbering: str) -> None:
    """However it is cut and numbered, it folds to the reply of the body that would have been sent, and tells the same."""
    usage = {"prompt_tokens": 3, "completion_tokens": 2}
    chunks = [chunk(delta) for delta in deltas(message, sizes, numbering)]
    told, reply = fold(*chunks, chunk({}, "stop"), {"id": "c1", "choices": [], "usage": usage})
    whole = CODEC.reply({"id": "c1", "choices": [{"message": message, "finish_reason": "stop"}], "usage": usage})

    assert reply == whole
    assert merged(told) == merged([*tell(whole)])


@given(messages, cuts, st.sampled_from(NUMBERINGS), st.integers(0, 40))
def test_a_stream_may_break_off_anywhere(
    message: Mapping[str, Any], sizes: Sequence[int], numbering: str, length: int
) -> None:
    """Then the reply says so, and what was told is what the reply tells."""
    chunks = [chunk(delta) for delta in deltas(message, sizes, numbering)][:length]
    told, reply = fold(*chunks)

    assert merged(told) == merged([*tell(reply)])
    assert reply.failure == Failure("cut_off", "the stream ended before the answer was complete")
    assert reply.finish_reason == "error"


# --- what is told ---------------------------------------------------------------


def test_pieces_open_late_and_close_when_another_begins() -> None:
    """An empty delta opens nothing; a thought is complete when words or calls begin."""
    told, _ = fold(
        chunk({"content": "", "reasoning": ""}),
        chunk({"reasoning": "hm"}),
        chunk({"content": "a"}),
        chunk({"content": "b"}),
        *calling(piece("{}", name="f", id="x", index=0)),
        chunk({}, "tool_calls"),
    )

    assert told == [
        ThinkingStartEvent("c1_reasoning_0"),
        ThinkingEvent("hm", "c1_reasoning_0"),
        ThinkingCompleteEvent("c1_reasoning_0"),
        TextStartEvent("c1"),
        TextDeltaEvent("a", "c1"),
        TextDeltaEvent("b", "c1"),
        TextCompleteEvent("c1"),
        ToolCallDeltaEvent("x", "f", "{}", "c1"),
    ]


def test_a_thought_may_go_on_after_words() -> None:
    """It opens once more under its own name; in the reply it is one thought."""
    told, reply = fold(chunk({"reasoning": "a"}), chunk({"content": "b"}), chunk({"reasoning": "c"}, "stop"))

    assert [event.type for event in told] == [
        "thinking_start",
        "thinking_delta",
        "thinking_complete",
        "text_start",
        "text_delta",
        "text_complete",
        "thinking_start",
        "thinking_delta",
        "thinking_complete",
    ]
    assert (reply.message.thinking, reply.message.text) == ("ac", "b")


def test_a_thought_that_comes_under_two_keys_is_told_once() -> None:
    """Servers that rename a key send both for a while."""
    told, reply = fold(chunk({"reasoning": "hm", "reasoning_content": "hm"}, "stop"))

    assert [event.delta for event in told if isinstance(event, ThinkingEvent)] == ["hm"]
    assert reply.message.extra == {"reasoning": "hm", "reasoning_content": "hm"}


def test_content_may_be_a_list_of_thoughts_and_words() -> None:
    """Pieces of one kind are joined to what would have come whole, which is kept for the way back."""
    thinking = [{"type": "thinking", "thinking": [{"type": "text", "text": text}]} for text in ("h", "m")]
    more = [{"type": "thinking", "thinking": [], "closed": True}, {"type": "text", "text": "a"}, ""]
    told, reply = fold(
        *(chunk({"content": [item]}) for item in thinking),
        chunk({"content": more}),
        chunk({"content": "b"}),
        chunk({"content": [{"type": "thinking", "thinking": "x"}, {"type": "refusal", "refusal": "no"}]}),
        chunk({"content": [{"type": "reference", "reference_ids": [1]}]}, "stop"),
    )

    assert merged(told) == merged([*tell(reply)])
    assert [part.raw for part in reply.message.parts] == [
        {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}], "closed": True},
        {"type": "text", "text": "ab"},
        {"type": "thinking", "thinking": "x"},
        {"type": "refusal", "refusal": "no"},
        {"type": "reference", "reference_ids": [1]},
    ]


def test_details_without_a_thought_beside_them_are_told() -> None:
    """OpenRouter may send a thought in its details alone; the signature comes later, in a piece of its own."""
    told, reply = fold(
        chunk({"reasoning_details": [{"type": "reasoning.text", "text": "h", "index": 0, "format": None}]}),
        chunk({"reasoning_details": [{"type": "reasoning.text", "text": "m", "index": 0}]}),
        chunk({"reasoning_details": [{"type": "reasoning.encrypted", "data": "==", "id": "a", "index": 1}]}),
        chunk({"reasoning_details": [{"type": "reasoning.encrypted", "data": "==", "id": "b", "index": 1}]}),
        chunk({"reasoning_details": [{"type": "reasoning.text", "signature": "s", "index": 0}]}, "stop"),
    )

    assert merged(told) == merged([*tell(reply)])
    assert reply.message.extra == {
        "reasoning_details": [
            {"type": "reasoning.text", "text": "hm", "index": 0, "format": None, "signature": "s"},
            {"type": "reasoning.encrypted", "data": "==", "id": "a", "index": 1},
            {"type": "reasoning.encrypted", "data": "==", "id": "b", "index": 1},
        ]
    }


def test_tools_of_the_provider_are_told_with_every_status() -> None:
    """A search is told when it begins, and again with what it found."""
    begun = {"index": 0, "type": "search", "arguments": "{}"}
    told, reply = fold(
        chunk({"executed_tools": [begun]}), chunk({"executed_tools": [{"index": 0, "output": "found"}]}, "stop")
    )

    assert told == [
        ProviderToolEvent("search", "in_progress", "executed_0", {"arguments": "{}"}),
        ProviderToolEvent("search", "completed", "executed_0", {"arguments": "{}", "output": "found"}),
    ]
    assert merged(told) == merged([*tell(reply)])


def test_sources_beside_the_choices_are_cited_at_the_end() -> None:
    """Some servers name them once for the whole answer, as bare URLs."""
    told, _ = fold(chunk({"content": "a"}, citations=["https://x"]), chunk({}, "stop"))

    assert told[-1] == CitationEvent(Citation("url", "https://x"), "c1", 0)


def test_signatures_are_put_together() -> None:
    """Those of a turn and those of its calls go back as they came."""
    signed = {"extra_content": {"google": {"thought_signature": "s"}}}
    _, reply = fold(
        chunk({"extra_content": {"google": {"thought": True}}}),
        chunk(signed),
        chunk({"tool_calls": [{**piece("{}", name="f"), **signed}]}, "tool_calls"),
    )

    assert reply.message.extra == {"extra_content": {"google": {"thought": True, "thought_signature": "s"}}}
    assert [part.raw for part in reply.message.parts] == [
        {"id": "", "type": "function", "function": {"name": "f", "arguments": "{}"}, **signed}
    ]


# --- the end ---------------------------------------------------------------------


def test_the_mark_of_the_end_will_do() -> None:
    """A server that never says why it stops is believed when it says that it is done."""
    _, reply = fold(*calling(piece("{}", name="f", id="x", index=0)), {})

    assert (reply.failure, reply.finish_reason, reply.raw_finish_reason) == (None, "tool_calls", None)


@pytest.mark.parametrize("where", ["piece", "choice"])
def test_an_error_in_the_middle_is_kept_with_what_came_before(where: str) -> None:
    """The first one counts."""
    error = {"code": 502, "message": "upstream"}
    broken = chunk({}, error=error) if where == "piece" else {"choices": [{"delta": {}, "error": error}]}
    _, reply = fold(chunk({"content": "a"}), broken, chunk({}, error="later"), {})

    assert (reply.message.text, reply.finish_reason) == ("a", "error")
    assert reply.failure == Failure("502", "upstream", error)


def test_a_server_that_does_not_stream_is_understood() -> None:
    """A whole message in the place of a delta is one large delta; only the first of several answers counts."""
    called = [{"id": id, "type": "function", "function": {"name": "f", "arguments": "{}"}} for id in "xy"]
    message = {"content": "a", "tool_calls": called}
    body = {"choices": [{"message": message, "finish_reason": "tool_calls"}, {"index": 1, "message": {"content": "b"}}]}
    _, reply = fold(body)

    assert reply == CODEC.reply({"choices": body["choices"][:1]})


def test_usage_may_stand_in_a_place_of_its_own() -> None:
    """The last value of each key counts."""
    _, reply = fold(chunk({}, "stop", usage={"prompt_tokens": 1}), {"x_groq": {"usage": {"completion_tokens": 2}}})

    assert reply.usage.raw == {"prompt_tokens": 1, "completion_tokens": 2}


# --- which call a piece belongs to -------------------------------------------------


def test_calls_without_ids_get_some() -> None:
    """They are told at the end, when it is certain that no id comes."""
    told, reply = fold(
        *calling(piece("{}", name="f", index=0), piece("{}", name="g", index=1)), chunk({}, "tool_calls")
    )

    assert reply.message.calls == (ToolCall("call_0", "f", "{}"), ToolCall("call_1", "g", "{}"))
    assert told == [ToolCallDeltaEvent("call_0", "f", "{}", "c1"), ToolCallDeltaEvent("call_1", "g", "{}", "c1")]


def test_calls_that_share_an_id_get_their_own() -> None:
    """The first one keeps it."""
    found = calls(piece("{}", name="f", id="0", index=0), piece("{}", name="f", id="0", index=1))

    assert [call.id for call in found] == ["0", "0_1"]


def test_calls_without_numbers_and_ids_are_told_apart_by_name() -> None:
    """A name opens a call, unless it repeats that of one that is not complete."""
    found = calls(
        piece('{"a":', name="f"), piece("1}", name="f"), piece("{}", name="f"), piece('{"b"', name="g"), piece(":2}")
    )

    assert [(call.name, call.arguments) for call in found] == [("f", '{"a":1}'), ("f", "{}"), ("g", '{"b":2}')]


def test_an_id_may_come_late() -> None:
    """A piece with the number of a call, or without any, brings what the call waits for."""
    numbered = calls(piece("{", name="f", index=0), piece("}", id="x", index=0))
    waiting = calls(piece("{"), piece("}", id="x", name="f"))

    assert numbered == waiting == (ToolCall("x", "f", "{}"),)


def test_a_known_id_goes_on_with_its_call() -> None:
    """Even where the number is new, or there is none."""
    found = calls(piece("{", name="f", id="x", index=0), piece("{}", name="g", id="y", index=1), piece("}", id="x"))

    assert found == (ToolCall("x", "f", "{}"), ToolCall("y", "g", "{}"))


def test_a_call_with_an_id_follows_a_complete_one_without() -> None:
    """Though it has the same name and the same number."""
    found = calls(piece("{}", name="f", index=0), piece("", name="f", id="x", index=0), piece("{}", index=0))

    assert found == (ToolCall("call_0", "f", "{}"), ToolCall("x", "f", "{}"))


def test_a_bare_piece_with_a_new_number_is_a_call_where_no_other_waits() -> None:
    """Its name may follow."""
    found = calls(
        piece("{}", name="f", id="x", index=0), piece('{"a"', index=1), piece(":1}", name="g", id="y", index=1)
    )

    assert found == (ToolCall("x", "f", "{}"), ToolCall("y", "g", '{"a":1}'))


def test_what_looks_complete_may_not_be() -> None:
    """A brace at the end of a piece does not end the arguments."""
    (call,) = calls(piece('{"a": "}', name="f", id="x", index=0), piece('"}', name="f", id="x", index=0))

    assert call.arguments == '{"a": "}"}'


def test_a_placeholder_is_no_call() -> None:
    """A piece that says nothing leaves no trace, and does not number the calls behind it."""
    found = calls({"index": 0}, piece("{}", name="f", index=1))

    assert found == (ToolCall("call_0", "f", "{}"),)


def test_arguments_may_come_as_an_object() -> None:
    """They become text."""
    (call,) = calls({"id": "x", "function": {"name": "f", "arguments": {"a": "é"}}})

    assert call.arguments == '{"a": "é"}'


def test_custom_tools_get_free_text() -> None:
    """It is no JSON, and goes back as it came."""
    first = {"index": 0, "id": "x", "type": "custom", "custom": {"name": "sql", "input": "select"}}
    _, reply = fold(*calling(first, {"index": 0, "custom": {"input": " 1"}}), chunk({}, "tool_calls"))

    (part,) = reply.message.parts
    assert reply.message.calls == (ToolCall("x", "sql", "select 1"),)
    assert part.raw == {"id": "x", "type": "custom", "custom": {"name": "sql", "input": "select 1"}}
