"""A calendar: events that a model lists, makes, moves and deletes, in an iCalendar file or on a CalDAV server."""

from ._caldav import CalDAVCalendar
from ._calendar import Calendar, local_zone, open_calendar
from ._file import CalendarFile
from ._tools import CalendarTools, CreateCalendarEvent, DeleteCalendarEvent, ListCalendarEvents, UpdateCalendarEvent
from ._values import CalendarStore, Change, Draft, Listing, Moment, Occurrence

__all__ = [
    "CalDAVCalendar",
    "Calendar",
    "CalendarFile",
    "CalendarStore",
    "CalendarTools",
    "Change",
    "CreateCalendarEvent",
    "DeleteCalendarEvent",
    "Draft",
    "ListCalendarEvents",
    "Listing",
    "Moment",
    "Occurrence",
    "UpdateCalendarEvent",
    "local_zone",
    "open_calendar",
]
