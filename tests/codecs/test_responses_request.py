"""What is sent to the Responses API, key by key."""

from typing import Any

import pytest

from prismpy import (
    AssistantMessage,
    CallPart,
    Document,
    Image,
    ProviderTool,
    SystemMessage,
    Text,
    TextPart,
    ToolCall,
    UserMessage,
)
from prismpy.codecs import Ask, OutputForm, ResponsesCodec
from tests.openapi import complaints
from tests.shared import needs_shared

TOOL = {"type": "function", "name": "w", "parameters": {"type": "object", "properties": {}}, "strict": False}
SEARCH = ProviderTool("web_search", options={"search_context_size": "low"})


def body(ask: Ask, **how: Any) -> dict[str, Any]:
    return ResponsesCodec().request(ask, **how)


def asking(**said: Any) -> dict[str, Any]:
    return body(Ask("gpt-4.1", [UserMessage("hi")], **said))


FULL = Ask(
    "gpt-5",
    [SystemMessage("Be kind."), SystemMessage("Be brief."), UserMessage("hi"), SystemMessage("It is late.")],
    tools=[TOOL],
    provider_tools=[SEARCH],
    tool_choice="any",
    output=OutputForm("city", {"type": "object"}, strict=True, description="A city"),
    max_tokens=99,
    temperature=0.5,
    parallel_calls=False,
    options={"reasoning": {"effort": "low"}, "metadata": {"a": "b"}},
)
BODY = {
    "model": "gpt-5",
    "instructions": "Be kind.\n\nBe brief.",
    "input": [{"role": "user", "content": "hi"}, {"role": "system", "content": "It is late."}],
    "tools": [TOOL, {"type": "web_search", "search_context_size": "low"}],
    "tool_choice": "required",
    "parallel_tool_calls": False,
    "max_output_tokens": 99,
    "temperature": 0.5,
    "text": {
        "format": {
            "type": "json_schema",
            "name": "city",
            "description": "A city",
            "schema": {"type": "object"},
            "strict": True,
        }
    },
    "include": ["reasoning.encrypted_content"],
    "stream": True,
    "reasoning": {"effort": "low"},
    "metadata": {"a": "b"},
}


def test_a_full_request() -> None:
    """Everything that can be asked has its place."""
    assert body(FULL, stream=True) == BODY


@needs_shared
def test_a_full_request_is_what_openai_describes() -> None:
    """Nothing in it is unknown to the description of the API."""
    assert complaints(BODY, "CreateResponse") == []


def test_a_bare_request() -> None:
    """What is not asked is not sent."""
    assert asking() == {"model": "gpt-4.1", "input": [{"role": "user", "content": "hi"}]}


def test_fc_provider_20_without_tools_nothing_is_said_about_calls() -> None:
    """The keys are only legal beside tools."""
    sent = asking(tools=[], parallel_calls=True, tool_choice="any")

    assert {"tools", "tool_choice", "parallel_tool_calls"} & sent.keys() == set()


PNG = Image.from_base64("eA==", "image/png")


def test_content() -> None:
    """Pictures and files go by value, by URL or by id; one text alone is a string."""
    pieces = [
        Text("see"),
        PNG,
        Image.from_url("https://example.com/a.png"),
        Image.from_file_id("file-1"),
        Document.from_base64("eA==", "application/pdf"),
        Document("eA==", "application/x-unheard-of", title="notes.xyz"),
        Document("eA==", "application/x-unheard-of"),
        Document.from_url("https://example.com/a.pdf"),
        Document.from_file_id("file-2"),
    ]
    sent = body(Ask("m", [UserMessage("one"), UserMessage(pieces)]))

    assert sent["input"] == [
        {"role": "user", "content": "one"},
        {
            "role": "user",
            "content": [
                {"type": "input_text", "text": "see"},
                {"type": "input_image", "detail": "auto", "image_url": "data:image/png;base64,eA=="},
                {"type": "input_image", "detail": "auto", "image_url": "https://example.com/a.png"},
                {"type": "input_image", "detail": "auto", "file_id": "file-1"},
                {
                    "type": "input_file",
                    "filename": "document.pdf",
                    "file_data": "data:application/pdf;base64,eA==",
                },
                {
                    "type": "input_file",
                    "filename": "notes.xyz",
                    "file_data": "data:application/x-unheard-of;base64,eA==",
                },
                {
                    "type": "input_file",
                    "filename": "document",
                    "file_data": "data:application/x-unheard-of;base64,eA==",
                },
                {"type": "input_file", "file_url": "https://example.com/a.pdf"},
                {"type": "input_file", "file_id": "file-2"},
            ],
        },
    ]


SQL = {"type": "custom", "name": "sql"}
CRM = {"type": "namespace", "name": "crm", "description": "Customers", "tools": [{**TOOL, "name": "find"}]}


@pytest.mark.parametrize(
    ("choice", "sent"),
    [
        ("auto", "auto"),
        ("any", "required"),
        ("none", "none"),
        ("w", {"type": "function", "name": "w"}),
        ("find", {"type": "function", "name": "find"}),
        ("elsewhere", {"type": "function", "name": "elsewhere"}),
        ("sql", {"type": "custom", "name": "sql"}),
        ("own", {"type": "custom", "name": "own"}),
        ("web_search", {"type": "web_search"}),
        ("wiki", {"type": "mcp", "server_label": "wiki"}),
    ],
)
def test_tool_choice(choice: str, sent: Any) -> None:
    """The words are translated; a name is that of a function, a custom tool, a provider's tool or an MCP server."""
    theirs = [SEARCH, ProviderTool("custom", "own"), ProviderTool("mcp", options={"server_label": "wiki"})]

    assert asking(tools=[TOOL, SQL, CRM], provider_tools=theirs, tool_choice=choice)["tool_choice"] == sent


def test_calls_of_other_turns_fit_how_their_tools_are_offered() -> None:
    """A tool that takes free text is called with it, one of a group names the group."""
    calls = [ToolCall("1", "sql", "SELECT 1"), ToolCall("2", "find", {"q": 1}), ToolCall("3", "w", "SELECT 1")]
    said = [AssistantMessage([CallPart(call) for call in calls])]

    assert body(Ask("m", said, [TOOL, SQL, CRM]))["input"] == [
        {"type": "custom_tool_call", "call_id": "1", "name": "sql", "input": "SELECT 1"},
        {"type": "function_call", "call_id": "2", "namespace": "crm", "name": "find", "arguments": '{"q": 1}'},
        {"type": "function_call", "call_id": "3", "name": "w", "arguments": '{"INVALID_JSON": "SELECT 1"}'},
    ]


def test_options_win() -> None:
    """Any key can be set, and what the codec writes can be overruled: allowed tools, background, storage."""
    allowed = {"type": "allowed_tools", "mode": "required", "tools": [{"type": "function", "name": "w"}]}
    sent = asking(tools=[TOOL], options={"tool_choice": allowed, "background": True, "store": False})

    assert (sent["tool_choice"], sent["background"], sent["store"]) == (allowed, True, False)


def test_options_add_to_text_and_include() -> None:
    """What a user adds there does not take away the form of the answer, or the reasoning."""
    form = OutputForm("o", {"type": "object"})
    options = {"text": {"verbosity": "low"}, "include": ["web_search_call.action.sources"]}
    sent = body(Ask("gpt-5", [UserMessage("hi")], output=form, options=options))

    assert sent["text"].keys() == {"format", "verbosity"}
    assert sent["include"] == ["reasoning.encrypted_content", "web_search_call.action.sources"]


def test_options_may_ask_for_no_reasoning() -> None:
    """An empty list is what the user said."""
    assert body(Ask("gpt-5", [UserMessage("hi")], options={"include": []}))["include"] == []


@pytest.mark.parametrize(
    "model",
    ["gpt-5", "gpt-5.6-luna", "o3-mini", "o4-mini", "openai.gpt-5.6-luna", "openai/gpt-6", "gpt-5-codex", "grok-4.3"],
)
def test_models_that_reason_are_asked_for_their_reasoning(model: str) -> None:
    """In encrypted form, so that it can go back."""
    assert body(Ask(model, [UserMessage("hi")]))["include"] == ["reasoning.encrypted_content"]


@pytest.mark.parametrize(
    "model",
    ["gpt-4.1", "gpt-4o", "gpt-5-chat-latest", "grok-4-fast-non-reasoning", "grok-3", "deepseek-v4-flash", "omni-1"],
)
def test_other_models_are_not(model: str) -> None:
    """They refuse to be."""
    assert "include" not in body(Ask(model, [UserMessage("hi")]))


# --- state that the provider keeps ----------------------------------------------------------------------------------


def turn(text: str, **extra: str) -> AssistantMessage:
    return AssistantMessage([TextPart(text)], "openai-responses", extra)


TALK = [
    SystemMessage("Be brief."),
    UserMessage("one"),
    turn("1", response_id="r1", conversation="c1"),
    UserMessage("two"),
    turn("2", response_id="r2", conversation="c1"),
    UserMessage("three"),
]


def sent(**options: Any) -> tuple[list[str], Any]:
    """Return the texts that are sent, and the response that they go on from."""
    written = body(Ask("m", TALK, options=options))
    assert written["instructions"] == "Be brief."
    return [item["content"] for item in written["input"]], written.get("previous_response_id")


def test_a_conversation_is_sent_whole() -> None:
    """Unless it is asked otherwise, nothing depends on what the provider stores."""
    assert sent() == (["one", "1", "two", "2", "three"], None)


def test_a_response_to_go_on_from() -> None:
    """Only what came after it is sent; all, where it is none of this conversation."""
    assert sent(previous_response_id="r1") == (["two", "2", "three"], "r1")
    assert sent(previous_response_id="r2") == (["three"], "r2")
    assert sent(previous_response_id="r9") == (["one", "1", "two", "2", "three"], "r9")


def test_the_last_response_to_go_on_from() -> None:
    """`auto` is the last one, and none at the beginning."""
    assert sent(previous_response_id="auto") == (["three"], "r2")
    assert body(Ask("m", [UserMessage("hi")], options={"previous_response_id": "auto"}))["previous_response_id"] is None


def test_a_stored_conversation() -> None:
    """Only what came after its last turn is sent."""
    assert sent(conversation="c1") == (["three"], None)
    assert sent(conversation={"id": "c1"}) == (["three"], None)
    assert sent(conversation="c9")[0] == ["one", "1", "two", "2", "three"]


def test_what_another_provider_stores_is_not_there() -> None:
    """A turn of somebody else who speaks the same format is sent."""
    theirs = turn("1", response_id="r1", provider="xai")
    said = [UserMessage("one"), theirs, UserMessage("two")]
    written = body(Ask("m", said, options={"previous_response_id": "auto"}))

    assert [item["content"] for item in written["input"]] == ["one", "1", "two"]
