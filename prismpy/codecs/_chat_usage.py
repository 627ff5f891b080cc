"""What an answer cost, and why it ended, in the words of many servers."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from prismpy.messages import CallPart, FinishReason, Part, RefusalPart, Usage

from ._loose import count, obj

FINISH_REASONS: Final[Mapping[str, FinishReason]] = {
    "stop": "stop",
    "length": "length",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "content_filter": "content_filter",
    # servers that pass on the words of what is behind them
    "end_turn": "stop",
    "eos": "stop",
    "eos_token": "stop",
    "stop_sequence": "stop",
    "tool_use": "tool_calls",
    "max_tokens": "length",
    "model_length": "length",  # Mistral
    "error": "error",  # Mistral, OpenRouter
    "insufficient_system_resource": "error",  # DeepSeek
    "network_error": "error",  # Z.ai
    "sensitive": "content_filter",  # Z.ai
}
"""
Their words to ours.

Source: API references of OpenAI, Anthropic, Mistral, DeepSeek and Z.ai, finish_reason or stop_reason (read 2026-11).
"""

_CACHED: Final = (
    ("prompt_tokens_details", "cached_tokens"),
    ("prompt_cache_hit_tokens",),  # DeepSeek
    ("cache_read_input_tokens",),  # Databricks
)
_WRITTEN_TO_CACHE: Final = (("prompt_tokens_details", "cache_write_tokens"), ("cache_creation_input_tokens",))
_THOUGHT: Final = (("completion_tokens_details", "reasoning_tokens"), ("reasoning_tokens",))


def finish_reason(raw: str | None, parts: Sequence[Part], *, failed: bool) -> FinishReason:
    """
    Say why an answer ended.

    A word alone does not: servers say `stop`, or nothing, beside calls, and `stop` beside a refusal.
    """
    reason = FINISH_REASONS.get(raw or "", "unknown")
    if failed and not raw:
        return "error"
    if reason in {"stop", "unknown"} and any(isinstance(part, CallPart) for part in parts):
        return "tool_calls"
    if reason == "stop" and any(isinstance(part, RefusalPart) for part in parts):
        return "refusal"
    return reason


def read_usage(raw: Mapping[str, Any]) -> Usage:
    """
    Read what an answer cost.

    Some servers leave thoughts out of `completion_tokens`, and some never name them: then the total is
    higher than what is read and written together.

    Source: recordings xai/tool-call-stream and gemini/tool-call-empty-id (read 2026-11).
    """
    prompt, completion = count(raw.get("prompt_tokens")), count(raw.get("completion_tokens"))
    unnamed = max(0, count(raw.get("total_tokens")) - prompt - completion)
    cached, written = _first(raw, _CACHED), _first(raw, _WRITTEN_TO_CACHE)
    fresh = max(0, prompt - cached - written)
    return Usage(fresh, completion + unnamed, written, cached, _first(raw, _THOUGHT) or unnamed, raw)


def _first(raw: Mapping[str, Any], paths: tuple[tuple[str, ...], ...]) -> int:
    return next((found for path in paths if (found := _number(raw, path))), 0)


def _number(raw: Any, path: tuple[str, ...]) -> int:
    for key in path:
        raw = obj(raw).get(key)
    return count(raw)
