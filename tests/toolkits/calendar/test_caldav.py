"""A CalDAV server that refuses, hangs, talks nonsense, or has others write."""

import datetime
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest

from prismpy import StoreError
from prismpy.toolkits.calendar import CalDAVCalendar, Change, Draft
from tests.misbehaving import answering, closed, silent

from .conftest import BERLIN, Place
from .test_tools import SHARED

NOON = datetime.datetime(2024, 5, 6, 12, 0, tzinfo=BERLIN)

pytestmark = pytest.mark.parametrize("place", ["caldav"], indirect=True)


def test_a_wrong_password_is_told(place: Place) -> None:
    """And not repeated."""
    wrong = CalDAVCalendar(place.address.replace("secret", "guess"))

    with pytest.raises(StoreError) as caught:
        wrong.add(SHARED)
    assert str(caught.value) == (
        "the calendar server did not add the event: it does not accept the user name and password; nothing was changed"
    )
    wrong.close()


def test_user_and_password_may_stand_beside_the_address(place: Place) -> None:
    """As in a configuration that keeps secrets elsewhere. A closed connection opens again."""
    store = CalDAVCalendar(place.address.replace("ann:secret@", ""), username="ann", password="secret")  # noqa: S106
    store.close()
    store.add(SHARED)
    store.close()

    assert "SUMMARY:ours" in store.read(NOON, NOON + datetime.timedelta(days=60))[0]
    store.close()


def test_a_calendar_that_is_not_there_is_told(place: Place) -> None:
    """The path is wrong."""
    store = CalDAVCalendar(place.address + "nowhere/nothing/")

    with pytest.raises(StoreError, match="the calendar server did not read the calendar: "):
        store.read(NOON, NOON)
    store.close()


@pytest.mark.parametrize(
    ("server", "complaint"),
    [
        (silent, "it does not answer in time"),
        (closed, "it cannot be reached"),
        (lambda: answering(507, b"full"), "its disk is full"),
        (lambda: answering(500, b"<html>sorry</html>"), "it answers with status 500"),
        (lambda: answering(200, b"<html><b>Hello</html>"), "it "),
        (lambda: answering(207, b"<multistatus xmlns='DAV:'>"), "it "),
        (
            lambda: answering(207, b"\\x00\\xff nonsense", {"Content-Type": "text/xml"}),
            "it answers what no calendar server does",
        ),
    ],
)
def test_a_server_that_does_not_do_its_work_is_told(
    place: Place, server: Callable[[], AbstractContextManager[str]], complaint: str
) -> None:
    """Each use ends in time, with an error that says what is wrong."""
    with server() as address:
        store = CalDAVCalendar(f"http://u:secret@{address}/c/", patience=0.3)
        uses: list[Callable[[], Any]] = [
            lambda: store.read(NOON, NOON + datetime.timedelta(days=1)),
            lambda: store.edit("a", lambda text: text),
        ]
        for use in uses:
            with pytest.raises(StoreError, match=f"the calendar server did not .*{complaint}") as caught:
                use()
            assert "secret" not in str(caught.value)
        store.close()


def test_a_change_of_others_in_the_meantime_is_not_lost(place: Place) -> None:
    """The event is read again, and changed again."""
    place.put(SHARED)
    store, seen = place.open(), []

    def edit(text: str) -> str:
        seen.append(text)
        if len(seen) == 1:
            place.calendar().update("shared", None, Change(location="Room 2"))
        return text.replace("SUMMARY:ours", "SUMMARY:mine")

    store.edit("shared", edit)
    (text,) = place.texts()

    assert len(seen) == 2
    assert "SUMMARY:mine" in text
    assert "LOCATION:Room 2" in text
    store.close()


def test_others_who_never_stop_are_told(place: Place) -> None:
    """After some attempts."""
    place.put(SHARED)
    store, seen = place.open(), []

    def edit(text: str) -> str:
        seen.append(text)
        place.calendar().update("shared", None, Change(location=f"Room {len(seen)}"))
        return text

    with pytest.raises(StoreError, match="event 'shared' was not changed, since somebody else changes it all the time"):
        store.edit("shared", edit)
    store.close()


def test_a_new_event_replaces_no_other(place: Place) -> None:
    """Ids are made at random; should one be taken all the same, nothing is lost."""
    place.put(SHARED)
    store = place.open()

    with pytest.raises(StoreError, match="the calendar server did not add the event"):
        store.add(SHARED.replace("ours", "mine"))
    assert "SUMMARY:ours" in place.texts()[0]
    store.close()


def test_the_middle_needs_no_server(place: Place) -> None:
    """Drafts and changes are values, whatever the store."""
    calendar = place.calendar()
    (own, _) = calendar.create(Draft("x", NOON, NOON))

    assert (own[0].start, own[0].end) == (NOON, NOON)
