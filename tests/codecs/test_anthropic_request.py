"""From a question to the body of a request for Anthropic."""

from typing import Any

import pytest

from prismpy import (
    AssistantMessage,
    CallPart,
    DefinitionError,
    ProviderTool,
    SystemMessage,
    ToolCall,
    ToolOutput,
    ToolResult,
    ToolResultMessage,
    UserMessage,
)
from prismpy.codecs import AnthropicCodec, Ask, OutputForm

from .anthropic_messages import complaints

CODEC = AnthropicCodec()
HI = UserMessage("Hi")
TOOL = {"name": "w", "input_schema": {"type": "object", "properties": {}}}


def body(*, stream: bool = False, messages: Any = (HI,), **fields: Any) -> dict[str, Any]:
    """Write a request; the SDK's types take it."""
    written = CODEC.request(Ask("m", messages, **fields), stream=stream)
    assert complaints(written) == []
    return written


def said(**fields: Any) -> dict[str, Any]:
    """Return what a request says beside the model, the messages and the default limit."""
    known = {
        "model": "m",
        "messages": [{"role": "user", "content": [{"type": "text", "text": "Hi"}]}],
        "max_tokens": 8192,
    }
    return {key: value for key, value in body(**fields).items() if known.get(key) != value}


def test_a_plain_request() -> None:
    """Nothing is said that nobody asked for; there must be a limit."""
    assert body() == {
        "model": "m",
        "max_tokens": 8192,
        "messages": [{"role": "user", "content": [{"type": "text", "text": "Hi"}]}],
    }
    assert said(stream=True) == {"stream": True}


def test_a_full_request() -> None:
    """Every field has its place."""
    written = body(
        messages=[SystemMessage("Be nice"), SystemMessage(" "), HI, SystemMessage("Be short")],
        tools=[TOOL],
        provider_tools=[
            ProviderTool("web_search_20250305", "web_search", {"max_uses": 3}),
            ProviderTool("mcp_toolset", options={"mcp_server_name": "wiki"}),
        ],
        tool_choice="w",
        output=OutputForm("answer", {"type": "object"}, description="The answer"),
        max_tokens=7,
        temperature=0.5,
        parallel_calls=False,
        options={"thinking": {"type": "enabled", "budget_tokens": 1024}, "output_config": {"effort": "low"}},
    )

    assert written == {
        "model": "m",
        "max_tokens": 7,
        "messages": [{"role": "user", "content": [{"type": "text", "text": "Hi"}]}],
        "system": [{"type": "text", "text": "Be nice"}, {"type": "text", "text": "Be short"}],
        "tools": [
            TOOL,
            {"type": "web_search_20250305", "name": "web_search", "max_uses": 3},
            {"type": "mcp_toolset", "mcp_server_name": "wiki"},
        ],
        "tool_choice": {"type": "tool", "name": "w", "disable_parallel_tool_use": True},
        "output_config": {
            "format": {"type": "json_schema", "schema": {"description": "The answer", "type": "object"}},
            "effort": "low",
        },
        "temperature": 0.5,
        "thinking": {"type": "enabled", "budget_tokens": 1024},
    }


@pytest.mark.parametrize(
    ("choice", "parallel", "sent"),
    [
        ("auto", None, None),
        ("auto", True, None),
        ("auto", False, {"type": "auto", "disable_parallel_tool_use": True}),
        ("any", None, {"type": "any"}),
        ("any", False, {"type": "any", "disable_parallel_tool_use": True}),
        ("none", False, {"type": "none"}),
        ("w", None, {"type": "tool", "name": "w"}),
    ],
)
def test_tool_choices(choice: str, parallel: bool | None, sent: Any) -> None:
    """Words and names have the provider's spelling; the rule anyway is not said."""
    assert said(tools=[TOOL], tool_choice=choice, parallel_calls=parallel).get("tool_choice") == sent


def test_without_tools_nothing_is_said_of_them() -> None:
    """Neither tools nor how to choose among them."""
    assert said(tools=[], tool_choice="any", parallel_calls=True) == {}


def test_tools_that_were_called_before_are_declared() -> None:
    """The API refuses calls in a history without tools; the model may call none of them."""
    calls = [CallPart(ToolCall(str(i), name)) for i, name in enumerate(["v", "w", "v"])]
    results = [ToolResult(part.call, ToolOutput("1"), "1") for part in calls]
    history = [HI, AssistantMessage(calls), ToolResultMessage(results)]
    gone = {"description": "Not available any more.", "input_schema": {"type": "object", "properties": {}}}

    found = body(messages=history)
    assert found["tools"] == [{"name": "v", **gone}, {"name": "w", **gone}]
    assert found["tool_choice"] == {"type": "none"}
    assert (
        body(messages=history, tools=[TOOL])["tools"]
        == body(messages=history, options={"tools": [TOOL]})["tools"]
        == [TOOL]
    )


def test_limits_on_tokens() -> None:
    """A budget for thinking is added to the default; zero is a limit, which only fills the cache; options win."""
    budget = {"thinking": {"type": "enabled", "budget_tokens": 2000}}

    assert body(options=budget)["max_tokens"] == 10192
    assert body(options={"thinking": {"type": "adaptive"}})["max_tokens"] == 8192
    assert body(max_tokens=0)["max_tokens"] == 0
    assert body(max_tokens=1, options={"max_tokens": 2})["max_tokens"] == 2


def test_options_are_keys_of_the_request() -> None:
    """They win over what is written; the beta features are left for the transport."""
    options = {"betas": ["context-management-2025-06-27"], "context_management": {"edits": []}, "model": "n"}

    assert said(options=options) == options


def test_there_must_be_something_to_answer() -> None:
    """A conversation without words is refused."""
    with pytest.raises(DefinitionError, match="no message has words"):
        CODEC.request(Ask("m", [SystemMessage("Be nice"), UserMessage(" ")]))


# --- containers -----------------------------------------------------------------------------------------------------


def used(id: str, dialect: str = "anthropic") -> AssistantMessage:
    return AssistantMessage(dialect=dialect, extra={"container": {"id": id, "expires_at": "2026-11-01T00:00:00Z"}})


@pytest.mark.parametrize(
    ("turns", "options", "sent"),
    [
        ([], {}, None),
        ([used("a"), AssistantMessage()], {}, "a"),
        ([used("a"), used("b"), used("c", "other")], {}, "b"),
        ([used("a")], {"container": "z"}, "z"),
        ([used("a")], {"container": None}, None),
        ([used("a")], {"container": {"skills": []}}, {"id": "a", "skills": []}),
        ([used("a")], {"container": {"id": "z", "skills": []}}, {"id": "z", "skills": []}),
        ([], {"container": {"skills": []}}, {"skills": []}),
    ],
)
def test_the_newest_container_goes_along(turns: Any, options: Any, sent: Any) -> None:
    """That of another provider does not; the app may name another, or skills for it."""
    assert body(messages=[HI, *turns], options=options).get("container") == sent


# --- the prompt cache -----------------------------------------------------------------------------------------------

MARK = {"cache_control": {"type": "ephemeral", "ttl": "5m"}}
LONG = {"cache_control": {"type": "ephemeral", "ttl": "1h"}}
LATE = {**TOOL, "defer_loading": True}


def cached(cache: Any, tools: Any = (TOOL, {**TOOL, "name": "v"}), **options: Any) -> dict[str, Any]:
    messages = [SystemMessage("S"), HI, AssistantMessage()]
    return body(messages=messages, tools=tools, options={"cache": cache, **options})


def test_the_prompt_is_marked_where_its_parts_end() -> None:
    """The last tool, the last of the system prompt, the last block of the last message of a user."""
    written = cached(True)

    assert written["tools"] == [TOOL, {**TOOL, "name": "v", **MARK}]
    assert written["system"] == [{"type": "text", "text": "S", **MARK}]
    assert written["messages"] == [{"role": "user", "content": [{"type": "text", "text": "Hi", **MARK}]}]


def test_each_place_may_have_its_own_time() -> None:
    """Places that are not named are not marked."""
    written = cached({"tools": "1h", "messages": "5m"})

    assert written["tools"][1] == {**TOOL, "name": "v", **LONG}
    assert written["system"] == [{"type": "text", "text": "S"}]
    assert written["messages"][0]["content"] == [{"type": "text", "text": "Hi", **MARK}]


def test_tools_that_load_late_are_not_marked() -> None:
    """They are not in the prompt."""
    assert cached(True, tools=[TOOL, LATE])["tools"] == [{**TOOL, **MARK}, LATE]
    assert cached(True, tools=[LATE])["tools"] == [LATE]


def test_no_more_than_four_marks() -> None:
    """What the app has marked counts, its mark for the API to place included; that of a last tool stays as it is."""
    tools = [{**TOOL, **LONG}, {**TOOL, "name": "u", **LONG}, {**TOOL, "name": "v", **LONG}]
    written = cached(True, tools=tools)
    full = cached(True, tools=tools, **MARK)

    assert written["tools"] == full["tools"] == tools
    assert written["system"] == [{"type": "text", "text": "S", **MARK}]
    assert written["messages"][0]["content"] == full["messages"][0]["content"] == [{"type": "text", "text": "Hi"}]
    assert full["system"] == [{"type": "text", "text": "S"}]


def test_more_than_four_marks_of_the_app_are_refused() -> None:
    """Five are one too many."""
    with pytest.raises(DefinitionError, match="5 cache_control marks where at most 4"):
        CODEC.request(Ask("m", [HI], [{**TOOL, **MARK}] * 5))


@pytest.mark.parametrize("cache", [None, False, {}])
def test_without_the_option_nothing_is_marked(cache: Any) -> None:
    """None, False and no places at all are the same."""
    assert cached(cache) == cached(None)
    assert "cache_control" not in str(cached(cache))


def test_unknown_places_are_refused() -> None:
    """The error names the places there are."""
    with pytest.raises(
        DefinitionError, match="option cache names moon; give True, or times by place: tools, system, messages"
    ):
        cached({"moon": "5m"})


def test_marking_leaves_what_was_given_alone() -> None:
    """The tools of the question are as they were."""
    tools = [{**TOOL}]
    cached(True, tools=tools)

    assert tools == [TOOL]
