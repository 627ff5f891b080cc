"""What travels between model, tools and app: calls, results, outputs, artifacts."""

from ._values import Artifact, ToolCall, ToolOutput, ToolResult, unique_ids

__all__ = ["Artifact", "ToolCall", "ToolOutput", "ToolResult", "unique_ids"]
