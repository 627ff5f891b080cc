"""
The events in an iCalendar text, each with the lines it stands in.

Source: RFC 5545 (read 2026-11); `icalendar` 7.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import attrs

from prismpy.errors import StoreError, UnknownIdError

from ._text import Block, Layout, layout
from ._values import Moment

_ONCE: Final = ("UID", "DTSTART", "DTEND", "DURATION", "RRULE", "RECURRENCE-ID")
"""What an event may have once at most and what its times depend on. Source: RFC 5545, 3.6.1."""

_TOO_OFTEN: Final = frozenset({"SECONDLY", "MINUTELY"})
"""Rules whose occurrences nobody lists."""


@attrs.frozen
class Part:
    """An event as it stands in a text: a series, or one occurrence of it that is different."""

    block: Block
    event: Any = attrs.field(eq=False)
    """As `icalendar` reads it."""

    @property
    def id(self) -> str:
        """The id that all parts of a series share."""
        return str(self.event.get("UID", ""))

    @property
    def occurrence(self) -> Moment | None:
        """The occurrence it stands for; None for a series or a single event."""
        found = self.event.get("RECURRENCE-ID")
        return None if found is None else found.dt

    @property
    def problem(self) -> str:
        """What is wrong with it; "" if nothing is."""
        named = f"event {str(self.event.get('SUMMARY', ''))[:80]!r} (id {self.id[:80]!r})"
        for name, complaint in self.event.errors:
            return f"{named}: {name or 'a line'} cannot be read ({complaint})"
        twice = [name for name in _ONCE if isinstance(self.event.get(name), list)]
        if twice:
            return f"{named}: {twice[0]} is there twice"
        if "DTSTART" not in self.event or "UID" not in self.event:
            return f"{named}: it has no {'UID' if 'DTSTART' in self.event else 'DTSTART'}"
        if "RRULE" in self.event and is_endless(self.event["RRULE"]):
            return f"{named}: it repeats more often than every hour, or in a way that cannot be read"
        try:
            _ = self.event.end
        except ValueError as error:
            return f"{named}: its times make no sense ({str(error)[:200]})"
        return ""


def is_endless(rule: Mapping[str, Any]) -> bool:
    """Tell whether a rule, as `icalendar` reads it, is such that nobody would live to see its occurrences listed."""
    frequencies = {str(word) for word in rule.get("FREQ", _TOO_OFTEN)}
    numbers = [int(number) for name in ("COUNT", "INTERVAL") for number in rule.get(name, ())]
    return not frequencies.isdisjoint(_TOO_OFTEN) or any(number < 1 for number in numbers)


def read(text: str) -> tuple[Layout, tuple[Part, ...]]:
    """
    Read a text.

    Raises:
        StoreError: if it is no calendar.
    """
    import icalendar

    laid = layout(text)
    try:
        calendars: Any = icalendar.Calendar.from_ical("".join(laid.lines), multiple=True)
    except ValueError as error:
        msg = f"the calendar cannot be read: {str(error)[:200]}. Repair it; nothing was changed"
        raise StoreError(msg) from error
    events = [e for calendar in calendars for e in calendar.subcomponents if e.name == "VEVENT"]
    return laid, tuple(Part(block, event) for block, event in zip(laid.events(), events, strict=True))


def has_events(text: str) -> bool:
    """Tell whether anything is left of a text."""
    return bool(layout(text).events())


def ids(text: str) -> set[str]:
    """Return the ids of the events in a text."""
    return {part.id for part in read(text)[1]}


def find(text: str, id: str, *, whole: bool) -> tuple[Layout, tuple[Part, ...]]:
    """Find the parts of an event; where they shall be written anew, all of them must be such as can be read."""
    laid, parts = read(text)
    found = tuple(part for part in parts if part.id == id)
    if not found:
        raise unknown(id)
    problem = next((part.problem for part in found if part.problem), "")
    if whole and problem:
        msg = f"{problem}; it was left as it is. Repair it by hand, or delete it"
        raise StoreError(msg)
    return laid, found


def unknown(id: str) -> UnknownIdError:
    """Make the error for an id that no event has."""
    return UnknownIdError(f"there is no event {id[:80]!r}; list_calendar_events tells the ids", id=id)


def series_of(parts: Sequence[Part], id: str) -> Part:
    for part in parts:
        if part.occurrence is None:
            return part
    msg = f"only single occurrences of event {id[:80]!r} are here, not the series; name one by `occurrence`"
    raise StoreError(msg)


def repeats(parts: Sequence[Part]) -> bool:
    return len(parts) > 1 or bool({"RRULE", "RDATE", "RECURRENCE-ID"} & set(parts[0].event))


def start_of(text: str, id: str) -> Moment:
    """
    Return when an event takes place, or first did.

    Raises:
        UnknownIdError: if there is no such event.
    """
    start: Moment = find(text, id, whole=True)[1][0].event["DTSTART"].dt
    return start


def rule_of(event: Any) -> str:
    found = event.get("RRULE")
    return "" if found is None else str(found.to_ical().decode())
