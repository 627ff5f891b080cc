"""What a handler returns or raises, as a result."""

import datetime
import json
from collections.abc import Mapping
from typing import Any

import anyio
import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from prismpy import (
    ArraySchema,
    Artifact,
    Document,
    Image,
    IntegerSchema,
    ObjectSchema,
    Retry,
    Text,
    Tool,
    ToolError,
    ToolOutput,
    ToolResult,
    tool,
)
from prismpy.execution._text import text_of
from tests.strategies import json_values


class Model(BaseModel):
    at: datetime.date


@attrs.frozen
class Point:
    x: int


@attrs.frozen
class Number:
    n: int


class Opaque:
    def __str__(self) -> str:
        return "an opaque thing"


PICTURE = Artifact.from_raw(b"abc", "image/png")


@pytest.mark.parametrize(
    ("returned", "text"),
    [
        ("text", "text"),
        ("", ""),
        (None, "null"),
        (0, "0"),
        (1.5, "1.5"),
        (False, "false"),
        ([], "[]"),
        ({"dish": "crème brûlée"}, '{"dish": "crème brûlée"}'),
        (Point(1), '{"x": 1}'),
        (Model(at=datetime.date(2024, 5, 6)), '{"at": "2024-05-06"}'),
        (datetime.date(2024, 5, 6), "2024-05-06"),
        ([float("nan"), float("inf")], '["nan", "inf"]'),
        ("a\ud835b", "a?b"),
        (["\ud835"], '["?"]'),
        (ValueError("just data"), "ValueError: just data"),
        ({"odd": complex(1, 2), "opaque": Opaque()}, '{"odd": "1+2j", "opaque": "an opaque thing"}'),
        (PICTURE, "made an artifact of type image/png"),
        (ToolOutput({"a": 1}, [PICTURE]), '{"a": 1}'),
    ],
)
def test_everything_becomes_text_for_the_model(returned: Any, text: str) -> None:
    """Text stays, JSON is strict and readable, the rest is what str makes of it."""
    result = tool(lambda: returned, name="t").run()

    assert (result.text, result.is_error) == (text, False)
    result.text.encode("utf-8")


def test_the_returned_value_stays_at_hand() -> None:
    """Next to the text there is what the handler returned, and its artifacts."""
    output = ToolOutput({"a": Point(1)}, [PICTURE])

    assert tool(lambda: output, name="t").run().output is output
    assert tool(lambda: PICTURE, name="t").run().artifacts == (PICTURE,)


IMAGE = Image.from_raw(b"abc", "image/png")
PAPER = Document.from_base64("YWJj", "application/pdf")


@pytest.mark.parametrize(
    ("returned", "content", "text"),
    [
        (IMAGE, (IMAGE,), "[image image/png]"),
        (ToolOutput(IMAGE, [PICTURE]), (IMAGE,), "[image image/png]"),
        (["a \ud835 map:", IMAGE], (Text("a ? map:"), IMAGE), "a ? map:\n[image image/png]"),
        ((Text("\ud835"), {"n": [1]}), (Text("?"), Text('{"n": [1]}')), '?\n{"n": [1]}'),
        (PAPER, (PAPER,), "[document application/pdf]"),
        (attrs.evolve(PAPER, title="Plan"), (attrs.evolve(PAPER, title="Plan"),), "[document Plan]"),
        (Image.from_url("https://x.org/a"), (Image.from_url("https://x.org/a"),), "[image https://x.org/a]"),
        (Document.from_file_id("file_1"), (Document.from_file_id("file_1"),), "[document file_1]"),
        ([], (Text("[]"),), "[]"),
        ("plain", (Text("plain"),), "plain"),
    ],
)
def test_the_model_may_get_pictures_and_files(returned: Any, content: Any, text: str) -> None:
    """Parts in order, whatever else is in the list as text; and words for providers that take no more than text."""
    result = tool(lambda: returned, name="t").run()

    assert (result.content, result.text, result.is_error) == (content, text, False)
    assert result.output.result == (returned.result if isinstance(returned, ToolOutput) else returned)
    assert ToolResult.from_dict(result.to_dict()).content == content


@pytest.mark.parametrize("returns", [Image, list[Image], list[str | Image], Image | None])
def test_content_is_no_declared_output(returns: Any) -> None:
    """An annotation that names it says nothing about JSON."""

    def draw():
        return IMAGE

    draw.__annotations__["return"] = returns

    assert tool(draw).spec.output is None


@given(json_values())
def test_json_comes_out_as_json(value: Any) -> None:
    """Whatever JSON is returned, its text reads back the same."""
    text = text_of(value)

    assert (text if isinstance(value, str) else json.loads(text)) == value


@given(st.text())
def test_any_text_can_be_sent(text: str) -> None:
    """Lone surrogates are replaced, the rest is left alone."""
    assert text_of(text).encode("utf-8", "strict") == text.encode("utf-8", "replace")


def failing(error: BaseException) -> Tool:
    def handler(city: str = "x") -> str:
        raise error

    return tool(handler, name="t")


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ValueError("no stock"), "t failed: ValueError: no stock"),
        (TimeoutError(), "t failed: TimeoutError"),
        (KeyError("city"), "t failed: KeyError: 'city'"),
        (ToolError("The shop is closed."), "The shop is closed."),
        (ValueError("a\ud835b"), "t failed: ValueError: a?b"),
    ],
)
def test_an_exception_becomes_a_result(error: Exception, text: str) -> None:
    """The class is always named, no stack trace is shown, and a ToolError speaks for itself."""
    result = failing(error).run()

    assert (result.text, result.is_error, result.output) == (text, True, ToolOutput(text))


def test_a_returned_tool_error_is_a_failure_too() -> None:
    """As in Prism, a handler may return its failure."""
    result = tool(lambda: ToolError("closed"), name="t").run()

    assert (result.text, result.is_error) == ("closed", True)


@pytest.mark.parametrize("raised", [True, False], ids=["raised", "returned"])
def test_a_handler_may_ask_for_another_try(raised: bool) -> None:
    """A Retry is a failure whose text says what to do about it."""

    def book(day: str) -> Retry:
        if raised:
            raise Retry(f"{day} is in the past.")
        return Retry(f"{day} is in the past")

    result = tool(book).failed(lambda error, arguments: "not asked").run({"day": "Monday"})

    assert (result.text, result.is_error) == ("Monday is in the past; call book again with this set right", True)


def test_failures_can_be_worded() -> None:
    """`failed` gets the exception and the arguments; its text goes to the model, marked as an error."""

    def sorry(error: Exception, arguments: Mapping[str, Any]) -> ToolOutput:
        return ToolOutput(f"{type(error).__name__} for {arguments['city']}", [PICTURE])

    result = failing(ValueError("x")).failed(sorry).run({"city": "Oslo"})

    assert (result.text, result.is_error, result.artifacts) == ("ValueError for Oslo", True, (PICTURE,))


def test_words_that_fail_are_told_with_what_they_were_for() -> None:
    """The model hears of both, and no result is lost."""

    def sorry(error: Exception, arguments: Mapping[str, Any]) -> str:
        raise KeyError("city")

    result = failing(ValueError("x")).failed(sorry).run()

    assert result.text == "t failed: ValueError: x; and so did the words for it: KeyError: 'city'"
    assert result.is_error


def test_the_text_of_an_exception_is_cut() -> None:
    """Nobody wrote it for a model; some hold whole documents."""
    text = failing(ValueError("x" * 20_000)).run().text

    assert len(text) == len("t failed: ValueError: ") + 10_000
    assert text.endswith("x...")


def test_error_handling_can_be_switched_off_and_on() -> None:
    """Without it the handler's own exception comes through; wrong arguments are results all the same."""
    error = ValueError("x")
    bare = failing(error).without_error_handling()

    with pytest.raises(ValueError, match="x") as caught:
        bare.run()
    assert caught.value is error
    assert bare.run({"city": 3}).is_error
    assert bare.with_error_handling().run().text == "t failed: ValueError: x"


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_what_is_meant_for_the_program_passes_through(error: type[BaseException]) -> None:
    """Interrupts are no results."""
    with pytest.raises(error):
        failing(error()).run()


@pytest.mark.parametrize(
    ("returned", "text", "is_error"),
    [
        ({"n": 3}, '{"n": 3}', False),
        (ToolOutput({"n": 3}), '{"n": 3}', False),
        (Number(3), '{"n": 3}', False),
        ({"n": "x"}, 't failed: its result is not what it should be (n: expected integer, got "x")', True),
        (None, "t failed: its result is not what it should be (expected {n: integer}, got null)", True),
        (ToolError("closed"), "closed", True),
    ],
)
def test_a_declared_output_is_held(returned: Any, text: str, is_error: bool) -> None:
    """What does not fit is a failure; a failure that the handler tells itself need not fit."""
    declared = ObjectSchema(properties=(IntegerSchema("n"),), required_fields=("n",))
    made = tool(lambda: returned, name="t").with_output(declared)

    assert (made.run().text, made.run().is_error) == (text, is_error)
    assert made.run() == anyio.run(made.arun)
    assert made.spec.output == declared


def test_the_problems_of_an_output_are_told_up_to_a_number() -> None:
    """A long list of them is of no use to a model."""
    made = tool(lambda: ["x"] * 30, name="t").with_output(ArraySchema(items=IntegerSchema()))

    assert made.run().text.endswith('; [19]: expected integer, got "x"; and 10 more)')


def test_an_annotated_output_is_no_promise() -> None:
    """A return annotation is information; it refuses no result."""

    def count() -> int:
        return "many"  # type: ignore[return-value]

    assert tool(count).run().text == "many"


def test_a_result_is_a_value() -> None:
    """Results of equal runs are equal."""
    first, second = (tool(lambda: "x", name="t").run() for _ in range(2))

    assert first == second
    assert isinstance(first, ToolResult)
