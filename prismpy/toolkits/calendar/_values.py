"""What goes into a calendar and what comes out."""

import datetime
from collections.abc import Callable
from typing import Protocol, TypeAlias

import attrs

Moment: TypeAlias = datetime.date | datetime.datetime
"""A day, of an event that lasts all day, or a point in time, which has a time zone."""


@attrs.frozen
class Draft:
    """An event to be."""

    title: str

    start: Moment

    end: Moment
    """Of the same kind as the start; the first moment after it, for a day the day after the last."""

    location: str = ""
    description: str = ""

    repeat: str = ""
    """A rule of RFC 5545 such as `FREQ=WEEKLY;BYDAY=MO`; "" for once."""


@attrs.frozen
class Occurrence:
    """An event at the time at which it takes place, or one of the times."""

    id: str
    """Of the event; all occurrences have the same."""

    title: str
    start: Moment
    end: Moment
    """The first moment after it."""

    location: str = ""
    description: str = ""

    repeat: str = ""
    """The rule by which it repeats, "" for once."""

    occurrence: Moment | None = None
    """Names the occurrence: its start, or what that was before it was moved; None for an event that does not repeat."""

    busy: bool = True
    """Whether it takes the time of whom the calendar belongs to."""


@attrs.frozen
class Change:
    """What to change of an event; None leaves things as they are."""

    title: str | None = None
    start: Moment | None = None
    end: Moment | None = None
    """Without it the event stays as long as it was."""
    location: str | None = None
    description: str | None = None
    repeat: str | None = None
    """"" ends the repetition, and leaves the first occurrence."""


@attrs.frozen
class Listing:
    """Events of a span of time."""

    occurrences: tuple[Occurrence, ...]
    """In the order of their starts."""

    problems: tuple[str, ...] = ()
    """Events that cannot be read, a sentence each."""


class CalendarStore(Protocol):
    """
    Keeps iCalendar texts (RFC 5545). Its methods may be called from any thread, and by several processes.

    `CalendarFile` and `CalDAVCalendar` are ones, and pass the same tests.
    """

    def read(self, start: datetime.datetime, end: datetime.datetime) -> tuple[str, ...]:
        """
        Return texts with all events that may take place in a span of time, and maybe others.

        Raises:
            StoreError: if the place to keep them fails.
        """
        ...

    def add(self, event: str) -> None:
        """
        Keep another event, a text with a calendar of that event alone.

        Raises:
            StoreError: if the place to keep it fails; nothing of it is kept then.
        """
        ...

    def edit(self, id: str, edit: Callable[[str], str]) -> None:
        """
        Replace the text that has an event by what a function makes of it, as if nobody else wrote meanwhile.

        The function may be called more than once; an exception of it passes through, and nothing is changed.

        Raises:
            UnknownIdError: if there is no event of that id.

            StoreError: if the place to keep it fails.
        """
        ...
