"""What travels between model, tools and app: conversations, calls, results, outputs, artifacts."""

from prismpy.schema import changed

from ._artifact import Artifact
from ._calls import Decision, Pending, Progress, RunContext, ToolCall, unique_ids
from ._content import Content, Document, Image, Media, Text, is_content, pieces
from ._conversation import (
    AssistantMessage,
    CallPart,
    Citation,
    FinishReason,
    Message,
    Part,
    ProviderTool,
    ProviderToolPart,
    RefusalPart,
    SystemMessage,
    TextPart,
    ThinkingPart,
    ToolResultMessage,
    Usage,
    UserMessage,
)
from ._results import ToolOutput, ToolResult
from ._stored import Stored

__all__ = [
    "Artifact",
    "AssistantMessage",
    "CallPart",
    "Citation",
    "Content",
    "Decision",
    "Document",
    "FinishReason",
    "Image",
    "Media",
    "Message",
    "Part",
    "Pending",
    "Progress",
    "ProviderTool",
    "ProviderToolPart",
    "RefusalPart",
    "RunContext",
    "Stored",
    "SystemMessage",
    "Text",
    "TextPart",
    "ThinkingPart",
    "ToolCall",
    "ToolOutput",
    "ToolResult",
    "ToolResultMessage",
    "Usage",
    "UserMessage",
    "changed",
    "is_content",
    "pieces",
    "unique_ids",
]
