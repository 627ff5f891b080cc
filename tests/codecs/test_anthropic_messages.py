"""From a conversation to Anthropic's messages."""

from typing import Any

import pytest

from prismpy import (
    AssistantMessage,
    CallPart,
    Message,
    ProviderToolPart,
    RefusalPart,
    SystemMessage,
    TextPart,
    ThinkingPart,
    ToolCall,
    ToolOutput,
    ToolResult,
    ToolResultMessage,
    UserMessage,
)
from prismpy.codecs import AnthropicCodec, Ask

CODEC = AnthropicCodec()


def sent(*messages: Message) -> Any:
    return CODEC.request(Ask("m", messages))["messages"]


def turn(*blocks: Any) -> AssistantMessage:
    return CODEC.reply({"content": list(blocks)}).message


def results(*ids: str) -> ToolResultMessage:
    return ToolResultMessage(ToolResult(ToolCall(id, "w"), ToolOutput(id), f"of {id}") for id in ids)


def text(words: str) -> dict[str, str]:
    return {"type": "text", "text": words}


def call(id: str, **more: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": "w", "input": {}, **more}


def answer(id: str, wire_id: str | None = None, **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": wire_id or id, "content": f"of {id}", **more}


def user(*blocks: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


def assistant(*blocks: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks)}


HI = UserMessage("Hi")

# --- roles ----------------------------------------------------------------------------------------------------------


def test_all_results_of_a_turn_are_in_one_message_and_come_first() -> None:
    """However they were put into the history, and whatever the user said in between."""
    messages = [HI, turn(call("a"), call("b")), UserMessage("Well?"), results("a"), results("b"), UserMessage("So?")]

    assert sent(*messages) == [
        user(text("Hi")),
        assistant(call("a"), call("b")),
        user(answer("a"), answer("b"), text("Well?"), text("So?")),
    ]


def test_neighbours_of_one_role_are_one_message() -> None:
    """System messages and empty turns do not part them."""
    messages = [HI, SystemMessage("Be nice"), UserMessage("you"), turn(text("a")), turn(text("b")), HI]

    assert sent(*messages) == [user(text("Hi"), text("you")), assistant(text("a"), text("b")), user(text("Hi"))]


@pytest.mark.parametrize("empty", ["", " \n\n"])
def test_an_empty_turn_is_left_out(empty: str) -> None:
    """Its neighbours become one message; beside other blocks, blank text alone is left out."""
    assert sent(HI, turn(text(empty)), UserMessage("you")) == [user(text("Hi"), text("you"))]
    assert sent(HI, turn(), UserMessage("you")) == [user(text("Hi"), text("you"))]
    assert sent(HI, turn(text(empty), call("a")), results("a"))[1:] == [assistant(call("a")), user(answer("a"))]


def test_a_paused_turn_goes_back_unchanged_and_last() -> None:
    """Nothing is added, so that the model goes on."""
    blocks = [
        {"type": "thinking", "thinking": "t", "signature": "s"},
        {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "q"}},
    ]

    assert sent(HI, turn(*blocks)) == [user(text("Hi")), assistant(*blocks)]


def test_a_conversation_does_not_end_with_blanks() -> None:
    """Where a model goes on from its own words, the blanks after them would be refused; before other words they stay."""
    assert sent(HI, turn(text("So \n")))[-1] == assistant(text("So"))
    assert sent(HI, turn(text("So \n")), HI)[1] == assistant(text("So \n"))
    assert sent(HI, turn(text("So "), call("a")))[-1] == assistant(text("So "), call("a"))


# --- what models said -----------------------------------------------------------------------------------------------

THOUGHT = {"type": "thinking", "thinking": "t1", "signature": "s1"}
HIDDEN = {"type": "redacted_thinking", "data": "d"}


def test_own_turns_go_back_as_they_came() -> None:
    """All blocks are equal to those received, keys that we do not know included."""
    blocks = [THOUGHT, call("a", caller={"type": "direct"}, moon=1), HIDDEN, {**text("so"), "citations": None}]

    assert sent(HI, turn(*blocks), results("a"))[1] == assistant(*blocks)


def test_turns_of_others_are_written_anew() -> None:
    """Text, refusals and calls are; thoughts and the tools of another provider are for that provider only."""
    other = AssistantMessage(
        [
            ThinkingPart("t", {"id": "rs_1"}),
            TextPart("Hm", raw={"content": "Hm"}),
            RefusalPart("No", {"refusal": "No"}),
            ProviderToolPart("web_search_call", "ws_1", raw={"type": "web_search_call"}),
            CallPart(ToolCall("a", "w", '{"x": 1}'), {"type": "function"}),
        ],
        "openai",
    )

    assert sent(HI, other, results("a"))[1] == assistant(text("Hm"), text("No"), call("a", input={"x": 1}))


def test_parts_without_a_wire_form_are_written_anew() -> None:
    """An app may put a turn of its own into a conversation, whichever dialect it names."""
    for dialect in ("", "anthropic"):
        made = AssistantMessage([ThinkingPart("t"), TextPart("Hm"), CallPart(ToolCall("a", "w"))], dialect)
        assert sent(HI, made, results("a"))[1] == assistant(text("Hm"), call("a"))


def test_a_refusal_of_its_own_is_not_sent() -> None:
    """It stands beside the content of the turn."""
    refused = CODEC.reply({"content": [], "stop_details": {"type": "refusal", "explanation": "No."}}).message

    assert sent(HI, refused, UserMessage("Please")) == [user(text("Hi"), text("Please"))]


@pytest.mark.parametrize(
    ("arguments", "sent_as"),
    [
        (None, {}),
        ("", {}),
        (" ", {}),
        (b'{"x": 1}', {"x": 1}),
        ('{"x": 1}', {"x": 1}),
        ('{"x": ', {"INVALID_JSON": '{"x": '}),
        ("[1]", {"INVALID_JSON": "[1]"}),
        ({}, {}),
        ([1], {"INVALID_JSON": "[1]"}),
    ],
)
def test_input_is_always_an_object(arguments: Any, sent_as: Any) -> None:
    """The API takes nothing else, whoever wrote the call; what is no object is wrapped into one."""
    own = turn(call("a", input=arguments)) if not isinstance(arguments, bytes) else None
    other = AssistantMessage([CallPart(ToolCall("a", "w", arguments))], "openai")

    for made in [own, other] if own else [other]:
        assert sent(HI, made, results("a"))[1] == assistant(call("a", input=sent_as))


def test_the_input_of_a_cut_off_search_is_an_object_too() -> None:
    """The same holds for tools of the provider."""
    cut = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": '{"que'}

    assert sent(HI, turn(cut))[1] == assistant({**cut, "input": {"INVALID_JSON": '{"que'}})


# --- ids ------------------------------------------------------------------------------------------------------------


def test_every_call_of_a_conversation_has_an_id_of_its_own() -> None:
    """
    Ids that come again in a later turn, or hold what no id may, are replaced in the call and in its result.

    A result of no call is left out.
    """
    first, second = turn(call("call_0")), turn(call("call_0"), call("call_0_2"))
    third = AssistantMessage([CallPart(ToolCall(id, "w")) for id in ("fc.1|x", "call_0")])
    answers = [results("call_0"), results("call_0", "call_0_2"), results("fc.1|x", "call_0", "of no call")]

    assert sent(HI, first, answers[0], second, answers[1], third, answers[2]) == [
        user(text("Hi")),
        assistant(call("call_0")),
        user(answer("call_0")),
        assistant(call("call_0_2"), call("call_0_2_2")),
        user(answer("call_0", "call_0_2"), answer("call_0_2", "call_0_2_2")),
        assistant(call("fc_1_x"), call("call_0_3")),
        user(answer("fc.1|x", "fc_1_x"), answer("call_0", "call_0_3")),
    ]


def test_results_of_a_toolset_say_so() -> None:
    """A call that names its set of tools is answered with that name."""
    assert sent(HI, turn(call("a", toolset_name="browser")), results("a"))[2] == user(
        answer("a", toolset_name="browser")
    )


# --- pairs ----------------------------------------------------------------------------------------------------------

SEARCH = {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "q"}}
FOUND = {"type": "web_search_tool_result", "tool_use_id": "s1", "content": []}
CODE = {"type": "server_tool_use", "id": "s2", "name": "code_execution", "input": {"code": "w()"}}
RAN = {"type": "code_execution_tool_result", "tool_use_id": "s2", "content": {}}
MADE_BY_CODE = {"caller": {"type": "code_execution_20250825", "tool_id": "s2"}}


def test_a_use_whose_result_comes_in_a_later_turn_is_kept() -> None:
    """Only results of ours may stand between the two."""
    messages = [
        HI,
        turn(CODE, call("a", **MADE_BY_CODE)),
        results("a"),
        turn(call("b", **MADE_BY_CODE)),
        results("b"),
        turn(RAN),
    ]

    assert [block for message in sent(*messages) for block in message["content"]] == [
        text("Hi"),
        CODE,
        call("a", **MADE_BY_CODE),
        answer("a"),
        call("b", **MADE_BY_CODE),
        answer("b"),
        RAN,
    ]


def test_a_use_that_nothing_will_answer_is_left_out() -> None:
    """That is one before a user's new words; calls of its code then stand on their own."""
    assert sent(HI, turn(text("Let me see"), SEARCH), UserMessage("Stop")) == [
        user(text("Hi")),
        assistant(text("Let me see")),
        user(text("Stop")),
    ]
    assert sent(HI, turn(CODE, call("a", **MADE_BY_CODE)), results("a"), UserMessage("Stop")) == [
        user(text("Hi")),
        assistant(call("a")),
        user(answer("a"), text("Stop")),
    ]


def test_a_result_that_answers_nothing_is_left_out() -> None:
    """As where the beginning of a history was cut; a message with nothing else goes, too."""
    assert sent(turn(FOUND, text("so")), HI) == [assistant(text("so")), user(text("Hi"))]
    assert sent(turn(FOUND), HI) == [user(text("Hi"))]
    assert sent(HI, turn(SEARCH, FOUND, FOUND, text("so")))[1] == assistant(SEARCH, FOUND, text("so"))
