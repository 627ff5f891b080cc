"""Turns, calls and answers on their way back to the Responses API."""

import json
from typing import Any

import attrs
import openai.types.responses
import pydantic
import pytest
from jsonschema import Draft202012Validator

from prismpy import (
    AssistantMessage,
    CallPart,
    Image,
    ProviderToolPart,
    RefusalPart,
    TextPart,
    ThinkingPart,
    ToolCall,
    ToolOutput,
    ToolResult,
    ToolResultMessage,
    UserMessage,
)
from prismpy.codecs import Ask, ResponsesCodec, to_answer
from tests.openapi import complaints
from tests.shared import SHARED

REASONING = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "secret"}
SPOKEN = {
    "type": "message",
    "id": "msg_1",
    "role": "assistant",
    "status": "completed",
    "phase": "commentary",
    "content": [{"type": "output_text", "text": "let me see", "annotations": []}],
}
CALL = {
    "type": "function_call",
    "id": "fc_1",
    "call_id": "call_1",
    "name": "w",
    "arguments": "{}",
    "status": "completed",
}


def decoded(*output: Any, provider: str = "openai") -> AssistantMessage:
    return ResponsesCodec(provider).reply({"status": "completed", "output": list(output)}).message


def result(call: ToolCall, output: Any = "ok", *, is_error: bool = False, parts: Any = ()) -> ToolResult:
    return ToolResult(call, ToolOutput(output), output if isinstance(output, str) else "text", is_error, parts=parts)


def written(*messages: Any, provider: str = "openai") -> list[Any]:
    items: list[Any] = ResponsesCodec(provider).request(Ask("m", messages))["input"]
    return items


def answered(message: AssistantMessage, output: Any = "ok", **how: Any) -> list[Any]:
    results = [result(call, output, **how) for call in message.calls]
    return written(message, ToolResultMessage(results))


# --- own turns ------------------------------------------------------------------------------------------------------


def test_a_turn_goes_back_item_by_item() -> None:
    """Reasoning stays right before what it led to; ids, phase and encrypted content are untouched."""
    sent = answered(decoded(REASONING, SPOKEN, CALL))

    assert sent == [REASONING, SPOKEN, CALL, {"type": "function_call_output", "call_id": "call_1", "output": "ok"}]


def test_an_item_of_several_pieces_goes_back_once() -> None:
    """Each piece is a part of its own, and the item is one."""
    thought = {**REASONING, "summary": [{"type": "summary_text", "text": t} for t in ("a", "b")]}
    content = [{"type": "output_text", "text": "x", "annotations": []}, {"type": "refusal", "refusal": "no"}]
    message = decoded(thought, {**SPOKEN, "content": content})

    assert [type(part) for part in message.parts] == [ThinkingPart, ThinkingPart, TextPart, RefusalPart]
    assert written(message) == [thought, {**SPOKEN, "content": content}]


def test_a_piece_without_its_item_is_written_anew() -> None:
    """As where an app took the first part of a turn out."""
    content = [{"type": "output_text", "text": text, "annotations": []} for text in ("x", "y")]
    message = decoded({**SPOKEN, "content": content})

    assert written(AssistantMessage(message.parts[1:], message.dialect)) == [{"role": "assistant", "content": "y"}]


@pytest.mark.parametrize("after", [(), (TextPart("mine"),)])
def test_reasoning_that_led_to_nothing_stays_behind(after: Any) -> None:
    """The API refuses reasoning without the item that followed it, and no other will do."""
    parts = (*decoded(CALL, REASONING, REASONING).parts, *after)
    sent = written(AssistantMessage(parts, "openai-responses"))

    assert REASONING not in sent
    assert sent[0] == CALL


def test_reasoning_before_reasoning_goes_back() -> None:
    """As long as something follows in the end."""
    assert written(decoded(REASONING, REASONING, SPOKEN)) == [REASONING, REASONING, SPOKEN]


def test_fc_history_01_broken_arguments_become_valid() -> None:
    """Arguments that are no JSON go back as JSON; what came stays in the turn."""
    message = decoded({**CALL, "arguments": '{"x": '})
    (call, _) = answered(message)

    assert json.loads(call["arguments"]) == {"INVALID_JSON": '{"x": '}
    assert message.calls[0].arguments == '{"x": '


@pytest.mark.parametrize("arguments", ["", "{}", None])
def test_fc_history_02_no_arguments_are_an_empty_object(arguments: Any) -> None:
    """As text, however they came."""
    assert answered(decoded({**CALL, "arguments": arguments}))[0]["arguments"] == "{}"


def test_call_ids_that_were_replaced_win() -> None:
    """Calls of one turn that share an id, or have none, are told apart in what goes back, too."""
    sent = answered(decoded(CALL, CALL, {**CALL, "call_id": ""}))

    assert [item["call_id"] for item in sent] == ["call_1", "call_1_1", "call_2"] * 2


def test_call_ids_that_later_steps_reuse_are_told_apart() -> None:
    """Some gateways name every call of a run the same."""
    first, second = decoded({**CALL, "call_id": "call_0"}), decoded({**CALL, "call_id": "call_0", "name": "v"})
    answers = [ToolResultMessage([result(turn.calls[0], text)]) for turn, text in ((first, "a"), (second, "b"))]
    sent = written(first, answers[0], second, answers[1])

    assert [(item["call_id"], item.get("output")) for item in sent] == [
        ("call_0", None),
        ("call_0", "a"),
        ("call_0_2", None),
        ("call_0_2", "b"),
    ]


def test_long_call_ids_are_shortened() -> None:
    """The API takes 64 characters; call and output agree."""
    call = ToolCall("x" * 65, "w", {})
    (made, output) = written(AssistantMessage([CallPart(call)]), ToolResultMessage([result(call)]))

    assert made["call_id"] == output["call_id"]
    assert len(made["call_id"]) == 37


def test_what_a_cut_off_stream_left_unfinished_stays_behind() -> None:
    """A search that was under way would be refused, and so would the reasoning before it."""
    search = {
        "type": "web_search_call",
        "id": "ws_1",
        "status": "searching",
        "action": {"type": "search", "query": "q"},
    }
    failed = {**search, "id": "ws_2", "status": "failed"}

    assert written(decoded(REASONING, search)) == []
    assert written(decoded(REASONING, failed)) == [REASONING, failed]


def test_what_the_api_does_not_know_in_requests_stays_behind() -> None:
    """A custom call's status, and sources of a search that are no pages."""
    search = {"type": "web_search_call", "id": "ws_1", "status": "completed"}
    pages = {"type": "search", "query": "q", "sources": [{"type": "url", "url": "https://example.com"}]}
    feeds = {"type": "search", "query": "q", "sources": [{"type": "api", "name": "oai-weather"}]}
    custom = {"type": "custom_tool_call", "id": "ct_1", "call_id": "c", "name": "sql", "input": "SELECT 1"}
    message = decoded({**search, "action": pages}, {**search, "action": feeds}, {**custom, "status": "completed"})

    assert answered(message) == [
        {**search, "action": pages},
        {**search, "action": {"type": "search", "query": "q"}},
        custom,
        {"type": "custom_tool_call_output", "call_id": "c", "output": "ok"},
    ]


def test_deepseek_wants_calls_side_by_side() -> None:
    """What stands between a call and its output makes it miss the output."""
    other = {**CALL, "call_id": "call_2"}
    message = decoded(REASONING, CALL, SPOKEN, other, provider="deepseek")
    sent = written(message, ToolResultMessage([result(call) for call in message.calls]), provider="deepseek")

    assert [item["type"] for item in sent] == [
        "reasoning",
        "message",
        *["function_call"] * 2,
        *["function_call_output"] * 2,
    ]


def test_calls_that_the_provider_has_already_are_answered() -> None:
    """Where only the news is sent, outputs bear the ids that the provider gave, and fit the kind of the call."""
    custom = {"type": "custom_tool_call", "id": "ct_1", "call_id": "c", "name": "sql", "input": "SELECT 1"}
    body = {"id": "r1", "status": "completed", "output": [CALL, CALL, custom]}
    message = ResponsesCodec().reply(body).message
    said = [UserMessage("hi"), message, ToolResultMessage([result(call) for call in message.calls])]
    sent = ResponsesCodec().request(Ask("m", said, options={"previous_response_id": "r1"}))["input"]

    assert sent == [
        {"type": "function_call_output", "call_id": "call_1", "output": "ok"},
        {"type": "function_call_output", "call_id": "call_1", "output": "ok"},
        {"type": "custom_tool_call_output", "call_id": "c", "output": "ok"},
    ]


def test_answers_to_calls_that_are_not_there_are_those_of_functions() -> None:
    """As in a conversation that somebody else began."""
    call = ToolCall("call_9", "w")
    sent = ResponsesCodec().request(
        Ask("m", [ToolResultMessage([result(call)])], options={"previous_response_id": "r"})
    )

    assert sent["input"] == [{"type": "function_call_output", "call_id": "call_9", "output": "ok"}]


# --- turns of others ------------------------------------------------------------------------------------------------

THEIRS = (
    ThinkingPart("hm", {"type": "thinking", "signature": "s"}),
    TextPart("let me", raw={"type": "text", "text": "let me"}),
    CallPart(ToolCall("toolu_1", "w", {"x": 1}), {"type": "tool_use"}),
    ProviderToolPart("server_tool_use", "srv_1", raw={"type": "server_tool_use"}),
    TextPart("", raw={"type": "text", "text": ""}),
    RefusalPart("not that"),
    CallPart(ToolCall("toolu_2", "v"), {"type": "tool_use"}),
)
ANEW = [
    {"role": "assistant", "content": "let me"},
    {"role": "assistant", "content": "not that"},
    {"type": "function_call", "call_id": "toolu_1", "name": "w", "arguments": '{"x": 1}'},
    {"type": "function_call", "call_id": "toolu_2", "name": "v", "arguments": "{}"},
]


@pytest.mark.parametrize("dialect", ["anthropic", "openai", ""])
def test_a_turn_of_another_format_is_written_anew(dialect: str) -> None:
    """Its words and calls go, the calls side by side; thoughts and tools of another provider stay behind."""
    assert written(AssistantMessage(THEIRS, dialect)) == ANEW


def test_a_turn_of_another_provider_is_written_anew() -> None:
    """The same format does not make what one provider encrypted readable for another. Calls are as they were sent."""
    turn = decoded(REASONING, SPOKEN, CALL, provider="xai")
    declared = ToolCall("call_1", "weather.now", {"declared": True})
    parts = [attrs.evolve(part, call=declared) if isinstance(part, CallPart) else part for part in turn.parts]

    assert written(attrs.evolve(turn, parts=parts)) == [
        {"role": "assistant", "content": "let me see"},
        {"type": "function_call", "call_id": "call_1", "name": "w", "arguments": "{}"},
    ]


# --- answers --------------------------------------------------------------------------------------------------------


def test_a_result_may_hold_pictures() -> None:
    """A function's output is text, or a list with pictures and files."""
    picture = Image.from_base64("eA==", "image/png")
    sent = answered(decoded(CALL), parts=(picture,))

    assert sent[1]["output"] == [{"type": "input_image", "detail": "auto", "image_url": "data:image/png;base64,eA=="}]


def test_a_call_of_a_program_is_answered_to_the_program() -> None:
    """Who waits for the answer is said as it came."""
    caller = {"type": "program", "caller_id": "call_p"}

    assert answered(decoded({**CALL, "caller": caller}))[1] == {
        "type": "function_call_output",
        "call_id": "call_1",
        "caller": caller,
        "output": "ok",
    }


SCREEN = Image.from_base64("eA==", "image/png")
FILED = Image.from_file_id("file-1")

LOCAL_SHELL = {
    "type": "local_shell_call",
    "id": "lsh_1",
    "call_id": "c",
    "status": "completed",
    "action": {"type": "exec", "command": ["ls"], "env": {}},
}
SHELL = {"type": "shell_call", "id": "sh_1", "call_id": "c", "status": "completed", "action": {"commands": ["ls"]}}
PATCH = {
    "type": "apply_patch_call",
    "id": "apc_1",
    "call_id": "c",
    "status": "completed",
    "operation": {"type": "delete_file", "path": "a"},
}
COMPUTER = {
    "type": "computer_call",
    "id": "cu_1",
    "call_id": "c",
    "status": "completed",
    "pending_safety_checks": [],
    "action": {"type": "screenshot"},
}
SEARCH = {
    "type": "tool_search_call",
    "id": "tsc_1",
    "call_id": "c",
    "execution": "client",
    "arguments": {"queries": ["x"]},
}
APPROVAL = {"type": "mcp_approval_request", "id": "c", "server_label": "s", "name": "n", "arguments": "{}"}
RAN = {"stdout": "a", "stderr": "", "outcome": {"type": "exit", "exit_code": 0}}
FOUND = {"type": "function", "name": "w", "parameters": {"type": "object", "properties": {}}, "strict": False}

ANSWERS: list[tuple[Any, dict[str, Any], Any]] = [
    (LOCAL_SHELL, {"output": "a"}, {"type": "local_shell_call_output", "id": "c", "call_id": "c", "output": "a"}),
    (SHELL, {"output": "a"}, {"type": "shell_call_output", "call_id": "c", "output": [RAN]}),
    (SHELL, {"output": [RAN]}, {"type": "shell_call_output", "call_id": "c", "output": [RAN]}),
    (
        SHELL,
        {"output": "no", "is_error": True},
        {
            "type": "shell_call_output",
            "call_id": "c",
            "output": [{"stdout": "no", "stderr": "", "outcome": {"type": "exit", "exit_code": 1}}],
        },
    ),
    (
        {**SHELL, "environment": {"type": "local"}},
        {"output": {"type": "shell_call_output", "output": [], "max_output_length": 9}},
        {"type": "shell_call_output", "call_id": "c", "output": [], "max_output_length": 9},
    ),
    (PATCH, {"output": "a"}, {"type": "apply_patch_call_output", "call_id": "c", "status": "completed", "output": "a"}),
    (
        PATCH,
        {"output": "a", "is_error": True},
        {"type": "apply_patch_call_output", "call_id": "c", "status": "failed", "output": "a"},
    ),
    (
        COMPUTER,
        {"parts": (SCREEN,)},
        {
            "type": "computer_call_output",
            "call_id": "c",
            "output": {"type": "computer_screenshot", "image_url": "data:image/png;base64,eA=="},
        },
    ),
    (
        COMPUTER,
        {"parts": (FILED,)},
        {
            "type": "computer_call_output",
            "call_id": "c",
            "output": {"type": "computer_screenshot", "file_id": "file-1"},
        },
    ),
    (COMPUTER, {}, {"type": "computer_call_output", "call_id": "c", "output": {"type": "computer_screenshot"}}),
    (
        SEARCH,
        {"output": [FOUND]},
        {"type": "tool_search_output", "call_id": "c", "execution": "client", "status": "completed", "tools": [FOUND]},
    ),
    (
        SEARCH,
        {"output": "nothing"},
        {"type": "tool_search_output", "call_id": "c", "execution": "client", "status": "completed", "tools": []},
    ),
    (APPROVAL, {"output": "yes"}, {"type": "mcp_approval_response", "approval_request_id": "c", "approve": True}),
    (
        APPROVAL,
        {"output": "not today", "is_error": True},
        {"type": "mcp_approval_response", "approval_request_id": "c", "approve": False, "reason": "not today"},
    ),
]
"""What a provider leaves to us, how it is answered, and what is sent for that."""

answers = pytest.mark.parametrize(("item", "given", "sent"), ANSWERS)


def asked(item: Any) -> tuple[AssistantMessage, ToolCall]:
    message = decoded(REASONING, item)
    (part,) = (part for part in message.parts if isinstance(part, ProviderToolPart))
    call = to_answer(part)
    assert call is not None
    return message, call


@answers
def test_what_the_provider_leaves_to_us_can_be_answered(item: Any, given: dict[str, Any], sent: Any) -> None:
    """A result for its id becomes the item that the API expects."""
    message, call = asked(item)

    assert call.id == "c"
    assert written(message, ToolResultMessage([result(call, **given)])) == [REASONING, item, sent]


@pytest.mark.parametrize(
    ("item", "name", "arguments"),
    [
        (LOCAL_SHELL, "local_shell", {"action": {"type": "exec", "command": ["ls"], "env": {}}}),
        (SHELL, "shell", {"action": {"commands": ["ls"]}}),
        (PATCH, "apply_patch", {"operation": {"type": "delete_file", "path": "a"}}),
        (COMPUTER, "computer", {"action": {"type": "screenshot"}, "pending_safety_checks": []}),
        (SEARCH, "tool_search", {"queries": ["x"]}),
        (APPROVAL, "mcp", {"server_label": "s", "name": "n", "arguments": "{}"}),
    ],
)
def test_what_it_asks_is_told_as_a_call(item: Any, name: str, arguments: Any) -> None:
    """Under the type of the provider's tool, with what is asked and nothing of the envelope."""
    call = asked(item)[1]

    assert (call.name, call.arguments) == (name, arguments)


@answers
def test_it_may_be_a_call_in_the_conversation(item: Any, given: dict[str, Any], sent: Any) -> None:
    """As an agent has it that answers by itself: it goes back in the same way, be its id another one by then."""
    message, call = asked(item)
    renamed = attrs.evolve(call, id="other")
    turn = attrs.evolve(
        message,
        parts=[CallPart(renamed, each.raw) if isinstance(each, ProviderToolPart) else each for each in message.parts],
    )

    assert written(turn, ToolResultMessage([result(renamed, **given)])) == [REASONING, item, sent]


def test_such_a_call_is_written_anew_for_another_server() -> None:
    """It becomes the call of a function, by its name."""
    call = asked(LOCAL_SHELL)[1]
    turn = AssistantMessage([CallPart(call, LOCAL_SHELL)], "openai-responses", {"provider": "groq"})

    function, output = written(turn, ToolResultMessage([result(call, output="a")]))

    assert (function["type"], function["name"], function["call_id"]) == ("function_call", "local_shell", "c")
    assert output == {"type": "function_call_output", "call_id": "c", "output": "a"}


SDK_TYPES = {
    "local_shell_call_output": openai.types.responses.response_input_item_param.LocalShellCallOutput,
    "mcp_approval_response": openai.types.responses.response_input_item_param.McpApprovalResponse,
}
"""Answers that OpenAI's description cannot be met with: it demands keys that it does not allow."""


@answers
@pytest.mark.skipif(not SHARED.is_dir(), reason="../shared is not here")
def test_those_answers_are_valid(item: Any, given: dict[str, Any], sent: Any) -> None:
    """They are what OpenAI's description says, or, where that contradicts itself, its SDK."""
    if sent["type"] in SDK_TYPES:
        schema = pydantic.TypeAdapter(SDK_TYPES[sent["type"]]).json_schema()
        assert list(Draft202012Validator(schema).iter_errors(sent)) == []
    else:
        assert complaints({"model": "m", "input": [item, sent]}, "CreateResponse") == []


@pytest.mark.parametrize("item", [LOCAL_SHELL, SHELL, PATCH, COMPUTER, SEARCH, APPROVAL])
def test_what_nobody_answered_stays_behind(item: Any) -> None:
    """The API refuses a call without its output; the reasoning before it would be alone."""
    assert written(decoded(REASONING, item), UserMessage("never mind")) == [{"role": "user", "content": "never mind"}]


def test_an_answer_may_be_an_item_of_the_app() -> None:
    """As in a turn that holds what was sent before, as the API has it."""
    answer = {"type": "shell_call_output", "call_id": "c", "output": []}
    turn = AssistantMessage([ProviderToolPart("shell_call_output", raw=answer)], "openai-responses")

    assert written(decoded(SHELL), turn) == [SHELL, answer]


@pytest.mark.parametrize(
    "item",
    [
        {**SHELL, "environment": {"type": "container_reference", "container_id": "x"}},
        {**SEARCH, "execution": "server"},
        {"type": "web_search_call", "id": "ws", "status": "completed"},
    ],
)
def test_what_the_provider_runs_is_not_ours(item: Any) -> None:
    """There is nothing to answer, and it goes back as it is."""
    message = decoded(item)
    (part,) = message.parts

    assert isinstance(part, ProviderToolPart)
    assert to_answer(part) is None
    assert to_answer(ProviderToolPart("x")) is None
    assert written(message) == [item]
