"""From the body of a chat completion to a reply. Streams are put together first and read here too."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from prismpy.errors import ProviderError
from prismpy.messages import AssistantMessage, CallPart, FinishReason, Part, TextPart, ThinkingPart, ToolCall, Usage

from ._values import Reply

FINISH_REASONS: Final[Mapping[str, FinishReason]] = {
    "stop": "stop",
    "length": "length",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "content_filter": "content_filter",
}
"""OpenAI's words to ours."""


def read(body: Any, provider: str) -> Reply:
    """Read an answer."""
    choices = body.get("choices") if isinstance(body, dict) else None
    if not choices:
        msg = f"{provider}: the answer is no chat completion, it has no choices; check base_url and the model's name"
        raise ProviderError(msg, provider=provider, status=200, code="bad_answer")
    choice = choices[0]
    raw = choice.get("finish_reason")
    return Reply(
        AssistantMessage(_parts(choice.get("message") or {}), "openai"),
        FINISH_REASONS.get(raw, "unknown"),
        raw,
        usage(body.get("usage") or {}),
        body.get("id") or "",
        body.get("model") or "",
    )


def _parts(message: Mapping[str, Any]) -> Iterator[Part]:
    if thought := message.get("reasoning_content") or message.get("reasoning"):
        yield ThinkingPart(thought)
    if text := message.get("content"):
        yield TextPart(text)
    yield from _calls(message.get("tool_calls") or ())


def _calls(calls: Sequence[Mapping[str, Any]]) -> Iterator[Part]:
    for slot, call in enumerate(calls):
        function = call.get("function") or {}
        yield CallPart(
            ToolCall(call.get("id") or f"call_{slot}", function.get("name", ""), function.get("arguments")), call
        )


def usage(raw: Mapping[str, Any]) -> Usage:
    """Read what an answer cost."""
    cached = (raw.get("prompt_tokens_details") or {}).get("cached_tokens") or 0
    thought = (raw.get("completion_tokens_details") or {}).get("reasoning_tokens") or 0
    read = raw.get("prompt_tokens") or 0
    written = raw.get("completion_tokens") or 0
    return Usage(read - cached, written, 0, cached, thought, raw)
