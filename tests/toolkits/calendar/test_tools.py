"""The tools of a calendar, as a model uses them: one suite over a file and a CalDAV server."""

import subprocess
import sys
from typing import Any

import icalendar
import pytest

from .conftest import Call, Place

MAY = {"start": "2024-05-01", "end": "2024-05-31"}
WEEKLY = {"title": "Stand-up", "start": "2024-05-06T10:00", "repeat": "FREQ=WEEKLY;BYDAY=MO,WE;COUNT=4"}


def times(answer: Any) -> list[tuple[str, str]]:
    """Return title and start of each event in an answer."""
    return [(event["title"], event["start"]) for event in answer["events"]]


def events(place: Place) -> list[Any]:
    """Return the events as another program reads them."""
    return [event for text in place.texts() for event in icalendar.Calendar.from_ical(text).walk("VEVENT")]


def test_an_event_is_made_listed_changed_and_deleted(call: Call) -> None:
    """Each answer has the id that the next call needs."""
    created = call("create", title="Dentist", start="2024-05-06T10:00", end="2024-05-06T10:30", location="Main St, 5")
    id = created["created"]["id"]
    event = {
        "id": id,
        "title": "Dentist",
        "start": "2024-05-06T10:00:00+02:00",
        "end": "2024-05-06T10:30:00+02:00",
        "location": "Main St, 5",
    }

    assert created == {"created": event}
    assert call("list", **MAY) == {"events": [event]}
    moved = {**event, "start": "2024-05-07T09:00:00+02:00", "end": "2024-05-07T09:30:00+02:00"}
    assert call("update", id=id, start="2024-05-07T09:00") == {"updated": moved}
    noted = {key: value for key, value in {**moved, "description": "Bring\npapers"}.items() if key != "location"}
    assert call("update", id=id, location="", description="Bring\npapers") == {"updated": noted}
    assert call("list", start="2024-05-07") == {"events": [noted]}
    assert call("delete", id=id) == {"deleted": {"id": id}}
    assert call("list", **MAY) == {"events": []}


def test_other_programs_can_read_it(call: Call, place: Place) -> None:
    """The event is one of RFC 5545, with the time zone it names."""
    call("create", title="Träff; 10 %", start="2024-05-06T10:00", description="a\nb")
    (text,) = place.texts()
    calendar = icalendar.Calendar.from_ical(text)
    (event,) = calendar.walk("VEVENT")

    assert (event["SUMMARY"], event["DESCRIPTION"]) == ("Träff; 10 %", "a\nb")
    assert event["DTSTART"].to_ical() == b"20240506T100000"
    assert event["DTSTART"].params == {"TZID": "Europe/Berlin"}
    assert [zone["TZID"] for zone in calendar.walk("VTIMEZONE")] == ["Europe/Berlin"]
    assert event["DTSTAMP"].dt.isoformat() == "2024-05-01T07:00:00+00:00"


@pytest.mark.parametrize(
    ("start", "zone", "told"),
    [
        ("2024-05-06T10:00", None, "2024-05-06T10:00:00+02:00"),
        ("2024-05-06T10:00", "America/New_York", "2024-05-06T10:00:00-04:00"),
        ("2024-05-06T10:00Z", None, "2024-05-06T12:00:00+02:00"),
        ("2024-05-06T10:00-04:00", None, "2024-05-06T16:00:00+02:00"),
        ("2024-05-06T10:00-04:00", "America/New_York", "2024-05-06T10:00:00-04:00"),
        ("2024-12-06T10:00", None, "2024-12-06T10:00:00+01:00"),
    ],
)
def test_times_have_zones(call: Call, start: str, zone: str | None, told: str) -> None:
    """That of the calendar, unless another is given; an offset is only another way to write it."""
    created = call("create", title="x", start=start, **({"timezone": zone} if zone else {}))["created"]

    assert created["start"] == told
    assert times(call("list", start=start)) == [("x", told)]


def test_a_series_keeps_its_hour_over_summer_time(call: Call) -> None:
    """The offset changes, the clock on the wall does not."""
    call("create", title="Tea", start="2024-10-20T17:00", repeat="FREQ=WEEKLY;COUNT=2")

    assert times(call("list", start="2024-10-01", end="2024-10-31")) == [
        ("Tea", "2024-10-20T17:00:00+02:00"),
        ("Tea", "2024-10-27T17:00:00+01:00"),
    ]


def test_days_are_events_that_last_all_day(call: Call, place: Place) -> None:
    """The end is the last day; files have the day after, as the standard demands."""
    created = call("create", title="Trip", start="2024-05-07", end="2024-05-09")["created"]
    call("create", title="Holiday", start="2024-05-20")

    assert (created["start"], created["end"]) == ("2024-05-07", "2024-05-09")
    assert sorted(event["DTEND"].to_ical() for event in events(place)) == [b"20240510", b"20240521"]
    assert times(call("list", start="2024-05-09")) == [("Trip", "2024-05-07")]
    assert times(call("list", start="2024-05-10")) == []
    longer = call("update", id=created["id"], end="2024-05-10")["updated"]
    assert (longer["start"], longer["end"]) == ("2024-05-07", "2024-05-10")
    timed = call("update", id=created["id"], start="2024-05-07T09:00")["updated"]
    assert (timed["start"], timed["end"]) == ("2024-05-07T09:00:00+02:00", "2024-05-07T10:00:00+02:00")
    day = call("update", id=created["id"], start="2024-05-08")["updated"]
    assert (day["start"], day["end"]) == ("2024-05-08", "2024-05-08")


def test_a_series_is_listed_by_its_occurrences(call: Call) -> None:
    """Each says which it is, and by what rule it repeats."""
    call("create", **WEEKLY)
    answer = call("list", **MAY)

    assert times(answer) == [("Stand-up", f"2024-05-{day}T10:00:00+02:00") for day in ("06", "08", "13", "15")]
    assert all(event["occurrence"] == event["start"] and event["repeat"] for event in answer["events"])


def test_one_occurrence_is_changed(call: Call) -> None:
    """It keeps its name when it moves, and can be changed again; the others stay."""
    id = call("create", **WEEKLY)["created"]["id"]
    key = "2024-05-08T10:00:00+02:00"
    moved = call("update", id=id, occurrence=key, start="2024-05-09T15:00", title="Review")["updated"]
    again = call("update", id=id, occurrence=key, location="Room 2")["updated"]

    assert (moved["occurrence"], moved["start"], moved["end"]) == (
        key,
        "2024-05-09T15:00:00+02:00",
        "2024-05-09T16:00:00+02:00",
    )
    assert again == {**moved, "location": "Room 2"}
    assert times(call("list", **MAY)) == [
        ("Stand-up", "2024-05-06T10:00:00+02:00"),
        ("Review", "2024-05-09T15:00:00+02:00"),
        ("Stand-up", "2024-05-13T10:00:00+02:00"),
        ("Stand-up", "2024-05-15T10:00:00+02:00"),
    ]


def test_one_occurrence_is_deleted(call: Call) -> None:
    """Changed before or not; the day alone names one of an all-day series."""
    id = call("create", **WEEKLY)["created"]["id"]
    call("update", id=id, occurrence="2024-05-08T10:00", title="Review")
    days = call("create", title="Water", start="2024-05-06", repeat="FREQ=DAILY;COUNT=3")["created"]["id"]
    for key in ("2024-05-08T10:00:00+02:00", "2024-05-13T08:00Z"):
        call("delete", id=id, occurrence=key)

    assert call("delete", id=days, occurrence="2024-05-07") == {"deleted": {"id": days, "occurrence": "2024-05-07"}}
    assert times(call("list", **MAY)) == [
        ("Water", "2024-05-06"),
        ("Stand-up", "2024-05-06T10:00:00+02:00"),
        ("Water", "2024-05-08"),
        ("Stand-up", "2024-05-15T10:00:00+02:00"),
    ]


def test_the_whole_series_moves_with_its_exceptions(call: Call) -> None:
    """What was deleted stays deleted, what was changed stays changed."""
    id = call("create", **WEEKLY)["created"]["id"]
    call("delete", id=id, occurrence="2024-05-06T10:00")
    call("delete", id=id, occurrence="2024-05-13T10:00")
    call("update", id=id, occurrence="2024-05-08T10:00", title="Review")
    call("update", id=id, start="2024-05-06T09:00")

    assert times(call("list", **MAY)) == [
        ("Review", "2024-05-08T10:00:00+02:00"),
        ("Stand-up", "2024-05-15T09:00:00+02:00"),
    ]
    assert call("update", id=id, occurrence="2024-05-08T09:00", title="Demo")["updated"]["title"] == "Demo"


def test_a_series_moves_with_what_was_changed_of_it(call: Call) -> None:
    """Nothing was deleted here."""
    id = call("create", **WEEKLY)["created"]["id"]
    call("update", id=id, occurrence="2024-05-08T10:00", title="Review")
    call("update", id=id, start="2024-05-06T09:00")

    assert times(call("list", start="2024-05-06", end="2024-05-08")) == [
        ("Stand-up", "2024-05-06T09:00:00+02:00"),
        ("Review", "2024-05-08T10:00:00+02:00"),
    ]


def test_the_days_of_a_series_move_with_its_exceptions(call: Call) -> None:
    """A rule that names no days is no hindrance."""
    id = call("create", title="Water", start="2024-05-06", repeat="FREQ=WEEKLY;COUNT=3")["created"]["id"]
    call("delete", id=id, occurrence="2024-05-13")
    call("update", id=id, start="2024-05-07")

    assert times(call("list", **MAY)) == [("Water", "2024-05-07"), ("Water", "2024-05-21")]


def test_a_rule_is_changed_and_ended(call: Call) -> None:
    """Without one the first occurrence is left, and exceptions are no more."""
    id = call("create", **WEEKLY)["created"]["id"]
    call("update", id=id, occurrence="2024-05-08T10:00", title="Review")
    call("delete", id=id, occurrence="2024-05-13T10:00")
    call("update", id=id, start="2024-05-07T10:00", repeat="FREQ=WEEKLY;BYDAY=TU;UNTIL=20240514")
    with_rule = times(call("list", **MAY))
    single = call("update", id=id, repeat="")["updated"]

    assert with_rule[0] == ("Stand-up", "2024-05-07T10:00:00+02:00")
    assert ("Stand-up", "2024-05-14T10:00:00+02:00") not in with_rule  # moved with the series, and still deleted
    assert "repeat" not in single
    assert times(call("list", **MAY)) == [("Stand-up", "2024-05-07T10:00:00+02:00")]


@pytest.mark.parametrize(
    ("start", "rule", "last"),
    [
        ("2024-05-06T10:00", "FREQ=DAILY;UNTIL=20240508", "2024-05-08T10:00:00+02:00"),
        ("2024-05-06T10:00", "RRULE:freq=daily;until=20240508T100000", "2024-05-08T10:00:00+02:00"),
        ("2024-05-06T10:00", "FREQ=DAILY;UNTIL=20240508T080000Z", "2024-05-08T10:00:00+02:00"),
        ("2024-05-06", "FREQ=DAILY;UNTIL=20240508T235959Z", "2024-05-08"),
        ("2024-05-06", "FREQ=DAILY;UNTIL=20240508", "2024-05-08"),
    ],
)
def test_the_end_of_a_rule_may_be_written_anyhow(call: Call, start: str, rule: str, last: str) -> None:
    """A day holds to its end; the file has it as the standard demands."""
    call("create", title="x", start=start, repeat=rule)

    assert times(call("list", **MAY))[-1] == ("x", last)


def test_conflicts_are_reported(call: Call, place: Place) -> None:
    """Of a new event, of one that moved, and of any occurrence; the event is made all the same."""
    place.put(
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:free\r\nDTSTAMP:20240101T000000Z\r\n"
        "DTSTART:20240508T080000Z\r\nDTEND:20240508T090000Z\r\nSUMMARY:Birthday\r\nTRANSP:TRANSPARENT\r\n"
        "END:VEVENT\r\nEND:VCALENDAR\r\n"
    )
    dentist = call("create", title="Dentist", start="2024-05-08T10:30")
    series = call("create", **WEEKLY)
    free = call("update", id="free", title="Anna's birthday")
    moved = call("update", id=dentist["created"]["id"], start="2024-05-13T09:15")
    apart = call("update", id=dentist["created"]["id"], start="2024-05-13T09:00")

    assert "conflicts" not in dentist
    assert "conflicts" not in free
    assert [one["title"] for one in series["conflicts"]] == ["Dentist"]
    assert [(one["title"], one["occurrence"]) for one in moved["conflicts"]] == [
        ("Stand-up", "2024-05-13T10:00:00+02:00")
    ]
    assert "conflicts" not in apart
    assert len(call("list", start="2024-05-08")["events"]) == 2


def test_a_query_narrows_the_list(call: Call) -> None:
    """Title, place and notes are looked through."""
    call("create", title="Dentist", start="2024-05-08T10:30", location="Main Street")
    call("create", title="Lunch", start="2024-05-08T12:00", description="on MAIN street")
    call("create", title="Tea", start="2024-05-08T17:00")

    assert [title for title, _ in times(call("list", query="main", **MAY))] == ["Dentist", "Lunch"]


def test_long_lists_are_cut(call: Call) -> None:
    """The answer says so."""
    call("create", title="Pills", start="2024-05-01T08:00", repeat="FREQ=HOURLY;COUNT=210")
    answer = call("list", **MAY)

    assert len(answer["events"]) == 200
    assert answer["left_out"] == "10 more; ask for a shorter span"


def test_hostile_texts_stay_texts(call: Call, place: Place) -> None:
    """No text ends a property or an event, and control characters are left out."""
    text = "x\r\nEND:VEVENT\nBEGIN:VEVENT\x00\x1b<script>;,\\n"
    created = call("create", title=text, start="2024-05-06T10:00", description=text, location=text)["created"]

    assert created["title"] == created["location"] == "x END:VEVENT BEGIN:VEVENT<script>;,\\n"
    assert created["description"] == "x\nEND:VEVENT\nBEGIN:VEVENT<script>;,\\n"
    assert len(events(place)) == 1


@pytest.mark.parametrize(
    ("name", "arguments", "complaint"),
    [
        ("create", {"title": "x", "start": "tomorrow"}, "start: expected a date"),
        ("create", {"title": "x", "start": "2024-02-30"}, "start: expected a date"),
        ("create", {"title": "", "start": "2024-05-06"}, "title: expected a text of length 1 or more"),
        ("create", {"title": "x", "start": "2024-05-06T10:00", "timezone": "Mars"}, "timezone: expected a tzinfo"),
        ("create", {"title": "x", "start": "2024-05-06", "end": "2024-05-06T10:00"}, "must both be days"),
        ("create", {"title": "x", "start": "2024-05-06T10:00", "end": "2024-05-06T09:00"}, "before it starts at"),
        ("create", {"title": "x", "start": "2024-05-06", "end": "2024-05-05"}, "before it starts at 2024-05-06"),
        ("create", {"title": "x", "start": "2024-05-06", "repeat": "daily"}, "'daily' is no rule for repeating"),
        ("create", {"title": "x", "start": "2024-05-06", "repeat": "FREQ=SECONDLY"}, "repeats too often"),
        ("create", {"title": "x", "start": "2024-05-06", "repeat": "FREQ=DAILY;COUNT=0"}, "repeats too often, or less"),
        ("create", {"title": "x", "start": "2024-05-06", "repeat": "FREQ=DAILY;INTERVAL=0"}, "repeats too often, or"),
        ("create", {"title": "x", "start": "2024-05-06", "repeat": "COUNT=2"}, "'COUNT=2' is no rule for repeating"),
        ("create", {"title": "x", "start": "2024-05-06", "repeat": "FREQ=NEVER"}, "'FREQ=NEVER' is no rule"),
        ("create", {"title": "x", "start": "9999-12-31T23:59"}, "is in no year between 1900 and 2200"),
        ("create", {"title": "x", "start": "2024-12-31", "end": "9999-12-31"}, "is in no year between 1900 and 2200"),
        ("list", {"start": "0001-01-01"}, "is in no year between 1900 and 2200"),
        ("list", {"start": "2024-05-06", "end": "2024-05-01"}, "is none of up to two years"),
        ("list", {"start": "1990-01-01", "end": "2100-01-01"}, "is none of up to two years"),
        ("update", {"id": "a"}, "nothing was changed; give title, start"),
        ("update", {"id": "a", "title": "x"}, "there is no event 'a'; list_calendar_events tells the ids"),
        ("delete", {"id": "a"}, "there is no event 'a'; list_calendar_events tells the ids"),
        ("delete", {"id": "../../etc/passwd\r\n%"}, "there is no event '../../etc/passwd"),
    ],
)
def test_mistakes_of_the_model_are_told(call: Call, name: str, arguments: Any, complaint: str) -> None:
    """In words that help it; nothing is changed."""
    assert complaint in call(name, **arguments)
    assert call("list", **MAY) == {"events": []}


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"occurrence": "2024-05-07T10:00", "title": "x"}, "no occurrence 2024-05-07T10:00:00; near are 2024-05-06T10"),
        ({"occurrence": "2030-05-07T10:00", "title": "x"}, "near are none within a year"),
        ({"occurrence": "2024-05-06T10:00", "repeat": ""}, "one occurrence does not repeat"),
        ({"start": "2024-05-07T10:00"}, "to move it to another day, give `repeat` too"),
        ({"start": "2024-05-06"}, "cannot turn from times to days or back"),
        ({"start": "2024-05-06T10:00", "end": "2024-05-06"}, "start and end must both be days"),
        ({"end": "2024-05-06"}, "start and end must both be days, or both be times; give both"),
        ({"end": "2024-05-05T10:00"}, "the event would end before it starts"),
        ({"repeat": "weekly"}, "'weekly' is no rule for repeating"),
    ],
)
def test_a_change_that_makes_no_sense_is_refused(call: Call, place: Place, arguments: Any, complaint: str) -> None:
    """The series stays as it was."""
    id = call("create", **WEEKLY)["created"]["id"]
    call("delete", id=id, occurrence="2024-05-08T10:00")
    before = place.texts()

    assert complaint in call("update", id=id, **arguments)
    assert place.texts() == before


def test_an_occurrence_of_a_single_event_is_the_event(call: Call) -> None:
    """Models name it all the same; another moment is none of it."""
    id = call("create", title="Dentist", start="2024-05-06T10:00")["created"]["id"]

    assert "no occurrence 2024-05-07T10:00:00" in call("delete", id=id, occurrence="2024-05-07T10:00")
    assert call("update", id=id, occurrence="2024-05-06T10:00", title="x")["updated"]["title"] == "x"
    assert "deleted" in call("delete", id=id, occurrence="2024-05-06T10:00")
    assert call("list", **MAY) == {"events": []}


def test_a_series_without_occurrences_is_gone(call: Call) -> None:
    """All were deleted, one by one, a changed one among them."""
    id = call("create", title="x", start="2024-05-06", repeat="FREQ=DAILY;COUNT=2")["created"]["id"]
    call("update", id=id, occurrence="2024-05-07", title="y")
    call("delete", id=id, occurrence="2024-05-06")
    call("delete", id=id, occurrence="2024-05-07")

    assert "there is no event" in call("update", id=id, title="y")


def test_a_rule_that_gives_nothing_is_refused(call: Call, place: Place) -> None:
    """For a new event and for one that is there."""
    ended = {"repeat": "FREQ=DAILY;UNTIL=20240501"}
    told = call("create", title="x", start="2024-05-06", **ended)
    id = call("create", title="x", start="2024-05-06")["created"]["id"]

    assert told.startswith("with the rule 'FREQ=DAILY;UNTIL=20240501' the event would not take place")
    assert call("update", id=id, **ended).startswith("the event would not take place within a year of its start")
    assert times(call("list", **MAY)) == [("x", "2024-05-06")]


def test_an_old_series_is_told_from_now_on(call: Call) -> None:
    """What was in the way years ago does not matter, and one that has ended can be changed too."""
    call("create", title="Old", start="2020-01-06T10:00")
    call("create", title="New", start="2024-05-06T10:00")
    id = call("create", title="Stand-up", start="2020-01-06T10:00", repeat="FREQ=WEEKLY")["created"]["id"]
    updated = call("update", id=id, title="Meeting")
    ended = call("update", id=id, repeat="FREQ=WEEKLY;COUNT=3")

    assert (updated["updated"]["start"], [one["title"] for one in updated["conflicts"]]) == (
        "2024-05-06T10:00:00+02:00",
        ["New"],
    )
    assert ended["updated"]["start"] == "2020-01-06T10:00:00+01:00"


WRITER = """
import sys
from zoneinfo import ZoneInfo
from prismpy import Toolbox, ToolCall
from prismpy.toolkits import Calendar, CalendarTools, open_calendar
toolbox = Toolbox(CalendarTools(Calendar(open_calendar(sys.argv[1]), zone=ZoneInfo("Europe/Berlin"))))
for i in range(5):
    made, changed = toolbox.run([
        ToolCall("1", "create_calendar_event", {"title": f"{sys.argv[2]} {i}", "start": f"2024-05-0{i + 1}"}),
        ToolCall("2", "update_calendar_event", {"id": "shared", "occurrence": f"2024-06-{int(sys.argv[2]) * 5 + i + 1:02}", "title": "mine"}),
    ])
    if made.is_error or changed.is_error:
        print(made.text, changed.text, file=sys.stderr)
"""

SHARED = (
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:shared\r\nDTSTAMP:20240101T000000Z\r\n"
    "DTSTART;VALUE=DATE:20240601\r\nRRULE:FREQ=DAILY;COUNT=12\r\nSUMMARY:ours\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
)


def test_processes_that_write_at_once_lose_nothing(call: Call, place: Place) -> None:
    """Neither events of their own nor changes to one they share."""
    place.put(SHARED)
    command = [sys.executable, "-c", WRITER, place.address]
    writers = [subprocess.Popen([*command, str(n)], stderr=subprocess.PIPE, text=True) for n in range(2)]

    assert [writer.communicate()[1] for writer in writers] == ["", ""]
    listed = [title for title, _ in times(call("list", start="2024-05-01", end="2024-06-30"))]
    assert sorted(set(listed)) == sorted({"mine", "ours", *(f"{n} {i}" for n in range(2) for i in range(5))})
    assert (listed.count("mine"), listed.count("ours")) == (10, 2)
