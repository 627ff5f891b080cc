"""What a model reads: the text of a result, of an exception, of pictures and files for those who read text alone."""

import json
from typing import Any, Final

import attrs

from prismpy.messages import Content, Document, Image, Text, pieces
from prismpy.schema import JSON, cut
from prismpy.types import to_json

LONG: Final = 10_000
"""Characters of what nobody wrote for a model: the `str` of an exception, or of an object without a JSON form."""


def text_of(result: Any) -> str:
    """
    Return the text that a model reads for a result.

    Text stays as it is; everything else becomes JSON, with non-ASCII characters
    as they are, or, where JSON does not know it, what `str` makes of it.
    """
    if isinstance(result, str):
        return encodable(result)
    value = to_json(result, _say)
    return encodable(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, allow_nan=False))


def _say(value: Any) -> JSON:
    return words_of(value) if isinstance(value, BaseException) else cut(str(value), LONG)


def encodable(text: str) -> str:
    """Replace lone surrogates, which no request body can carry."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def words_of(error: BaseException) -> str:
    """Name the class of an exception always: the text of many says nothing without it, or nothing at all."""
    try:
        text = cut(str(error), LONG)
    except Exception:  # noqa: BLE001  # whose own words fail
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


# --- more than text -----------------------------------------------------------


def parts_of(result: Any) -> tuple[Content, ...]:
    """Return content as its parts; whatever else stands in a list of them becomes text."""
    return tuple(_part(piece) for piece in pieces(result))


def _part(piece: Any) -> Content:
    match piece:
        case Text(text=text):
            return attrs.evolve(piece, text=encodable(text))
        case Image() | Document():
            return piece
        case _:
            return Text(text_of(piece))


def told_in_words(parts: tuple[Content, ...]) -> str:
    """Return the text for those who read text alone; it says where a picture or a file was."""
    return "\n".join(part.text if isinstance(part, Text) else _label(part) for part in parts)


def _label(part: Image | Document) -> str:
    title = part.title if isinstance(part, Document) else None
    known = title or part.mime_type or part.url or part.file_id
    return f"[{part.kind} {encodable(str(known))}]"
