"""From the arguments as a provider sends them to a JSON object."""

import re
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from prismpy.errors import Problem
from prismpy.schema import JSON, TOO_DEEP, UnreadableError, cut, decode, is_deep

from ._text import encodable

Parsed: TypeAlias = tuple[dict[str, JSON], tuple[str, ...]]
"""The arguments by name, and what was repaired to read them, one sentence each."""

_ADVICE: Final = "send one JSON object with the parameters as its keys"


def parse_arguments(raw: str | bytes | Mapping[str, Any] | None) -> Parsed | Problem:
    """
    Read the arguments of a call.

    None and blank text mean no arguments. Text that holds the object once more
    encoded, as some servers send it, is decoded twice, and a code fence round it
    is taken off. Broken text is never mended.

    Args:
        raw: JSON text, as str or in UTF-8, the decoded object, or None.

    Returns:
        The arguments, or what is wrong with them.
    """
    try:
        value, repairs = _read(raw)
    except UnreadableError as error:
        return Problem(error.path, "json", f"the arguments {error.complaint}; {_ADVICE}", found=_shown(raw))
    if isinstance(value, dict):
        return value, repairs
    return Problem("", "json", f"the arguments must be a JSON object, got {_shown(raw)}; {_ADVICE}", found=_shown(raw))


def _read(raw: str | bytes | Mapping[str, Any] | None) -> tuple[JSON, tuple[str, ...]]:
    if raw is None:
        return {}, ()
    if isinstance(raw, Mapping):
        if not all(isinstance(name, str) for name in raw):
            complaint = "have names that are no text"
            raise UnreadableError(complaint)
        if is_deep(decoded := dict(raw)):
            raise UnreadableError(TOO_DEEP)
        return decoded, ()
    if not isinstance(raw, str | bytes):
        return raw, ()
    text = _text_of(raw) if isinstance(raw, bytes) else raw
    if not text or text.isspace():
        return {}, ()
    fenced = _FENCE.fullmatch(text)
    if fenced is not None:
        value, repairs = _read(fenced[1])
        return value, ("took the arguments out of their code fence", *repairs)
    value = decode(text)
    if isinstance(value, str) and (not value or value.isspace() or value.lstrip().startswith("{")):
        return decode(value) if value.strip() else {}, ("decoded the arguments twice, as they were encoded twice",)
    return value, ()


def _text_of(raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        complaint = f"are no valid UTF-8 (byte 0x{raw[error.start]:02x} at position {error.start})"
        raise UnreadableError(complaint) from None


_FENCE: Final = re.compile(r"\s*```[\w-]*\s*(.*?)\s*```\s*", re.DOTALL)
"""A code fence, as models put it round JSON when they write for people."""


def _shown(raw: str | bytes | Mapping[str, Any] | None) -> str:
    """Return what came, cut, as text that can be sent."""
    if isinstance(raw, bytes):
        return cut(raw[:400].decode("utf-8", "replace"))
    shown = raw if isinstance(raw, str) else "" if isinstance(raw, Mapping) else repr(raw)
    return encodable(cut(shown))
