"""What the body of a response means."""

from typing import Any

import pytest

from prismpy import (
    Artifact,
    AssistantMessage,
    CallPart,
    Citation,
    ProviderError,
    ProviderToolPart,
    RefusalPart,
    TextPart,
    ThinkingPart,
    ToolCall,
    Usage,
)
from prismpy.codecs import Failure, Reply, ResponsesCodec


def read(**body: Any) -> Reply:
    return ResponsesCodec().reply({"status": "completed", "output": [], **body})


def parts(*output: Any) -> Any:
    return read(output=list(output)).message.parts


def spoken(*content: Any) -> dict[str, Any]:
    return {"type": "message", "role": "assistant", "content": list(content)}


NOTES = [
    {"type": "url_citation", "url": "https://example.com", "title": "Ex", "start_index": 1, "end_index": 4},
    {"type": "file_citation", "file_id": "f1", "filename": "a.pdf", "index": 3},
    {"type": "container_file_citation", "container_id": "c", "file_id": "f2", "filename": "b.png", "start_index": 0},
    {"type": "file_path", "file_id": "f3", "index": 0},
]
THOUGHT = {
    "type": "reasoning",
    "summary": [{"type": "summary_text", "text": "in short"}],
    "content": [{"type": "reasoning_text", "text": "at length"}],
}
SAID = spoken(
    {"type": "output_text", "text": "hi", "annotations": NOTES},
    {"type": "refusal", "refusal": "no"},
    {"type": "output_text", "text": "bye"},
)
CALL = {"type": "function_call", "call_id": "c1", "name": "w", "arguments": '{"x": 1}', "status": "completed"}


def test_a_full_response() -> None:
    """Every kind of item has its part, in the order in which they came."""
    body = {
        "id": "r1",
        "model": "gpt-5-1",
        "status": "completed",
        "output": [THOUGHT, SAID, CALL],
        "usage": {
            "input_tokens": 100,
            "input_tokens_details": {"cached_tokens": 30, "cache_write_tokens": 20},
            "output_tokens": 9,
            "output_tokens_details": {"reasoning_tokens": 4},
        },
        "conversation": {"id": "conv_1"},
        "error": None,
        "incomplete_details": None,
    }
    citations = (
        Citation(
            "url",
            "https://example.com",
            source_title="Ex",
            additional_content={"type": "url_citation", "start_index": 1, "end_index": 4},
        ),
        Citation("document", "f1", source_title="a.pdf", additional_content={"type": "file_citation", "index": 3}),
        Citation(
            "document",
            "f2",
            source_title="b.png",
            additional_content={"type": "container_file_citation", "container_id": "c", "start_index": 0},
        ),
        Citation("document", "f3", additional_content={"type": "file_path", "index": 0}),
    )

    assert ResponsesCodec().dialect == "openai-responses"
    assert ResponsesCodec().reply(body) == Reply(
        AssistantMessage(
            [
                ThinkingPart("in short", THOUGHT),
                ThinkingPart("at length", {"type": "reasoning_text", "text": "at length"}),
                TextPart("hi", citations, SAID),
                RefusalPart("no", {"type": "refusal", "refusal": "no"}),
                TextPart("bye", (), {"type": "output_text", "text": "bye"}),
                CallPart(ToolCall("c1", "w", '{"x": 1}'), CALL),
            ],
            "openai-responses",
            {"provider": "openai", "response_id": "r1", "conversation": "conv_1"},
        ),
        "tool_calls",
        "completed",
        Usage(50, 9, 20, 30, 4),
        "r1",
        "gpt-5-1",
    )


def test_items_without_words_are_parts_too() -> None:
    """They go back, whatever they say."""
    hidden, silent = {"type": "reasoning", "summary": [], "encrypted_content": "x"}, spoken()

    assert parts(hidden, silent) == (ThinkingPart("", hidden), TextPart("", (), silent))


def test_an_item_without_a_type_is_a_message() -> None:
    """Some servers leave it out."""
    item = {"role": "assistant", "content": [{"text": "hi"}]}

    assert parts(item) == (TextPart("hi", (), item),)


def test_calls_have_ids_of_their_own() -> None:
    """One without an id is named by its place, one that repeats an id by that and its place; none is named twice."""
    sent = ["a", "a", None, "call_2", "a_1"]
    calls = [{**CALL, "call_id": id} for id in sent]

    assert [part.call.id for part in parts(*calls)] == ["a", "a_1", "call_2", "call_2_3", "a_1_4"]


def test_arguments_are_as_they_came() -> None:
    """Text stays text, also where it is broken; an object stays one."""
    found = parts({**CALL, "arguments": '{"x'}, {**CALL, "arguments": {"x": 1}}, {"type": "function_call"})

    assert [part.call.arguments for part in found] == ['{"x', {"x": 1}, None]


def test_free_text_is_as_it_came() -> None:
    """A custom tool is called with text that need not be JSON."""
    item = {"type": "custom_tool_call", "call_id": "c", "name": "sql", "input": 'SELECT "é"'}

    assert parts(item) == (CallPart(ToolCall("c", "sql", 'SELECT "é"'), item),)


def test_activity_of_a_providers_tool() -> None:
    """An app may show what it does; ids, status and what is encrypted stand elsewhere."""
    search = {"type": "web_search_call", "id": "ws", "status": "failed", "action": {"type": "search", "query": "q"}}
    program = {"type": "program", "id": "p", "code": "1", "fingerprint": "secret"}

    assert parts(search, program) == (
        ProviderToolPart("web_search_call", "ws", "failed", {"action": {"type": "search", "query": "q"}}, (), search),
        ProviderToolPart("program", "p", "completed", {"code": "1"}, (), program),
    )


def test_generated_images_are_artifacts() -> None:
    """With what the provider says about them; the data goes nowhere else."""
    item = {
        "type": "image_generation_call",
        "id": "ig",
        "status": "completed",
        "result": "eA==",
        "output_format": "webp",
        "revised_prompt": "A cat",
        "size": "1x1",
        "quality": None,
    }
    vector = {"type": "image_generation_call", "id": "v", "result": "eA==", "output_format": "svg"}
    plain = {"type": "image_generation_call", "id": "p", "result": "eA=="}
    failed = {"type": "image_generation_call", "id": "f", "status": "failed", "result": None}
    told = {"output_format": "webp", "revised_prompt": "A cat", "size": "1x1", "quality": None}
    found = parts(item, vector, plain, failed)

    assert [part.artifacts for part in found] == [
        (Artifact("eA==", "image/webp", {"revised_prompt": "A cat", "size": "1x1"}, "ig"),),
        (Artifact("eA==", "image/svg+xml", {}, "v"),),
        (Artifact("eA==", "image/png", {}, "p"),),
        (),
    ]
    assert [part.data for part in found] == [told, {"output_format": "svg"}, {}, {}]


def test_pictures_of_a_code_interpreter_are_artifacts() -> None:
    """Those that came along; others stay with the logs."""
    logs, far = {"type": "logs", "logs": "1"}, {"type": "image", "url": "https://example.com/a.png"}
    near = {"type": "image", "url": "data:image/png;base64,eA=="}
    item = {"type": "code_interpreter_call", "id": "ci", "code": "1", "outputs": [near, logs, far]}
    bare = {"type": "code_interpreter_call", "id": "ci", "code": "1", "outputs": None}
    drawn, silent = parts(item, bare)

    assert drawn.artifacts == (Artifact("eA==", "image/png"),)
    assert drawn.data == {"code": "1", "outputs": [logs, far]}
    assert (silent.artifacts, silent.data) == ((), {"code": "1", "outputs": None})


@pytest.mark.parametrize(
    ("body", "reason", "raw"),
    [
        ({"status": "completed"}, "stop", "completed"),
        ({"status": "completed", "output": [spoken({"type": "refusal", "refusal": "no"})]}, "refusal", "completed"),
        ({"status": "completed", "output": [CALL]}, "tool_calls", "completed"),
        (
            {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}, "output": [CALL]},
            "length",
            "max_output_tokens",
        ),
        (
            {"status": "incomplete", "incomplete_details": {"reason": "content_filter"}},
            "content_filter",
            "content_filter",
        ),
        ({"status": "incomplete", "incomplete_details": {"reason": "bored"}}, "unknown", "bored"),
        ({"status": "incomplete"}, "length", "incomplete"),
        ({"status": "failed"}, "error", "failed"),
        ({"status": "cancelled"}, "other", "cancelled"),
        ({"status": "queued"}, "other", "queued"),
        ({"status": "asleep"}, "unknown", "asleep"),
        ({"status": None}, "unknown", None),
    ],
)
def test_why_a_turn_ended(body: dict[str, Any], reason: str, raw: str | None) -> None:
    """One table; an unknown word is `unknown` and kept."""
    reply = read(**body)

    assert (reply.finish_reason, reply.raw_finish_reason) == (reason, raw)


def test_a_failure_is_part_of_the_reply() -> None:
    """With the provider's own word, or the type of the error where it has none."""
    assert read(status="failed", error={"code": "server_error", "message": "sorry"}).failure == Failure(
        "server_error", "sorry", {"code": "server_error", "message": "sorry"}
    )
    assert read(status="failed", error={"type": "overloaded"}).failure == Failure(
        "overloaded", "", {"type": "overloaded"}
    )


def test_a_failure_may_be_words_alone() -> None:
    """As some gateways say it."""
    assert read(status="failed", error="no").failure == Failure("error", "no", {"message": "no"})


def test_usage_may_be_missing() -> None:
    """As in a response that failed."""
    assert read(usage=None).usage == Usage()


def test_what_is_stored_can_be_gone_on_from() -> None:
    """A response that is not stored, or not complete, has no id for that."""
    assert read(id="r1", conversation="c1").message.extra == {
        "provider": "openai",
        "response_id": "r1",
        "conversation": "c1",
    }
    assert read(id="r1", store=False).message.extra == {"provider": "openai"}
    assert read(id="r1", status="failed").message.extra == {"provider": "openai"}


@pytest.mark.parametrize(
    "body", [None, "hello", [], {}, {"error": {"message": "no"}}, {"output": None}, {"choices": []}]
)
def test_what_is_no_response_is_an_error(body: Any) -> None:
    """It names what is missing."""
    with pytest.raises(ProviderError, match="has no list `output`") as caught:
        ResponsesCodec("xai").reply(body)

    assert (caught.value.provider, caught.value.code) == ("xai", "bad_answer")
