"""
Wire formats: from a conversation to the JSON of a request, and from a provider's answer, whole or streamed, back.

Everything here is pure. Who sends and receives: `providers`.
"""

from ._anthropic import AnthropicCodec
from ._chat import ChatCodec
from ._chat_quirks import ChatQuirks, chat_quirks
from ._provider_tools import answers_to
from ._responses import ResponsesCodec
from ._responses_answers import to_answer
from ._tell import active, arguments_text, cited, reasoning_id, tell
from ._values import Ask, Codec, Failure, Fold, OutputForm, Reply, ToolChoice

__all__ = [
    "AnthropicCodec",
    "Ask",
    "ChatCodec",
    "ChatQuirks",
    "Codec",
    "Failure",
    "Fold",
    "OutputForm",
    "Reply",
    "ResponsesCodec",
    "ToolChoice",
    "active",
    "answers_to",
    "arguments_text",
    "chat_quirks",
    "cited",
    "reasoning_id",
    "tell",
    "to_answer",
]
