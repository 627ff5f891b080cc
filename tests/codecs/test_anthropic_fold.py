"""Streams of Anthropic, put together."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from prismpy import (
    AssistantMessage,
    CallPart,
    Citation,
    CitationEvent,
    ProviderToolEvent,
    ProviderToolPart,
    RefusalPart,
    TextCompleteEvent,
    TextDeltaEvent,
    TextPart,
    TextStartEvent,
    ThinkingCompleteEvent,
    ThinkingEvent,
    ThinkingPart,
    ThinkingStartEvent,
    ToolCall,
    ToolCallDeltaEvent,
    Usage,
    UserMessage,
)
from prismpy.codecs import Ask, Failure, Reply, tell

from .anthropic_messages import CODEC, streamed
from .anthropic_told import merged


def begin(**message: Any) -> dict[str, Any]:
    return {
        "type": "message_start",
        "message": {
            "id": "m",
            "model": "claude",
            "content": [],
            "usage": {"input_tokens": 3, "output_tokens": 1},
            **message,
        },
    }


def start(index: int, **block: Any) -> dict[str, Any]:
    return {"type": "content_block_start", "index": index, "content_block": block}


def delta(index: int, kind: str, **more: Any) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": index, "delta": {"type": kind, **more}}


def stop(index: int) -> dict[str, Any]:
    return {"type": "content_block_stop", "index": index}


def end(reason: str = "end_turn", usage: Any = {"output_tokens": 9}, **delta: Any) -> list[dict[str, Any]]:
    return [
        {"type": "message_delta", "delta": {"stop_reason": reason, **delta}, "usage": usage},
        {"type": "message_stop"},
    ]


def only(*stream: Any) -> Any:
    """Return the one part of a complete answer."""
    (part,) = streamed([begin(), *stream, *end()])[1].message.parts
    return part


def test_a_stream_as_it_comes() -> None:
    """Texts and thoughts begin with their first words; calls are told as they grow; the whole comes last."""
    cite = {"type": "char_location", "cited_text": "c", "document_index": 0, "start_char_index": 0, "end_char_index": 1}
    cited = Citation("document", "0", "c", None, "character", 0, 1, {"type": "char_location"})
    fold = CODEC.fold()
    steps: list[tuple[Any, list[Any]]] = [
        (begin(), []),
        ({"type": "ping"}, []),
        ({"type": "moon_phase"}, []),
        (start(0, type="thinking", thinking="", signature=""), []),
        (delta(0, "thinking_delta", thinking=""), []),
        (delta(0, "thinking_delta", thinking="h"), [ThinkingStartEvent("m_reasoning_0"), ThinkingEvent("h", "m_reasoning_0")]),
        (delta(0, "thinking_delta", thinking="m"), [ThinkingEvent("m", "m_reasoning_0")]),
        (delta(0, "signature_delta", signature="s"), []),
        (stop(0), [ThinkingCompleteEvent("m_reasoning_0")]),
        (start(1, type="redacted_thinking", data="d"), []),
        (stop(1), []),
        (start(2, type="text", text=""), []),
        (delta(2, "citations_delta", citation=cite), []),
        (delta(2, "text_delta", text="0"), [TextStartEvent("m"), TextDeltaEvent("0", "m")]),
        (delta(2, "text_delta", text="K"), [TextDeltaEvent("K", "m")]),
        (stop(2), [TextCompleteEvent("m"), CitationEvent(cited, "m", 2)]),
        (start(3, type="tool_use", id="a", name="w", input={}), []),
        (delta(3, "input_json_delta", partial_json=""), []),
        (delta(3, "input_json_delta", partial_json='{"x":'), [ToolCallDeltaEvent("a", "w", '{"x":', "m")]),
        (delta(3, "input_json_delta", partial_json="0}"), [ToolCallDeltaEvent("a", "w", "0}", "m")]),
        (stop(3), []),
        *((piece, []) for piece in end("tool_use", stop_sequence=None)),
    ]  # fmt: skip

    assert [list(fold.feed(piece)) for piece, _ in steps] == [told for _, told in steps]
    assert fold.finish() == (
        [],
        Reply(
            AssistantMessage(
                [
                    ThinkingPart("hm", {"type": "thinking", "thinking": "hm", "signature": "s"}),
                    ThinkingPart("", {"type": "redacted_thinking", "data": "d"}),
                    TextPart("0K", (cited,), {"type": "text", "text": "0K", "citations": [cite]}),
                    CallPart(ToolCall("a", "w", {"x": 0}), {"type": "tool_use", "id": "a", "name": "w", "input": {"x": 0}}),
                ],
                "anthropic",
            ),
            "tool_calls",
            "tool_use",
            Usage(3, 9),
            "m",
            "claude",
        ),
    )  # fmt: skip


def test_tools_of_the_provider_tell_when_they_begin() -> None:
    """A use begins without input, ends with it, and its result comes in one piece."""
    use = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}
    complete = {**use, "input": {"query": "q"}}
    result = {"type": "web_search_tool_result", "tool_use_id": "s", "content": []}
    events, reply = streamed([begin(), start(0, **use), delta(0, "input_json_delta", partial_json='{"query": "q"}'), stop(0), start(1, **result), stop(1), *end()])  # fmt: skip

    assert events == [
        ProviderToolEvent("web_search", "started", "s", use),
        ProviderToolEvent("web_search", "completed", "s", complete),
        ProviderToolEvent("web_search_tool_result", "result_received", "s", result),
    ]
    assert reply.message.parts == (
        ProviderToolPart("web_search", "s", "completed", complete, raw=complete),
        ProviderToolPart("web_search_tool_result", "s", "result_received", result, raw=result),
    )


def test_a_refusal_is_told_at_the_end() -> None:
    """Its words come beside the content, with the stop reason."""
    details = {"type": "refusal", "category": "cyber", "explanation": "No."}
    events, reply = streamed([begin(), *end("refusal", stop_details=details)])

    assert events == [TextStartEvent("m"), TextDeltaEvent("No.", "m"), TextCompleteEvent("m")]
    assert (reply.message.parts, reply.finish_reason) == ((RefusalPart("No.", details),), "refusal")


def test_what_the_end_says_adds_to_the_beginning() -> None:
    """Nulls take nothing back; counts are totals."""
    container = {"id": "c", "expires_at": "e"}
    more = {"context_management": {"applied_edits": []}}
    piece = {**end(usage={"output_tokens": 9, "input_tokens": None}, container=None)[0], **more}
    reply = streamed([begin(container=container), piece])[1]

    assert reply.message.extra == {"container": container, **more}
    assert reply.usage == Usage(3, 9)
    assert reply.failure is None


def test_a_turn_may_begin_with_whole_blocks() -> None:
    """Where the code of a container goes on calling, the call stands in the first event, and the reason with it."""
    call = {"type": "tool_use", "id": "a", "name": "w", "input": {"x": 1}}
    events, reply = streamed([begin(content=[call], stop_reason="tool_use"), {"type": "message_stop"}])

    assert events == [ToolCallDeltaEvent("a", "w", '{"x": 1}', "m")]
    assert (reply.message.calls, reply.finish_reason, reply.failure) == (
        (ToolCall("a", "w", {"x": 1}),),
        "tool_calls",
        None,
    )


def test_what_a_block_begins_with_counts() -> None:
    """Some servers send first words, or a whole input, with the start of a block."""
    assert only(start(0, type="text", text="Hel"), delta(0, "text_delta", text="lo"), stop(0)).text == "Hello"
    assert only(start(0, type="tool_use", id="a", name="w", input={"x": 1}), stop(0)).call.arguments == {"x": 1}
    assert only(start(0, type="tool_use", id="a", name="w"), stop(0)).call.arguments is None


def test_blocks_that_say_what_has_changed() -> None:
    """A summary comes in one delta and takes the place of what was there."""
    block = only(start(0, type="compaction", content=None), delta(0, "compaction_delta", content="So far"), stop(0))

    call = only(start(0, type="tool_use", id="a", name="w", input={}), delta(0, "moon_delta", moon=1), stop(0))

    assert block.raw == {"type": "compaction", "content": "So far"}
    assert call.raw == {"type": "tool_use", "id": "a", "name": "w", "input": {}, "moon": 1}


def test_another_model_may_take_over() -> None:
    """A block says which one speaks from there on."""
    hop = {"type": "fallback", "from": {"model": "claude"}, "to": {"model": "claude-two"}}

    assert streamed([begin(), start(0, **hop), stop(0), *end()])[1].model == "claude-two"


def test_pieces_go_to_the_block_of_their_index() -> None:
    """A second start at one index is another block; deltas of blocks that never began are no one's."""
    stream = [
        start(7, type="text", text=""),
        delta(7, "text_delta", text="a"),
        start(7, type="text", text=""),
        delta(7, "text_delta", text="b"),
        delta(8, "text_delta", text="?"),
        stop(8),
    ]

    assert [part.text for part in streamed([begin(), *stream, *end()])[1].message.parts] == ["a", "b"]


def test_broken_pieces_are_no_error() -> None:
    """What lacks its content means nothing."""
    kinds = ["message_start", "content_block_start", "content_block_delta", "message_delta", "content_block_stop"]
    cite = delta(0, "citations_delta")

    assert streamed([{"type": kind} for kind in kinds])[1].message.parts == (ProviderToolPart("None", raw={}),)
    assert only(start(0, type="text", text="x"), cite, stop(0)).citations == (Citation("None", ""),)
    assert streamed([{}])[1].failure == Failure("cut_off", "the stream ended before the answer was complete")


# --- what was cut off -----------------------------------------------------------------------------------------------


def test_input_that_was_cut_off_stays_text() -> None:
    """Nothing is repaired, whether the provider or the connection ended it."""
    stream = [
        begin(),
        start(0, type="tool_use", id="a", name="w", input={}),
        delta(0, "input_json_delta", partial_json='{"x": [1'),
    ]

    for last, reason in ((end("max_tokens"), "length"), ([], "error")):
        reply = streamed([*stream, *last])[1]
        assert (reply.message.calls, reply.finish_reason) == ((ToolCall("a", "w", '{"x": [1'),), reason)


def test_a_thought_without_its_signature_is_for_reading_only() -> None:
    """Sent back, it would be refused; a complete one of a server that signs nothing goes back."""
    opened = [begin(), start(0, type="thinking", thinking="", signature=""), delta(0, "thinking_delta", thinking="hm")]
    cut, whole = streamed(opened)[1], streamed([*opened, stop(0), *end()])[1]

    assert cut.message.parts == (ThinkingPart("hm"),)
    assert whole.message.parts == (ThinkingPart("hm", {"type": "thinking", "thinking": "hm", "signature": ""}),)


def test_a_search_that_was_cut_off_has_only_begun() -> None:
    """It is not told as complete, and is not sent back before new words of a user."""
    use = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}
    events, reply = streamed([begin(), start(0, **use), delta(0, "input_json_delta", partial_json='{"qu')])
    next_ask = Ask("m", [UserMessage("a"), reply.message, UserMessage("b")])

    assert events == [ProviderToolEvent("web_search", "started", "s", use)]
    assert [part.status for part in reply.message.parts if isinstance(part, ProviderToolPart)] == ["started"]
    assert [message["role"] for message in CODEC.request(next_ask)["messages"]] == ["user"]


def test_an_error_in_the_middle_keeps_what_came() -> None:
    """The provider's own word and sentence are the failure."""
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    events, reply = streamed([begin(), start(0, type="text", text=""), delta(0, "text_delta", text="So"), error])

    assert events == [TextStartEvent("m"), TextDeltaEvent("So", "m"), TextCompleteEvent("m")]
    assert (reply.message.text, reply.finish_reason) == ("So", "error")
    assert reply.failure == Failure("overloaded_error", "Overloaded", error)
    assert streamed([{"type": "error"}])[1].failure == Failure("error", "no reason was given", {"type": "error"})


# --- whole and in pieces --------------------------------------------------------------------------------------------

words = st.text(max_size=8)
inputs = st.dictionaries(st.sampled_from("xyz"), st.none() | st.integers() | words, max_size=3)
ids = st.sampled_from(["", "a", "b", "call_0"])

blocks = st.one_of(
    st.builds(lambda text, signature: {"type": "thinking", "thinking": text, "signature": signature}, words, words),
    st.builds(lambda data: {"type": "redacted_thinking", "data": data}, words),
    st.builds(lambda text: {"type": "text", "text": text}, words),
    st.builds(
        lambda text, urls: {"type": "text", "text": text, "citations": [{"type": "web_search_result_location", "url": url} for url in urls]},
        words,
        st.lists(words, min_size=1, max_size=2),
    ),
    st.builds(lambda id, input: {"type": "tool_use", "id": id, "name": "w", "input": input}, ids, inputs),
    st.builds(lambda id, input: {"type": "server_tool_use", "id": id, "name": "web_search", "input": input}, ids, inputs),
    st.builds(lambda id: {"type": "web_search_tool_result", "tool_use_id": id, "content": []}, ids),
)  # fmt: skip


def cut_up(draw: Any, text: str) -> list[str]:
    """Cut a text into pieces, empty ones among them."""
    spots = sorted(draw(st.lists(st.integers(0, len(text)), max_size=3)))
    return [text[a:b] for a, b in zip([0, *spots], [*spots, len(text)], strict=True)]


def in_pieces(draw: Any, index: int, block: dict[str, Any]) -> list[Any]:
    """Send a block as the provider would."""
    match block:
        case {"type": "text", "text": text}:
            cites = [delta(index, "citations_delta", citation=each) for each in block.get("citations", [])]
            said = [delta(index, "text_delta", text=piece) for piece in cut_up(draw, text)]
            return [start(index, type="text", text=""), *cites, *said, stop(index)]
        case {"type": "thinking", "thinking": text, "signature": signature}:
            said = [delta(index, "thinking_delta", thinking=piece) for piece in cut_up(draw, text)]
            opened = start(index, type="thinking", thinking="", signature="")
            return [opened, *said, delta(index, "signature_delta", signature=signature), stop(index)]
        case {"input": input}:
            said = [delta(index, "input_json_delta", partial_json=piece) for piece in cut_up(draw, json.dumps(input))]
            return [
                start(index, **{**block, "input": {}}),
                *(said if input or draw(st.booleans()) else []),
                stop(index),
            ]
        case _:
            return [start(index, **block), stop(index)]


@st.composite
def turns(draw: Any) -> tuple[dict[str, Any], list[Any]]:
    """Give an answer, whole and as a stream."""
    content = draw(st.lists(blocks, max_size=4))
    reason = draw(st.sampled_from(["end_turn", "tool_use", "pause_turn"]))
    head = {"id": "m", "model": "claude"}
    sent = [piece for index, block in enumerate(content) for piece in in_pieces(draw, index, block)]
    usage = {"input_tokens": 3, "output_tokens": 9}
    return {**head, "content": content, "stop_reason": reason, "usage": usage}, [begin(**head), *sent, *end(reason)]


@given(turns())
def test_streamed_and_whole_are_the_same(turn: tuple[dict[str, Any], list[Any]]) -> None:
    """However an answer comes, it is one reply, and it tells the same."""
    whole, stream = turn
    events, reply = streamed(stream)

    assert reply == CODEC.reply(whole)
    assert merged(events) == merged(tell(reply))


@given(turns(), st.data())
def test_blocks_may_be_interleaved(turn: tuple[dict[str, Any], list[Any]], data: Any) -> None:
    """Pieces of blocks that are open at the same time go to their own."""
    whole, stream = turn
    first, *middle, delta_, last = stream
    queues: dict[int, list[Any]] = {}
    for piece in middle:
        queues.setdefault(piece["index"], []).append(piece)
    starts = [queue.pop(0) for queue in queues.values()]
    mixed = []
    while waiting := [queue for queue in queues.values() if queue]:
        mixed.append(data.draw(st.sampled_from(waiting)).pop(0))

    assert streamed([first, *starts, *mixed, delta_, last])[1] == CODEC.reply(whole)


@given(turns(), st.data())
def test_a_stream_that_ends_anywhere_is_a_reply(turn: tuple[dict[str, Any], list[Any]], data: Any) -> None:
    """It says that it was cut off, holds what was told, and the next request is still a sound one."""
    stream = turn[1]
    cut = data.draw(st.integers(0, len(stream) - 2))
    events, reply = streamed(stream[:cut])

    assert reply.failure is not None
    assert reply.failure.code == "cut_off"
    assert merged(events) == merged(tell(reply))
