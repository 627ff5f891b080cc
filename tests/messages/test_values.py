"""The values of one tool call."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prismpy import Artifact, PrismError, ToolCall, ToolOutput, ToolResult
from prismpy.messages import unique_ids


@given(st.binary())
def test_an_artifact_gives_its_bytes_back(content: bytes) -> None:
    """`raw` undoes `from_raw`."""
    assert Artifact.from_raw(content, "image/png").raw() == content


def test_an_artifact_is_prisms() -> None:
    """Fields and their order are Prism's; the content is base64."""
    artifact = Artifact.from_raw(b"abc", "text/plain", {"filename": "a.txt"}, "a1")

    assert artifact == Artifact("YWJj", "text/plain", {"filename": "a.txt"}, "a1")
    assert repr(artifact) == (
        "Artifact(data=<4 characters of base64>, mime_type='text/plain', metadata={'filename': 'a.txt'}, id='a1')"
    )


def test_broken_base64_is_named() -> None:
    """Data that is no base64 says which artifact it is in, and what to do."""
    with pytest.raises(PrismError, match=r"artifact 'a1': data is no base64 \(.*\); build artifacts from bytes"):
        Artifact("not base64!", "text/plain", id="a1").raw()


def test_values_hash_by_what_identifies_them() -> None:
    """Calls and outputs can be kept in sets, whatever JSON they hold."""
    artifact = Artifact.from_raw(b"abc", "text/plain", {"n": [1]})

    assert len({ToolCall("1", "a", {"x": [1]}), ToolCall("1", "a", {"x": [1]})}) == 1
    assert len({ToolOutput({"x": 1}, [artifact]), ToolOutput({"x": 1}, [artifact])}) == 1


def test_a_result_shows_the_artifacts_of_its_output() -> None:
    """Artifacts can be read off the result."""
    output = ToolOutput("done", [Artifact.from_raw(b"abc", "text/plain")])

    assert ToolResult(ToolCall("1", "a"), output, "done").artifacts == output.artifacts


def test_the_first_bearer_keeps_an_id() -> None:
    """Repeated and missing ids are replaced by ones that nobody has."""
    calls = [ToolCall(id, "t") for id in ("x", "x", "", "x_1", "call_2")]

    assert [call.id for call in unique_ids(calls)] == ["x", "x_1_", "call_2_", "x_1", "call_2"]


@given(st.lists(st.sampled_from(["", "x", "x_1", "call_0"]), max_size=6))
def test_ids_end_up_distinct(ids: list[str]) -> None:
    """Whatever ids come, the calls leave with distinct ones, in order, and distinct ones are left alone."""
    calls = [ToolCall(id, str(i)) for i, id in enumerate(ids)]
    renamed = unique_ids(calls)

    assert "" not in {call.id for call in renamed}
    assert len({call.id for call in renamed}) == len(calls)
    assert [call.name for call in renamed] == [call.name for call in calls]
    assert unique_ids(renamed) == renamed
