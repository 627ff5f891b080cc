"""
Events changed and removed, all of them or one occurrence; text in, text out.

Only what is asked for is written anew. An event with a line that cannot be read
is left alone and reported, since writing it anew would lose that line.
"""

import copy
import datetime
from collections.abc import Sequence
from typing import Any

from prismpy.errors import StoreError

from ._listing import ever, named
from ._parts import Part, find, repeats, rule_of, series_of
from ._text import Block, Layout
from ._values import Change, Moment
from ._writing import parse_rule, set_texts, set_times, stamp, with_zones, written


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
    laid, parts = find(text, id, whole=True)
    series = series_of(parts, id)
    if occurrence is None or not repeats(parts):
        named(parts, occurrence, zone)
        return _change_series(laid, parts, series, change, now)
    if change.repeat is not None:
        msg = "one occurrence does not repeat; leave `repeat` out, or `occurrence`, which changes the whole series"
        raise StoreError(msg)
    return _change_occurrence(laid, parts, series, named(parts, occurrence, zone), change, now)


def removed(text: str, id: str, occurrence: Moment | None, now: datetime.datetime, zone: datetime.tzinfo) -> str:
    """
    Remove an event, or one occurrence of it; otherwise like `changed`.

    Raises:
        UnknownIdError: if there is no such event.

        StoreError: if there is no such occurrence.
    """
    laid, parts = find(text, id, whole=occurrence is not None)
    if occurrence is None or not repeats(parts):
        if occurrence is not None:
            named(parts, occurrence, zone)
        return laid.edited(dict.fromkeys((part.block for part in parts), ""))
    key = named(parts, occurrence, zone)
    changes = {part.block: "" for part in parts if part.occurrence == key}
    for series in (part for part in parts if part.occurrence is None):
        series.event.add("EXDATE", [key])
        stamp(series.event, now)
        changes[series.block] = written(series.event)
    left = [part for part in parts if changes.get(part.block) != ""]
    return laid.edited(changes if ever(left) else dict.fromkeys((part.block for part in parts), ""))


def _change_series(laid: Layout, parts: Sequence[Part], series: Part, change: Change, now: datetime.datetime) -> str:
    event = series.event
    changes: dict[Block, str] = {}
    if change.start is not None or change.end is not None:
        old: Moment = event["DTSTART"].dt
        start, end = _new_times(event, change)
        _check_rule(event, change, old, start)
        set_times(event, start, end)
        changes |= _shift(parts, series, old, start)
    if change.repeat is not None:
        event.pop("RRULE", None)
    if change.repeat:
        event.add("RRULE", parse_rule(change.repeat, event["DTSTART"].dt))
    if change.repeat == "":
        changes |= {part.block: "" for part in parts if part is not series}
        for name in ("RDATE", "EXDATE"):
            event.pop(name, None)
    set_texts(event, change)
    stamp(event, now)
    return with_zones(laid, event, {**changes, series.block: written(event)})


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
        msg = f"the series repeats by {rule_of(event)!r}; to move it to another day, give `repeat` too"
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
    return {part.block: written(part.event) for part in exceptions}


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
        set_times(event, *_new_times(event, change))
    set_texts(event, change)
    stamp(event, now)
    if known:
        return with_zones(laid, event, {known.block: written(event)})
    return with_zones(laid, event, {}, [written(event)])


def _exception(series: Any, key: Moment) -> Any:
    """Return an occurrence of a series as an event of its own, the same in all but the time."""
    event = copy.deepcopy(series)
    length = series.end - series["DTSTART"].dt
    for name in ("RRULE", "RDATE", "EXDATE", "EXRULE"):
        event.pop(name, None)
    event.add("RECURRENCE-ID", key)
    set_times(event, key, key + length)
    return event
