"""
Wire formats: from a conversation to the JSON of a request, and from a provider's answer, whole or streamed, back.

Everything here is pure. Who sends and receives: `providers`.
"""

from ._tell import active, arguments_text, cited, reasoning_id, tell
from ._values import Ask, Codec, Failure, Fold, OutputForm, Reply, ToolChoice

__all__ = [
    "Ask",
    "Codec",
    "Failure",
    "Fold",
    "OutputForm",
    "Reply",
    "ToolChoice",
    "active",
    "arguments_text",
    "cited",
    "reasoning_id",
    "tell",
]
