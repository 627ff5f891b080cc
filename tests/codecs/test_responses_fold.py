"""Streams of responses, put together."""

from collections.abc import Iterator, Mapping
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prismpy import (
    Artifact,
    ArtifactEvent,
    CitationEvent,
    ProviderError,
    ProviderToolEvent,
    TextCompleteEvent,
    TextDeltaEvent,
    TextStartEvent,
    ThinkingCompleteEvent,
    ThinkingEvent,
    ThinkingStartEvent,
    ToolCallDeltaEvent,
)
from prismpy.codecs import Ask, Failure, Reply, ResponsesCodec, tell
from tests.codecs.streams import folded, merged
from tests.strategies import json_values

CREATED = {"type": "response.created", "response": {"id": "r", "status": "in_progress", "output": []}}


def added(item: Any, index: int = 0) -> dict[str, Any]:
    return {"type": "response.output_item.added", "output_index": index, "item": item}


def done(item: Any, index: int = 0) -> dict[str, Any]:
    return {"type": "response.output_item.done", "output_index": index, "item": item}


def event(name: str, index: int = 0, **more: Any) -> dict[str, Any]:
    return {"type": f"response.{name}", "output_index": index, "sequence_number": 1, "item_id": "x", **more}


def ended(*output: Any, status: str = "completed", **more: Any) -> dict[str, Any]:
    return {"type": f"response.{status}", "response": {"id": "r", "status": status, "output": list(output), **more}}


def fold(*events: Any) -> tuple[list[Any], Reply]:
    return folded(ResponsesCodec(), [CREATED, *events])


def spoken(*content: Any, **more: Any) -> dict[str, Any]:
    return {"type": "message", "role": "assistant", "content": list(content), **more}


def text(words: str, **more: Any) -> dict[str, Any]:
    return {"type": "output_text", "text": words, **more}


CALL = {"type": "function_call", "id": "fc", "call_id": "c", "name": "w", "arguments": "", "status": "in_progress"}

# --- what is told, and when -----------------------------------------------------------------------------------------


def test_text_is_told_as_it_comes() -> None:
    """It begins with its first words and is complete before its citations are told."""
    note = {"type": "url_citation", "url": "https://example.com"}
    whole = spoken(text("hi you", annotations=[note]))
    events, reply = fold(
        added(spoken()),
        event("content_part.added", content_index=0, part=text("")),
        event("output_text.delta", content_index=0, delta="hi "),
        event("output_text.delta", content_index=0, delta=""),
        event("output_text.delta", content_index=0, delta="you"),
        event("output_text.annotation.added", content_index=0, annotation_index=0, annotation=note),
        event("output_text.done", content_index=0, text="hi you"),
        done(whole),
        ended(whole),
    )
    (part,) = reply.message.parts

    assert events == [
        TextStartEvent("r"),
        TextDeltaEvent("hi ", "r"),
        TextDeltaEvent("you", "r"),
        TextCompleteEvent("r"),
        CitationEvent(part.citations[0], "r", 0),
    ]


def test_summaries_are_thoughts_one_by_one() -> None:
    """Each is complete before the next begins."""
    summary = [{"type": "summary_text", "text": each} for each in ("a", "b")]
    events, _ = fold(
        added({"type": "reasoning", "summary": []}),
        event("reasoning_summary_text.delta", summary_index=0, delta="a"),
        event("reasoning_summary_text.delta", summary_index=1, delta="b"),
        done({"type": "reasoning", "summary": summary}),
        ended(),
    )

    assert events == [
        ThinkingStartEvent("r_reasoning_0"),
        ThinkingEvent("a", "r_reasoning_0"),
        ThinkingCompleteEvent("r_reasoning_0"),
        ThinkingStartEvent("r_reasoning_1"),
        ThinkingEvent("b", "r_reasoning_1"),
        ThinkingCompleteEvent("r_reasoning_1"),
    ]


def test_interleaved_calls_are_told_apart() -> None:
    """By their place in the output, whatever ids the events bear."""
    other = {**CALL, "call_id": "d", "name": "v"}
    events, reply = fold(
        added(CALL),
        added(other, 1),
        event("function_call_arguments.delta", 0, delta='{"x":'),
        event("function_call_arguments.delta", 1, delta='{"y":'),
        event("function_call_arguments.delta", 0, delta="1}"),
        event("function_call_arguments.delta", 1, delta="2}"),
        done({**CALL, "arguments": '{"x":1}'}),
        done({**other, "arguments": '{"y":2}'}, 1),
        ended(),
    )

    assert events == [
        ToolCallDeltaEvent("c", "w", '{"x":', "r"),
        ToolCallDeltaEvent("d", "v", '{"y":', "r"),
        ToolCallDeltaEvent("c", "w", "1}", "r"),
        ToolCallDeltaEvent("d", "v", "2}", "r"),
    ]
    assert [(call.id, call.name, call.arguments) for call in reply.message.calls] == [
        ("c", "w", '{"x":1}'),
        ("d", "v", '{"y":2}'),
    ]


def test_a_call_is_told_once_its_name_is_known() -> None:
    """What came before is told then, in one piece."""
    events, reply = fold(
        event("function_call_arguments.delta", delta="{"),
        event("function_call_arguments.delta", delta="}"),
        added(CALL),
        event("function_call_arguments.delta", delta=" "),
        done({**CALL, "arguments": "{} "}),
        ended(),
    )

    assert events == [ToolCallDeltaEvent("c", "w", "{}", "r"), ToolCallDeltaEvent("c", "w", " ", "r")]
    assert reply.message.calls[0].arguments == "{} "


def test_a_call_that_never_gets_a_name_is_told_without() -> None:
    """Nothing is lost."""
    events, reply = fold(event("function_call_arguments.delta", delta="{}"))

    assert events == [ToolCallDeltaEvent("call_0", "", "{}", "r")]
    assert reply.message.calls[0].id == "call_0"


def test_free_text_is_told_as_it_comes() -> None:
    """The pieces are those of the text."""
    item = {"type": "custom_tool_call", "id": "ct", "call_id": "c", "name": "sql", "input": ""}
    events, reply = fold(
        added(item),
        event("custom_tool_call_input.delta", delta='SELECT "'),
        event("custom_tool_call_input.delta", delta='é"'),
        event("custom_tool_call_input.done", input='SELECT "é"'),
        done({**item, "input": 'SELECT "é"'}),
        ended(),
    )

    assert events == [ToolCallDeltaEvent("c", "sql", 'SELECT "', "r"), ToolCallDeltaEvent("c", "sql", 'é"', "r")]
    assert [call.arguments for call in reply.message.calls] == ['SELECT "é"']


def test_a_providers_tool_tells_what_it_does() -> None:
    """Every status once, the last with all that is known of it."""
    item = {"type": "web_search_call", "id": "ws", "status": "in_progress"}
    whole = {**item, "status": "completed", "action": {"query": "q"}}
    events, _ = fold(
        added(item),
        event("web_search_call.in_progress"),
        event("web_search_call.searching"),
        event("web_search_call.completed"),
        done(whole),
        ended(),
    )

    assert events == [
        ProviderToolEvent("web_search_call", "in_progress", "ws", {}),
        ProviderToolEvent("web_search_call", "searching", "ws", {}),
        ProviderToolEvent("web_search_call", "completed", "ws", {"action": {"query": "q"}}),
    ]


def test_what_a_providers_tool_is_given_is_told_as_it_comes() -> None:
    """Code, arguments, commands, patches."""
    interpreter = {"type": "code_interpreter_call", "id": "ci", "status": "in_progress", "code": ""}
    shell = {"type": "shell_call", "id": "sh", "status": "in_progress"}
    events, _ = fold(
        added(interpreter),
        event("code_interpreter_call_code.delta", delta="1+"),
        event("code_interpreter_call_code.done", code="1+1"),
        added(shell, 1),
        event("shell_call_command.delta", 1, command_index=0, delta="l"),
        event("shell_call_command.delta", 1, command_index=0, delta="s"),
    )

    assert events == [
        ProviderToolEvent("code_interpreter_call", "in_progress", "ci", {"code": ""}),
        ProviderToolEvent("code_interpreter_call", "code.delta", "ci", {"delta": "1+"}),
        ProviderToolEvent("code_interpreter_call", "code.delta", "ci", {"delta": "1"}),
        ProviderToolEvent("shell_call", "in_progress", "sh", {}),
        ProviderToolEvent("shell_call", "command.delta", "sh", {"command_index": 0, "delta": "l"}),
        ProviderToolEvent("shell_call", "command.delta", "sh", {"command_index": 0, "delta": "s"}),
        ProviderToolEvent("code_interpreter_call", "in_progress", "ci", {"code": "1+1"}),
        ProviderToolEvent("shell_call", "in_progress", "sh", {}),
    ]


def test_partial_images_are_artifacts() -> None:
    """They say which one they are, so that an app can tell them from the picture."""
    item = {"type": "image_generation_call", "id": "ig", "status": "in_progress"}
    partial = {"partial_image_index": 0, "partial_image_b64": "eA==", "output_format": "webp"}
    whole = {**item, "status": "completed", "result": "eQ==", "output_format": "webp"}
    events, _ = fold(added(item), event("image_generation_call.partial_image", **partial), done(whole), ended())

    assert events == [
        ProviderToolEvent("image_generation_call", "in_progress", "ig", {}),
        ProviderToolEvent(
            "image_generation_call", "partial_image", "ig", {"partial_image_index": 0, "output_format": "webp"}
        ),
        ArtifactEvent(
            Artifact("eA==", "image/webp", {"partial_image_index": 0}, "ig"), "ig", "image_generation_call", "r"
        ),
        ProviderToolEvent("image_generation_call", "completed", "ig", {"output_format": "webp"}),
        ArtifactEvent(Artifact("eQ==", "image/webp", {}, "ig"), "ig", "image_generation_call", "r"),
    ]


# --- odd streams ----------------------------------------------------------------------------------------------------


def test_items_without_deltas_are_told_when_they_are_complete() -> None:
    """Some servers send them whole."""
    whole = spoken(text("hi"))
    events, _ = fold(added(spoken()), done(whole), ended())

    assert [each.type for each in events] == ["text_start", "text_delta", "text_complete"]


def test_items_that_come_at_the_end_only_are_told_then() -> None:
    """Some servers send nothing but the last event."""
    events, reply = fold(ended(spoken(text("hi")), {**CALL, "arguments": "{}"}))

    assert [each.type for each in events] == ["text_start", "text_delta", "text_complete", "tool_call_delta"]
    assert (reply.message.text, reply.finish_reason) == ("hi", "tool_calls")


def test_an_item_that_only_the_end_completes_is_what_the_end_says() -> None:
    """Its `done` event may be missing."""
    events, reply = fold(
        added(spoken()), event("output_text.delta", content_index=0, delta="h"), ended(spoken(text("hi")))
    )

    assert [getattr(each, "delta", "") for each in events] == ["", "h", "i", ""]
    assert reply.message.text == "hi"


def test_an_item_that_nothing_completes_is_built_of_its_pieces() -> None:
    """And is complete where the response is."""
    _, reply = fold(
        added(spoken(status="in_progress")),
        event("output_text.delta", content_index=0, delta="hi"),
        {"type": "response.completed", "response": {"id": "r", "status": "completed", "output": []}},
    )
    (part,) = reply.message.parts

    assert part.raw == spoken({"type": "output_text", "text": "hi"}, status="completed")
    assert reply.failure is None


def test_events_without_a_place_belong_to_the_last_item() -> None:
    """As a server might leave it out."""
    item = {key: value for key, value in added(spoken()).items() if key != "output_index"}
    events, reply = fold(
        item,
        {"type": "response.output_text.delta", "content_index": 0, "delta": "hi"},
        ended(),
    )

    assert events[:2] == [TextStartEvent("r"), TextDeltaEvent("hi", "r")]
    assert reply.message.text == "hi"


def test_the_whole_text_counts_where_it_contradicts_its_pieces() -> None:
    """What was told cannot be taken back."""
    whole = spoken(text("other"))
    events, reply = fold(
        added(spoken()),
        event("output_text.delta", content_index=0, delta="so"),
        event("output_text.delta", content_index=0, delta="me"),
        done(whole),
        ended(),
    )

    assert [getattr(each, "delta", "") for each in events] == ["", "so", "me", ""]
    assert reply.message.text == "other"


def test_ids_that_change_do_not_matter() -> None:
    """A response is named by its first id."""
    _, reply = fold({"type": "response.in_progress", "response": {"id": "s"}}, ended())

    assert reply.id == "r"


def test_unknown_events_tell_nothing() -> None:
    """Whatever they are about."""
    item = {"type": "web_search_call", "id": "ws", "status": "in_progress"}

    assert fold({"type": "keepalive"}, {}, event("web_search_call.searching", 7))[0] == []
    assert fold(added(item), event("something.else"))[0][1:] == fold(added(item))[0][1:]


def test_a_providers_tool_that_nothing_announced_is_kept() -> None:
    """Of what is said about it, its kind is known."""
    _, reply = fold(event("code_interpreter_call_code.delta", delta="1+1"))

    assert reply.message.parts[0].raw == {"type": "code_interpreter_call", "id": "x", "code": "1+1"}


def test_an_answer_that_comes_at_once_is_told_all_the_same() -> None:
    """Some servers do not stream, whatever they are asked."""
    body = {"id": "r", "status": "completed", "output": [spoken(text("hi"))]}
    events, reply = folded(ResponsesCodec(), [body])

    assert merged(events)["texts"] == ["hi"]
    assert reply == ResponsesCodec().reply(body)


# --- failures -------------------------------------------------------------------------------------------------------


ERROR = {"code": "a", "message": "b"}


@pytest.mark.parametrize("error", [{"type": "error", "error": ERROR}, {"type": "error", **ERROR}, {"error": ERROR}])
def test_an_error_is_a_failure(error: dict[str, Any]) -> None:
    """In any of the shapes that it comes in; what came before it is kept."""
    events, reply = fold(added(spoken()), event("output_text.delta", content_index=0, delta="hi"), error)

    assert reply.failure == Failure("a", "b", {"code": "a", "message": "b"})
    assert (reply.finish_reason, reply.message.text) == ("error", "hi")
    assert events[-1] == TextCompleteEvent("r")


def test_the_error_of_the_response_wins() -> None:
    """Where both say something; else the one that does."""
    error = {"type": "error", "code": "a", "message": "b"}

    replies = [fold(error, ended(status="failed", error=own))[1] for own in ({"code": "c", "message": "d"}, None)]

    assert [(reply.failure.code, reply.failure.message) for reply in replies if reply.failure] == [
        ("c", "d"),
        ("a", "b"),
    ]


def test_a_stream_that_is_cut_off_is_a_failure() -> None:
    """Also one that never began."""
    assert folded(ResponsesCodec(), [])[1].failure == Failure(
        "cut_off", "the stream ended before the answer was complete"
    )


def test_pieces_of_a_cut_off_stream_are_kept() -> None:
    """Texts, refusals and annotations as far as they came, in an item that says it is incomplete."""
    note = {"type": "url_citation", "url": "https://example.com"}
    _, reply = fold(
        added(spoken(status="in_progress")),
        event("content_part.added", content_index=0, part=text("", logprobs=[])),
        event("output_text.delta", content_index=0, delta="hi"),
        event("output_text.annotation.added", content_index=0, annotation=note),
        event("refusal.delta", content_index=1, delta="no"),
        event("content_part.done", content_index=2, part=text("bye")),
        event("reasoning_summary_part.added", 1, summary_index=0, part={"type": "summary_text", "text": ""}),
        event("content_part.added", 2, content_index=0, part={"type": "reasoning_text", "text": "so"}),
        added({"type": "web_search_call", "id": "ws", "status": "in_progress"}, 3),
        event("web_search_call.searching", 3),
    )
    parts = reply.message.parts

    assert parts[0].raw == spoken(
        text("hi", logprobs=[], annotations=[note]),
        {"type": "refusal", "refusal": "no"},
        text("bye"),
        status="incomplete",
    )
    assert [part.raw for part in parts[3:]] == [
        {
            "type": "reasoning",
            "id": "x",
            "summary": [{"type": "summary_text", "text": ""}],
            "content": [],
            "status": "incomplete",
        },
        {
            "type": "reasoning",
            "id": "x",
            "summary": [],
            "content": [{"type": "reasoning_text", "text": "so"}],
            "status": "incomplete",
        },
        {"type": "web_search_call", "id": "ws", "status": "searching"},
    ]


# --- law 4 ----------------------------------------------------------------------------------------------------------

WORDS = st.text(max_size=12)
NOTES = st.lists(st.builds(lambda url: {"type": "url_citation", "url": url}, WORDS), max_size=2)
PIECES = st.one_of(
    st.builds(lambda words, notes: {"type": "output_text", "text": words, "annotations": notes}, WORDS, NOTES),
    st.builds(lambda words: {"type": "refusal", "refusal": words}, WORDS),
)
IDS = st.sampled_from(["a", "b", "a_1", "call_0", "", None])


def thoughts(type: str) -> Any:
    return st.lists(st.builds(lambda words: {"type": type, "text": words}, WORDS), max_size=3)


ITEMS = st.one_of(
    st.builds(lambda content: spoken(*content, status="completed"), st.lists(PIECES, max_size=3)),
    st.builds(
        lambda summary, content: {"type": "reasoning", "summary": summary, "content": content},
        thoughts("summary_text"),
        thoughts("reasoning_text"),
    ),
    st.builds(lambda id, words: {**CALL, "call_id": id, "arguments": words}, IDS, WORDS),
    st.builds(lambda id, words: {"type": "custom_tool_call", "call_id": id, "name": "sql", "input": words}, IDS, WORDS),
    st.builds(
        lambda number, words: {"type": "code_interpreter_call", "id": f"ci{number}", "code": words},
        st.integers(0, 999),
        WORDS,
    ),
)
BODIES = st.builds(
    lambda output, status: {"id": "r", "status": status, "output": output},
    st.lists(
        ITEMS, max_size=4, unique_by=lambda item: item["id"] if item["type"] == "code_interpreter_call" else id(item)
    ),
    st.sampled_from(["completed", "incomplete"]),
)

TEXTS = {
    "output_text": ("output_text", "text"),
    "refusal": ("refusal", "refusal"),
    "summary_text": ("reasoning_summary_text", "text"),
    "reasoning_text": ("reasoning_text", "text"),
    "function_call": ("function_call_arguments", "arguments"),
    "custom_tool_call": ("custom_tool_call_input", "input"),
    "code_interpreter_call": ("code_interpreter_call_code", "code"),
}
"""Type of an item or a piece of one to the name of its events, and the key of its text."""

EMPTIED = {"content": [], "summary": [], "arguments": "", "input": "", "code": ""}


@attrs.frozen
class Server:
    """What a server sends; the API sends all of it."""

    deltas: bool = True
    wholes: bool = True
    dones: bool = True


SERVERS = st.builds(Server, st.booleans(), st.booleans(), st.booleans())


def streamed(body: Mapping[str, Any], server: Server) -> Iterator[dict[str, Any]]:
    """Stream a body as a server does."""
    yield CREATED
    for index, item in enumerate(body["output"]):
        begun = {key: EMPTIED.get(key, value) for key, value in item.items()}
        yield added({**begun, **({"status": "in_progress"} if "status" in item else {})}, index)
        for field, counter in (("summary", "summary_index"), ("content", "content_index")):
            for number, piece in enumerate(item.get(field) or ()):
                yield from growing(piece, index, {counter: number}, server)
        yield from growing(item, index, {}, server)
        if server.dones:
            yield done(item, index)
    yield {"type": f"response.{body['status']}", "response": body}


def growing(piece: Mapping[str, Any], index: int, place: dict[str, int], server: Server) -> Iterator[dict[str, Any]]:
    """Stream the text of an item or a piece, letter by letter."""
    name, key = TEXTS.get(piece["type"], ("", ""))
    for letter in piece.get(key, "") if server.deltas else "":
        yield event(f"{name}.delta", index, delta=letter, **place)
    if key and server.wholes:
        yield event(f"{name}.done", index, **place, **{key: piece[key]})


@given(BODIES, SERVERS)
def test_a_stream_is_the_answer_that_comes_whole(body: dict[str, Any], server: Server) -> None:
    """Law 4: however a server streams it, the reply is the same, and so is what is told."""
    events, reply = folded(ResponsesCodec(), streamed(body, server))

    assert reply == ResponsesCodec().reply(body)
    assert merged(events) == merged(list(tell(reply)))


@given(BODIES, st.data())
def test_a_stream_cut_anywhere_tells_what_its_reply_says(body: dict[str, Any], data: st.DataObject) -> None:
    """Law 4: nothing is told that is not kept, nothing is kept that is not told."""
    whole = list(streamed(body, Server()))
    events, reply = folded(ResponsesCodec(), whole[: data.draw(st.integers(0, len(whole) - 1))])

    assert merged(events) == merged(list(tell(reply)))
    assert reply.failure is not None
    assert attrs.evolve(reply.failure, message="") == Failure("cut_off", "")


# --- broken answers -------------------------------------------------------------------------------------------------


def broken(value: Any, data: st.DataObject) -> Any:
    """Put any JSON in the place of any part of a value."""
    if not isinstance(value, dict | list) or not value or data.draw(st.booleans()):
        return data.draw(json_values())
    key = data.draw(st.sampled_from(sorted(value) if isinstance(value, dict) else range(len(value))))
    copied = value.copy()
    copied[key] = broken(value[key], data)
    return copied


@given(BODIES, st.data())
def test_a_broken_answer_is_an_answer_or_a_providers_error(body: dict[str, Any], data: st.DataObject) -> None:
    """Whatever a provider sends, nothing else is raised, now or when it goes back."""
    try:
        reply = ResponsesCodec().reply(broken(body, data))
    except ProviderError:
        return

    assert [*tell(reply), ResponsesCodec().request(Ask("gpt-5", [reply.message]))]


@given(BODIES, st.data())
def test_a_broken_event_does_no_harm(body: dict[str, Any], data: st.DataObject) -> None:
    """The others are told, and what came of them goes back."""
    events = list(streamed(body, Server()))
    place = data.draw(st.integers(0, len(events) - 1))
    piece = broken(events[place], data)
    events[place] = piece if isinstance(piece, dict) else {}
    _, reply = folded(ResponsesCodec(), events)

    assert [*tell(reply), ResponsesCodec().request(Ask("gpt-5", [reply.message]))]
