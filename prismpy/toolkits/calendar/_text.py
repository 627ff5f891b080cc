"""
iCalendar as lines, so that what is not changed stays as it was to the last byte.

Which lines belong to which event is found here; what stands in an event is not
looked at.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

import attrs

from prismpy.errors import StoreError

_EMPTY: Final = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//prismpy//toolkits//EN\r\nEND:VCALENDAR\r\n"


@attrs.frozen
class Block:
    """A component of a calendar, such as an event."""

    name: str
    """Such as `VEVENT`."""

    first: int
    """Index of its first line."""

    last: int
    """Index of its last line."""


@attrs.frozen
class Layout:
    """A text with one calendar or several."""

    lines: tuple[str, ...]
    """With their ends."""

    blocks: tuple[Block, ...]
    """The components of the calendars, in order."""

    end: int
    """Index of the line that ends the last calendar."""

    def events(self) -> tuple[Block, ...]:
        """Return the blocks of events, in order."""
        return tuple(block for block in self.blocks if block.name == "VEVENT")

    def text_of(self, block: Block) -> str:
        """Return the lines of a block."""
        return "".join(self.lines[block.first : block.last + 1])

    def edited(self, changes: Mapping[Block, str], added: Sequence[str] = ()) -> str:
        """
        Return the text with other blocks.

        Args:
            changes: New text of blocks, "" for none.

            added: Blocks to put at the end of the last calendar.
        """
        ending = "\r\n" if self.lines[self.end].endswith("\r\n") else "\n"
        lines = list(self.lines)
        lines[self.end] = "".join(_with_ending(block, ending) for block in added) + lines[self.end]
        for block, text in changes.items():
            lines[block.first : block.last + 1] = [_with_ending(text, ending)] + [""] * (block.last - block.first)
        return "".join(lines)


def _with_ending(text: str, ending: str) -> str:
    return re.sub(r"\r?\n", ending, text)


def layout(text: str) -> Layout:
    """
    Find the components of the calendars in a text. A blank one is a calendar without events.

    Raises:
        StoreError: if it begins what it does not end, or is no calendar; it names the line.
    """
    lines = tuple(re.split(r"(?<=\n)", text if text.strip() else _EMPTY))
    begun: list[tuple[str, int]] = []
    blocks: list[Block] = []
    end = -1
    for number, line in enumerate(lines):
        word, _, name = line.rstrip().upper().partition(":")
        if not begun and line.strip():
            _expect("BEGIN:VCALENDAR", line.rstrip().upper(), number)
        if word == "BEGIN":
            begun.append((name, number))
        elif word == "END":
            opened, first = begun.pop()
            _expect(f"END:{opened}", f"END:{name}", number)
            if len(begun) == 1:
                blocks.append(Block(name, first, number))
            end = number
    if begun:
        _expect(f"END:{begun[-1][0]}", "the end of the text", len(lines) - 1)
    return Layout(lines, tuple(blocks), end)


def _expect(expected: str, found: str, number: int) -> None:
    if found != expected:
        msg = (
            f"the calendar cannot be read: line {number + 1} has {found.strip()[:60]!r} where {expected!r} should be, "
            "so it was cut off or edited by hand. Repair it; nothing was changed"
        )
        raise StoreError(msg)
