"""The parts of a turn, out of the message of a chat completion in all its dialects."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import attrs

from prismpy.messages import CallPart, Citation, Part, ProviderToolPart, RefusalPart, TextPart, ThinkingPart, ToolCall

from ._calls import own_id


def read_parts(message: Mapping[str, Any], cited: Iterable[Any] = ()) -> tuple[Part, ...]:
    """
    Read a message: thoughts first, then what the provider's tools did, words, and calls.

    Args:
        message: `{"content": ..., "tool_calls": ..., "reasoning": ...}`; any key may be missing.

        cited: Sources that stand beside the message: URLs, or annotations.
    """
    thought = thought_of(message)
    said = [*_content(message.get("content"))]
    if refused := message.get("refusal"):
        said.append(RefusalPart(refused))
    return (
        *([ThinkingPart(thought)] if thought else []),
        *(executed(item) for item in message.get("executed_tools") or ()),
        *_with_citations(said, [*(message.get("annotations") or ()), *cited]),
        *_calls(message.get("tool_calls") or ()),
    )


def thought_of(message: Mapping[str, Any]) -> str:
    """
    Return a thought that stands beside the content.

    Source: recordings deepseek, xai, zai (`reasoning_content`), groq, ollama (`reasoning`), openrouter (both
    `reasoning` and `reasoning_details`) (read 2026-11).
    """
    details = message.get("reasoning_details") or ()
    return str(
        message.get("reasoning_content")
        or message.get("reasoning")
        or "".join(detail.get("text") or detail.get("summary") or "" for detail in details)
    )


def _content(content: Any) -> Iterator[Part]:
    match content:
        case str() if content:
            yield TextPart(content)
        case list():
            yield from map(read_item, content)


def read_item(item: Any) -> Part:
    """
    Read one piece of a content that is a list.

    Source: recording mistral/reasoning-content-list; Databricks docs "Query reasoning models" (read 2026-11).
    """
    match item:
        case str():
            return TextPart(item)
        case {"type": "text", "text": str(text)}:
            return TextPart(text, raw=item)
        case {"type": "thinking", "thinking": thought} | {"type": "reasoning", "summary": thought}:
            return ThinkingPart(_joined(thought), item)
        case {"type": "refusal", "refusal": str(text)}:
            return RefusalPart(text, item)
        case _:
            return ProviderToolPart(str(item.get("type", "")), raw=item)


def _joined(thought: Any) -> str:
    return thought if isinstance(thought, str) else "".join(piece.get("text") or "" for piece in thought)


def executed(item: Mapping[str, Any]) -> ProviderToolPart:
    """
    Read what a tool of the provider did.

    Source: recording groq/executed-tools (read 2026-11).
    """
    status = "in_progress" if item.get("output") is None else "completed"
    data = {key: item[key] for key in ("name", "arguments", "output") if item.get(key) is not None}
    return ProviderToolPart(item.get("type") or "", f"executed_{item.get('index', 0)}", status, data, raw=item)


# --- citations -----------------------------------------------------------------


def _with_citations(said: list[Part], cited: list[Any]) -> list[Part]:
    """Add citations to the last words; no server says to which pieces of a list they belong."""
    citations = tuple(_citation(each) for each in cited)
    if not citations:
        return said
    for i, part in reversed([*enumerate(said)]):
        if isinstance(part, TextPart):
            return [*said[:i], attrs.evolve(part, citations=citations), *said[i + 1 :]]
    return [*said, TextPart("", citations)]


def _citation(cited: Any) -> Citation:
    """
    Read one source.

    Source: recording openai-chat/web-search-annotations; xAI docs "Live Search": a list of URLs (read 2026-11).
    """
    if isinstance(cited, str):
        return Citation("url", cited)
    at = cited.get(cited.get("type", "")) or cited
    start, end = at.get("start_index"), at.get("end_index")
    counted = "character" if isinstance(start, int) else None
    url = at.get("url")
    source = str(url or at.get("file_id") or at.get("id") or "")
    return Citation(
        "url" if url else "document", source, at.get("content"), at.get("title"), counted, start, end, dict(cited)
    )


# --- calls ---------------------------------------------------------------------


def _calls(calls: Iterable[Mapping[str, Any]]) -> Iterator[CallPart]:
    taken: set[str] = set()
    for slot, call in enumerate(call for call in calls if not is_blank(call)):
        name, arguments = asked(call)
        yield CallPart(ToolCall(own_id(call.get("id"), slot, taken), name, arguments), call)


def is_blank(call: Mapping[str, Any]) -> bool:
    """Tell whether a call says nothing at all, as a placeholder does."""
    return not call.get("id") and asked(call) in {("", None), ("", "")}


def asked(call: Mapping[str, Any]) -> tuple[str, str | None]:
    """
    Return the name and the arguments of a call, or the free text that stands for them.

    Source: openai 3.57.0, `types/chat/chat_completion_message_custom_tool_call.py`; recording
    snowflake/tool-call-empty-finish-reason has both kinds in one call (read 2026-11).
    """
    function, custom = call.get("function") or {}, call.get("custom") or {}
    if custom.get("name") and not function.get("name"):
        return custom["name"], custom.get("input")
    return function.get("name") or "", as_text(function.get("arguments"))


def as_text(arguments: Any) -> str | None:
    """Return arguments as text, as which some servers do not send them; None for none."""
    if arguments is None or isinstance(arguments, str):
        return arguments
    return json.dumps(arguments, ensure_ascii=False)
