"""From a call to a handler that is ready to run, or to its refusal."""

import datetime
import enum
import functools
from collections.abc import Callable
from typing import Annotated, Any

import pytest

from prismpy import DefinitionError, Injected, Problem, RunContext, Tool, Toolbox, ToolCall, tool


class Unit(enum.Enum):
    CELSIUS = "c"
    FAHRENHEIT = "f"


def received(**kwargs: Any) -> str:
    return repr(kwargs)


@pytest.mark.parametrize(
    ("handler", "arguments", "text"),
    [
        (lambda a: a, {"a": 3}, "3"),
        (lambda a, b=[]: b.append(a) or b, {"a": 3}, "[3]"),
        (lambda a, /, b=1, *, c=2: [a, b, c], {"c": 5, "a": 3}, "[3, 1, 5]"),
        (lambda a=1, b=2, /: [a, b], {"b": 5}, "[1, 5]"),
        (
            received,
            {"self": 1, "call": 2, "tools": 3, "handler": 4},
            "{'self': 1, 'call': 2, 'tools': 3, 'handler': 4}",
        ),
    ],
)
def test_arguments_reach_the_handler_as_it_takes_them(handler: Callable[..., Any], arguments: Any, text: str) -> None:
    """By place where it must be, by name otherwise, under any name; defaults fill in."""
    assert tool(handler, name="t").run(arguments).text == text


def test_a_default_that_a_call_changes_is_fresh_for_the_next() -> None:
    """Calls share no mutable default, and the function's own stays as it was written."""

    def jot(word: str, pile: list[str] = []) -> str:
        pile.append(word)
        return ",".join(pile)

    jotting = tool(jot)

    assert [jotting.run({"word": word}).text for word in "ab"] == ["a", "b"]
    assert jotting.to("json-schema")["properties"]["pile"]["default"] == []


def test_values_arrive_as_annotated() -> None:
    """Dates, enum members and floats are made of their JSON, inside containers too."""

    def handler(day: datetime.date, units: dict[str, list[Unit]], size: float, count: int) -> str:
        return repr((day, units, size, count))

    result = tool(handler).run('{"day": "2024-05-06", "units": {"a": ["f"]}, "size": 3, "count": 5.0}')

    assert result.text == repr((datetime.date(2024, 5, 6), {"a": [Unit.FAHRENHEIT]}, 3.0, 5))


@pytest.mark.parametrize(
    ("arguments", "problems", "text"),
    [
        (
            {"path": "/d"},
            (
                Problem("file_path", "required", "missing; expected string", {"type": "string"}),
                Problem("path", "additionalProperties", "unknown; known are file_path, day, unit", ["file_path", "day", "unit"], '"/d"'),
            ),
            "read was not called; its arguments are wrong:\n"
            "- file_path: missing; expected string\n"
            "- path: unknown; known are file_path, day, unit\n"
            'Expected: {file_path: string, day?: string (date) | null, unit?: "c" | "f"}',
        ),
        (
            {"file_path": "x", "day": "tomorrow"},
            (Problem("day", "convert", "expected a date such as '2024-05-06', got 'tomorrow'"),),
            "read was not called; its arguments are wrong:\n"
            "- day: expected a date such as '2024-05-06', got 'tomorrow'\n"
            'Expected: {file_path: string, day?: string (date) | null, unit?: "c" | "f"}',
        ),
        (
            "[1]",
            (
                Problem(
                    "",
                    "json",
                    "the arguments must be a JSON object, got [1]; send one JSON object with the parameters as its keys",
                    found="[1]",
                ),
            ),
            "read was not called; its arguments are wrong:\n"
            "- the arguments must be a JSON object, got [1]; send one JSON object with the parameters as its keys\n"
            'Expected: {file_path: string, day?: string (date) | null, unit?: "c" | "f"}',
        ),
    ],
)  # fmt: skip
def test_wrong_arguments_are_refused_with_all_that_is_wrong(arguments: Any, problems: Any, text: str) -> None:
    """The handler is not called; every problem is named, as data and as text, and the shape that is wanted."""
    called = []

    def read(file_path: str, day: datetime.date | None = None, unit: Unit = Unit.CELSIUS) -> None:
        called.append(file_path)

    result = tool(read).run(arguments)

    assert (result.problems, result.text, result.is_error) == (problems, text, True)
    assert called == []


def test_problems_are_told_up_to_a_number() -> None:
    """All are there as data; a model has no use for thousands."""
    result = tool(lambda xs: xs, name="t").run({f"x{i}": 1 for i in range(30)})

    assert len(result.problems) == 31
    assert result.text.count("\n- ") == 21
    assert "\n- and 11 more\nExpected: {xs: any value}" in result.text


def test_a_handler_may_change_what_it_gets() -> None:
    """Arguments are its own: neither the call in the result nor what the app is shown changes with them."""

    def sort(names: list[str], options: dict[str, list[int]], context: RunContext) -> str:
        names.sort()
        options["a"].append(2)
        context.call.arguments["names"].clear()  # type: ignore[index,union-attr]
        return f"{names} {options}"

    arguments = {"names": ["b", "a"], "options": {"a": [1]}}
    result = tool(sort).run(arguments)

    assert result.text == "['a', 'b'] {'a': [1, 2]}"
    assert result.call.arguments is arguments
    assert arguments == {"names": ["b", "a"], "options": {"a": [1]}}


def test_mistakes_of_the_developer_are_found_before_anything_runs() -> None:
    """No call of the turn has run when they are raised."""

    class Database:
        pass

    ran: list[str] = []

    def query(db: Annotated[Database, Injected]) -> None: ...

    box = Toolbox([tool(lambda: ran.append("first"), name="first"), Tool.as_("described"), query])
    for name, message in {"described": "has no handler", "query": "nothing was provided for parameter 'db'"}.items():
        with pytest.raises(DefinitionError, match=message):
            box.run([ToolCall("1", "first"), ToolCall("2", name)])
    assert ran == []
    assert box.run([ToolCall("1", "query")], provide=[Database()])[0].text == "null"


def test_a_handler_can_do_without_what_is_provided_if_it_says_so() -> None:
    """A default takes the place of what the app did not provide."""

    class Database:
        pass

    def query(db: Annotated[Database | None, Injected] = None) -> str:
        return type(db).__name__

    box = Toolbox([query])

    assert box.run([ToolCall("1", "query")])[0].text == "NoneType"
    assert box.run([ToolCall("1", "query")], provide=[Database()])[0].text == "Database"


def test_an_open_schema_does_not_let_through_what_the_handler_cannot_take() -> None:
    """A name that the schema allows and the handler does not is a problem, not a TypeError."""
    schema = {"type": "object", "properties": {"city": {"type": "string"}}}
    weather = Tool.from_schema("weather", "", schema, lambda city="x": city)

    assert weather.run({"citty": 1}).problems == (
        Problem("citty", "unknown", "unknown; did you mean 'city'?", ["city"]),
    )
    assert weather.run({"city": "Oslo"}).text == "Oslo"


def test_the_reference_has_the_last_word() -> None:
    """A pattern that only jsonschema-rs understands refuses no call, with or without it."""
    schema = {"type": "object", "properties": {"city": {"pattern": r"^\p{L}+$"}}}

    assert Tool.from_schema("t", "", schema, lambda city="": city).run({"city": "3"}).text == "3"


def test_an_unknown_tool_is_answered_with_the_near_names() -> None:
    """The model learns what there is; the other calls of the turn run."""
    box = Toolbox([tool(lambda: "found", name="search"), tool(lambda: "got", name="fetch")])
    results = box.run([ToolCall("1", "serach"), ToolCall("2", "fetch"), ToolCall("3", "zzz")])

    assert [result.text for result in results] == [
        "there is no tool 'serach'; did you mean 'search'?; available are search, fetch",
        "got",
        "there is no tool 'zzz'; available are search, fetch",
    ]
    assert [result.is_error for result in results] == [True, False, True]
    assert Toolbox([]).run([ToolCall("1", "x")])[0].text == "there is no tool 'x'; no tools are available"
    many = Toolbox([tool(lambda: 1, name=f"t{i}") for i in range(22)])
    assert many.run([ToolCall("1", "x")])[0].text.endswith(", t18, t19 and 2 more")


def test_a_tool_without_handler_cannot_be_run() -> None:
    """The developer learns that a handler is missing."""
    with pytest.raises(
        DefinitionError, match=r"tool 't' has no handler, so it cannot be run; give it one with using\(\)"
    ):
        Tool.as_("t").run()


def test_a_model_cannot_give_what_is_bound_provided_or_left_out() -> None:
    """Also where the handler takes any name: what the app has decided is not up to the model."""

    class Database:
        pass

    def query(sql: str, *, tenant: str, db: Database = Database(), spare: int = 1, **more: Any) -> str:
        return f"{tenant} {type(db).__name__} {spare} {more}"

    bound = tool(functools.partial(query, tenant="acme"))
    schema = {"type": "object", "properties": {"sql": {"type": "string"}}, "required": ["sql"]}
    foreign = Tool.from_schema("query", "", schema, functools.partial(query, tenant="acme"))

    assert [problem.path for problem in bound.run({"sql": "x", "tenant": "other", "db": "evil"}).problems] == [
        "tenant",
        "db",
    ]
    assert bound.run({"sql": "x", "spare": 2, "free": 3}).text == "acme Database 2 {'free': 3}"
    assert [problem.path for problem in foreign.run({"sql": "x", "spare": 2}).problems] == ["spare"]


def test_the_context_has_the_key_that_the_app_gave() -> None:
    """Handlers find what tells services that a call is the same one; outside of durable runs there is none."""

    def pay(context: RunContext) -> str:
        return context.idempotency_key

    paying = Toolbox([pay])

    assert paying.run([ToolCall("", "pay")], idempotency_key="run:3")[0].text == "run:3"
    assert paying.run([ToolCall("", "pay")])[0].text == ""
