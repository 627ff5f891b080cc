"""
Words as databases are given them, so that all of them find the same.

Case and accents do not count. Of scripts without spaces each character is a word.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterator
from typing import Final

_SPACELESS: Final = re.compile(r"([\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])")
"""Kana and Han. Source: Unicode 17, Blocks.txt (read 2026-11)."""

_MARK_ABOVE_OR_BELOW: Final = 200
"""Combining classes from here on are accents; those below belong to the letters of their script."""


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text in order, in the form in which they are compared."""
    return tuple(word for part in _plain(text).split() for word in _SPACELESS.sub(r" \1 ", part).split())


def is_stem(word: str) -> bool:
    """Tell whether a word is long enough to stand for longer ones that begin so; `the` shall not find `theme`."""
    return len(word) > 3  # noqa: PLR2004  # tried on what models ask


def fingerprint(text: str) -> str:
    """Return what texts have in common that differ in case, spaces and the stop at the end only, as 64 digits."""
    said = " ".join(unicodedata.normalize("NFC", text).casefold().split()).rstrip(" .!")
    return hashlib.sha256((said or text).encode()).hexdigest()


def _plain(text: str) -> str:
    return "".join(_letters(unicodedata.normalize("NFKD", text).casefold()))


def _letters(text: str) -> Iterator[str]:
    for character in unicodedata.normalize("NFKD", text):
        kind = unicodedata.category(character)
        if kind[0] in "LN" or (kind[0] == "M" and unicodedata.combining(character) < _MARK_ABOVE_OR_BELOW):
            yield character
        elif kind[0] != "M":
            yield " "
