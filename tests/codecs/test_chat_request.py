"""Requests of chat completions: what each server is sent."""

from typing import Any

import pytest

from prismpy.codecs import Ask, ChatCodec, OutputForm, chat_quirks
from prismpy.codecs._chat_quirks import CHAT_QUIRKS
from prismpy.errors import DefinitionError
from prismpy.messages import (
    AssistantMessage,
    CallPart,
    Document,
    Image,
    Message,
    Part,
    ProviderTool,
    ProviderToolPart,
    RefusalPart,
    SystemMessage,
    Text,
    TextPart,
    ThinkingPart,
    ToolCall,
    ToolOutput,
    ToolResult,
    ToolResultMessage,
    UserMessage,
)
from tests.openapi import complaints
from tests.shared import needs_shared

BODY = "CreateChatCompletionRequest"
TOOL = {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}
CALL = ToolCall("call_1", "f", '{"a": 1}')
FORM = OutputForm("answer", {"type": "object", "properties": {}}, strict=True, description="The answer.")


def codec(server: str = "openai") -> ChatCodec:
    return ChatCodec(server, chat_quirks(server))


def written(server: str, *messages: Message) -> Any:
    return codec(server).request(Ask("m", messages))["messages"]


def turn(server: str, *parts: Part, dialect: str = "openai", **extra: Any) -> Any:
    found = written(server, AssistantMessage(parts, dialect, extra))
    return found[0] if found else None


def result(call: ToolCall, text: str = "ok", **fields: Any) -> ToolResult:
    return ToolResult(call, ToolOutput(text), text, **fields)


@needs_shared
def test_a_whole_request() -> None:
    """Every field of a question has its place, and OpenAI's description takes it."""
    said = [
        SystemMessage("be brief"),
        UserMessage([Text("look"), Image.from_url("https://x/y.png"), Image.from_raw(b"x", "image/png")]),
        AssistantMessage([TextPart("hm"), CallPart(CALL)], "openai"),
        ToolResultMessage([result(CALL)]),
        UserMessage("go on"),
    ]
    ask = Ask(
        "m",
        said,
        [TOOL],
        [ProviderTool("custom", options={"custom": {"name": "sql"}})],
        tool_choice="f",
        output=FORM,
        max_tokens=9,
        temperature=0.0,
        parallel_calls=False,
        options={"seed": 1},
    )
    body = codec().request(ask, stream=True)

    assert body == {
        "model": "m",
        "messages": [
            {"role": "system", "content": "be brief"},
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "look"},
                    {"type": "image_url", "image_url": {"url": "https://x/y.png"}},
                    {"type": "image_url", "image_url": {"url": "data:image/png;base64,eA=="}},
                ],
            },
            {
                "role": "assistant",
                "content": "hm",
                "tool_calls": [
                    {"id": "call_1", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}
                ],
            },
            {"role": "tool", "tool_call_id": "call_1", "content": "ok"},
            {"role": "user", "content": "go on"},
        ],
        "tools": [TOOL, {"type": "custom", "custom": {"name": "sql"}}],
        "tool_choice": {"type": "function", "function": {"name": "f"}},
        "parallel_tool_calls": False,
        "response_format": {
            "type": "json_schema",
            "json_schema": {
                "name": "answer",
                "schema": {"type": "object", "properties": {}},
                "strict": True,
                "description": "The answer.",
            },
        },
        "max_completion_tokens": 9,
        "temperature": 0.0,
        "stream": True,
        "stream_options": {"include_usage": True},
        "seed": 1,
    }
    assert complaints(body, BODY) == []


@pytest.mark.parametrize(
    ("server", "choice", "said"),
    [
        ("openai", "auto", None),
        ("openai", "any", "required"),
        ("mistral", "any", "any"),
        ("openai", "none", "none"),
        ("openai", "f", {"type": "function", "function": {"name": "f"}}),
        ("openai", "sql", {"type": "custom", "custom": {"name": "sql"}}),
    ],
)
def test_tool_choice(server: str, choice: str, said: Any) -> None:
    """Each server has its word; `auto` is what it does anyway."""
    tools = [TOOL, {"type": "custom", "custom": {"name": "sql"}}] if server == "openai" else [TOOL]

    assert codec(server).request(Ask("m", (), tools, tool_choice=choice)).get("tool_choice") == said


def test_the_key_of_the_limit_and_usage_on_request_differ() -> None:
    """Mistral sends usage unasked, and knows the older key alone."""
    body = codec("mistral").request(Ask("m", (), max_tokens=3), stream=True)

    assert body == {"model": "m", "messages": [], "max_tokens": 3, "stream": True}


def test_a_server_without_schemas_is_told_in_words() -> None:
    """It promises JSON, and reads the schema at the end of the conversation."""
    body = codec("deepseek").request(Ask("m", [UserMessage("hi")], output=FORM))
    bare = codec("zai").request(Ask("m", (), output=OutputForm("a", {})))

    assert body["response_format"] == {"type": "json_object"}
    assert body["messages"][-1] == {
        "role": "system",
        "content": "The answer.\nAnswer with one JSON object that fits this JSON Schema:\n"
        '{"type": "object", "properties": {}}',
    }
    assert bare["messages"][-1]["content"].startswith("Answer with one JSON object")


def test_a_provider_tool_may_have_a_name() -> None:
    """What it is called goes along."""
    tool = ProviderTool("web_search", "search", {"depth": 1})

    assert codec().request(Ask("m", (), provider_tools=[tool]))["tools"] == [
        {"type": "web_search", "name": "search", "depth": 1}
    ]


# --- what the model said ----------------------------------------------------------


def test_words_alone() -> None:
    """Several pieces become one text; a turn without words and calls is left out."""
    assert turn("openai", TextPart("a"), TextPart("b")) == {"role": "assistant", "content": "ab"}
    assert turn("openai", ThinkingPart("hm"), reasoning_content="hm") is None
    assert turn("deepseek", ThinkingPart("hm"), reasoning_content="hm") is None


def test_calls_without_words_have_no_content() -> None:
    """An empty one is refused by servers that pass it on to Anthropic's models."""
    assert turn("openai", CallPart(ToolCall("x", "f", "{}"))) == {
        "role": "assistant",
        "tool_calls": [{"id": "x", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
    }


@pytest.mark.parametrize(
    ("arguments", "sent"),
    [
        (None, "{}"),
        ("", "{}"),
        ("  ", "{}"),
        ({"a": 1}, '{"a": 1}'),
        (b'{"a":1}', '{"a":1}'),
        ('{ "a" :1}', '{ "a" :1}'),
        ('{"x": ', '{"INVALID_JSON": "{\\"x\\": "}'),
        ("[1]", '{"INVALID_JSON": "[1]"}'),
    ],
)
def test_arguments_are_always_the_text_of_an_object(arguments: Any, sent: str) -> None:
    """As they came where they are one."""
    (call,) = turn("openai", CallPart(ToolCall("x", "f", arguments)))["tool_calls"]

    assert call["function"]["arguments"] == sent


def test_a_refusal_goes_back_in_its_own_key_or_as_words() -> None:
    """OpenAI has a key for it; whoever has none reads it."""
    assert turn("openai", RefusalPart("no"), refusal="no") == {"role": "assistant", "content": None, "refusal": "no"}
    assert turn("groq", RefusalPart("no"), refusal="no") == {"role": "assistant", "content": "no"}
    assert turn("openai", RefusalPart("no"), dialect="anthropic") == {"role": "assistant", "content": "no"}


@pytest.mark.parametrize(
    ("server", "kept"),
    [
        ("openai", {}),
        ("cerebras", {}),
        ("deepseek", {"reasoning_content": "hm"}),
        ("groq", {"reasoning": "hm"}),
        ("openrouter", {"reasoning_details": [1]}),
        ("compatible", {"reasoning_content": "hm", "reasoning": "hm", "reasoning_details": [1]}),
    ],
)
def test_a_server_gets_the_thoughts_that_it_takes_back(server: str, kept: dict[str, Any]) -> None:
    """No other keys, which strict servers refuse; that is how a conversation changes from one to another."""
    thoughts = {"reasoning_content": "hm", "reasoning": "hm", "reasoning_details": [1]}

    assert turn(server, TextPart("a"), **thoughts) == {"role": "assistant", "content": "a", **kept}


def test_a_turn_of_another_format_is_written_anew() -> None:
    """Words and calls; what is behind them stays with its provider, and so does what stands beside the turn."""
    parts = (ThinkingPart("hm", {"signature": "s"}), ProviderToolPart("search"), TextPart("a", raw={"type": "text"}))
    call = CallPart(CALL, {"type": "tool_use", "extra_content": {}})

    for server in CHAT_QUIRKS:
        found = turn(server, *parts, call, dialect="anthropic", reasoning="x")

        assert found["content"] == "a"
        assert found.keys() - {"role", "content", "tool_calls"} <= codec(server).quirks.stand_ins.keys()


def test_pieces_go_back_as_they_came_where_they_are_taken() -> None:
    """Thoughts that stand among the words, with their signatures; elsewhere the words alone."""
    thought = {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}], "closed": True}
    words = {"type": "text", "text": "a"}
    parts = (ThinkingPart("hm", thought), TextPart("a", raw=words))

    assert turn("mistral", *parts) == {"role": "assistant", "content": [thought, words]}
    assert turn("openai", *parts) == {"role": "assistant", "content": "a"}
    assert turn("mistral", TextPart("a")) == {"role": "assistant", "content": "a"}


def test_deepseek_gets_a_thought_with_every_call() -> None:
    """An empty one where there is none, as in a turn of another model."""
    assert turn("deepseek", CallPart(CALL))["reasoning_content"] == ""
    assert turn("deepseek", CallPart(CALL), reasoning_content="hm")["reasoning_content"] == "hm"


def test_gemini_gets_a_signature_with_every_turn_that_calls() -> None:
    """Its own; for the turns of others the one that its documents name for that."""
    signed = {"extra_content": {"google": {"thought_signature": "s"}}}
    unsigned = {"extra_content": {"google": {"thought_signature": "skip_thought_signature_validator"}}}
    plain = {"id": "call_1", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}

    assert turn("gemini", CallPart(CALL, signed))["tool_calls"] == [{**plain, **signed}]
    assert turn("gemini", CallPart(CALL), **signed) == {"role": "assistant", "tool_calls": [plain], **signed}
    assert turn("gemini", CallPart(CALL), CallPart(CALL))["tool_calls"] == [{**plain, **unsigned}, plain]


def test_ids_of_calls_fit_the_server() -> None:
    """Call and result are renamed alike where an id is not taken."""
    long = ToolCall("x" * 41, "f", "{}")
    said = (
        AssistantMessage([CallPart(CALL), CallPart(long)], "anthropic"),
        ToolResultMessage([result(CALL), result(long)]),
    )

    for server, first in (("openai", "call_1"), ("mistral", None)):
        turn_, *results = written(server, *said)
        ids = [call["id"] for call in turn_["tool_calls"]]

        assert [each["tool_call_id"] for each in results] == ids
        assert all(codec(server).quirks.call_id.fullmatch(id) for id in ids)
        assert first is None or ids[0] == first


def test_a_replaced_id_wins() -> None:
    """Over the one that came."""
    raw = {"id": "0", "type": "function", "index": 0, "function": {"name": "f", "arguments": "{}"}}
    (call,) = turn("openai", CallPart(ToolCall("0_1", "f", "{}"), raw))["tool_calls"]

    assert call == {"id": "0_1", "type": "function", "function": {"name": "f", "arguments": "{}"}}


def test_free_text_goes_back_as_it_came() -> None:
    """It is not taken for broken JSON."""
    raw = {"id": "x", "type": "custom", "custom": {"name": "sql", "input": "select 1"}}
    said = AssistantMessage([CallPart(ToolCall("x", "sql", "select 1"))], "openai-responses")
    ask = Ask("m", [said], [{"type": "custom", "custom": {"name": "sql"}}])

    assert codec().request(ask)["messages"][0]["tool_calls"] == [raw]
    assert turn("openai", CallPart(ToolCall("x", "sql", "select 1"), raw))["tool_calls"] == [raw]


def test_a_server_without_such_tools_says_so() -> None:
    """Before anything is sent."""
    with pytest.raises(DefinitionError, match="tool 'sql': this server knows no tools that take free text"):
        codec("groq").request(Ask("m", (), [{"type": "custom", "custom": {"name": "sql"}}]))


# --- what users say and tools answer -----------------------------------------------


def test_a_result_without_text_says_that_there_is_none() -> None:
    """Servers that pass it on to Anthropic's models refuse an empty one (field case fc-result-03)."""
    assert written("openai", ToolResultMessage([result(CALL, "")])) == [
        {"role": "tool", "tool_call_id": "call_1", "content": "(no output)"}
    ]


def test_pictures_of_tools_follow_the_results() -> None:
    """As a user's message behind all results of the turn; their own messages hold words."""
    other = ToolCall("call_2", "g", "{}")
    picture = result(CALL, "a picture", parts=(Text("here"), Image.from_url("u")))

    assert written("openai", ToolResultMessage([picture, result(other)])) == [
        {"role": "tool", "tool_call_id": "call_1", "content": "a picture"},
        {"role": "tool", "tool_call_id": "call_2", "content": "ok"},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "Result of f:"},
                {"type": "image_url", "image_url": {"url": "u"}},
            ],
        },
    ]


@pytest.mark.parametrize(
    ("server", "document", "said"),
    [
        (
            "openai",
            Document.from_raw(b"x", "application/pdf"),
            {"type": "file", "file": {"filename": "file", "file_data": "data:application/pdf;base64,eA=="}},
        ),
        ("openai", Document.from_file_id("f1"), {"type": "file", "file": {"file_id": "f1"}}),
        (
            "groq",
            Document("eA==", "text/plain", title="notes.txt"),
            {"type": "text", "text": "notes.txt:\n\nx"},
        ),
        (
            "mistral",
            Document(url="https://x", title="t"),
            {"type": "document_url", "document_url": "https://x", "document_name": "t"},
        ),
        (
            "mistral",
            Document.from_raw(b"x", "application/pdf"),
            {"type": "document_url", "document_url": "data:application/pdf;base64,eA=="},
        ),
    ],
)
def test_documents(server: str, document: Document, said: Any) -> None:
    """Text goes as text, other files as the server takes them."""
    assert written(server, UserMessage(document)) == [{"role": "user", "content": [said]}]


@pytest.mark.parametrize("media", [Image.from_file_id("f1"), Document.from_url("https://x")])
def test_what_cannot_be_carried_is_refused(media: Any) -> None:
    """The error says what to do."""
    with pytest.raises(DefinitionError, match="give its bytes"):
        written("openai", UserMessage(media))


def test_every_server_has_a_source() -> None:
    """A row has a place to read its facts; servers without quirks have no row."""
    assert [name for name, quirks in CHAT_QUIRKS.items() if not quirks.source] == []
    assert chat_quirks("huggingface").goes_back == ()
