"""Ids and arguments of calls."""

from prismpy.codecs._calls import own_id


def test_an_id_that_is_taken_in_every_form_gets_longer() -> None:
    """No two calls of a turn share one."""
    taken = {"x", "x_1"}

    assert own_id("x", 1, taken) == "x_1_2"
    assert taken == {"x", "x_1", "x_1_2"}
    assert own_id(7, 2, taken) == "call_2"
