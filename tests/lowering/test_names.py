"""Names as providers take them."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prismpy.lowering._names import Names

SHORT = Names("a-z0-9_", most=20, first="a-z_")
PLAIN = Names("a-zA-Z0-9_-", most=64)


@pytest.mark.parametrize(
    ("names", "fitting"),
    [
        (["a", "b_2"], ["a", "b_2"]),
        (["a b", "9x", "", "Ü"], ["a_b", "_9x", "__e3b0c4", "__913d73"]),
        (["x" * 30], ["x" * 20]),
        (["x" * 30, "x" * 31], ["xxxxxxxxxxxxx_666a59", "xxxxxxxxxxxxx_0f46e4"]),
        (["a.b", "a_b"], ["a_b_2e7336", "a_b"]),
    ],
)
def test_names_that_do_not_fit_are_sanitised(names: list[str], fitting: list[str]) -> None:
    """What fits stays; what collides gets a digest of its declared name."""
    assert list(SHORT.fit(names).values()) == fitting


def test_a_digest_that_is_taken_is_longer() -> None:
    """A declared name may look like one that would be made."""
    made = PLAIN.fit(["a.b", "a_b"])["a.b"]

    assert PLAIN.fit(["a.b", "a_b", made]) == {"a.b": "a_b_2e7336dc8eba", "a_b": "a_b", made: made}


@given(st.lists(st.text(max_size=30), unique=True, max_size=8), st.randoms())
def test_names_fit_differ_and_do_not_hang_on_their_order(names: list[str], order: random.Random) -> None:
    """Whatever the names, each gets one that fits, distinct ones distinct ones, in any order the same."""
    for rule in (SHORT, PLAIN):
        fitting = rule.fit(names)
        shuffled = sorted(names, key=lambda _: order.random())

        assert list(fitting) == names
        assert all(rule.take(name) for name in fitting.values())
        assert len(set(fitting.values())) == len(names)
        assert rule.fit(shuffled) == fitting
        assert rule.fit(fitting.values()) == {name: name for name in fitting.values()}
