"""The sentences a model reads about wrong values."""

from typing import Any

import pytest

from prismpy import Problem
from prismpy.schema import compile_schema, nearest

PLACE = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "zip_code": {"type": "string"}},
    "required": ["city", "zip_code"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("schema", "value", "sentences"),
    [
        ({"type": "integer"}, "ten", ['expected integer, got "ten"']),
        ({"type": ["string", "null"]}, 3, ["expected string | null, got 3"]),
        ({"type": "string", "enum": ["celsius", "kelvin"]}, "Celsius", ['expected "celsius" | "kelvin", got "Celsius"; did you mean \'celsius\'?']),
        ({"type": "string", "enum": ["celsius"]}, 3, ['expected "celsius", got 3']),
        ({"const": 1}, True, ["expected 1, got true"]),
        ({"minLength": 2}, "a", ["expected a text of length 2 or more, got length 1"]),
        ({"maxItems": 1}, [1, 2], ["expected a list of length 1 or less, got length 2"]),
        ({"minProperties": 1}, {}, ["expected an object of size 1 or more, got size 0"]),
        ({"exclusiveMaximum": 3}, 3, ["expected a number below 3, got 3"]),
        ({"multipleOf": 2}, 3, ["expected a multiple of 2, got 3"]),
        ({"pattern": "^a"}, "b", ['expected text matching ^a, got "b"']),
        ({"uniqueItems": True}, [1, 1], ["expected no item twice, got [1, 1]"]),
        ({"not": {}}, 1, ["expected nothing here, got 1"]),
        ({"not": {"type": "integer"}}, 1, ["expected anything but integer, got 1"]),
        ({"oneOf": [{"type": "number"}, {"type": "integer"}]}, 6, ["expected exactly one of number | integer, got 6, which fits several"]),
        (PLACE, {}, ["city: missing; expected string", "zip_code: missing; expected string"]),
        (
            PLACE,
            {"city": "x", "zip_code": "1", "zipcode": 1, "Other": 2},
            ["zipcode: unknown; did you mean 'zip_code'?", "Other: unknown; known are city, zip_code"],
        ),
        ({"additionalProperties": False}, {"a": 1}, ["a: unknown; none is taken here"]),
        (
            {"patternProperties": {"^x-": {}}, "properties": {"a": {}}, "additionalProperties": False},
            {"x-ok": 1, "b": 1},
            ["b: unknown; known are a"],
        ),
        ({"additionalProperties": {"type": "string"}}, {"odd key": 1}, ['["odd key"]: expected string, got 1']),
        ({"properties": {"days": {"items": PLACE}}}, {"days": [{"city": "x"}]}, ["days[0].zip_code: missing; expected string"]),
        ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, ["'b' is a dependency of 'a'"]),
    ],
)  # fmt: skip
def test_a_problem_says_where_what_was_expected_and_what_came(schema: Any, value: Any, sentences: list[str]) -> None:
    """Each rule has its sentence; rules without one keep the validator's."""
    assert [str(problem) for problem in compile_schema(schema)(value)] == sentences


UNION = {
    "anyOf": [
        {"type": "string"},
        {"type": "object", "properties": {"op": {"const": "buy"}, "n": {"type": "integer"}}, "required": ["op", "n"]},
        {"type": "object", "properties": {"op": {"const": "sell"}, "x": {"type": "number"}}, "required": ["op", "x"]},
    ]
}


@pytest.mark.parametrize(
    ("value", "sentences"),
    [
        ({"op": "buy", "n": "3"}, ['n: expected integer, got "3"']),
        ({"op": "sell"}, ["x: missing; expected number"]),
        (3, ["expected string | {op: \"buy\", n: integer} | {op: \"sell\", x: number}, got 3"]),
        ({"op": "hold"}, ['expected string | {op: "buy", n: integer} | {op: "sell", x: number}, got {"op": "hold"}']),
    ],
)  # fmt: skip
def test_a_union_is_explained_by_the_branch_that_was_meant(value: Any, sentences: list[str]) -> None:
    """The branch whose type or tag a value has is the one to be put right; where there is none, all are named."""
    assert [str(problem) for problem in compile_schema(UNION)(value)] == sentences


def test_a_problem_is_data() -> None:
    """Path, rule, expectation and finding can be read without parsing text."""
    assert compile_schema({"properties": {"n": {"maximum": 3}}})({"n": 4}) == (
        Problem("n", "maximum", "expected a number of at most 3, got 4", 3, "4"),
    )


def test_long_values_are_cut() -> None:
    """What came is shown in at most 80 characters."""
    (problem,) = compile_schema({"type": "integer"})("x" * 1000)

    assert problem.found == '"' + "x" * 76 + "..."
    assert len(problem.message) < 120


@pytest.mark.parametrize(
    ("word", "choices", "advice"),
    [
        ("serach", ["search", "fetch"], "; did you mean 'search'?"),
        ("CITY", ["city"], "; did you mean 'city'?"),
        ("zzz", ["search"], ""),
        ("a", [], ""),
    ],
)
def test_the_nearest_choice_is_offered_only_if_it_is_near(word: str, choices: list[str], advice: str) -> None:
    """Case is ignored; a guess without resemblance is not made."""
    assert nearest(word, choices) == advice
