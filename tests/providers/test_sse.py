"""Event streams from bytes to objects."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prismpy.errors import ProviderError
from prismpy.providers._sse import SseDecoder

STREAM = b': waking up\r\nevent: x\r\ndata: {"a": 1}\r\n\r\ndata: {"b":\ndata: "\xc3\xa9"}\n\ndata:{"c":0}\n\ndata: ping\n\ndata: [DONE]\n\n'
OBJECTS = [{"a": 1}, {"b": "é"}, {"c": 0}, {}]


def decoded(*chunks: bytes) -> list[Any]:
    decoder = SseDecoder()
    return [piece for chunk in chunks for piece in decoder.feed(chunk)]


def test_objects_come_out_and_all_else_is_left_out() -> None:
    """Comments, names of events and words are nothing, the end mark is empty; an object may take several lines."""
    assert decoded(STREAM) == OBJECTS


@given(st.lists(st.integers(0, len(STREAM)), max_size=12))
def test_it_does_not_matter_how_the_bytes_are_cut(places: list[int]) -> None:
    """Chunks may end anywhere, within a character too."""
    cuts = [0, *sorted(places), len(STREAM)]

    assert decoded(*(STREAM[a:b] for a, b in pairwise(cuts))) == OBJECTS


def test_a_broken_object_is_the_providers_failure() -> None:
    """What begins as an object and is none would otherwise be lost unseen."""
    with pytest.raises(ProviderError, match="an event of the stream is no JSON"):
        decoded(b'data: {"a": \n\n')


def test_an_object_that_the_stream_broke_off_in_is_left_out() -> None:
    """Nobody knows what it would have been."""
    assert decoded(b'data: {"a": 1}\n\ndata: {"b": 2}') == [{"a": 1}]
