"""Answers that keep to no format: chat completions with anything in the place of anything."""

import json
from collections.abc import Iterator
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from prismpy.codecs import Ask, ChatCodec, tell
from prismpy.codecs._chat_quirks import CHAT_QUIRKS
from prismpy.errors import ProviderError
from tests.codecs.streams import folded, merged

CODEC = ChatCodec()
ANY = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.floats(allow_nan=False) | st.sampled_from(["", "x", "text"]),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["type", "text", "x"]), inner, max_size=2)
    ),
    max_leaves=4,
)
MESSAGE = {
    "content": [{"type": "text", "text": "a"}, {"type": "thinking", "thinking": [{"type": "text", "text": "b"}]}, "c"],
    "reasoning": "hm",
    "reasoning_details": [{"type": "reasoning.text", "text": "hm", "index": 0, "id": "r"}],
    "refusal": "no",
    "annotations": [{"type": "url_citation", "url_citation": {"url": "u", "title": "t", "start_index": 0}}, "v"],
    "executed_tools": [{"index": 0, "type": "search", "arguments": "{}", "output": "x"}],
    "extra_content": {"google": {"thought_signature": "s"}},
    "tool_calls": [
        {"index": 0, "id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}},
        {"index": 1, "id": "b", "type": "custom", "custom": {"name": "g", "input": "x"}},
    ],
}
USAGE = {"prompt_tokens": 1, "prompt_tokens_details": {"cached_tokens": 1}, "total_tokens": 3}
CHOICE = {"index": 0, "finish_reason": "stop", "error": None}
HEAD = {"id": "c", "model": "m", "usage": USAGE, "x_groq": {"usage": USAGE}, "citations": ["u"], "error": None}
WHOLE = {**HEAD, "choices": [{**CHOICE, "message": MESSAGE}]}
PIECE = {**HEAD, "choices": [{**CHOICE, "delta": MESSAGE}]}


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield from places(each, (*path, key))


def mangled(value: Any, changes: list[tuple[tuple[Any, ...], Any]]) -> Any:
    """Put other things in some places; places that are gone by then are left alone."""
    copy = {"": json.loads(json.dumps(value))}
    for path, other in changes:
        *outer, last = ("", *path)
        holder: Any = copy
        try:
            for key in outer:
                holder = holder[key]
            holder[last] = other
        except (KeyError, IndexError, TypeError):
            continue
    return copy[""]


def changes_of(value: Any) -> Any:
    return st.lists(st.tuples(st.sampled_from([*places(value)]), ANY), min_size=1, max_size=4)


@given(changes_of(WHOLE))
def test_a_whole_answer_is_read_or_refused(changes: Any) -> None:
    """Nothing but a `ProviderError` comes of it; what is read can be told and sent back."""
    try:
        reply = CODEC.reply(mangled(WHOLE, changes))
    except ProviderError:
        return

    assert merged([*tell(reply)])
    assert all(call.id for call in reply.message.calls)
    for server, quirks in CHAT_QUIRKS.items():
        assert json.dumps(ChatCodec(server, quirks).request(Ask("m", [reply.message])))


@given(st.lists(changes_of(PIECE), min_size=1, max_size=3))
def test_a_stream_is_always_read(changes: Any) -> None:
    """What means nothing is passed over; the reply tells what the stream told."""
    pieces = [mangled(PIECE, each) for each in changes]
    _, reply = folded(CODEC, [piece for piece in pieces if isinstance(piece, dict)])

    assert merged([*tell(reply)])
    assert all(call.id for call in reply.message.calls)
