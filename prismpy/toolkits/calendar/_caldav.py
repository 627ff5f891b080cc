"""A calendar on a CalDAV server."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Final

from prismpy.errors import StoreError
from prismpy.extras import needs

from ._parts import has_events, unknown

_ATTEMPTS: Final = 5
"""How often an event is read and changed anew when others change it meanwhile."""

_REFUSALS: Final = {
    401: "it does not accept the user name and password",
    403: "it does not allow that",
    404: "there is no such calendar",
    507: "its disk is full",
}
"""HTTP status to what it means here. Source: RFC 4791 and RFC 4918 (read 2026-11)."""


class CalDAVCalendar:
    """
    A `CalendarStore` on a CalDAV server.

    An event is changed on the condition that nobody changed it meanwhile, and else read and changed anew.

    Args:
        url: Of the calendar: `https://user:password@host/path/`.

        username: Where it is not in the URL.

        password: Where it is not in the URL.

        patience: Seconds to wait for an answer, more than 0.

    Raises:
        NotInstalledError: if what `prismpy[calendar]` brings is not installed.
    """

    def __init__(
        self, url: str, *, username: str | None = None, password: str | None = None, patience: float = 30.0
    ) -> None:
        needs("a calendar on a server", "calendar", "caldav", "icalendar")
        self._options: dict[str, Any] = {"url": url, "username": username, "password": password, "timeout": patience}
        self._lock = threading.RLock()
        self._opened: Any = None

    def read(self, start: datetime, end: datetime) -> tuple[str, ...]:
        """Return the events of a span of time; see `CalendarStore.read`."""
        with self._calendar("read the calendar") as calendar:
            return tuple(_text(found) for found in calendar.search(start=start, end=end, event=True, expand=False))

    def add(self, event: str) -> None:
        """Keep another event; see `CalendarStore.add`."""
        with self._calendar("add the event") as calendar:
            calendar.add_event(event, no_overwrite=True, increase_seqno=False)

    def edit(self, id: str, edit: Callable[[str], str]) -> None:
        """Replace the text of an event; see `CalendarStore.edit`."""
        for _ in range(_ATTEMPTS):
            if self._attempt(id, edit):
                return
        msg = f"event {id[:80]!r} was not changed, since somebody else changes it all the time; try again later"
        raise StoreError(msg)

    def close(self) -> None:
        """Close the connection; the next use opens another."""
        with self._lock:
            if self._opened is not None:
                self._opened.client.close()
            self._opened = None

    def _attempt(self, id: str, edit: Callable[[str], str]) -> bool:
        """Change an event, and return whether nobody else did meanwhile."""
        from caldav.lib.error import ETagMismatchError, NotFoundError

        with self._calendar("read the event") as calendar:
            try:
                found: Any = calendar.get_object_by_uid(id)
                found.load()  # an answer to a search need not have the version
            except NotFoundError as error:
                raise unknown(id) from error
            text = _text(found)
        text = edit(text)
        with self._calendar("change the event"):
            try:
                if has_events(text):
                    found.save(raw_data=text.encode(), precondition="etag")
                else:
                    found.delete(if_match=bool(found.etag), precondition="etag")
            except ETagMismatchError:
                return False
        return True

    @contextmanager
    def _calendar(self, doing: str) -> Iterator[Any]:
        """Lend the library's calendar for calls of the library alone, and say in words what goes wrong in them."""
        from caldav.davclient import DAVClient
        from caldav.lib.error import DAVError
        from caldav.lib.http_sync import requests

        with self._lock:
            try:
                if self._opened is None:
                    client: Any = DAVClient(**self._options, enable_rfc6764=False)
                    self._opened = client.calendar(url=client.url)
                yield self._opened
            except StoreError:
                raise
            except DAVError as error:
                status = error.status or 0
                reason = _REFUSALS.get(status, f"it answers with status {status}" if status else str(error)[:200])
                raise _failure(doing, reason) from error
            except requests.exceptions.Timeout as error:
                raise _failure(doing, "it does not answer in time") from error
            except requests.exceptions.RequestException as error:
                raise _failure(doing, f"it cannot be reached ({type(error).__name__})") from error
            except (AttributeError, LookupError, SyntaxError, TypeError, ValueError) as error:
                # what the library, and lxml in it, stumble over when an answer is no XML, or none of CalDAV
                raise _failure(doing, "it answers what no calendar server does") from error


def _failure(doing: str, reason: str) -> StoreError:
    return StoreError(f"the calendar server did not {doing}: {reason}; nothing was changed")


def _text(found: Any) -> str:
    """Return what the server has of an event, as it has it."""
    return str(found.raw_data.decode())
