"""Where two JSON values differ."""

from typing import Any

import pytest
from hypothesis import given

from prismpy.schema import MISSING, Difference, differences
from tests.strategies import json_values


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        (1, 1.0, [Difference("$", 1, 1.0)]),
        (True, 1, [Difference("$", True, 1)]),
        (None, MISSING, [Difference("$", None, MISSING)]),
        (
            {"a": 1, "b": 2},
            {"b": 3, "c d": 4},
            [Difference("$.a", 1, MISSING), Difference("$.b", 2, 3), Difference('$["c d"]', MISSING, 4)],
        ),
        ({"a": {"b": 1, "c": 2}}, {"a": {"c": 2, "b": 1}}, [Difference("$.a", {"b": 1, "c": 2}, {"c": 2, "b": 1})]),
        ([1, [2]], [1, [3]], [Difference("$[1][0]", 2, 3)]),
        ({"a": [1]}, {"a": [1, 2]}, [Difference("$.a", [1], [1, 2])]),
        ({}, [], [Difference("$", {}, [])]),
    ],
)
def test_differences_are_told_by_their_place(before: Any, after: Any, found: list[Difference]) -> None:
    """The outermost place of those within each other, with what stands there in each."""
    assert list(differences(before, after)) == found


@given(json_values(), json_values())
def test_values_without_differences_are_one_value(one: Any, other: Any) -> None:
    """And one value has none from itself."""
    assert list(differences(one, one)) == []
    assert bool(list(differences(one, other))) == (repr(one) != repr(other))
