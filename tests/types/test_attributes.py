"""What an object has, and what it only says it has."""

import functools
from typing import Any
from unittest.mock import MagicMock, Mock

import pytest

from prismpy.types import attribute, is_a, is_class, is_made_up


class Eager:
    """Has whatever it is asked for."""

    kept = 1

    def __getattr__(self, name: str) -> Any:
        return self


class Proxy:
    """Answers for another object, whatever it has itself."""

    own = 1

    def __getattribute__(self, name: str) -> Any:
        return "passed on"


def test_what_is_made_up_is_not_there() -> None:
    """An attribute counts that is in the object or its class; a mock is left as it was."""
    eager, mock = Eager(), MagicMock(spec=len)
    eager.set = 2
    mock.__name__ = "length"

    assert [attribute(eager, name, "none") for name in ("kept", "set", "other")] == [1, 2, "none"]
    assert (attribute(mock, "__name__"), attribute(mock, "__wrapped__"), mock._mock_children) == ("length", None, {})


@pytest.mark.parametrize(
    ("thing", "made_up"),
    [(Eager(), True), (Proxy(), True), (Mock(), True), (Eager, False), (len, False), (functools.partial(len), False)],
)
def test_what_answers_for_itself_is_told_by_its_class(thing: Any, made_up: bool) -> None:
    """A hook for attributes in a class that is not Python's own may make them up."""
    assert is_made_up(thing) is made_up


def test_the_class_of_a_mock_is_not_the_one_it_names() -> None:
    """`isinstance` would believe it."""
    mock = MagicMock(spec=type)

    assert isinstance(mock, type)
    assert not is_class(mock)
    assert (is_a(mock, type, str), is_a("", type, str), is_class(str)) == (False, True, True)
