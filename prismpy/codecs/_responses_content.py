"""
Text, pictures and files as the Responses API takes them.

Source: openai 3.57.0, `types/responses/response_input_{text,image,file}_param.py` (read 2026-11).
"""

import mimetypes
from collections.abc import Iterable
from typing import assert_never

from prismpy.messages import Content, Document, Image, Text
from prismpy.schema import JSON


def content(pieces: Iterable[Content]) -> JSON:
    """Write what a user says or a tool answers: a string where it is one text, else a list."""
    pieces = tuple(pieces)
    match pieces:
        case (Text(text=text),):
            return text
        case _:
            return [_piece(piece) for piece in pieces]


def _piece(piece: Content) -> JSON:
    match piece:
        case Text(text=text):
            return {"type": "input_text", "text": text}
        case Image():
            place = {"file_id": piece.file_id} if piece.file_id is not None else {"image_url": piece.address}
            return {"type": "input_image", "detail": "auto", **place}
        case Document():
            return {"type": "input_file", **_file(piece)}
        case _:
            assert_never(piece)


def _file(piece: Document) -> JSON:
    if piece.file_id is not None:
        return {"file_id": piece.file_id}
    if piece.url is not None:
        return {"file_url": piece.url}
    suffix = mimetypes.guess_extension(piece.mime_type or "") or ""
    return {"filename": piece.title or f"document{suffix}", "file_data": piece.address}
