"""The parts of a turn, out of the message of a chat completion in all its dialects."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import attrs

from prismpy.messages import CallPart, Citation, Part, ProviderToolPart, RefusalPart, TextPart, ThinkingPart, ToolCall

from ._calls import own_id
from ._loose import obj, objects, word


def read_parts(message: Mapping[str, Any], cited: Any = None) -> tuple[Part, ...]:
    """
    Read a message: thoughts first, then what the provider's tools did, words, and calls.

    Args:
        message: `{"content": ..., "tool_calls": ..., "reasoning": ...}`; any key may be missing.

        cited: Sources that stand beside the message: a list of URLs or annotations.
    """
    thought = thought_of(message)
    said = [*_content(message.get("content"))]
    if refused := word(message.get("refusal")):
        said.append(RefusalPart(refused))
    return (
        *([ThinkingPart(thought)] if thought else []),
        *map(executed, objects(message.get("executed_tools"))),
        *_with_citations(said, [*_sources(message.get("annotations")), *_sources(cited)]),
        *_calls(objects(message.get("tool_calls"))),
    )


def thought_of(message: Mapping[str, Any]) -> str:
    """
    Return a thought that stands beside the content.

    Source: recordings deepseek, xai, zai (`reasoning_content`), groq, ollama (`reasoning`), openrouter (both
    `reasoning` and `reasoning_details`) (read 2026-11).
    """
    flat = word(message.get("reasoning_content")) or word(message.get("reasoning"))
    return flat or "".join(map(detail_text, objects(message.get("reasoning_details"))))


def detail_text(detail: Mapping[str, Any]) -> str:
    """Return what can be read of a reasoning detail."""
    return word(detail.get("text")) or word(detail.get("summary"))


def _content(content: Any) -> Iterator[Part]:
    match content:
        case str() if content:
            yield TextPart(content)
        case list():
            yield from (read_item(item) for item in content if isinstance(item, str | dict))


def read_item(item: Any) -> Part:
    """
    Read one piece of a content that is a list.

    Source: recording mistral/reasoning-content-list; Databricks docs "Query reasoning models" (read 2026-11).
    """
    match item:
        case str():
            return TextPart(item)
        case {"type": "text", "text": str(words)}:
            return TextPart(words, raw=item)
        case {"type": "thinking", "thinking": thought} | {"type": "reasoning", "summary": thought}:
            return ThinkingPart(_joined(thought), item)
        case {"type": "refusal", "refusal": str(words)}:
            return RefusalPart(words, item)
        case _:
            return ProviderToolPart(word(item.get("type")), raw=item)


def _joined(thought: Any) -> str:
    return thought if isinstance(thought, str) else "".join(word(piece.get("text")) for piece in objects(thought))


def executed(item: Mapping[str, Any]) -> ProviderToolPart:
    """
    Read what a tool of the provider did.

    Source: recording groq/executed-tools (read 2026-11).
    """
    status = "in_progress" if item.get("output") is None else "completed"
    data = {key: item[key] for key in ("name", "arguments", "output") if item.get(key) is not None}
    return ProviderToolPart(word(item.get("type")), f"executed_{item.get('index', 0)}", status, data, raw=item)


# --- citations -----------------------------------------------------------------


def _sources(cited: Any) -> list[Any]:
    return [each for each in cited if isinstance(each, str | dict)] if isinstance(cited, list) else []


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
    at = obj(cited.get(word(cited.get("type")))) or cited
    start, end = (at.get(name) if isinstance(at.get(name), int) else None for name in ("start_index", "end_index"))
    said, title = (word(at.get(name)) or None for name in ("content", "title"))
    url = word(at.get("url"))
    source = url or word(at.get("file_id")) or word(at.get("id"))
    counted = None if start is None else "character"
    return Citation("url" if url else "document", source, said, title, counted, start, end, dict(cited))


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
    function, custom = obj(call.get("function")), obj(call.get("custom"))
    if word(custom.get("name")) and not function.get("name"):
        return custom["name"], as_text(custom.get("input"))
    return word(function.get("name")), as_text(function.get("arguments"))


def as_text(arguments: Any) -> str | None:
    """Return arguments as text, as which some servers do not send them; None for none."""
    if arguments is None or isinstance(arguments, str):
        return arguments
    return json.dumps(arguments, ensure_ascii=False)
