"""What users say and tools answer, as pieces of a chat message."""

import base64
from collections.abc import Iterable
from typing import Final, assert_never

from prismpy.errors import DefinitionError
from prismpy.messages import Content, Document, Image, Text
from prismpy.schema import JSON

from ._chat_quirks import ChatQuirks

_READABLE: Final = ("text/", "application/json", "application/xml")
"""Files of these types are text, and go as such to every server."""


def write_content(content: Iterable[Content], quirks: ChatQuirks) -> JSON:
    """
    Write what was said: text where it is text alone, otherwise a list of pieces.

    Raises:
        DefinitionError: for a picture or a file that chat completions cannot carry.
    """
    pieces = tuple(content)
    if all(isinstance(piece, Text) for piece in pieces):
        return "".join(piece.text for piece in pieces if isinstance(piece, Text))
    return [_piece(piece, quirks) for piece in pieces]


def _piece(piece: Content, quirks: ChatQuirks) -> JSON:
    match piece:
        case Text(text=text):
            return {"type": "text", "text": text}
        case Image():
            return {"type": "image_url", "image_url": {"url": _address(piece)}}
        case Document():
            return _document(piece, quirks)
        case _:
            assert_never(piece)


def _document(document: Document, quirks: ChatQuirks) -> JSON:
    """
    Write a file.

    Source: openai 3.57.0, `types/chat/chat_completion_content_part_param.py`; Mistral docs "Document QnA" (2026-11).
    """
    if document.data is not None and (document.mime_type or "").startswith(_READABLE):
        text = base64.b64decode(document.data).decode("utf-8", "replace")
        return {"type": "text", "text": f"{document.title or 'A file'}:\n\n{text}"}
    if quirks.documents == "document_url":
        name = {"document_name": document.title} if document.title else {}
        return {"type": "document_url", "document_url": _address(document), **name}
    if document.file_id is not None:
        return {"type": "file", "file": {"file_id": document.file_id}}
    if document.url is not None:
        msg = "a document by URL cannot be said in chat completions; give its bytes, or ask openai-responses"
        raise DefinitionError(msg)
    return {"type": "file", "file": {"filename": document.title or "file", "file_data": _address(document)}}


def _address(media: Image | Document) -> str:
    if media.address is not None:
        return media.address
    msg = (
        f"{type(media).__name__} {media.file_id!r}: chat completions take no id of a file here; give its bytes or a URL"
    )
    raise DefinitionError(msg)
