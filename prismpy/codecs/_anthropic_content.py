"""
What users and tools say, as Anthropic's content blocks.

Source: anthropic 2.14.0, `types/{text,image,document,tool_result}_block_param.py` and the sources they
name; guides "Vision", "PDF support", "Files API", "Handle tool calls" (read 2026-11).
"""

import base64
from collections.abc import Iterable, Mapping
from typing import Any, Final, assert_never

from prismpy.errors import DefinitionError
from prismpy.messages import Content, Document, Image, Media, Text, ToolResult
from prismpy.schema import JSON

PICTURES: Final = {kind: kind for kind in ("image/jpeg", "image/png", "image/gif", "image/webp")} | {
    "image/jpg": "image/jpeg"
}
"""MIME types of pictures to the provider's word for them."""

TEXTS: Final = frozenset({"application/json", "application/xml", "application/yaml", "application/x-yaml"})
"""MIME types of documents that can be told as plain text, beside those that begin with `text/`."""

OWN_RESULTS: Final = frozenset({"browser_state", "search_result", "tool_reference"})
"""Types of blocks that only results have, and only here. A tool that returns such objects means them."""


def is_blank(text: str) -> bool:
    """Tell whether a block of this text would be refused: "text content blocks must contain non-whitespace text"."""
    return not text.strip()


def blocks(content: Iterable[Content]) -> list[JSON]:
    """
    Write content, without what is blank.

    Raises:
        DefinitionError: if a picture or file is of a kind that the provider does not take.
    """
    return [_block(piece) for piece in content if not (isinstance(piece, Text) and is_blank(piece.text))]


def _block(piece: Content) -> JSON:
    match piece:
        case Text(text=text):
            return {"type": "text", "text": text}
        case Image():
            return {"type": "image", "source": _place(piece) or _picture(piece)}
        case Document():
            titled = {"title": piece.title} if piece.title else {}
            return {"type": "document", "source": _place(piece) or _document(piece), **titled}
        case _:
            assert_never(piece)


def _place(media: Media) -> JSON:
    if media.url is not None:
        return {"type": "url", "url": media.url}
    return {"type": "file", "file_id": media.file_id} if media.file_id is not None else None


def _picture(image: Image) -> JSON:
    if image.mime_type not in PICTURES:
        raise _foreign(image, ", ".join(sorted(set(PICTURES.values()))))
    return {"type": "base64", "media_type": PICTURES[image.mime_type], "data": image.data}


def _document(document: Document) -> JSON:
    mime_type = document.mime_type or ""
    if mime_type == "application/pdf":
        return {"type": "base64", "media_type": mime_type, "data": document.data}
    if mime_type.startswith("text/") or mime_type in TEXTS:
        return {"type": "text", "media_type": "text/plain", "data": _text(document)}
    raise _foreign(document, "application/pdf and text")


def _text(document: Document) -> str:
    try:
        return base64.b64decode(document.data or "").decode("utf-8")
    except ValueError as error:
        msg = f"anthropic: a document of type {document.mime_type} is no UTF-8 text ({error}); send it as a PDF"
        raise DefinitionError(msg) from error


def _foreign(media: Media, known: str) -> DefinitionError:
    found = f"{type(media).__name__} of type {media.mime_type!r}"
    msg = f"anthropic: {found} cannot be sent, only {known}; convert it, or upload it and use from_file_id"
    return DefinitionError(msg)


def result_block(result: ToolResult, call: Mapping[str, Any]) -> JSON:
    """
    Write the answer to a call.

    Args:
        result: What the model gets. A picture or file that cannot be sent is told in words.

        call: The call's block, as it is sent. It may say of which set of tools it is.
    """
    return {
        "type": "tool_result",
        "tool_use_id": call["id"],
        **_answer(result),
        **({"is_error": True} if result.is_error else {}),
        **({"toolset_name": call["toolset_name"]} if call.get("toolset_name") else {}),
    }


def _answer(result: ToolResult) -> dict[str, JSON]:
    """Write the content; a result may have none, but no blank one."""
    told = _own(result) or _told(result)
    if told:
        return {"content": told}
    return {} if is_blank(result.text) else {"content": result.text}


def _own(result: ToolResult) -> list[JSON]:
    """Return the blocks that a tool returned as they are: what it found, to be cited, or tools that it found."""
    returned = result.output.result
    given = list(returned) if isinstance(returned, list | tuple) else [returned]
    fit = all(isinstance(each, Mapping) and each.get("type") in OWN_RESULTS for each in given)
    return given if fit else []


def _told(result: ToolResult) -> list[JSON]:
    try:
        return blocks(result.parts)
    except DefinitionError:
        return []


def cite(messages: Iterable[Mapping[str, Any]]) -> None:
    """
    Let the model cite the documents of users and tools: in a request, all of them or none.

    Source: guide "Citations", "Citable vs non-citable content" (read 2026-11).
    """
    said = [block for message in messages if message["role"] == "user" for block in message["content"]]
    returned = [each for block in said if isinstance(block.get("content"), list) for each in block["content"]]
    for block in (*said, *returned):
        if block["type"] == "document":
            block["citations"] = {"enabled": True}
