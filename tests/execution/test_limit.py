"""Results that are too long: the cut, what is kept, and reading on."""

import json
from typing import Any

import anyio
import pytest

from prismpy import (
    Artifact,
    DefinitionError,
    Image,
    IntegerSchema,
    Text,
    Toolbox,
    ToolCall,
    ToolError,
    ToolOutput,
    tool,
)

LONG = "0123456789" * 3


def long(times: int = 3) -> str:
    """Return digits."""
    return "0123456789" * times


def box() -> Toolbox:
    return Toolbox([tool(long).with_result_limit(10)])


def read(box: Toolbox, arguments: Any) -> str:
    (result,) = box.run([ToolCall("r", "read_result", arguments)])
    return result.text


@pytest.mark.parametrize("driver", ["run", "arun"])
def test_a_long_result_is_cut_and_kept(driver: str) -> None:
    """The model reads the beginning and how to read on; the app has all of it, as it was."""
    box_, calls = box(), [ToolCall("a", "long", {})]
    (result,) = box_.run(calls) if driver == "run" else anyio.run(box_.arun, calls)
    (kept,) = result.artifacts

    assert result.text == (
        f"0123456789\n[cut after 10 of 30 characters; read_result reads on with id {kept.id!r} and start 10]"
    )
    assert (kept.raw(), kept.mime_type, kept.metadata) == (LONG.encode(), "text/plain", {"cut_at": 10})
    assert result.output.result == LONG
    assert not result.is_error


def test_a_short_result_is_left_alone() -> None:
    """What is just within the limit is not cut."""
    result = tool(long).with_result_limit(10).run({"times": 1})

    assert (result.text, result.artifacts) == ("0123456789", ())


def test_what_was_cut_can_be_read_in_slices() -> None:
    """From where the note says, so far as asked; the slice says how much is left."""
    box_ = box()
    (result,) = box_.run([ToolCall("a", "long", {})])
    id_ = result.artifacts[0].id

    assert read(box_, {"id": id_, "start": 10, "length": 15}) == "012345678901234\n[5 characters left]"
    assert read(box_, {"id": id_, "start": 25}) == "56789"
    assert read(box_, {"id": id_, "start": 99}) == ""
    assert read(box_, {"id": id_}) == LONG
    assert read(box_, {"id": "x"}) == f"there is no result 'x' (any more); known are {id_}"


def test_only_what_was_cut_is_kept() -> None:
    """Artifacts of the app are none of the reader's business."""
    picture = Artifact.from_raw(b"abc", "image/png", id="p")
    box_ = Toolbox([tool(lambda: ToolOutput("a picture", [picture]), name="draw").with_result_limit(10)])
    box_.run([ToolCall("a", "draw")])

    assert read(box_, {"id": "p"}) == "there is no result 'p' (any more); known are none"


def test_only_the_latest_results_are_kept() -> None:
    """So that a long run does not fill the memory."""
    box_ = box()
    ids = [box_.run([ToolCall("a", "long", {"times": n})])[0].artifacts[0].id for n in range(2, 67)]

    assert read(box_, {"id": ids[0]}).startswith(f"there is no result {ids[0]!r} (any more)")
    assert read(box_, {"id": ids[1], "length": 10}).startswith("0123456789")


def test_reading_on_is_offered_where_something_may_be_cut() -> None:
    """The tool is exported like any other, and only then."""
    assert list(Toolbox([long]).to("anthropic")[0]["input_schema"]["properties"]) == ["times"]
    assert box().to("anthropic")[1] == {
        "name": "read_result",
        "description": "Read on in the result of an earlier call that was cut.",
        "input_schema": {
            "type": "object",
            "properties": {
                "id": {"type": "string", "description": "Id of the result, as its note says"},
                "start": {"type": "integer", "description": "First character to read", "minimum": 0, "default": 0},
                "length": {
                    "type": "integer",
                    "description": "Characters to read",
                    "minimum": 1,
                    "maximum": 20000,
                    "default": 4000,
                },
            },
            "required": ["id"],
            "additionalProperties": False,
        },
    }


def test_without_a_toolbox_nothing_is_promised() -> None:
    """A tool that is run alone says that it was cut, and no more; its own artifacts stay first."""
    picture = Artifact.from_raw(b"abc", "image/png")
    result = tool(lambda: ToolOutput(list(range(9)), [picture]), name="t").with_result_limit(5).run()

    assert result.text == "[0, 1\n[cut after 5 of 27 characters]"
    assert [artifact.mime_type for artifact in result.artifacts] == ["image/png", "application/json"]
    assert json.loads(result.artifacts[1].raw()) == list(range(9))


@pytest.mark.parametrize(
    ("characters", "texts"), [(6, ["abcdef"]), (7, ["abcdef"]), (9, ["abcdef", "gh"]), (3, ["abc"])]
)
def test_texts_are_cut_and_pictures_are_not(characters: int, texts: list[str]) -> None:
    """The characters of all texts count together, a newline between them included; what is kept is the texts."""
    picture = Image.from_raw(b"abc", "image/png")
    result = tool(lambda: ["abcdef", picture, "ghi"], name="t").with_result_limit(characters).run()
    words = [part.text for part in result.content if isinstance(part, Text)]

    assert words == [*texts, f"[cut after {characters} of 10 characters]"]
    assert [part for part in result.content if isinstance(part, Image)] == [picture]
    assert result.text == "\n".join([texts[0], "[image image/png]", *words[1:]])
    assert result.artifacts[0].raw() == b"abcdef\nghi"


@pytest.mark.parametrize("kind", ["raised", "worded", "told", "misfit"])
def test_failures_are_cut_as_well(kind: str) -> None:
    """Whoever worded them; all of it is kept."""

    def fail() -> Any:
        if kind == "misfit":
            return LONG
        raise ToolError(LONG) if kind == "told" else ValueError(LONG)

    made = tool(fail).with_result_limit(12)
    if kind == "worded":
        made.failed(lambda error, arguments: str(error))
    if kind == "misfit":
        made.with_output(IntegerSchema())
    result = made.run()

    assert (result.text[:12], result.is_error) == (result.artifacts[0].raw().decode()[:12], True)
    assert result.text[12:].startswith("\n[cut after 12 of ")


def test_a_limit_must_be_one() -> None:
    """Nothing and less cannot be read."""
    with pytest.raises(DefinitionError, match=r"with_result_limit\(\) got 0; pass characters, more than 0"):
        tool(long).with_result_limit(0)


def test_the_name_of_the_reader_is_taken() -> None:
    """A tool of the app under that name would be asked for what it does not have."""
    with pytest.raises(DefinitionError, match="two tools are called 'read_result'"):
        Toolbox([tool(long).with_result_limit(1), tool(long, name="read_result")])
