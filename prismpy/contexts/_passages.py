"""Texts cut into passages that are short enough for a prompt."""

import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import attrs

from prismpy.errors import DefinitionError

MAX_CHARACTERS: Final = 1200
"""Of a passage: about 300 tokens, so that eight of them fit any prompt."""


@attrs.frozen
class Passage:
    """A part of a document."""

    text: str
    title: str
    """Of the document."""

    uri: str
    """Where it is from: a path with the number of its first line, or what the app gave."""


def passages(text: str, title: str, uri: str) -> Iterator[Passage]:
    """Cut a document between paragraphs, and a paragraph that is too long between words."""
    gathered: list[str] = []
    start = 1
    for number, paragraph in _paragraphs(text):
        if gathered and sum(map(len, gathered)) + len(paragraph) > MAX_CHARACTERS:
            yield from _whole("\n\n".join(gathered), title, f"{uri}:{start}")
            gathered = []
        start = start if gathered else number
        gathered.append(paragraph)
    yield from _whole("\n\n".join(gathered), title, f"{uri}:{start}")


def _paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """Yield what stands between empty lines, with the number of its first line, from 1."""
    lines = enumerate(text.splitlines(), 1)
    for blank, group in itertools.groupby(lines, lambda line: not line[1].strip()):
        if not blank:
            numbered = list(group)
            yield numbered[0][0], "\n".join(line for _, line in numbered)


def _whole(text: str, title: str, uri: str) -> Iterator[Passage]:
    while len(text) > MAX_CHARACTERS:
        space = text.rfind(" ", 1, MAX_CHARACTERS + 1)
        cut = space if space > 0 else MAX_CHARACTERS
        yield Passage(text[:cut].rstrip(), title, uri)
        text = text[cut:].lstrip()
    if text:
        yield Passage(text, title, uri)


def read_files(places: str | Path | Iterable[str | Path], pattern: str) -> Iterator[Passage]:
    """
    Read text files.

    Args:
        places: Files, and folders with all that is below them; or one alone.

        pattern: Which files of a folder, such as `*.md`.

    Raises:
        DefinitionError: for a place that is not there, or a file that is no text in UTF-8.
    """
    for place in map(Path, [places] if isinstance(places, str | Path) else places):
        if not place.exists():
            msg = f"there is no file or folder {str(place)!r}; a source needs one that exists"
            raise DefinitionError(msg)
        files = sorted(path for path in place.rglob(pattern) if path.is_file()) if place.is_dir() else [place]
        for file in files:
            try:
                text = file.read_text(encoding="utf-8")
            except UnicodeDecodeError as error:
                msg = f"{str(file)!r} is no text in UTF-8 ({error.reason}); leave it out by the pattern"
                raise DefinitionError(msg) from error
            yield from passages(text, file.name, file.as_posix())
