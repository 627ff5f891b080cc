"""The values of one tool call, from the request to the answer."""

from prismpy import Artifact, ToolCall, ToolOutput, ToolResult


def test_values_hash_by_what_identifies_them() -> None:
    """Calls and outputs can be kept in sets, whatever JSON they hold."""
    artifact = Artifact.from_raw(b"abc", "text/plain", {"n": [1]})

    assert len({ToolCall("1", "a", {"x": [1]}), ToolCall("1", "a", {"x": [1]})}) == 1
    assert len({ToolOutput({"x": 1}, [artifact]), ToolOutput({"x": 1}, [artifact])}) == 1


def test_a_result_shows_the_artifacts_of_its_output() -> None:
    """Artifacts can be read off the result."""
    output = ToolOutput("done", [Artifact.from_raw(b"abc", "text/plain")])

    assert ToolResult(ToolCall("1", "a"), output, "done").artifacts == output.artifacts
