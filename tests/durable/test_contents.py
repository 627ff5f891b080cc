"""Long texts apart from the JSON that they are in."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from prismpy import StateError
from prismpy.durable._contents import LONG, Contents
from prismpy.durable._sql import Sql, opened

from .conftest import NewDatabase

LEAVES = st.none() | st.booleans() | st.integers() | st.text() | st.text(min_size=1).map(lambda text: text * LONG)
KEYS = st.text() | st.just("prismpy:content")
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3))


@pytest.fixture(scope="module")
def sql(new_database: NewDatabase) -> Iterator[Sql]:
    found = opened(new_database())
    yield found
    found.close()


@given(value=VALUES)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_packed_comes_back(sql: Sql, value: object) -> None:
    """Whatever it is: lone surrogates, zero bytes, and what looks like the name of a content."""
    contents = Contents(sql, 10**9)
    packed = contents.packed(value)

    assert contents.unpacked(packed) == value
    assert packed.isascii()


def test_a_text_may_be_too_long(sql: Sql) -> None:
    """It is refused with its size."""
    with pytest.raises(StateError, match=r"a text of 30,000 characters is too long to be kept; at most 25,000 are"):
        Contents(sql, 25_000).packed(["x" * 30_000])


def test_a_content_may_be_gone(sql: Sql) -> None:
    """As when somebody cleans the table by hand."""
    contents = Contents(sql, 10**6)
    packed = contents.packed("y" * 30_000)
    with sql.write() as run:
        run("DELETE FROM prismpy_run_contents")

    with pytest.raises(StateError, match=r"content [0-9a-f]{64} is no longer in the database"):
        contents.unpacked(packed)
