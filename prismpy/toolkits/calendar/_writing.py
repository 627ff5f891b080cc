"""
Events as iCalendar has them: made, put into other calendars, with the time zones they need.

Source: RFC 5545 (read 2026-11); `icalendar` 7.
"""

import datetime
from collections.abc import Mapping, Sequence
from typing import Any
from zoneinfo import ZoneInfo

from prismpy.errors import StoreError

from ._parts import is_endless
from ._text import Block, Layout, layout
from ._values import Change, Draft, Moment


def made(id: str, draft: Draft, now: datetime.datetime) -> str:
    """
    Return a calendar with one event.

    Raises:
        StoreError: if its rule is none.
    """
    import icalendar

    event = icalendar.Event()
    event.add("UID", id)
    event.add("DTSTAMP", now)
    event.add("CREATED", now)
    set_times(event, draft.start, draft.end)
    set_texts(event, Change(draft.title, location=draft.location, description=draft.description))
    if draft.repeat:
        event.add("RRULE", parse_rule(draft.repeat, draft.start))
    laid = layout("")
    return laid.edited({}, [*zones_of(event), written(event)])


def merged(text: str, event: str) -> str:
    """
    Put an event, and the time zones it needs, into another calendar.

    Raises:
        StoreError: if one of them is no calendar.
    """
    laid, addition = layout(text), layout(event)
    known = known_zones(laid)
    added = [
        addition.text_of(block)
        for block in addition.blocks
        if block.name != "VTIMEZONE" or zone_id(addition.text_of(block)) not in known
    ]
    return laid.edited({}, added)


def set_times(event: Any, start: Moment, end: Moment) -> None:
    for name in ("DTSTART", "DTEND", "DURATION"):
        event.pop(name, None)
    event.add("DTSTART", start)
    event.add("DTEND", end)


def set_texts(event: Any, change: Change) -> None:
    for name, text in (("SUMMARY", change.title), ("LOCATION", change.location), ("DESCRIPTION", change.description)):
        if text is not None:
            event.pop(name, None)
        if text:
            event.add(name, text)


def parse_rule(rule: str, start: Moment) -> Any:
    """
    Read a rule; an end of it without time holds for the whole of that day.

    Raises:
        StoreError: if it is none.
    """
    import icalendar

    try:
        parsed = icalendar.vRecur.from_ical(rule.strip().removeprefix("RRULE:").upper())
        last = [_last(until, start) for until in parsed.pop("UNTIL", [])]
        readable = "FREQ" in parsed
    except ValueError:
        readable = False
    if not readable:
        msg = f"{rule[:80]!r} is no rule for repeating; write one such as 'FREQ=WEEKLY;BYDAY=MO,WE;COUNT=10'"
        raise StoreError(msg)
    if last:
        parsed["UNTIL"] = last
    if is_endless(parsed):
        msg = f"{rule[:80]!r} repeats too often, or less than once; repeat hourly at most"
        raise StoreError(msg)
    return parsed


def _last(until: Moment, start: Moment) -> Moment:
    """Return the end of a rule in the form that the start demands. Source: RFC 5545, 3.3.10."""
    if not isinstance(start, datetime.datetime):
        return until.date() if isinstance(until, datetime.datetime) else until
    if not isinstance(until, datetime.datetime):
        until = datetime.datetime.combine(until, datetime.time.max.replace(microsecond=0), start.tzinfo)
    return (until if until.tzinfo else until.replace(tzinfo=start.tzinfo)).astimezone(datetime.UTC)


def stamp(event: Any, now: datetime.datetime) -> None:
    """Say that it changed, so that other programs take notice."""
    sequence = int(event.pop("SEQUENCE", 0)) + 1
    for name in ("DTSTAMP", "LAST-MODIFIED"):
        event.pop(name, None)
        event.add(name, now)
    event.add("SEQUENCE", sequence)


def written(component: Any) -> str:
    return str(component.to_ical(sorted=False).decode())


def with_zones(laid: Layout, event: Any, changes: Mapping[Block, str], added: Sequence[str] = ()) -> str:
    """Write changes, and the time zones that they need."""
    zones = [zone for zone in zones_of(event) if zone_id(zone) not in known_zones(laid)]
    return laid.edited(changes, [*zones, *added])


def zones_of(event: Any) -> list[str]:
    """Return the definitions of the time zones of an event, which a calendar must have."""
    import icalendar

    moments = [event[name].dt for name in ("DTSTART", "DTEND") if name in event]
    zones = {moment.tzinfo for moment in moments if isinstance(moment, datetime.datetime)}
    named = sorted(str(zone) for zone in zones if isinstance(zone, ZoneInfo) and str(zone) != "UTC")
    return [written(icalendar.Timezone.from_tzinfo(ZoneInfo(name), name)) for name in named]


def zone_id(block: str) -> str:
    return next((line.strip() for line in block.splitlines() if line.upper().startswith("TZID")), "")


def known_zones(laid: Layout) -> set[str]:
    return {zone_id(laid.text_of(block)) for block in laid.blocks if block.name == "VTIMEZONE"}
