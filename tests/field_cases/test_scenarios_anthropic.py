"""The field cases of Anthropic's messages, and of histories that go back to it; those of OpenAI's go back there, too."""

import json
from typing import Any

import pytest

from prismpy import Agent, AnthropicModel, AssistantMessage, CallPart, ToolCall, UserMessage, tool
from prismpy.codecs import AnthropicCodec, Ask, ChatCodec, Codec, ResponsesCodec
from tests.codecs.streams import folded
from tests.field_cases.cases import CASES
from tests.loopback import Answer, serving
from tests.shared import needs_shared

CODEC = AnthropicCodec()

pytestmark = needs_shared


def sent(codec: Codec, *turns: AssistantMessage) -> dict[str, Any]:
    return codec.request(Ask("m", [UserMessage("hi"), *turns]))


def sent_arguments(codec: Codec, turn: AssistantMessage) -> Any:
    """Return the arguments of a turn's one call as a codec sends them."""
    body = sent(codec, turn)
    match body:
        case {"input": [_, {"arguments": arguments}]}:
            return arguments
        case {"messages": [_, {"tool_calls": [{"function": {"arguments": arguments}}]}]}:
            return arguments
        case _:
            return body["messages"][1]["content"][0]["input"]


def test_fc_stream_06_input_at_the_start_of_a_block_and_in_pieces() -> None:
    """The pieces are joined and read once; the empty object of the start is not part of them."""
    case = CASES["fc-stream-06"]
    _, reply = folded(CODEC, case.input["events"])

    found = [{"id": call.id, "name": call.name, "arguments": call.arguments} for call in reply.message.calls]
    assert found == case.expect["assembled"]


@pytest.mark.parametrize("dialect", ["", "anthropic", "openai", "openai-responses"])
def test_fc_history_01_arguments_that_are_no_json(dialect: str) -> None:
    """Whoever sent them, Anthropic gets an object and OpenAI the text of one; the app still has what the model wrote."""
    given = CASES["fc-history-01"].input["assistant_call"]
    turn = AssistantMessage([CallPart(ToolCall(given["id"], given["name"], given["arguments_text"]))], dialect)
    wrapped = {"INVALID_JSON": given["arguments_text"]}

    assert sent_arguments(CODEC, turn) == wrapped
    assert [json.loads(sent_arguments(codec, turn)) for codec in (ChatCodec(), ResponsesCodec())] == [wrapped] * 2
    assert turn.calls[0].arguments == given["arguments_text"]


@pytest.mark.parametrize("arguments", [{}, "", None])
def test_fc_history_02_no_arguments(arguments: Any) -> None:
    """They are an empty object, never a list or an empty text."""
    given = CASES["fc-history-02"]
    turn = AssistantMessage([CallPart(ToolCall(given.input["assistant_call"]["id"], "now", arguments))])

    assert sent_arguments(CODEC, turn) == given.expect["anthropic_input"]
    assert (
        sent_arguments(ChatCodec(), turn) == sent_arguments(ResponsesCodec(), turn) == given.expect["openai_arguments"]
    )


def test_fc_history_03_thoughts_go_back_in_place_and_signed() -> None:
    """What is sent equals what came, block by block, whole and streamed."""
    content = CASES["fc-history-03"].input["assistant_content"]
    streamed: list[Any] = [{"type": "message_start", "message": {"id": "m", "content": []}}]
    for index, block in enumerate(content):
        delta = {"type": "content_block_delta", "index": index}
        start = {**block, "thinking": "", "signature": ""} if block["type"] == "thinking" else block
        streamed.append({"type": "content_block_start", "index": index, "content_block": start})
        if block["type"] == "thinking":
            streamed += [
                {**delta, "delta": {"type": f"{key}_delta", key: block[key]}} for key in ("thinking", "signature")
            ]
        streamed.append({"type": "content_block_stop", "index": index})
    streamed.append({"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {}})

    for reply in (CODEC.reply({"content": content}), folded(CODEC, streamed)[1]):
        assert sent(CODEC, reply.message)["messages"][1]["content"] == content


def answering(*bodies: Any) -> list[Answer]:
    return [Answer.json({"id": "m", "type": "message", "role": "assistant", "usage": {}, **body}) for body in bodies]


def test_fc_history_06_state_travels_to_the_next_request() -> None:
    """The container of an answer is that of the next request, in the loop and in the next run."""
    case = CASES["fc-history-06"]

    @tool
    def w() -> str:
        """Work."""
        return "1"

    call = {"type": "tool_use", "id": "a", "name": "w", "input": {}}
    done = {"content": [{"type": "text", "text": "done"}], "stop_reason": "end_turn"}
    with serving(answering({**case.input["response"], "content": [call]}, done, done)) as loopback:
        model = AnthropicModel("claude", "k", loopback.url)
        agent = Agent("demo", model, tools=[w])
        with model:
            response = agent.run("hi")
            agent.run("and?", messages=response.messages)

    container = case.expect["next_request_has"]["container"]
    assert [body.get("container") for body in loopback.bodies] == [None, container, container]


def test_fc_loop_05_a_paused_turn_goes_back_as_it_came() -> None:
    """Nothing is added after it, and the loop goes on."""
    case = CASES["fc-loop-05"]
    with serving(answering(*case.input["responses"])) as loopback:
        model = AnthropicModel("claude", "k", loopback.url)
        with model:
            response = Agent("demo", model).run("hi")

    first, second = loopback.bodies
    assert len(loopback.bodies) == case.expect["model_requests"]
    assert response.text == case.expect["answer"]
    assert second["messages"] == [
        *first["messages"],
        {"role": "assistant", "content": case.input["responses"][0]["content"]},
    ]
