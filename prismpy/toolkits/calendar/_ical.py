"""
Events in iCalendar texts: read, made, changed, removed; text in, text out.

Only what is asked for is written anew. An event with a line that cannot be read
is left alone and reported, since writing it anew would lose that line.

Source: RFC 5545 (read 2026-11); `icalendar` 7 and `recurring-ical-events` 3.
"""

import copy
import datetime
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final
from zoneinfo import ZoneInfo

import attrs

from prismpy.errors import StoreError, UnknownIdError

from ._text import Block, Layout, layout
from ._values import Change, Draft, Listing, Moment, Occurrence

_ONCE: Final = ("UID", "DTSTART", "DTEND", "DURATION", "RRULE", "RECURRENCE-ID")
"""What an event may have once at most and what its times depend on. Source: RFC 5545, 3.6.1."""

_TOO_OFTEN: Final = {"SECONDLY", "MINUTELY"}
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
        if "RRULE" in self.event and not set(map(str, self.event["RRULE"].get("FREQ", ["MINUTELY"]))).isdisjoint(
            _TOO_OFTEN
        ):
            return f"{named}: it repeats more often than every hour, or in a way that cannot be read"
        try:
            _ = self.event.end
        except ValueError as error:
            return f"{named}: its times make no sense ({str(error)[:200]})"
        return ""


def _read(text: str) -> tuple[Layout, tuple[Part, ...]]:
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
    return {part.id for part in _read(text)[1]}


# --- listing --------------------------------------------------------------------


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
    for part in (part for text in texts for part in _read(text)[1] if id in {None, part.id}):
        series.setdefault(part.id, []).append(part)
    found: list[Occurrence] = []
    problems: list[str] = []
    for parts in series.values():
        wrong = [part.problem for part in parts if part.problem]
        problems += wrong
        if not wrong:
            listed, complaint = _expand(parts, start, end, zone)
            found += listed
            problems += complaint
    found.sort(key=lambda one: (as_time(one.start, zone), one.title, one.id))
    return Listing(tuple(found), tuple(problems))


def _expand(
    parts: Sequence[Part], start: datetime.datetime, end: datetime.datetime, zone: datetime.tzinfo
) -> tuple[list[Occurrence], list[str]]:
    import recurring_ical_events

    rule = next((_rule(part.event) for part in parts if part.occurrence is None), "")
    repeats = bool(rule) or any({"RDATE", "RECURRENCE-ID"} & set(part.event) for part in parts)
    # a day on each side, since the library takes times without a zone, and days, for those of the zone of the span
    day = datetime.timedelta(days=1)
    try:
        expanded = recurring_ical_events.of(_alone(parts)).between(start - day, end + day)
        listed = [_occurrence(event, rule, repeats, zone) for event in expanded]
    except (ValueError, OverflowError) as error:  # of the library, about rules and dates that make no sense
        return [], [f"event {parts[0].id[:80]!r}: its times make no sense ({str(error)[:200]})"]
    return [one for one in listed if overlap(one, start, end, zone)], []


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


def _rule(event: Any) -> str:
    found = event.get("RRULE")
    return "" if found is None else str(found.to_ical().decode())


def start_of(text: str, id: str) -> Moment:
    """
    Return when an event takes place, or first did.

    Raises:
        UnknownIdError: if there is no such event.
    """
    start: Moment = _find(text, id, whole=True)[1][0].event["DTSTART"].dt
    return start


# --- making ---------------------------------------------------------------------


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
    _set_times(event, draft.start, draft.end)
    _set_texts(event, Change(draft.title, location=draft.location, description=draft.description))
    if draft.repeat:
        event.add("RRULE", _parse_rule(draft.repeat, draft.start))
    laid = layout("")
    return laid.edited({}, [*_zones_of(event), _written(event)])


def _zones_of(event: Any) -> list[str]:
    """Return the definitions of the time zones of an event, which a calendar must have."""
    import icalendar

    moments = [event[name].dt for name in ("DTSTART", "DTEND") if name in event]
    zones = {moment.tzinfo for moment in moments if isinstance(moment, datetime.datetime)}
    named = sorted(str(zone) for zone in zones if isinstance(zone, ZoneInfo) and str(zone) != "UTC")
    return [_written(icalendar.Timezone.from_tzinfo(ZoneInfo(name), name)) for name in named]


def merged(text: str, event: str) -> str:
    """
    Put an event, and the time zones it needs, into another calendar.

    Raises:
        StoreError: if one of them is no calendar.
    """
    laid, addition = layout(text), layout(event)
    known = _known_zones(laid)
    added = [
        addition.text_of(block)
        for block in addition.blocks
        if block.name != "VTIMEZONE" or _zone_id(addition.text_of(block)) not in known
    ]
    return laid.edited({}, added)


def _zone_id(block: str) -> str:
    return next((line.strip() for line in block.splitlines() if line.upper().startswith("TZID")), "")


def _set_times(event: Any, start: Moment, end: Moment) -> None:
    for name in ("DTSTART", "DTEND", "DURATION"):
        event.pop(name, None)
    event.add("DTSTART", start)
    event.add("DTEND", end)


def _set_texts(event: Any, change: Change) -> None:
    for name, text in (("SUMMARY", change.title), ("LOCATION", change.location), ("DESCRIPTION", change.description)):
        if text is not None:
            event.pop(name, None)
        if text:
            event.add(name, text)


def _written(component: Any) -> str:
    return str(component.to_ical(sorted=False).decode())


def _parse_rule(rule: str, start: Moment) -> Any:
    """
    Read a rule; an end of it without time holds for the whole of that day.

    Raises:
        StoreError: if it is none.
    """
    import icalendar

    try:
        parsed = icalendar.vRecur.from_ical(rule.strip().removeprefix("RRULE:").upper())
        frequency = str(parsed["FREQ"][0])
        parsed["UNTIL"] = [_last(until, start) for until in parsed.get("UNTIL", [])]
    except (ValueError, LookupError) as error:
        msg = f"{rule[:80]!r} is no rule for repeating; write one such as 'FREQ=WEEKLY;BYDAY=MO,WE;COUNT=10'"
        raise StoreError(msg) from error
    if not parsed["UNTIL"]:
        del parsed["UNTIL"]
    if frequency in _TOO_OFTEN:
        msg = f"{rule[:80]!r} repeats too often; repeat hourly at most"
        raise StoreError(msg)
    return parsed


def _last(until: Moment, start: Moment) -> Moment:
    """Return the end of a rule in the form that the start demands. Source: RFC 5545, 3.3.10."""
    if not isinstance(start, datetime.datetime):
        return until.date() if isinstance(until, datetime.datetime) else until
    if not isinstance(until, datetime.datetime):
        until = datetime.datetime.combine(until, datetime.time.max.replace(microsecond=0), start.tzinfo)
    return (until if until.tzinfo else until.replace(tzinfo=start.tzinfo)).astimezone(datetime.UTC)


# --- changing and removing ------------------------------------------------------


def changed(
    text: str, id: str, occurrence: Moment | None, change: Change, now: datetime.datetime, zone: datetime.tzinfo
) -> str:
    """
    Change an event.

    Args:
        text: The calendar it is in.

        id: Of the event.

        occurrence: Which of its occurrences; None for all of them.

        change: What to change.

        now: The time, in UTC.

        zone: For times without a time zone.

    Returns:
        The calendar with the event changed, all else in it as it was.

    Raises:
        UnknownIdError: if there is no such event.

        StoreError: if there is no such occurrence, or the change makes no sense for the event.
    """
    laid, parts = _find(text, id, whole=True)
    series = _series(parts, id)
    if occurrence is None or not _repeats(parts):
        _check_occurrence(parts, occurrence, zone)
        return _change_series(laid, parts, series, change, now)
    if change.repeat is not None:
        msg = "one occurrence does not repeat; leave `repeat` out, or `occurrence`, which changes the whole series"
        raise StoreError(msg)
    return _change_occurrence(laid, parts, series, _check_occurrence(parts, occurrence, zone), change, now)


def removed(text: str, id: str, occurrence: Moment | None, now: datetime.datetime, zone: datetime.tzinfo) -> str:
    """
    Remove an event, or one occurrence of it; otherwise like `changed`.

    Raises:
        UnknownIdError: if there is no such event.

        StoreError: if there is no such occurrence.
    """
    laid, parts = _find(text, id, whole=occurrence is not None)
    if occurrence is None or not _repeats(parts):
        if occurrence is not None:
            _check_occurrence(parts, occurrence, zone)
        return laid.edited(dict.fromkeys((part.block for part in parts), ""))
    key = _check_occurrence(parts, occurrence, zone)
    changes = {part.block: "" for part in parts if part.occurrence == key}
    for series in (part for part in parts if part.occurrence is None):
        series.event.add("EXDATE", [key])
        _stamp(series.event, now)
        changes[series.block] = _written(series.event)
    left = [part for part in parts if changes.get(part.block) != ""]
    return laid.edited(changes if _ever(left) else dict.fromkeys((part.block for part in parts), ""))


def _ever(parts: Sequence[Part]) -> bool:
    """Tell whether an event takes place at all."""
    import recurring_ical_events

    return bool(parts) and next(iter(recurring_ical_events.of(_alone(parts)).all()), None) is not None


def _alone(parts: Sequence[Part]) -> Any:
    """Return a calendar of one event."""
    import icalendar

    calendar = icalendar.Calendar()
    for part in parts:
        calendar.add_component(part.event)
    return calendar


def _find(text: str, id: str, *, whole: bool) -> tuple[Layout, tuple[Part, ...]]:
    """Find the parts of an event; where they shall be written anew, all of them must be such as can be read."""
    laid, parts = _read(text)
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


def _series(parts: Sequence[Part], id: str) -> Part:
    for part in parts:
        if part.occurrence is None:
            return part
    msg = f"only single occurrences of event {id[:80]!r} are here, not the series; name one by `occurrence`"
    raise StoreError(msg)


def _repeats(parts: Sequence[Part]) -> bool:
    return len(parts) > 1 or bool({"RRULE", "RDATE", "RECURRENCE-ID"} & set(parts[0].event))


def _check_occurrence(parts: Sequence[Part], wanted: Moment | None, zone: datetime.tzinfo) -> Moment:
    """Return an occurrence as the series itself would name it."""
    start: Any = next((part.event["DTSTART"].dt for part in parts if part.occurrence is None), parts[0].occurrence)
    if wanted is None:
        return start  # type: ignore[no-any-return]
    time = as_time(wanted, zone)
    span = datetime.timedelta(days=366)
    known = _expand(parts, time - span, time + span, zone)[0]
    names = [one.occurrence or one.start for one in known]
    if all(as_time(name, zone) != time for name in names):
        near = sorted(names, key=lambda name: abs(as_time(name, zone) - time))[:3]
        told = ", ".join(name.isoformat() for name in near) or "none within a year"
        msg = f"the event has no occurrence {wanted.isoformat()}; near are {told}"
        raise StoreError(msg)
    if not isinstance(start, datetime.datetime):
        return time.date()
    return time.replace(tzinfo=None) if start.tzinfo is None else time.astimezone(start.tzinfo)


def _change_series(laid: Layout, parts: Sequence[Part], series: Part, change: Change, now: datetime.datetime) -> str:
    event = series.event
    changes: dict[Block, str] = {}
    if change.start is not None or change.end is not None:
        old: Moment = event["DTSTART"].dt
        start, end = _new_times(event, change)
        _check_rule(event, change, old, start)
        _set_times(event, start, end)
        changes |= _shift(parts, series, old, start)
    if change.repeat is not None:
        event.pop("RRULE", None)
    if change.repeat:
        event.add("RRULE", _parse_rule(change.repeat, event["DTSTART"].dt))
    if change.repeat == "":
        changes |= {part.block: "" for part in parts if part is not series}
        for name in ("RDATE", "EXDATE"):
            event.pop(name, None)
    _set_texts(event, change)
    _stamp(event, now)
    return _with_zones(laid, event, {**changes, series.block: _written(event)})


def _new_times(event: Any, change: Change) -> tuple[Moment, Moment]:
    """Return start and end after a change; what is not given follows from what is."""
    old_start, old_end = event["DTSTART"].dt, event.end
    start: Any = old_start if change.start is None else change.start
    end: Any
    all_day = not isinstance(start, datetime.datetime)
    if change.end is not None:
        end = change.end
    elif all_day == (not isinstance(old_start, datetime.datetime)):
        end = start + (old_end - old_start)
    else:
        end = start + (datetime.timedelta(days=1) if all_day else datetime.timedelta(hours=1))
    if all_day != (not isinstance(end, datetime.datetime)):
        msg = "start and end must both be days, or both be times; give both"
        raise StoreError(msg)
    if isinstance(start, datetime.datetime) and start.tzinfo is None:
        end = end.replace(tzinfo=None)  # a time without a zone, as its start is
    if end < start or (all_day and end == start):
        msg = f"the event would end before it starts at {start.isoformat()}; give start and end"
        raise StoreError(msg)
    return start, end


def _check_rule(event: Any, change: Change, old: Moment, new: Moment) -> None:
    """Refuse to move a series to another day where its rule names days."""
    named = sorted(set(event.get("RRULE", {})) & {"BYDAY", "BYMONTHDAY", "BYYEARDAY", "BYMONTH", "BYWEEKNO"})
    if named and change.repeat is None and _day(old) != _day(new):
        msg = f"the series repeats by {_rule(event)!r}; to move it to another day, give `repeat` too"
        raise StoreError(msg)


def _day(moment: Moment) -> datetime.date:
    return moment.date() if isinstance(moment, datetime.datetime) else moment


def _shift(parts: Sequence[Part], series: Part, old: Moment, new: Moment) -> dict[Block, str]:
    """Let exceptions follow a series that moved: they are known by the starts it would have given them."""
    exceptions = [part for part in parts if part is not series]
    without = "EXDATE" in series.event
    if not exceptions and not without:
        return {}
    if isinstance(old, datetime.datetime) != isinstance(new, datetime.datetime):
        msg = "the series has occurrences that were changed or deleted, so it cannot turn from times to days or back"
        raise StoreError(msg)
    if without:
        moved = [_moved(one.dt, old, new) for one in _listed(series.event.pop("EXDATE"))]
        series.event.add("EXDATE", moved)
    for part in exceptions:
        key = _moved(part.event.pop("RECURRENCE-ID").dt, old, new)
        part.event.add("RECURRENCE-ID", key)
    return {part.block: _written(part.event) for part in exceptions}


def _listed(found: Any) -> list[Any]:
    """Return the dates of a property that may be there once or more often."""
    return [one for dates in (found if isinstance(found, list) else [found]) for one in dates.dts]


def _moved(moment: Any, old: Any, new: Any) -> Moment:
    """Move a moment as the start moved, by the clock on the wall: a series keeps its hour over summer time."""
    if not isinstance(old, datetime.datetime):
        return moment + (new - old)  # type: ignore[no-any-return]
    local = moment.astimezone(old.tzinfo) if moment.tzinfo and old.tzinfo else moment
    shifted = local.replace(tzinfo=None) + (new.replace(tzinfo=None) - old.replace(tzinfo=None))
    return shifted.replace(tzinfo=new.tzinfo)  # type: ignore[no-any-return]


def _change_occurrence(
    laid: Layout, parts: Sequence[Part], series: Part, key: Moment, change: Change, now: datetime.datetime
) -> str:
    known = next((part for part in parts if part.occurrence == key), None)
    event = known.event if known else _exception(series.event, key)
    if change.start is not None or change.end is not None:
        _set_times(event, *_new_times(event, change))
    _set_texts(event, change)
    _stamp(event, now)
    if known:
        return _with_zones(laid, event, {known.block: _written(event)})
    return _with_zones(laid, event, {}, [_written(event)])


def _exception(series: Any, key: Moment) -> Any:
    """Return an occurrence of a series as an event of its own, the same in all but the time."""
    event = copy.deepcopy(series)
    length = series.end - series["DTSTART"].dt
    for name in ("RRULE", "RDATE", "EXDATE", "EXRULE"):
        event.pop(name, None)
    event.add("RECURRENCE-ID", key)
    _set_times(event, key, key + length)
    return event


def _stamp(event: Any, now: datetime.datetime) -> None:
    """Say that it changed, so that other programs take notice."""
    sequence = int(event.pop("SEQUENCE", 0)) + 1
    for name in ("DTSTAMP", "LAST-MODIFIED"):
        event.pop(name, None)
        event.add(name, now)
    event.add("SEQUENCE", sequence)


def _with_zones(laid: Layout, event: Any, changes: Mapping[Block, str], added: Sequence[str] = ()) -> str:
    """Write changes, and the time zones that they need."""
    zones = [zone for zone in _zones_of(event) if _zone_id(zone) not in _known_zones(laid)]
    return laid.edited(changes, [*zones, *added])


def _known_zones(laid: Layout) -> set[str]:
    return {_zone_id(laid.text_of(block)) for block in laid.blocks if block.name == "VTIMEZONE"}
