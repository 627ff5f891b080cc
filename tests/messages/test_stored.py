"""Values as JSON and back."""

import datetime
import json
from typing import Any, ClassVar

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prismpy import (
    Artifact,
    AssistantMessage,
    CallPart,
    Citation,
    Decision,
    Document,
    Image,
    Pending,
    Problem,
    ProviderTool,
    ProviderToolPart,
    RefusalPart,
    StateError,
    SystemMessage,
    Text,
    TextPart,
    ThinkingPart,
    ToolCall,
    ToolOutput,
    ToolResult,
    ToolResultMessage,
    Usage,
    UserMessage,
)
from prismpy.codecs import Failure
from prismpy.messages import Stored
from tests.strategies import json_values, texts

objects = st.dictionaries(texts, json_values(3), max_size=3)
raw = st.none() | objects
optional = st.none() | texts
arguments = st.none() | st.text() | objects
calls = st.builds(ToolCall, texts, texts, arguments)
artifacts = st.builds(Artifact, texts, texts, objects, optional)
contents = st.one_of(
    st.builds(Text, st.text()),
    st.builds(Image, st.just("eA=="), texts),
    st.builds(Image.from_url, texts, optional),
    st.builds(Document, st.none(), st.none(), st.none(), texts, optional),
)
content = st.lists(contents, min_size=1, max_size=3).map(tuple)
outputs = st.builds(ToolOutput, json_values() | content, st.lists(artifacts, max_size=2))
problems = st.builds(Problem, texts, texts, texts, json_values(3), texts)
results = st.builds(
    ToolResult,
    calls,
    outputs,
    texts,
    st.booleans(),
    st.lists(problems, max_size=2).map(tuple),
    st.lists(texts, max_size=2).map(tuple),
    st.just(()) | content,
    st.sampled_from(["", "open", "spent"]),
)
citations = st.builds(
    Citation, texts, texts, optional, optional, optional, st.none() | st.integers(), st.none(), objects
)
parts = st.one_of(
    st.builds(TextPart, texts, st.lists(citations, max_size=1).map(tuple), raw),
    st.builds(ThinkingPart, texts, raw),
    st.builds(RefusalPart, texts, raw),
    st.builds(CallPart, calls, raw),
    st.builds(ProviderToolPart, texts, texts, texts, objects, st.lists(artifacts, max_size=1).map(tuple), raw),
)
values: st.SearchStrategy[Stored] = st.one_of(
    calls,
    outputs,
    results,
    artifacts,
    st.builds(Decision, st.booleans(), texts, raw, optional),
    st.builds(Pending, calls, st.sampled_from(["approval", "answer"])),
    st.builds(Usage, st.integers(0), st.integers(0), st.integers(0), st.integers(0), st.integers(0), objects),
    st.builds(ProviderTool, texts, optional, objects),
    st.builds(SystemMessage, texts),
    st.builds(UserMessage, content),
    st.builds(AssistantMessage, st.lists(parts, max_size=3), texts, objects),
    st.builds(ToolResultMessage, st.lists(results, max_size=2)),
)


@given(values)
def test_every_value_survives_being_stored(value: Stored) -> None:
    """What is read back equals what was written, by way of JSON text too, in which nothing is shared with it."""
    stored = json.loads(json.dumps(value.to_dict()))

    assert type(value).from_dict(stored) == value
    assert type(value).from_dict(stored).to_dict() == stored


def test_a_result_as_it_is_stored() -> None:
    """The fields by name; content says of what kind it is, and is not stored twice."""
    picture = Image("eA==", "image/png")
    call = ToolCall("a", "draw", '{"of": "x"}')
    result = ToolResult(
        call, ToolOutput((picture,), [Artifact("eA==", "image/png", {"w": 1})]), "a picture", parts=(picture,)
    )

    assert result.to_dict() == {
        "call": {"id": "a", "name": "draw", "arguments": '{"of": "x"}'},
        "output": {
            "content": [{"kind": "image", "data": "eA==", "mime_type": "image/png", "url": None, "file_id": None}],
            "artifacts": [{"data": "eA==", "mime_type": "image/png", "metadata": {"w": 1}, "id": None}],
        },
        "text": "a picture",
        "is_error": False,
        "problems": [],
        "repairs": [],
        "retry": "",
    }


@pytest.mark.parametrize(
    ("result", "stored"),
    [
        (Text("x"), {"content": [{"kind": "text", "text": "x"}], "artifacts": []}),
        (
            ["x", Text("y")],
            {"content": [{"kind": "text", "text": "x"}, {"kind": "text", "text": "y"}], "artifacts": []},
        ),
        ((1, [2]), {"result": [1, [2]], "artifacts": []}),
        ([], {"result": [], "artifacts": []}),
    ],
)
def test_a_result_is_stored_as_json_or_as_content(result: Any, stored: Any) -> None:
    """Tuples become lists; a list with content in it is content."""
    assert ToolOutput(result).to_dict() == stored


@attrs.frozen
class Point:
    x: int


@pytest.mark.parametrize(
    "result", [Point(1), [Image("eA==", "image/png"), {"a": 1}], {"at": datetime.date(2024, 5, 6)}]
)
def test_a_result_that_is_no_json_is_stored_as_the_model_reads_it(result: Any) -> None:
    """A result knows what that is; an output alone does not."""
    value = ToolResult(ToolCall("a", "t"), ToolOutput(result), "(1)")

    assert value.to_dict()["output"] == {"result": "(1)", "artifacts": []}
    with pytest.raises(StateError):
        ToolOutput(result).to_dict()


@pytest.mark.parametrize(
    ("arguments", "stored"),
    [
        (b'{"a": 1}', '{"a": 1}'),
        (b"\xff", "\udcff"),
        ({"a": float("nan")}, "{'a': nan}"),
        ({"a": (1, 2)}, {"a": [1, 2]}),
    ],
)
def test_arguments_are_stored_whatever_they_are(arguments: Any, stored: Any) -> None:
    """Bytes become text, and what no JSON can say becomes text that is refused as it would have been."""
    assert ToolCall("a", "t", arguments).to_dict()["arguments"] == stored


@pytest.mark.parametrize(
    ("kind", "data", "message"),
    [
        (Usage, {"prompt_tokens": True}, "prompt_tokens: expected an integer, got True"),
        (Usage, {"tokens": 1}, "tokens: Usage has no field 'tokens'; known are prompt_tokens, completion_tokens, cache_write_input_tokens, cache_read_input_tokens, thought_tokens, raw"),
        (Usage, {"raw": []}, "raw: expected an object, got []"),
        (Usage, {"raw": {"a": object}}, "raw: $.a: <class 'object'> is no JSON; use None, bool, int, finite float, str, list or dict of str"),
        (ToolCall, [], "expected the fields of a ToolCall by name, got []"),
        (ToolCall, {"id": "a"}, "ToolCall needs a field 'name', which is missing"),
        (ToolCall, {"id": "a", "name": "t", "arguments": [1]}, "arguments: expected text or an object or null, got [1]"),
        (ToolOutput, 3, "expected the fields of a ToolOutput by name, got 3"),
        (ToolOutput, {"content": [{"kind": "sound"}]}, "content[0]: expected text or image or document, got an object of kind 'sound'"),
        (ToolOutput, {"content": [{"kind": "image"}]}, "content[0]: Image needs one of data, url and file_id, got none; build it with from_raw or from_url"),
        (Decision, {"agreed": 1}, "agreed: expected true or false, got 1"),
        (Pending, {"call": {"id": "a", "name": "t"}, "needs": "time"}, "needs: expected 'approval' or 'answer', got 'time'"),
        (Pending, {"call": {"id": 3, "name": "t"}, "needs": "answer"}, "call.id: expected text, got 3"),
        (ToolResultMessage, {"results": []}, "kind: expected kind 'tool_result', got None"),
        (ToolResultMessage, {"kind": "tool_result", "results": "x"}, "results: expected a list, got 'x'"),
        (ToolResultMessage, {"kind": "tool_result", "results": [{"call": {"id": "a", "name": "t"}, "output": {"result": 1}, "text": None}]}, "results[0].text: expected text, got None"),
    ],
)  # fmt: skip
def test_what_is_no_value_is_refused_by_its_path(kind: type[Stored], data: Any, message: str) -> None:
    """The path, what was expected and what came."""
    with pytest.raises(StateError) as caught:
        kind.from_dict(data)

    assert str(caught.value) == message
    assert message == f"{caught.value.path}: {caught.value.complaint}".removeprefix(": ")


def test_what_cannot_be_stored_is_refused_by_its_path() -> None:
    """Metadata is the app's, and nobody reads it in words."""
    artifact = Artifact("eA==", "image/png", {"at": [datetime.date(2024, 5, 6)]})
    message = ToolResultMessage([ToolResult(ToolCall("a", "t"), ToolOutput("x", [artifact]), "x")])

    with pytest.raises(
        StateError, match=r"^results\[0\].output.artifacts\[0\].metadata: \$.at\[0\]: datetime.date"
    ) as caught:
        message.to_dict()
    assert caught.value.path == "results[0].output.artifacts[0].metadata"


def test_a_value_of_the_app_is_stored_in_the_same_way() -> None:
    """Fields of every kind that JSON knows, and a number that came back as an integer."""

    @attrs.frozen
    class Seen(Stored):
        kind: ClassVar = "seen"

        seconds: float
        point: Point
        rest: Any = None

    value = Seen(1.0, Point(2), [1])

    assert value.to_dict() == {"kind": "seen", "seconds": 1.0, "point": {"x": 2}, "rest": [1]}
    assert Seen.from_dict({"kind": "seen", "seconds": 1, "point": {"x": 2}, "rest": [1]}) == value


def test_what_is_not_kept_takes_its_default() -> None:
    """An exception is no JSON; what it says is kept beside it."""
    failure = Failure("cut_off", "the connection broke", cause=OSError("reset"))

    assert failure.to_dict() == {"code": "cut_off", "message": "the connection broke", "raw": {}}
    assert Failure.from_dict(failure.to_dict()) == failure
    with pytest.raises(StateError, match="Failure has no field 'cause'; known are code, message, raw"):
        Failure.from_dict({**failure.to_dict(), "cause": None})
