"""
From the body of a response to a reply. Streams are put together first and read here too.

Source: openai 3.57.0, `types/responses/response.py`, `response_usage.py`, `response_status.py` (read 2026-11).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from prismpy.errors import ProviderError
from prismpy.messages import AssistantMessage, CallPart, FinishReason, Part, RefusalPart, Usage

from ._calls import own_id
from ._loose import count, obj, objects, word
from ._responses_items import CALLS, kind_of, parts_of
from ._values import Failure, Reply

DIALECT: Final = "openai-responses"

FINISH_REASONS: Final[Mapping[str, FinishReason]] = {
    "completed": "stop",
    "incomplete": "length",  # with no word for why
    "max_output_tokens": "length",
    "content_filter": "content_filter",
    "failed": "error",
    "cancelled": "other",
    "queued": "other",
    "in_progress": "other",
}
"""Status of a response, or why it is incomplete, to our word."""


def read(body: Any, provider: str) -> Reply:
    """
    Read a whole answer.

    Raises:
        ProviderError: if it is none.
    """
    if not isinstance(obj(body).get("output"), list):
        msg = f"{provider}: the answer is no response, it has no list `output`; check base_url and the model's name"
        raise ProviderError(msg, provider=provider, status=200, code="bad_answer")
    return decode(body, provider)


def decode(body: Mapping[str, Any], provider: str) -> Reply:
    """Read the body of a response; what is missing in it is empty."""
    parts = tuple(_parts(objects(body.get("output"))))
    reason = word(obj(body.get("incomplete_details")).get("reason")) or word(body.get("status"))
    return Reply(
        AssistantMessage(parts, DIALECT, _extra(body, provider)),
        _finish_reason(reason, parts),
        reason or None,
        usage(obj(body.get("usage"))),
        word(body.get("id")),
        word(body.get("model")),
        _failure(body.get("error")),
    )


def _parts(output: Sequence[Mapping[str, Any]]) -> Iterator[Part]:
    taken: set[str] = set()
    for slot, item in enumerate(output):
        yield from parts_of(item, slot_id(item, slot, taken))


def slot_id(item: Mapping[str, Any], slot: int, taken: set[str]) -> str:
    """Return the id of the call that an item is; "" where it is none. See `own_id`."""
    return own_id(item.get("call_id"), slot, taken) if kind_of(item) in CALLS else ""


def _finish_reason(said: str, parts: Sequence[Part]) -> FinishReason:
    """Return why a turn ended. To this provider calls and refusals are complete answers like any other."""
    reason = FINISH_REASONS.get(said, "unknown")
    if reason != "stop":
        return reason
    if any(isinstance(part, CallPart) for part in parts):
        return "tool_calls"
    return "refusal" if any(isinstance(part, RefusalPart) for part in parts) else "stop"


def _extra(body: Mapping[str, Any], provider: str) -> dict[str, Any]:
    """Return what names the turn to its provider, which only knows it where it stored it."""
    stored = body.get("store") is not False and word(body.get("status")) in {"completed", "incomplete"}
    conversation = body.get("conversation")
    known = {
        "provider": provider,
        "response_id": word(body.get("id")) if stored else "",
        "conversation": word(obj(conversation).get("id") or conversation),
    }
    return {key: value for key, value in known.items() if value}


def usage(raw: Mapping[str, Any]) -> Usage:
    """Read what an answer cost. Tokens read from and written to the cache are counted in `input_tokens`."""
    details = obj(raw.get("input_tokens_details"))
    cached, stored = (count(details.get(key)) for key in ("cached_tokens", "cache_write_tokens"))
    thought = count(obj(raw.get("output_tokens_details")).get("reasoning_tokens"))
    afresh = max(0, count(raw.get("input_tokens")) - cached - stored)
    return Usage(afresh, count(raw.get("output_tokens")), stored, cached, thought, raw)


def _failure(error: Any) -> Failure | None:
    """Read an error, which a gateway may say in words alone."""
    if not error:
        return None
    said = obj(error) or {"message": error}
    code = word(said.get("code")) or word(said.get("type")) or "error"
    return Failure(code, str(said.get("message") or ""), said)
