"""What users and tools say, as Anthropic's blocks."""

import base64
from typing import Any

import pytest

from prismpy import (
    AssistantMessage,
    CallPart,
    Document,
    Image,
    Text,
    ToolCall,
    ToolOutput,
    ToolResult,
    ToolResultMessage,
    UserMessage,
)
from prismpy.codecs import AnthropicCodec, Ask
from prismpy.errors import DefinitionError

CODEC = AnthropicCodec()


def content(*pieces: Any) -> Any:
    return CODEC.request(Ask("m", [UserMessage(pieces)]))["messages"][0]["content"]


CALLED = AssistantMessage([CallPart(ToolCall("a", "w"))])


def answered(*results: ToolResult) -> Any:
    return CODEC.request(Ask("m", [CALLED, ToolResultMessage(results)]))["messages"][1]["content"]


def result(text: str, *parts: Any, is_error: bool = False) -> ToolResult:
    return ToolResult(ToolCall("a", "w"), ToolOutput(text), text, is_error, parts=parts)


def test_users_say_text_pictures_and_files() -> None:
    """Each in the provider's form, wherever its content is."""
    pdf = Document("JVBE", "application/pdf", title="Report")

    assert content(
        "Look", Image("eA==", "image/jpg"), Image.from_url("https://example.org/x.png"), Image.from_file_id("f")
    ) == [
        {"type": "text", "text": "Look"},
        {"type": "image", "source": {"type": "base64", "media_type": "image/jpeg", "data": "eA=="}},
        {"type": "image", "source": {"type": "url", "url": "https://example.org/x.png"}},
        {"type": "image", "source": {"type": "file", "file_id": "f"}},
    ]
    assert content(pdf, Document.from_raw(b"a,b", "text/csv"), Document.from_raw(b"{}", "application/json"), Document.from_file_id("f")) == [
        {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBE"}, "title": "Report"},
        {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "a,b"}},
        {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "{}"}},
        {"type": "document", "source": {"type": "file", "file_id": "f"}},
    ]  # fmt: skip


@pytest.mark.parametrize(
    "piece",
    [Image("eA==", "image/svg+xml"), Document("eA==", "application/zip"), Document.from_raw(b"\xff", "text/plain")],
)
def test_what_cannot_be_sent_is_refused(piece: Any) -> None:
    """A picture or file of a kind that the provider does not take is an error, with what to do."""
    with pytest.raises(DefinitionError, match=r"anthropic: .*(upload it|as a PDF)"):
        content(piece)


def test_blank_texts_are_left_out() -> None:
    """The API refuses them."""
    assert content("", " \n", "Hi", Text("")) == [{"type": "text", "text": "Hi"}]


def test_results_of_tools() -> None:
    """A result is text, blocks or nothing, and says where it failed."""
    picture = Image("eA==", "image/png")

    assert answered(
        result("ok"), result("no", is_error=True), result(" "), result("a picture", Text("Here"), picture)
    ) == [
        {"type": "tool_result", "tool_use_id": "a", "content": "ok"},
        {"type": "tool_result", "tool_use_id": "a", "content": "no", "is_error": True},
        {"type": "tool_result", "tool_use_id": "a"},
        {
            "type": "tool_result",
            "tool_use_id": "a",
            "content": [
                {"type": "text", "text": "Here"},
                {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "eA=="}},
            ],
        },
    ]


def test_results_that_cannot_be_sent_are_told_in_words() -> None:
    """A tool's picture of a strange kind does not stop the run."""
    drawing = Image("eA==", "image/svg+xml")

    assert answered(result("[an image/svg+xml]", drawing)) == [
        {"type": "tool_result", "tool_use_id": "a", "content": "[an image/svg+xml]"}
    ]


def test_results_may_be_blocks_that_only_anthropic_knows() -> None:
    """A tool returns what it found, to be cited, or tools to load; objects of other kinds are told as JSON."""
    found = {"type": "search_result", "source": "kb", "title": "K", "content": [{"type": "text", "text": "t"}]}
    tools = [{"type": "tool_reference", "tool_name": name} for name in "ab"]

    def returned(output: Any) -> Any:
        return answered(ToolResult(ToolCall("a", "w"), ToolOutput(output), "json"))[0]["content"]

    assert [returned(found), returned(tools), returned(tuple(tools))] == [[found], tools, tools]
    assert [returned([found, {"type": "moon"}]), returned([found, 1]), returned({})] == ["json"] * 3


def test_documents_are_cited_on_demand() -> None:
    """The option holds for every document, those in results included."""
    note = Document(base64.b64encode(b"x").decode(), "text/plain")
    source = {"type": "text", "media_type": "text/plain", "data": "x"}
    ask = Ask(
        "m",
        [CALLED, ToolResultMessage([result("note", note), result("ok")]), UserMessage([note, "?"])],
        options={"citations": True},
    )

    assert CODEC.request(ask)["messages"][1]["content"] == [
        {
            "type": "tool_result",
            "tool_use_id": "a",
            "content": [{"type": "document", "source": source, "citations": {"enabled": True}}],
        },
        {"type": "tool_result", "tool_use_id": "a", "content": "ok"},
        {"type": "document", "source": source, "citations": {"enabled": True}},
        {"type": "text", "text": "?"},
    ]
