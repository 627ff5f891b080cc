"""Whole answers of chat completions."""

from typing import Any

import pytest

from prismpy.codecs import ChatCodec, Failure, Reply
from prismpy.errors import ProviderError
from prismpy.messages import (
    AssistantMessage,
    CallPart,
    Citation,
    ProviderToolPart,
    RefusalPart,
    TextPart,
    ThinkingPart,
    ToolCall,
    Usage,
)

CODEC = ChatCodec()


def read(message: dict[str, Any], finish: str | None = "stop", **body: Any) -> Reply:
    return CODEC.reply({"choices": [{"message": message, "finish_reason": finish}], **body})


def parts(**message: Any) -> tuple[Any, ...]:
    return read(message).message.parts


def test_a_whole_answer() -> None:
    """All that a server may say, in the order in which it was thought, done and said."""
    call = {"id": "x", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}
    searched = {"index": 0, "type": "search", "arguments": "{}", "output": "found"}
    message = {
        "content": "hello",
        "reasoning_content": "hm",
        "tool_calls": [call],
        "executed_tools": [searched],
        "refusal": None,
        "audio": None,
    }
    usage = {
        "prompt_tokens": 10,
        "completion_tokens": 7,
        "total_tokens": 17,
        "prompt_tokens_details": {"cached_tokens": 4, "cache_write_tokens": 1},
        "completion_tokens_details": {"reasoning_tokens": 3},
    }

    assert read(message, "tool_calls", id="c1", model="m-1", usage=usage) == Reply(
        AssistantMessage(
            (
                ThinkingPart("hm"),
                ProviderToolPart(
                    "search", "executed_0", "completed", {"arguments": "{}", "output": "found"}, raw=searched
                ),
                TextPart("hello"),
                CallPart(ToolCall("x", "f", '{"a": 1}'), call),
            ),
            "openai",
            {"reasoning_content": "hm"},
        ),
        "tool_calls",
        "tool_calls",
        Usage(5, 7, 1, 4, 3, usage),
        "c1",
        "m-1",
    )


@pytest.mark.parametrize(
    ("item", "part"),
    [
        ("a", TextPart("a")),
        ({"type": "text", "text": "a"}, TextPart("a", raw={"type": "text", "text": "a"})),
        (
            {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]},
            ThinkingPart("hm", {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]}),
        ),
        ({"type": "refusal", "refusal": "no"}, RefusalPart("no", {"type": "refusal", "refusal": "no"})),
        (
            {"type": "reference", "reference_ids": [1]},
            ProviderToolPart("reference", raw={"type": "reference", "reference_ids": [1]}),
        ),
    ],
)
def test_content_may_be_a_list(item: Any, part: Any) -> None:
    """Each piece becomes a part, with what was sent; unknown ones are kept too."""
    assert parts(content=[item]) == (part,)


def test_citations_belong_to_the_last_words() -> None:
    """Whichever form they have; without words they stand alone."""
    nested = {"type": "url_citation", "url_citation": {"url": "u", "title": "t", "start_index": 1, "end_index": 2}}
    flat = {"type": "file_citation", "file_id": "f1", "content": "said"}
    first = Citation("url", "u", None, "t", "character", 1, 2, nested)
    second = Citation("document", "f1", "said", None, None, None, None, flat)

    assert parts(content="a", refusal="no", annotations=[nested, flat]) == (
        TextPart("a", (first, second)),
        RefusalPart("no"),
    )
    assert parts(content=None, annotations=[nested]) == (TextPart("", (first,)),)


def test_no_arguments_are_none() -> None:
    """A call without the key, with null, or with an object is read."""
    found = read({"tool_calls": [{"id": "x", "function": {"name": "f", "arguments": each}} for each in (None, {})]})
    (bare,) = read({"tool_calls": [{"id": "x", "function": {"name": "f"}}]}).message.calls

    assert [call.arguments for call in found.message.calls] == [None, "{}"]
    assert bare == ToolCall("x", "f", None)


@pytest.mark.parametrize(
    ("raw", "message", "reason"),
    [
        ("stop", {}, "stop"),
        ("length", {}, "length"),
        ("content_filter", {}, "content_filter"),
        ("sensitive", {}, "content_filter"),
        ("a new word", {}, "unknown"),
        ("", {}, "unknown"),
        (None, {}, "unknown"),
        ("stop", {"refusal": "no"}, "refusal"),
        ("stop", {"tool_calls": [{"id": "x", "function": {"name": "f"}}]}, "tool_calls"),
        ("", {"tool_calls": [{"id": "x", "function": {"name": "f"}}]}, "tool_calls"),
        ("length", {"tool_calls": [{"id": "x", "function": {"name": "f"}}]}, "length"),
    ],
)
def test_the_reason_of_the_end(raw: str | None, message: dict[str, Any], reason: str) -> None:
    """The word is kept; calls and refusals say more than `stop` does."""
    reply = read(message, raw)

    assert (reply.finish_reason, reply.raw_finish_reason) == (reason, raw)


@pytest.mark.parametrize(
    ("raw", "usage"),
    [
        ({}, Usage()),
        ({"prompt_tokens": None, "completion_tokens": 2}, Usage(0, 2)),
        ({"prompt_tokens": 9, "prompt_cache_hit_tokens": 4}, Usage(5, 0, 0, 4)),
        ({"prompt_tokens": 3, "cache_read_input_tokens": 5, "cache_creation_input_tokens": 1}, Usage(0, 0, 1, 5)),
        ({"prompt_tokens": 35, "completion_tokens": 12, "total_tokens": 109}, Usage(35, 74, 0, 0, 62)),
        (
            {
                "prompt_tokens": 291,
                "completion_tokens": 26,
                "total_tokens": 513,
                "completion_tokens_details": {"reasoning_tokens": 196},
            },
            Usage(291, 222, 0, 0, 196),
        ),
    ],
)
def test_usage(raw: dict[str, Any], usage: Usage) -> None:
    """Cached tokens are not counted twice, thoughts always among what was written, wherever servers put them."""
    assert read({}, usage=raw).usage == usage


def test_an_error_beside_an_answer_is_kept() -> None:
    """What came is not thrown away."""
    reply = read({"content": "a"}, None, error="upstream")

    assert (reply.message.text, reply.finish_reason, reply.failure) == ("a", "error", Failure("error", "upstream"))


@pytest.mark.parametrize(
    ("body", "message", "code"),
    [
        ({"choices": []}, "openai: the answer is no chat completion, it has no choices", "bad_answer"),
        ([], "openai: the answer is no chat completion, it has no choices", "bad_answer"),
        ({"error": {"type": "overloaded", "message": "later"}}, "openai: later", "overloaded"),
    ],
)
def test_what_is_no_answer_is_the_providers_error(body: Any, message: str, code: str) -> None:
    """Though its HTTP status is 200."""
    with pytest.raises(ProviderError, match=message) as caught:
        CODEC.reply(body)

    assert (caught.value.code, caught.value.status) == (code, 200)
