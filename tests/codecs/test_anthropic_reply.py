"""From the body of Anthropic's answer to a reply."""

from typing import Any

import pytest

from prismpy import (
    Artifact,
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
from prismpy.codecs import AnthropicCodec, Reply
from prismpy.errors import ProviderError

CODEC = AnthropicCodec()


def test_the_dialect_has_a_name() -> None:
    """Turns bear it, so that only their own format takes their blocks back."""
    assert CODEC.dialect == CODEC.reply({"content": []}).message.dialect == "anthropic"


def parts(*blocks: Any) -> tuple[Any, ...]:
    return CODEC.reply({"content": list(blocks)}).message.parts


def test_a_whole_answer() -> None:
    """Every block becomes a part that holds it, in order."""
    thinking = {"type": "thinking", "thinking": "hm", "signature": "s"}
    hidden = {"type": "redacted_thinking", "data": "d"}
    text = {"type": "text", "text": "Sunny"}
    call = {"type": "tool_use", "id": "a", "name": "w", "input": {"x": 1}}
    raw = {
        "input_tokens": 1,
        "output_tokens": 2,
        "cache_creation_input_tokens": 3,
        "cache_read_input_tokens": 4,
        "output_tokens_details": {"thinking_tokens": 5},
    }
    container = {"id": "c", "expires_at": "2026-11-01T00:00:00Z"}
    body = {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "model": "claude",
        "content": [thinking, hidden, text, call],
        "stop_reason": "tool_use",
        "stop_sequence": None,
        "container": container,
        "usage": raw,
    }

    assert CODEC.reply(body) == Reply(
        AssistantMessage(
            [
                ThinkingPart("hm", thinking),
                ThinkingPart("", hidden),
                TextPart("Sunny", (), text),
                CallPart(ToolCall("a", "w", {"x": 1}), call),
            ],
            "anthropic",
            {"container": container},
        ),
        "tool_calls",
        "tool_use",
        Usage(1, 2, 3, 4, 5, raw),
        "m",
        "claude",
    )


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("end_turn", "stop"),
        ("stop_sequence", "stop"),
        ("max_tokens", "length"),
        ("model_context_window_exceeded", "length"),
        ("tool_use", "tool_calls"),
        ("pause_turn", "pause"),
        ("compaction", "pause"),
        ("refusal", "refusal"),
        ("tired", "unknown"),
        (None, "unknown"),
    ],
)
def test_stop_reasons(word: str | None, reason: str) -> None:
    """Each word has its meaning and is kept; a strange one is no error."""
    reply = CODEC.reply({"content": [], "stop_reason": word})

    assert (reply.finish_reason, reply.raw_finish_reason) == (reason, word)


def test_a_refusal_says_why() -> None:
    """The provider's words for a refusal are a part, after all that was said."""
    details = {"type": "refusal", "category": "cyber", "explanation": "No."}
    silent = {"type": "refusal", "category": None, "explanation": None}

    assert CODEC.reply({"content": [], "stop_details": details}).message.parts == (RefusalPart("No.", details),)
    assert CODEC.reply({"content": [], "stop_details": silent}).message.parts == (RefusalPart("", silent),)


def test_ids_of_calls_are_their_own() -> None:
    """A call without an id gets one, and one that repeats another's a new one; what was sent is kept."""
    sent: list[Any] = [{}, {"id": ""}, {"id": "a"}, {"id": "a"}, {"id": "call_1"}, {"id": "a"}]

    found = parts(*({"type": "tool_use", "name": "w", "input": {}, **each} for each in sent))

    assert [part.call.id for part in found] == ["call_0", "call_1", "a", "a_3", "call_1_4", "a_5"]
    assert [{k: v for k, v in part.raw.items() if k == "id"} for part in found] == sent


def test_citations_name_their_sources() -> None:
    """Each kind of citation says what it cites and where; the rest is kept."""
    sent: list[Any] = [
        {"type": "char_location", "cited_text": "t", "document_index": 0, "document_title": "D", "start_char_index": 0, "end_char_index": 9, "file_id": "f"},
        {"type": "page_location", "cited_text": "t", "document_index": 1, "document_title": None, "start_page_number": 1, "end_page_number": 2},
        {"type": "content_block_location", "cited_text": "t", "document_index": 2, "start_block_index": 3, "end_block_index": 4},
        {"type": "search_result_location", "cited_text": "t", "search_result_index": 0, "source": "kb", "title": "K", "start_block_index": 0, "end_block_index": 1},
        {"type": "web_search_result_location", "cited_text": "t", "url": "https://example.org", "title": "E", "encrypted_index": "x"},
        {"type": "moon_location", "crater": 5},
    ]  # fmt: skip

    assert parts({"type": "text", "text": "so", "citations": sent})[0].citations == (
        Citation("document", "0", "t", "D", "character", 0, 9, {"type": "char_location", "file_id": "f"}),
        Citation("document", "1", "t", None, "page", 1, 2, {"type": "page_location"}),
        Citation("document", "2", "t", None, "block", 3, 4, {"type": "content_block_location"}),
        Citation("chunk", "kb", "t", "K", "block", 0, 1, {"type": "search_result_location", "search_result_index": 0}),
        Citation(
            "url",
            "https://example.org",
            "t",
            "E",
            additional_content={"type": "web_search_result_location", "encrypted_index": "x"},
        ),
        Citation("moon_location", "", additional_content={"type": "moon_location", "crater": 5}),
    )


def test_tools_of_the_provider_are_named_by_what_they_do() -> None:
    """A use bears the tool's name and a result its kind; what is encrypted is not shown."""
    use = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"query": "q"}}
    found = {"type": "web_search_result", "url": "u", "title": "t", "encrypted_content": "x", "page_age": None}
    result = {"type": "web_search_tool_result", "tool_use_id": "s", "content": [found]}
    mcp = {"type": "mcp_tool_use", "id": "m", "name": "ask", "server_name": "wiki", "input": {}}
    new = {"type": "moon_landing", "crew": 3}

    assert parts(use, result, mcp, new) == (
        ProviderToolPart("web_search", "s", "completed", use, raw=use),
        ProviderToolPart(
            "web_search_tool_result",
            "s",
            "result_received",
            {
                "type": "web_search_tool_result",
                "tool_use_id": "s",
                "content": [{"type": "web_search_result", "url": "u", "title": "t", "page_age": None}],
            },
            raw=result,
        ),
        ProviderToolPart("mcp_tool_use", "m", "completed", mcp, raw=mcp),
        ProviderToolPart("moon_landing", "", "completed", new, raw=new),
    )


def test_files_are_artifacts_where_their_bytes_are_there() -> None:
    """A fetched PDF and a viewed picture are; a fetched text, a viewed text and a file that is only named are not."""
    pdf = {"type": "document", "title": "Report", "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0x"}}  # fmt: skip
    text = {"type": "document", "title": None, "source": {"type": "text", "media_type": "text/plain", "data": "words"}}
    found = parts(
        {"type": "web_fetch_tool_result", "tool_use_id": "a", "content": {"type": "web_fetch_result", "content": pdf}},
        {"type": "web_fetch_tool_result", "tool_use_id": "b", "content": {"type": "web_fetch_result", "content": text}},
        *(
            {"type": "text_editor_code_execution_tool_result", "content": {"file_type": kind, "content": content}}
            for kind, content in (("image", "iVBORw0K"), ("pdf", "JVBERi0x"), ("image", "?"), ("text", "iVBORw0K"))
        ),
        {"type": "code_execution_tool_result", "content": {"content": [{"file_id": "f"}]}},
    )

    assert [part.artifacts for part in found] == [
        (Artifact("JVBERi0x", "application/pdf", {"title": "Report"}),),
        (),
        (Artifact("iVBORw0K", "image/png"),),
        (Artifact("JVBERi0x", "application/pdf"),),
        (),
        (),
        (),
    ]
    assert found[0].data["content"]["content"]["source"] == {"type": "base64", "media_type": "application/pdf"}


@pytest.mark.parametrize(
    "body", [None, "<html>", [], {}, {"content": "words"}, {"content": ["words"]}, {"choices": []}]
)
def test_what_is_no_message_is_refused(body: Any) -> None:
    """A body without blocks is no answer."""
    with pytest.raises(ProviderError, match="anthropic: the answer is no message") as caught:
        CODEC.reply(body)

    assert (caught.value.status, caught.value.code) == (200, "bad_answer")


def test_an_error_with_status_200_is_raised_in_its_own_words() -> None:
    """An error that comes in the place of an answer says what its provider says."""
    with pytest.raises(ProviderError, match="acme: answered with an error: busy") as caught:
        AnthropicCodec("acme").reply({"type": "error", "error": {"type": "overloaded_error", "message": "busy"}})

    assert (caught.value.provider, caught.value.code) == ("acme", "overloaded_error")
