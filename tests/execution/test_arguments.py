"""Arguments as providers send them."""

from typing import Any

import pytest

from prismpy import Problem
from prismpy.execution._arguments import parse_arguments

ADVICE = "send one JSON object with the parameters as its keys"


@pytest.mark.parametrize(
    ("raw", "arguments"),
    [
        (None, {}),
        ("", {}),
        (" \n", {}),
        ("{}", {}),
        ('{"a": 0}', {"a": 0}),
        ({"a": [1]}, {"a": [1]}),
        ('"{\\"a\\": \\"x\\"}"', {"a": "x"}),
    ],
)
def test_what_means_an_object_is_read_as_one(raw: Any, arguments: dict[str, Any]) -> None:
    """Nothing means no arguments; an object may come as text, decoded, or encoded twice."""
    assert parse_arguments(raw) == arguments


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ("[]", f"the arguments must be a JSON object, got []; {ADVICE}"),
        ("null", f"the arguments must be a JSON object, got null; {ADVICE}"),
        ('"plain"', f'the arguments must be a JSON object, got "plain"; {ADVICE}'),
        ('{"a": ', f"the arguments are no valid JSON (expecting value at line 1, column 7); {ADVICE}"),
        ('{"a": 1} x', f"the arguments are no valid JSON (extra data at line 1, column 10); {ADVICE}"),
        ('{"a": NaN}', f"the arguments are no valid JSON (NaN is no JSON); {ADVICE}"),
        ('{"a": -Infinity}', f"the arguments are no valid JSON (-Infinity is no JSON); {ADVICE}"),
        ('"{\\"a\\": "', f"the arguments are no valid JSON (expecting value at line 1, column 7); {ADVICE}"),
        ('{"a": "\x07"}', f"the arguments are no valid JSON (invalid control character at line 1, column 8); {ADVICE}"),
        ("[" * 100_000, f"the arguments are no valid JSON (nested too deeply); {ADVICE}"),
    ],
)
def test_anything_else_is_a_problem(raw: str, message: str) -> None:
    """Broken text is never mended; the problem says what came, cut, and what to send."""
    problem = parse_arguments(raw)

    assert isinstance(problem, Problem)
    assert (problem.path, problem.rule, problem.message) == ("", "json", message)
    assert len(problem.found) <= 80


def test_a_mapping_is_copied() -> None:
    """What the handler does to its arguments does not reach the caller's."""
    given = {"a": 1}
    parsed = parse_arguments(given)

    assert parsed == given
    assert parsed is not given
