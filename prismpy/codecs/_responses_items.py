"""
The items of a response, and which part of a turn each is.

A message holds several pieces of text and refusals, reasoning several summaries;
each becomes a part. The first keeps the whole item as `raw`, the others their own
piece, so that the item goes back once.

Source: openai 3.57.0, `types/responses/response_output_item.py` and the types it names (read 2026-11).
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

import attrs

from prismpy.messages import (
    Artifact,
    CallPart,
    Citation,
    Part,
    ProviderToolPart,
    RefusalPart,
    TextPart,
    ThinkingPart,
    ToolCall,
)

from ._loose import objects, word
from ._tell import arguments_text

Item: TypeAlias = Mapping[str, Any]
"""One element of `output`, or of `input`."""

Key: TypeAlias = tuple[str, int]
"""Where in an item a text stands: the field, and the index in its list; 0 where the field is the text."""

LISTS: Final = {"message": ("content",), "reasoning": ("summary", "content")}
"""Type of an item to the fields that list its pieces, in the order of the parts."""

CALLS: Final = {"function_call": "arguments", "custom_tool_call": "input"}
"""Type of an item that calls a tool of ours to the field of what it is called with: JSON, or any text."""

OPAQUE: Final = frozenset({"type", "id", "status", "encrypted_content", "fingerprint"})
"""What `ProviderToolPart.data` leaves out: it stands elsewhere, or means nothing to an app."""

_SVG = "svg"


def kind_of(item: Item) -> str:
    """Return the type of an item; some servers leave it out of messages."""
    return word(item.get("type")) or "message"


def parts_of(item: Item, call_id: str = "") -> tuple[Part, ...]:
    """
    Read an item: one part at least.

    Args:
        item: As the provider sent it; the parts hold it.

        call_id: What the call is to be named, where the item is one.
    """
    kind = kind_of(item)
    if kind in CALLS:
        return (CallPart(ToolCall(call_id, word(item.get("name")), arguments(item)), item),)
    if kind not in LISTS:
        return (_activity(kind, item),)
    read = [(_piece(entry), entry) for _, entry in entries(item)] or [(_EMPTY[kind], item)]
    return tuple(attrs.evolve(part, raw=entry if number else item) for number, (part, entry) in enumerate(read))


def arguments(item: Item) -> Any:
    """Return what a tool of ours is called with, as it came: text, or an object from servers that decode it."""
    said = item.get(CALLS[kind_of(item)])
    return said if isinstance(said, str | Mapping) else None


def texts_of(item: Item) -> Iterator[tuple[Key, str]]:
    """Yield the texts that are told of an item, each with its place, in the order of its parts."""
    kind = kind_of(item)
    if kind in CALLS:
        yield (CALLS[kind], 0), arguments_text(ToolCall("", "", arguments(item)))
    for key, entry in entries(item):
        yield key, word(entry.get("refusal" if entry.get("type") == "refusal" else "text"))


def entries(item: Item) -> Iterator[tuple[Key, Item]]:
    """Yield the pieces of an item that lists some, each with its place."""
    for field in LISTS.get(kind_of(item), ()):
        for index, entry in enumerate(objects(item.get(field))):
            yield (field, index), entry


_EMPTY: Final[Mapping[str, Part]] = {"message": TextPart(""), "reasoning": ThinkingPart("")}


def _piece(entry: Item) -> Part:
    match entry.get("type"):
        case "refusal":
            return RefusalPart(word(entry.get("refusal")))
        case "summary_text" | "reasoning_text":
            return ThinkingPart(word(entry.get("text")))
        case _:
            cited = tuple(_citation(each) for each in objects(entry.get("annotations")))
            return TextPart(word(entry.get("text")), cited)


def _citation(note: Item) -> Citation:
    """Read an annotation. Its indexes count characters of the answer, not of the source, so they are kept aside."""
    named = ("url", "title") if "url" in note else ("file_id", "filename")
    rest = {key: value for key, value in note.items() if key not in named}
    source, title = (note.get(key) for key in named)
    return Citation(
        "url" if "url" in note else "document", word(source), source_title=word(title) or None, additional_content=rest
    )


def _activity(kind: str, item: Item) -> ProviderToolPart:
    told, made = _ARTIFACTS.get(kind, _nothing)(item)
    status = word(item.get("status")) or "completed"
    return ProviderToolPart(kind, word(item.get("id")), status, told, tuple(made), item)


def _nothing(item: Item) -> tuple[dict[str, Any], list[Artifact]]:
    return told_of(item), []


def told_of(item: Item) -> dict[str, Any]:
    """Return what an app may show of an item of a provider's tool."""
    return {key: value for key, value in item.items() if key not in OPAQUE}


def image(data: str, item: Item, **metadata: Any) -> Artifact:
    """Build the artifact of a generated image, whole or partial, from its base64 and what is said about it."""
    form = word(item.get("output_format")) or "png"
    said = {key: item[key] for key in ("revised_prompt", "size", "quality", "background") if item.get(key)}
    return Artifact(
        data, f"image/{'svg+xml' if form == _SVG else form}", {**said, **metadata}, word(item.get("id")) or None
    )


def _generated(item: Item) -> tuple[dict[str, Any], list[Artifact]]:
    told = told_of(item)
    data = word(told.pop("result", None))
    return told, [image(data, item)] if data else []


def _computed(item: Item) -> tuple[dict[str, Any], list[Artifact]]:
    """Take the pictures out of what a code interpreter put out; those at a URL stay."""
    outputs = objects(item.get("outputs"))
    made = [_pictured(output) for output in outputs]
    kept = [output for output, picture in zip(outputs, made, strict=True) if picture is None]
    told = told_of(item)
    return {**told, "outputs": kept} if kept or made else told, [picture for picture in made if picture is not None]


def _pictured(output: Item) -> Artifact | None:
    head, _, data = word(output.get("url")).partition(";base64,")
    return Artifact(data, head.removeprefix("data:")) if head.startswith("data:") and data else None


_ARTIFACTS: Final = {"image_generation_call": _generated, "code_interpreter_call": _computed}
"""Type of an item to what splits it into what may be shown and what was made."""
