"""Two JSON documents side by side, line by line."""

import json
from collections.abc import Iterator
from difflib import SequenceMatcher

import attrs

from prismpy.schema import JSON


@attrs.frozen
class Row:
    """One line of each document, or of one only."""

    left: str | None
    """None where only the right one has a line here."""

    right: str | None
    """None where only the left one has a line here."""

    is_same: bool
    """Whether both say the same, however deep it stands."""


def align(left: JSON, right: JSON) -> tuple[Row, ...]:
    """
    Put two documents beside each other so that lines that say the same stand in one row.

    How deep a line stands does not matter, since providers wrap the same schema in different ways.
    """
    lines = [json.dumps(value, ensure_ascii=False, indent=2).split("\n") for value in (left, right)]
    ours, theirs = ([line.strip().removesuffix(",") for line in side] for side in lines)
    return tuple(_rows(lines, SequenceMatcher(None, ours, theirs, autojunk=False)))


def _rows(lines: list[list[str]], matcher: "SequenceMatcher[str]") -> Iterator[Row]:
    for kind, start, stop, other_start, other_stop in matcher.get_opcodes():
        ours, theirs = lines[0][start:stop], lines[1][other_start:other_stop]
        length = max(len(ours), len(theirs))
        padded = [[*side, *[None] * (length - len(side))] for side in (ours, theirs)]
        yield from (Row(one, other, kind == "equal") for one, other in zip(*padded, strict=True))
