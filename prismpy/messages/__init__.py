"""What travels between model, tools and app: calls, results, outputs, artifacts."""

from ._values import Artifact, Decision, Pending, Progress, RunContext, ToolCall, ToolOutput, ToolResult, unique_ids

__all__ = [
    "Artifact",
    "Decision",
    "Pending",
    "Progress",
    "RunContext",
    "ToolCall",
    "ToolOutput",
    "ToolResult",
    "unique_ids",
]
