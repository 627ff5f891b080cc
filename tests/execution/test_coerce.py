"""Repairs: what they touch, what they never touch, and that they are told."""

import datetime
from collections.abc import Callable
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from prismpy import Problem, Tool, tool
from prismpy.execution._coerce import coerce
from prismpy.schema import place_of


def repaired_by(schema: Any, arguments: Any) -> tuple[Any, tuple[str, ...]]:
    return coerce(place_of(schema), arguments)


NUMBER = {"type": "number"}
INTEGER = {"type": "integer"}
BOOLEAN = {"type": "boolean"}
STRING = {"type": "string"}


def of(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


@pytest.mark.parametrize(
    ("schema", "value", "repaired", "said"),
    [
        (INTEGER, "2000", 2000, 'took the text "2000" for the integer it spells'),
        (INTEGER, "-7", -7, 'took the text "-7" for the integer it spells'),
        (NUMBER, "0.5", 0.5, 'took the text "0.5" for the number it spells'),
        (NUMBER, "5", 5, 'took the text "5" for the integer it spells'),
        (BOOLEAN, "true", True, 'took the text "true" for the boolean it spells'),
        (BOOLEAN, "False", False, 'took the text "False" for the boolean it spells'),
        ({"enum": [1, 2]}, "1", 1, 'took the text "1" for the integer it spells'),
        ({"const": 1.5}, "1.5", 1.5, 'took the text "1.5" for the number it spells'),
        ({"type": ["integer", "null"]}, "3", 3, 'took the text "3" for the integer it spells'),
        ({"anyOf": [INTEGER, {"type": "null"}]}, "3", 3, 'took the text "3" for the integer it spells'),
        ({"$ref": "#/$defs/n"}, "3", 3, 'took the text "3" for the integer it spells'),
        ({"allOf": [{}, INTEGER]}, "3", 3, 'took the text "3" for the integer it spells'),
        ({"type": "array"}, "[1, 2]", [1, 2], 'took the text "[1, 2]" for the array it spells'),
        ({"type": "object"}, ' {"b": 1}', {"b": 1}, 'took the text " {\\"b\\": 1}" for the object it spells'),
        ({"type": "integer"}, 5.0, 5, "took 5.0 for the integer it is"),
    ],
)
def test_a_value_is_taken_for_what_it_plainly_is(schema: Any, value: Any, repaired: Any, said: str) -> None:
    """Text is read where no text may stand, 5.0 is 5 where no fraction may; every repair has its sentence."""
    found, repairs = repaired_by({**of(a=schema), "$defs": {"n": INTEGER}}, {"a": value})

    assert (found, repairs) == ({"a": repaired}, (f"a: {said}",))
    assert type(found["a"]) is type(repaired)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (STRING, "5"),
        ({}, "5"),
        (True, "5"),
        (False, "5"),
        ({"anyOf": [INTEGER, STRING]}, "5"),
        ({"type": ["integer", "string"]}, "5"),
        ({"$ref": "https://example.com/elsewhere"}, "5"),
        ({"$ref": "#/$defs/gone"}, "5"),
        ({"$ref": "#/$defs/list/4"}, "5"),
        ({"enum": ["1", 1]}, "2"),
        (INTEGER, "3.14"),
        (INTEGER, "5.0"),
        (INTEGER, "1e3"),
        (INTEGER, ""),
        (INTEGER, " 5"),
        (INTEGER, "+5"),
        (INTEGER, "0x10"),
        (INTEGER, "1_000"),
        (INTEGER, "ten"),
        (INTEGER, "1" * 5000),
        (INTEGER, "null"),
        (INTEGER, True),
        (INTEGER, 5.5),
        (NUMBER, "NaN"),
        (NUMBER, "Infinity"),
        (NUMBER, "1e999"),
        (NUMBER, 5.0),
        (BOOLEAN, 1),
        (BOOLEAN, 0),
        (BOOLEAN, "1"),
        (BOOLEAN, "yes"),
        (BOOLEAN, ""),
        ({"type": "null"}, "null"),
        ({"type": "array"}, "1, 2"),
        ({"type": "array"}, "[1, 2"),
        ({"type": "array"}, '{"a": 1}'),
        ({"type": "array"}, "7"),
        ({"type": "object"}, '{"a": 1, "a": 2}'),
    ],
)
def test_anything_else_is_left_alone(schema: Any, value: Any) -> None:
    """No text where text may stand, no guesses, no truthiness, no mending of broken JSON."""
    document = {**of(a=schema), "$defs": {"list": [INTEGER]}}

    assert repaired_by(document, {"a": value}) == ({"a": value}, ())


@pytest.mark.parametrize(
    ("schema", "arguments", "repaired", "repairs"),
    [
        (of(a=INTEGER), {"a": None}, {}, ("a: left out, since null is no value for it",)),
        (of(a={"type": "integer", "default": 5}), {"a": None}, {}, ("a: left out, since null is no value for it",)),
        (
            {**of(a={"type": "array", "default": [1]}), "required": ["a"]},
            {"a": None},
            {"a": [1]},
            ("a: took its default, since null is no value for it",),
        ),
        ({**of(a=INTEGER), "required": ["a"]}, {"a": None}, {"a": None}, ()),
        (of(a={"type": ["integer", "null"]}), {"a": None}, {"a": None}, ()),
        (of(a={}), {"a": None}, {"a": None}, ()),
        (of(a=INTEGER), {"b": None}, {"b": None}, ()),
        ({**of(), "additionalProperties": INTEGER}, {"b": None}, {"b": None}, ()),
        ({"patternProperties": {"^b": INTEGER}}, {"b": None}, {"b": None}, ()),
        (of(a={"type": "array", "items": INTEGER}), {"a": [None]}, {"a": [None]}, ()),
        (of(a=INTEGER, b=BOOLEAN, c=STRING), {"a": 0, "b": False, "c": ""}, {"a": 0, "b": False, "c": ""}, ()),
        (of(a=of(b=INTEGER)), {"a": {"b": None}}, {"a": {}}, ("a.b: left out, since null is no value for it",)),
    ],
)
def test_null_where_none_may_stand_is_left_out(schema: Any, arguments: Any, repaired: Any, repairs: Any) -> None:
    """So the default holds, at any depth; what must be there, list items and entries of maps stay; 0 is a value."""
    assert repaired_by(schema, arguments) == (repaired, repairs)


@pytest.mark.parametrize(
    ("schema", "arguments", "repaired"),
    [
        (of(a={"type": "array", "items": INTEGER}), {"a": "[\"1\", 2]"}, {"a": [1, 2]}),
        (of(a={"prefixItems": [STRING, INTEGER], "items": BOOLEAN}), {"a": ["1", "2", "true"]}, {"a": ["1", 2, True]}),
        (of(a={"items": [STRING, INTEGER], "additionalItems": BOOLEAN}), {"a": ["1", "2", "true"]}, {"a": ["1", 2, True]}),
        ({"patternProperties": {"^n": INTEGER, "(": STRING}, "additionalProperties": BOOLEAN}, {"n1": "1", "b": "true"}, {"n1": 1, "b": True}),
        ({"allOf": [of(a=INTEGER), of(b=BOOLEAN)]}, {"a": "1", "b": "true"}, {"a": 1, "b": True}),
    ],
)  # fmt: skip
def test_repairs_reach_any_depth(schema: Any, arguments: Any, repaired: Any) -> None:
    """Items, tuples, entries, and what a text held itself."""
    assert repaired_by(schema, arguments)[0] == repaired


TAGGED = {
    "anyOf": [
        {"type": "object", "properties": {"op": {"const": "buy"}, "n": INTEGER}, "required": ["op"]},
        {"type": "object", "properties": {"op": {"enum": ["note"]}, "n": STRING}, "required": ["op"]},
    ]
}


@pytest.mark.parametrize(
    ("schema", "value", "repaired"),
    [
        (TAGGED, {"op": "buy", "n": "5"}, {"op": "buy", "n": 5}),
        (TAGGED, {"op": "note", "n": "5"}, {"op": "note", "n": "5"}),
        (TAGGED, {"op": "other", "n": "5"}, {"op": "other", "n": "5"}),
        ({"oneOf": [{**of(a=INTEGER), "additionalProperties": False}, of(b=STRING)]}, {"a": "1"}, {"a": "1"}),
        (
            {"oneOf": [{**of(a=INTEGER), "required": ["a"]}, {**of(a=STRING, b=STRING), "additionalProperties": False, "required": ["b"]}]},
            {"a": "1"},
            {"a": 1},
        ),
        ({"oneOf": [{**of(a=STRING), "additionalProperties": False}, of(a=INTEGER, b=INTEGER)]}, {"a": "1", "b": "2"}, {"a": 1, "b": 2}),
    ],
)  # fmt: skip
def test_a_union_is_read_by_the_branch_that_is_meant(schema: Any, value: Any, repaired: Any) -> None:
    """Tags and names choose the branch; where several may be meant, text stays if one of them takes it."""
    assert repaired_by(of(x=schema), {"x": value})[0] == {"x": repaired}


def test_a_schema_that_is_hard_to_follow_leaves_everything_possible() -> None:
    """Too many alternatives, references in circles, and keywords that are not what they should be change nothing."""
    many = {"anyOf": [INTEGER] * 65}
    circle = {"$ref": "#/$defs/a"}
    document = {**of(a=many, b=circle), "$defs": {"a": circle}}

    assert repaired_by(document, {"a": "1", "b": "1"}) == ({"a": "1", "b": "1"}, ())
    assert repaired_by({"properties": [], "required": True, "type": {}}, {"a": None}) == ({"a": None}, ())


def test_too_many_alternatives_below_a_place_leave_everything_possible() -> None:
    """The limit holds for what lies within a union as well."""
    branch = {**of(a={"anyOf": [INTEGER] * 10})}

    assert repaired_by({"anyOf": [branch] * 10}, {"a": "1"}) == ({"a": "1"}, ())


def test_what_is_too_deep_to_walk_is_left_alone() -> None:
    """The validator tells it; the repair does not fail."""
    schema = {"$ref": "#/$defs/a", "$defs": {"a": {"type": "array", "items": {"$ref": "#/$defs/a"}}}}
    deep: list[Any] = []
    for _ in range(10_000):
        deep = [deep]
    document = {**of(a={"$ref": "#/$defs/a"}), "$defs": schema["$defs"]}

    assert repaired_by(document, {"a": deep})[1] == ()


# --- within a call ------------------------------------------------------------


class Spot(BaseModel):
    x: int
    label: str = "here"


def visit(spots: list[Spot], day: datetime.date, quick: bool = False, mode: Literal[1, 2] = 1) -> str:
    return repr((spots, day, quick, mode))


@pytest.mark.parametrize("form", [lambda text: text, str.encode], ids=["str", "bytes"])
def test_a_call_is_repaired_once_and_says_so(form: Callable[[str], Any]) -> None:
    """The handler gets right values of the annotated types, and the result names each repair in order."""
    result = tool(visit).run(
        form('{"spots": "[{\\"x\\": \\"1\\", \\"label\\": null}]", "day": "2024-05-06", "quick": null, "mode": "2"}')
    )

    assert result.text == repr(([Spot(x=1)], datetime.date(2024, 5, 6), False, 2))
    assert result.repairs == (
        'spots: took the text "[{\\"x\\": \\"1\\", \\"label\\": null}]" for the array it spells',
        'spots[0].x: took the text "1" for the integer it spells',
        "spots[0].label: left out, since null is no value for it",
        "quick: left out, since null is no value for it",
        'mode: took the text "2" for the integer it spells',
    )


def test_if_repairs_do_not_suffice_the_first_problems_are_told() -> None:
    """The model hears what it sent, not what a repair made of it."""
    result = tool(visit).run({"spots": "[1]", "day": "2024-05-06"})

    assert [(problem.path, problem.rule, problem.found) for problem in result.problems] == [("spots", "type", '"[1]"')]
    assert result.repairs == ()


def test_valid_arguments_are_never_touched() -> None:
    """Where nothing is wrong nothing is repaired, even where it could be."""
    anything = Tool.from_schema("t", "", of(a={"anyOf": [INTEGER, STRING]}, b=STRING), lambda **given: repr(given))

    assert anything.run({"a": "5", "b": "true"}).text == "{'a': '5', 'b': 'true'}"


def test_failures_after_repairs_tell_the_repairs_too() -> None:
    """The trace is there however the call ends: refused in the conversion, failed, or failed in words of its own."""

    def boom(n: int) -> str:
        raise ValueError("no stock")

    said = ('n: took the text "5" for the integer it spells',)
    worded = tool(boom).failed(lambda error, arguments: f"{error} for {arguments}").run({"n": "5"})

    assert tool(boom).run({"n": "5"}).repairs == said
    assert (worded.text, worded.repairs) == ("no stock for {'n': 5}", said)
    assert tool(visit).run({"spots": "[]", "day": "no day"}).problems == (
        Problem("day", "convert", "expected a date such as '2024-05-06', got 'no day'"),
    )


def test_what_is_no_json_is_refused_like_anything_else() -> None:
    """An object of the app among decoded arguments is shown as Python shows it."""
    picky = Tool.from_schema("t", "", of(a={"enum": ["x"]}, b=INTEGER), lambda **_: "ok")

    assert [problem.found for problem in picky.run({"a": {1}, "b": datetime.date(2024, 5, 6)}).problems] == [
        '"{1}"',
        '"datetime.date(2024, 5, 6)"',
    ]
