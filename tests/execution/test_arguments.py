"""Arguments as providers send them."""

from typing import Any

import pytest

from prismpy import Problem, tool
from prismpy.execution._arguments import parse_arguments
from prismpy.schema import MAX_DEPTH

ADVICE = "send one JSON object with the parameters as its keys"

TWICE = "decoded the arguments twice, as they were encoded twice"
FENCED = "took the arguments out of their code fence"


@pytest.mark.parametrize(
    ("raw", "arguments", "repairs"),
    [
        (None, {}, ()),
        ("", {}, ()),
        (" \n", {}, ()),
        (b"", {}, ()),
        ("{}", {}, ()),
        ('{"a": 0}', {"a": 0}, ()),
        (' {"a": 0}\n', {"a": 0}, ()),
        (b'{"a": "\xc3\xa9"}', {"a": "é"}, ()),
        ({"a": [1]}, {"a": [1]}, ()),
        ('{"a": "x: y", "b": {"a": 1.5}}', {"a": "x: y", "b": {"a": 1.5}}, ()),
        ('{"a": "\\ud83d\\ude00"}', {"a": "\U0001f600"}, ()),
        ('"{\\"a\\": \\"x\\"}"', {"a": "x"}, (TWICE,)),
        ('""', {}, (TWICE,)),
        ('```json\n{"a": 1}\n```', {"a": 1}, (FENCED,)),
        (' ```\n"{}"\n``` ', {}, (FENCED, TWICE)),
    ],
)
def test_what_means_an_object_is_read_as_one(raw: Any, arguments: dict[str, Any], repairs: tuple[str, ...]) -> None:
    """Nothing means no arguments; an object may come as text, decoded, encoded twice or fenced, and that is told."""
    assert parse_arguments(raw) == (arguments, repairs)


@pytest.mark.parametrize(
    ("raw", "complaint"),
    [
        ("[]", "must be a JSON object, got []"),
        ("null", "must be a JSON object, got null"),
        ('"plain"', 'must be a JSON object, got "plain"'),
        (b"[1]", "must be a JSON object, got [1]"),
        ('{"a": ', "are no valid JSON (expecting value at line 1, column 7)"),
        ('{"a": 1} x', "are no valid JSON (extra data at line 1, column 10)"),
        ("x", "are no valid JSON (expecting value at line 1, column 1)"),
        ('{"a": NaN}', "are no valid JSON (NaN is no JSON)"),
        ('{"a": -Infinity}', "are no valid JSON (-Infinity is no JSON)"),
        ('"{\\"a\\": "', "are no valid JSON (expecting value at line 1, column 7)"),
        ('{"a": "\x07"}', "are no valid JSON (invalid control character at line 1, column 8)"),
        ('```json\n{"a": \n```', "are no valid JSON (expecting value at line 1, column 6)"),
        ("[" * 100_000, f"are nested more than {MAX_DEPTH} levels deep"),
        ('{"a":' * 201 + "0" + "}" * 201, f"are nested more than {MAX_DEPTH} levels deep"),
        ('{"a": 1' + "0" * 5000 + "}", "hold a number with too many digits"),
        ('{"a": 1e400}', "hold the number 1e400, which is too large"),
        ('{"a": 1, "a": 2}', 'have the key "a" twice'),
        ('{"a": [{"b": 1, "c": 2, "b": 1}]}', 'have the key "b" twice'),
        (b'{"a": "\xff"}', "are no valid UTF-8 (byte 0xff at position 7)"),
        ([1], "must be a JSON object, got [1]"),
        (5, "must be a JSON object, got 5"),
        ({1: 2}, "have names that are no text"),
    ],
)
def test_anything_else_is_a_problem(raw: Any, complaint: str) -> None:
    """Broken text is never mended; the problem says what came, cut, and what to send."""
    problem = parse_arguments(raw)

    assert isinstance(problem, Problem)
    assert (problem.path, problem.rule, problem.message) == ("", "json", f"the arguments {complaint}; {ADVICE}")
    assert len(problem.found) <= 80


@pytest.mark.parametrize(
    ("raw", "path"),
    [
        ('{"a": {"b": ["x", "\\ud835"]}}', "a.b[1]"),
        ('{"a": "\ud835"}', "a"),
        ('{"a": {"\\ud835": 1}}', "a"),
        ('{"\\udc00": 1}', ""),
    ],
)
def test_half_a_character_is_a_problem_where_it_stands(raw: str, path: str) -> None:
    """A lone surrogate, which no UTF-8 can carry on, is refused by path; what the problem shows can be sent."""
    problem = parse_arguments(raw)

    assert isinstance(problem, Problem)
    assert (problem.path, problem.message) == (
        path,
        f"the arguments hold half of a surrogate pair, which is no character; {ADVICE}",
    )
    assert str(problem).encode()
    assert problem.found.encode()


def test_a_decoded_object_may_be_too_deep_as_well() -> None:
    """The limit is the same, however the arguments come, and it is a limit, no recursion error."""
    deep: dict[str, Any] = {}
    for _ in range(100_000):
        deep = {"a": deep}

    assert parse_arguments(deep) == Problem(
        "", "json", f"the arguments are nested more than {MAX_DEPTH} levels deep; {ADVICE}"
    )


def test_arguments_may_be_as_deep_as_the_limit() -> None:
    """What is just within the limit reaches the handler, from text and decoded."""
    text = '{"a":' * MAX_DEPTH + "0" + "}" * MAX_DEPTH
    deep = tool(lambda a: "ok", name="t")
    parsed = parse_arguments(text)

    assert not isinstance(parsed, Problem)
    assert [deep.run(form).text for form in (text, parsed[0])] == ["ok", "ok"]


def test_a_mapping_is_copied() -> None:
    """What the handler does to its arguments does not reach the caller's."""
    given = {"a": 1}
    parsed = parse_arguments(given)

    assert parsed == (given, ())
    assert parsed[0] is not given  # type: ignore[index]


def test_bytes_are_taken_as_text() -> None:
    """A body that nobody decoded is read as UTF-8."""
    assert tool(lambda a: a, name="t").run('{"a": "é"}'.encode()).text == "é"
