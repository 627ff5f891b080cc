"""The four tools: each describes itself in `__init__`, and its parameters by the signature of `__call__`."""

import datetime
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Final, TypeAlias

from prismpy.errors import Retry
from prismpy.fluent import Tool
from prismpy.types import Param

from ._calendar import Calendar
from ._values import Change, Draft, Moment, Occurrence

# days first: a text that is a day is one, and not its midnight
When: TypeAlias = datetime.date | datetime.datetime

_MOST: Final = 200
"""Events in one answer."""

_TEXT: Final = 8000
Title = Annotated[str, Param(description="What the event is", min_length=1, max_length=500)]
Place = Annotated[str, Param(description="Where it takes place", max_length=500)]
Notes = Annotated[str, Param(description="What else there is to know", max_length=_TEXT)]
Id = Annotated[str, Param(description="As list_calendar_events gives it")]
Zone = Annotated[datetime.tzinfo, Param(description="Of times without an offset, such as Europe/Berlin")]
Which = Annotated[
    When, Param(description="Which occurrence of a repeating event, as listed; without it the whole series")
]
Start = Annotated[When, Param(description="A time such as 2024-05-06T10:00, or a day, 2024-05-06, for all day")]
End = Annotated[When, Param(description="The time of its end, or its last day")]
Repeat = Annotated[
    str, Param(description="A rule of RFC 5545 such as FREQ=WEEKLY;BYDAY=MO,WE;COUNT=10", max_length=500)
]


class ListCalendarEvents(Tool):
    """The tool `list_calendar_events`."""

    def __init__(self, calendar: Calendar) -> None:
        self.calendar = calendar
        self.as_("list_calendar_events").for_(
            "List what takes place in a span of time, each occurrence of repeating events by itself."
        ).concurrent()

    def __call__(
        self,
        start: Annotated[When, Param(description="First day or time")],
        end: Annotated[When | None, Param(description="Last day, or time; without it the day of start")] = None,
        query: Annotated[str, Param(description="Only events with this in title, place or notes")] = "",
    ) -> dict[str, Any]:
        """List the events."""
        listing = self.calendar.list(start, end)
        found = [one for one in listing.occurrences if _has(one, query)]
        told: dict[str, Any] = {"events": [_told(one) for one in found[:_MOST]]}
        if len(found) > _MOST:
            told["left_out"] = f"{len(found) - _MOST} more; ask for a shorter span"
        return {**told, "unreadable": list(listing.problems)} if listing.problems else told


class CreateCalendarEvent(Tool):
    """The tool `create_calendar_event`."""

    def __init__(self, calendar: Calendar) -> None:
        self.calendar = calendar
        self.as_("create_calendar_event").for_(
            "Add an event. The answer names other events at that time, which you should tell the user."
        )

    def __call__(
        self,
        title: Title,
        start: Start,
        end: End | None = None,
        timezone: Zone | None = None,
        location: Place = "",
        description: Notes = "",
        repeat: Repeat = "",
    ) -> dict[str, Any]:
        """Add the event."""
        first, after = self.calendar.moments(start, end, timezone)
        draft = Draft(_line(title), first, after, _line(location), _lines(description), repeat)
        return _outcome("created", *self.calendar.create(draft))


class UpdateCalendarEvent(Tool):
    """The tool `update_calendar_event`."""

    def __init__(self, calendar: Calendar) -> None:
        self.calendar = calendar
        self.as_("update_calendar_event").for_(
            "Change an event, or one occurrence of it. What is left out stays; a new start keeps the length."
        )

    def __call__(
        self,
        id: Id,
        occurrence: Which | None = None,
        title: Title | None = None,
        start: Start | None = None,
        end: End | None = None,
        timezone: Zone | None = None,
        location: Place | None = None,
        description: Notes | None = None,
        repeat: Annotated[Repeat | None, Param(description="A rule of RFC 5545; '' to end the repetition")] = None,
    ) -> dict[str, Any]:
        """Change what is given."""
        if {title, start, end, location, description, repeat} == {None}:
            msg = "nothing was changed; give title, start, end, location, description or repeat"
            raise Retry(msg)
        first, after = self._moments(start, end, timezone)
        title, location = (None if text is None else _line(text) for text in (title, location))
        notes = None if description is None else _lines(description)
        change = Change(title, first, after, location, notes, repeat)
        return _outcome("updated", *self.calendar.update(id, occurrence, change))

    def _moments(
        self, start: When | None, end: When | None, zone: datetime.tzinfo | None
    ) -> tuple[Moment | None, Moment | None]:
        if start is None:
            return None, None if end is None else self.calendar.end(end, zone)
        first, after = self.calendar.moments(start, end, zone)
        return first, None if end is None else after


class DeleteCalendarEvent(Tool):
    """The tool `delete_calendar_event`."""

    def __init__(self, calendar: Calendar) -> None:
        self.calendar = calendar
        self.as_("delete_calendar_event").for_("Delete an event for good, or one occurrence of it.")

    def __call__(self, id: Id, occurrence: Which | None = None) -> dict[str, Any]:
        """Delete, and tell what was deleted."""
        self.calendar.delete(id, occurrence)
        return {"deleted": {"id": id, **({} if occurrence is None else {"occurrence": occurrence})}}


class CalendarTools:
    """
    The tools of a calendar, for a `Toolbox`.

    Args:
        calendar: The calendar; `Calendar(open_calendar(place))`.
    """

    def __init__(self, calendar: Calendar) -> None:
        kinds = (ListCalendarEvents, CreateCalendarEvent, UpdateCalendarEvent, DeleteCalendarEvent)
        self._tools = tuple(kind(calendar) for kind in kinds)

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools)


def _outcome(word: str, own: Sequence[Occurrence], conflicts: Sequence[Occurrence]) -> dict[str, Any]:
    told: dict[str, Any] = {word: _told(own[0]) if own else "it has no occurrences within a year"}
    return {**told, "conflicts": [_told(one) for one in conflicts[:20]]} if conflicts else told


def _told(one: Occurrence) -> dict[str, Any]:
    """Tell about an occurrence what a model needs; of a day, the last one."""
    end = one.end if isinstance(one.end, datetime.datetime) else one.end - datetime.timedelta(days=1)
    told = {
        "id": one.id,
        "title": one.title,
        "start": one.start,
        "end": max(end, one.start),
        "location": one.location,
        "description": one.description,
        "repeat": one.repeat,
        "occurrence": one.occurrence,
    }
    return {name: value for name, value in told.items() if value not in {"", None}}


def _has(one: Occurrence, query: str) -> bool:
    return any(query.casefold() in text.casefold() for text in (one.title, one.location, one.description))


def _line(text: str) -> str:
    return " ".join(_lines(text).split())


def _lines(text: str) -> str:
    """Leave out what no calendar takes: control characters, other than the ends of lines and tabs."""
    return "".join(c for c in text.replace("\r\n", "\n") if c in "\n\t" or c.isprintable() or ord(c) > 0x9F)  # noqa: PLR2004
