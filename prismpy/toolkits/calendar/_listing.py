"""
What takes place when: occurrences of events, and the names of single ones.

Source: RFC 5545 (read 2026-11); `recurring-ical-events` 3.
"""

import datetime
from collections.abc import Iterable, Sequence
from typing import Any

from prismpy.errors import StoreError

from ._parts import Part, read, rule_of
from ._values import Listing, Moment, Occurrence


def occurrences(
    texts: Iterable[str],
    start: datetime.datetime,
    end: datetime.datetime,
    zone: datetime.tzinfo,
    *,
    id: str | None = None,
) -> Listing:
    """
    List what takes place in a span of time.

    Args:
        texts: Calendars.

        start: First moment of the span.

        end: First moment after it.

        zone: For times without a time zone.

        id: Of the one event to list; None for all.

    Raises:
        StoreError: if a text is no calendar.
    """
    series: dict[str, list[Part]] = {}
    for part in (part for text in texts for part in read(text)[1] if id in {None, part.id}):
        series.setdefault(part.id, []).append(part)
    found: list[Occurrence] = []
    problems: list[str] = []
    for parts in series.values():
        wrong = [part.problem for part in parts if part.problem]
        problems += wrong
        if not wrong:
            listed, complaint = expand(parts, start, end, zone)
            found += listed
            problems += complaint
    found.sort(key=lambda one: (as_time(one.start, zone), one.title, one.id))
    return Listing(tuple(found), tuple(problems))


def expand(
    parts: Sequence[Part], start: datetime.datetime, end: datetime.datetime, zone: datetime.tzinfo
) -> tuple[list[Occurrence], list[str]]:
    import recurring_ical_events

    rule = next((rule_of(part.event) for part in parts if part.occurrence is None), "")
    repeats = bool(rule) or any({"RDATE", "RECURRENCE-ID"} & set(part.event) for part in parts)
    # a day on each side, since the library takes times without a zone, and days, for those of the zone of the span
    day = datetime.timedelta(days=1)
    try:
        expanded = recurring_ical_events.of(alone(parts)).between(start - day, end + day)
        listed = [_occurrence(event, rule, repeats, zone) for event in expanded]
    except (ValueError, OverflowError) as error:  # of the library, about rules and dates that make no sense
        return [], [f"event {parts[0].id[:80]!r}: its times make no sense ({str(error)[:200]})"]
    return [one for one in listed if overlap(one, start, end, zone)], []


def alone(parts: Sequence[Part]) -> Any:
    """Return a calendar of one event."""
    import icalendar

    calendar = icalendar.Calendar()
    for part in parts:
        calendar.add_component(part.event)
    return calendar


def ever(parts: Sequence[Part]) -> bool:
    """Tell whether an event takes place at all."""
    import recurring_ical_events

    return bool(parts) and next(iter(recurring_ical_events.of(alone(parts)).all()), None) is not None


def overlap(one: Occurrence, start: datetime.datetime, end: datetime.datetime, zone: datetime.tzinfo) -> bool:
    """Tell whether an occurrence takes place in a span of time; one without length does at its moment."""
    first, after = as_time(one.start, zone), as_time(one.end, zone)
    return first < end and (after > start or first == after == start)


def as_time(moment: Moment, zone: datetime.tzinfo) -> datetime.datetime:
    """Return a moment as a time with a zone; a day is its midnight."""
    if not isinstance(moment, datetime.datetime):
        return datetime.datetime.combine(moment, datetime.time(), zone)
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=zone)


def _occurrence(event: Any, rule: str, repeats: bool, zone: datetime.tzinfo) -> Occurrence:
    start, end = _zoned(event["DTSTART"].dt, zone), _zoned(event.end, zone)
    return Occurrence(
        id=str(event["UID"]),
        title=str(event.get("SUMMARY", "")),
        start=start,
        end=end if as_time(end, zone) >= as_time(start, zone) else start,
        location=str(event.get("LOCATION", "")),
        description=str(event.get("DESCRIPTION", "")),
        repeat=rule,
        occurrence=_zoned(event["RECURRENCE-ID"].dt, zone) if repeats else None,
        busy=str(event.get("TRANSP", "OPAQUE")).upper() != "TRANSPARENT"
        and str(event.get("STATUS", "")).upper() != "CANCELLED",
    )


def _zoned(moment: Moment, zone: datetime.tzinfo) -> Moment:
    return as_time(moment, zone) if isinstance(moment, datetime.datetime) else moment


def named(parts: Sequence[Part], wanted: Moment | None, zone: datetime.tzinfo) -> Moment:
    """Return an occurrence as the series itself would name it."""
    start: Any = next((part.event["DTSTART"].dt for part in parts if part.occurrence is None), parts[0].occurrence)
    if wanted is None:
        return start  # type: ignore[no-any-return]
    time = as_time(wanted, zone)
    span = datetime.timedelta(days=366)
    known = expand(parts, time - span, time + span, zone)[0]
    names = [one.occurrence or one.start for one in known]
    if all(as_time(name, zone) != time for name in names):
        near = sorted(names, key=lambda name: abs(as_time(name, zone) - time))[:3]
        told = ", ".join(name.isoformat() for name in near) or "none within a year"
        msg = f"the event has no occurrence {wanted.isoformat()}; near are {told}"
        raise StoreError(msg)
    if not isinstance(start, datetime.datetime):
        return time.date()
    return time.replace(tzinfo=None) if start.tzinfo is None else time.astimezone(start.tzinfo)
