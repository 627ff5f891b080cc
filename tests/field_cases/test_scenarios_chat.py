"""The field cases of chat completions: streams that others put together wrongly, and what must not be sent back."""

import json
from typing import Any

from prismpy import UserMessage
from prismpy.codecs import Ask, ChatCodec, Reply, tell
from tests.codecs.streams import folded, merged
from tests.field_cases.cases import CASES
from tests.shared import needs_shared

CODEC = ChatCodec()


def streamed(id: str) -> tuple[list[Any], Reply]:
    """Fold the deltas of a case, each in a piece of its own; what is told must be what the whole answer tells."""
    given = CASES[id].input
    deltas = [{"tool_calls": [delta]} for delta in given["tool_call_deltas"]]
    deltas += [{"content": text} for text in given.get("text_deltas", ())]
    end = {"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}
    told, reply = folded(CODEC, [*({"choices": [{"delta": delta}]} for delta in deltas), end])

    assert merged(told) == merged([*tell(reply)])
    return told, reply


def assembled(reply: Reply) -> list[Any]:
    return [{"id": c.id, "name": c.name, "arguments": json.loads(str(c.arguments))} for c in reply.message.calls]


def holds(id: str) -> None:
    case = CASES[id]
    _, reply = streamed(id)

    assert assembled(reply) == case.expect["assembled"]
    assert reply.message.text == case.expect.get("text", "")


@needs_shared
def test_fc_stream_01_interleaved_pieces_with_the_id_on_the_first_only() -> None:
    """Pieces go to the call of their number."""
    holds("fc-stream-01")


@needs_shared
def test_fc_stream_02_all_calls_have_the_number_0() -> None:
    """Another id opens another call."""
    holds("fc-stream-02")


@needs_shared
def test_fc_stream_03_no_numbers_at_all() -> None:
    """An id opens a call, a bare piece goes on with the last one."""
    holds("fc-stream-03")


@needs_shared
def test_fc_stream_04_a_piece_with_a_wrong_number() -> None:
    """It goes on with the one call that is not complete."""
    holds("fc-stream-04")


@needs_shared
def test_fc_stream_05_a_piece_that_is_false_to_python() -> None:
    """`0` is text like any other."""
    holds("fc-stream-05")


@needs_shared
def test_fc_stream_07_the_event_of_a_call_has_all_arguments() -> None:
    """Deltas are told as they come; the call itself is in the reply alone, complete."""
    told, reply = streamed("fc-stream-07")

    assert [event.type for event in told] == ["tool_call_delta"]
    assert assembled(reply) == [{"id": "A", "name": "fa", "arguments": {"x": 1}}]


@needs_shared
def test_fc_stream_10_the_name_comes_after_the_first_arguments() -> None:
    """What came before the name is told with it."""
    told, _ = streamed("fc-stream-10")

    holds("fc-stream-10")
    assert [(event.tool_name, event.delta) for event in told] == [("fa", '{"x":1}')]


def test_fc_provider_20_nothing_about_tools_without_tools() -> None:
    """`tools`, `tool_choice` and `parallel_tool_calls` are left out together, wherever they were asked for."""
    asked = Ask("m", [UserMessage("hi")], tool_choice="any", parallel_calls=True, options={"tool_choice": "auto"})

    assert set(CODEC.request(asked)) == {"model", "messages"}
