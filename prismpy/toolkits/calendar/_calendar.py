"""What the tools of a calendar do, over any store: spans, default lengths, conflicts."""

import datetime
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from prismpy.errors import Retry
from prismpy.extras import needs
from prismpy.storage import Clock, utc_now

from ._caldav import CalDAVCalendar
from ._changes import changed, removed
from ._file import CalendarFile
from ._listing import as_time, occurrences, overlap
from ._parts import start_of
from ._values import CalendarStore, Change, Draft, Listing, Moment, Occurrence
from ._writing import made

_DAY: Final = datetime.timedelta(days=1)
_LONGEST: Final = 750 * _DAY
"""Of a span that is listed: two years and some days."""

_YEARS: Final = range(1900, 2200)
"""What other years stand for is a slip, and some programs do not take them."""

_AHEAD: Final = 366 * _DAY
"""How far conflicts of a repeating event are looked for."""


def open_calendar(place: str | Path) -> CalendarStore:
    """
    Return the calendar at a place.

    Args:
        place: Path of an iCalendar file, or the URL of a calendar on a CalDAV server, `https://user:password@host/path/`.
    """
    if isinstance(place, str) and place.startswith(("https://", "http://")):
        return CalDAVCalendar(place)
    return CalendarFile(place)


def local_zone() -> datetime.tzinfo:
    """Return the time zone of this machine, by its name in the IANA database."""
    import tzlocal

    return tzlocal.get_localzone()


def _now() -> datetime.datetime:
    return utc_now().replace(microsecond=0)  # as iCalendar has it


class Calendar:
    """
    A calendar in a store. Days are inclusive here: an event from Monday to Tuesday ends on Tuesday.

    Args:
        store: Where the events are kept.

        zone: For times without a time zone; None for that of this machine.

        clock: Tells the time, in UTC.

    Raises:
        NotInstalledError: if what `prismpy[calendar]` brings is not installed.
    """

    def __init__(
        self,
        store: CalendarStore,
        *,
        zone: datetime.tzinfo | None = None,
        clock: Clock = _now,
    ) -> None:
        needs("a calendar", "calendar", "icalendar", "recurring_ical_events", "tzlocal")
        self._store = store
        self.zone = local_zone() if zone is None else zone
        self._clock = clock

    def list(self, start: Moment, end: Moment | None = None) -> Listing:
        """
        List what takes place in a span of time.

        Args:
            start: First day or moment.

            end: Last day, or the moment after the last; None for the end of the day of `start`.

        Raises:
            Retry: if the span ends before it starts, or is longer than two years.

            StoreError: if the calendar cannot be read.
        """
        _check_year(start)
        first = as_time(start, self.zone)
        last = first.date() if end is None else end
        after = as_time(self.end(last), self.zone)
        if not datetime.timedelta() <= after - first <= _LONGEST:
            msg = f"the span from {start.isoformat()} to {after.isoformat()} is none of up to two years"
            raise Retry(msg)
        return occurrences(self._store.read(first, after), first, after, self.zone)

    def create(self, draft: Draft) -> tuple[tuple[Occurrence, ...], tuple[Occurrence, ...]]:
        """
        Add an event.

        Args:
            draft: The event; `moments` tells its times.

        Returns:
            Its occurrences within a year, and what else takes place during them.

        Raises:
            Retry: if it would never take place.

            StoreError: if its rule is none, or the calendar cannot be written to.
        """
        id = f"{secrets.token_hex(8)}@prismpy"
        text = made(id, draft, self._clock())
        own = self._own(text, id, draft.start)
        if not own:
            msg = f"with the rule {draft.repeat[:80]!r} the event would not take place within a year of its start"
            raise Retry(msg)
        conflicts = self._conflicts(own)
        self._store.add(text)
        return own, conflicts

    def update(
        self, id: str, occurrence: Moment | None, change: Change
    ) -> tuple[tuple[Occurrence, ...], tuple[Occurrence, ...]]:
        """
        Change an event or one occurrence of it.

        Args:
            id: Of the event.

            occurrence: Which occurrence; None for all.

            change: What to change.

        Returns:
            What was changed, within a year, and what else takes place then.

        Raises:
            UnknownIdError: if there is no such event.

            StoreError: if there is no such occurrence, or the change makes no sense for it.
        """
        own: tuple[Occurrence, ...] = ()

        def edit(text: str) -> str:
            nonlocal own
            edited = changed(text, id, occurrence, change, self._clock(), self.zone)
            own = self._left(edited, id) if occurrence is None else self._named(edited, id, occurrence, change.start)
            return edited

        self._store.edit(id, edit)
        return own, self._conflicts(own)

    def delete(self, id: str, occurrence: Moment | None) -> None:
        """
        Remove an event or one occurrence of it.

        Raises:
            UnknownIdError: if there is no such event.

            StoreError: if there is no such occurrence.
        """
        now = self._clock()
        self._store.edit(id, lambda text: removed(text, id, occurrence, now, self.zone))

    def moments(self, start: Moment, end: Moment | None, zone: datetime.tzinfo | None = None) -> tuple[Moment, Moment]:
        """
        Return the times of an event as they are stored.

        Args:
            start: First day or moment.

            end: Last day, or the moment after; None for the same day, or an hour.

            zone: For times without a time zone, instead of the calendar's.

        Raises:
            Retry: if it ends before it starts, or one is a day and the other a time.
        """
        if end is not None and isinstance(start, datetime.datetime) != isinstance(end, datetime.datetime):
            msg = "start and end must both be days such as 2024-05-06, or both be times such as 2024-05-06T10:00"
            raise Retry(msg)
        first = self._zoned(start, zone)
        after = first + datetime.timedelta(hours=1) if end is None else self._zoned(end, zone)
        if not isinstance(start, datetime.datetime):
            after = (first if end is None else end) + _DAY
        if end is not None and (after < first or (after == first and not isinstance(first, datetime.datetime))):
            msg = f"the event would end at {end.isoformat()}, before it starts at {start.isoformat()}"
            raise Retry(msg)
        return first, after

    def end(self, end: Moment, zone: datetime.tzinfo | None = None) -> Moment:
        """Return an end as it is stored, where the start is not known."""
        moment = self._zoned(end, zone)
        return moment if isinstance(moment, datetime.datetime) else moment + _DAY

    def _zoned(self, moment: Moment, zone: datetime.tzinfo | None = None) -> Moment:
        """Give a time a zone that has a name: by an offset alone a series would not keep its hour over summer time."""
        _check_year(moment)
        if not isinstance(moment, datetime.datetime):
            return moment
        timed = as_time(moment, zone or self.zone)
        return timed if isinstance(timed.tzinfo, ZoneInfo) else timed.astimezone(zone or self.zone)

    def _left(self, text: str, id: str) -> tuple[Occurrence, ...]:
        """Return what of an event is still to come, or else all of it."""
        start = start_of(text, id)
        now = self._clock()
        coming = self._own(text, id, now) if as_time(start, self.zone) < now else ()
        own = coming or self._own(text, id, start)
        if not own:
            msg = "the event would not take place within a year of its start; delete it instead"
            raise Retry(msg)
        return own

    def _named(self, text: str, id: str, occurrence: Moment, start: Moment | None) -> tuple[Occurrence, ...]:
        """Return one occurrence of an event, which may have moved."""
        own = self._own(text, id, start or occurrence)
        key = as_time(occurrence, self.zone)
        return tuple(one for one in own if one.occurrence is None or as_time(one.occurrence, self.zone) == key)

    def _own(self, text: str, id: str, start: Moment) -> tuple[Occurrence, ...]:
        first = as_time(start, self.zone)
        return occurrences([text], first, first + _AHEAD, self.zone, id=id).occurrences

    def _conflicts(self, own: Sequence[Occurrence]) -> tuple[Occurrence, ...]:
        """Return what else takes the time of some occurrences."""
        spans = [(as_time(one.start, self.zone), as_time(one.end, self.zone)) for one in own if one.busy]
        if not spans:
            return ()
        first, after = spans[0][0], max(end for _, end in spans)
        others = occurrences(self._store.read(first, after), first, after, self.zone).occurrences
        return tuple(
            other
            for other in others
            if other.id != own[0].id and other.busy and any(overlap(other, *span, self.zone) for span in spans)
        )


def _check_year(moment: Moment) -> None:
    if moment.year not in _YEARS:
        msg = f"{moment.isoformat()} is in no year between {_YEARS.start} and {_YEARS.stop}"
        raise Retry(msg)
