"""
From the body of Anthropic's answer to a reply. Streams are put together first and read here too.

Source: anthropic 2.14.0, `types/beta/beta_message.py`, `types/beta/beta_content_block.py` and what they
name; guides "Handling stop reasons" and "Server tools" (read 2026-11).
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from prismpy.errors import ProviderError
from prismpy.messages import (
    AssistantMessage,
    CallPart,
    FinishReason,
    Part,
    RefusalPart,
    TextPart,
    ThinkingPart,
    ToolCall,
    Usage,
)
from prismpy.schema import cut

from ._anthropic_citations import citation
from ._anthropic_tools import activity
from ._calls import own_id
from ._values import Failure, Reply

FINISH_REASONS: Final[Mapping[str, FinishReason]] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "tool_use": "tool_calls",
    "pause_turn": "pause",
    "compaction": "pause",  # the history was summed up, and the turn goes on once it is sent back
    "refusal": "refusal",
}
"""`stop_reason` to ours."""

KEPT: Final = ("container", "context_management", "diagnostics", "input_transformations", "stop_sequence")
"""Keys of the body that belong to the turn as a whole. `container` goes back, the others tell what happened."""


def read(body: Any, provider: str, *, failure: Failure | None = None, unfinished: Collection[int] = ()) -> Reply:
    """
    Read an answer.

    Args:
        body: Decoded JSON.

        provider: Who sent it, for error messages.

        failure: What broke it off, where it was streamed.

        unfinished: Indexes of blocks that the stream began and never ended.

    Raises:
        ProviderError: if it is no message.
    """
    blocks = _blocks(body, provider)
    raw = body.get("stop_reason")
    unknown: FinishReason = "unknown" if failure is None else "error"
    extra = {key: body[key] for key in KEPT if body.get(key) is not None}
    return Reply(
        AssistantMessage((*_parts(blocks, unfinished), *_refused(body)), "anthropic", extra),
        FINISH_REASONS.get(raw, unknown),
        raw,
        usage(body.get("usage") or {}),
        body.get("id") or "",
        body.get("model") or "",
        failure,
    )


def _blocks(body: Any, provider: str) -> list[Mapping[str, Any]]:
    blocks = body.get("content") if isinstance(body, dict) else None
    if isinstance(blocks, list) and all(isinstance(block, dict) for block in blocks):
        return blocks
    error = body.get("error") if isinstance(body, dict) else None
    if isinstance(error, dict):
        msg = f"{provider}: answered with an error: {error.get('message')}"
        raise ProviderError(msg, provider=provider, status=200, code=str(error.get("type") or "bad_answer"))
    msg = f"{provider}: the answer is no message, it has no content blocks: {cut(repr(body))}; check base_url"
    raise ProviderError(msg, provider=provider, status=200, code="bad_answer")


def _parts(blocks: list[Mapping[str, Any]], unfinished: Collection[int]) -> Iterator[Part]:
    taken: set[str] = set()
    for index, block in enumerate(blocks):
        yield _part(block, index, taken, ended=index not in unfinished)


def _part(block: Mapping[str, Any], index: int, taken: set[str], *, ended: bool) -> Part:
    match block.get("type"):
        case "text":
            return TextPart(
                block.get("text") or "", tuple(citation(each) for each in block.get("citations") or ()), block
            )
        case "thinking":
            # a thought whose signature was cut off is for reading only: sent back, it would be refused
            sound = ended or block.get("signature")
            return ThinkingPart(block.get("thinking") or "", block if sound else None)
        case "redacted_thinking":
            return ThinkingPart("", block)
        case "tool_use":
            id = own_id(block.get("id"), index, taken)
            return CallPart(ToolCall(id, block.get("name") or "", block.get("input")), block)
        case _:
            return activity(block, ended=ended)


def _refused(body: Mapping[str, Any]) -> Iterator[RefusalPart]:
    """Give the provider's words for a refusal, which stand beside the content."""
    details = body.get("stop_details")
    if isinstance(details, dict) and details.get("type") == "refusal":
        yield RefusalPart(details.get("explanation") or "", details)


def usage(raw: Mapping[str, Any]) -> Usage:
    """Read what an answer cost. `input_tokens` has no cached ones in it."""
    return Usage(
        raw.get("input_tokens") or 0,
        raw.get("output_tokens") or 0,
        raw.get("cache_creation_input_tokens") or 0,
        raw.get("cache_read_input_tokens") or 0,
        (raw.get("output_tokens_details") or {}).get("thinking_tokens") or 0,
        raw,
    )
