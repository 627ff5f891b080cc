"""A calendar in a file that others write, edit by hand, cut off; and the disk that is full."""

import datetime
import json
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from prismpy import StoreError, Toolbox, ToolCall, UnknownIdError
from prismpy.toolkits.calendar import Calendar, CalendarFile, CalendarTools, Change, Draft, local_zone
from tests.limits import full_disk

from .conftest import BERLIN, Call, in_folder

NOON = datetime.datetime(2024, 5, 6, 12, 0, tzinfo=BERLIN)

# what other programs write: their own zone, properties, components, an odd order, lines that end as they like
FOREIGN = """BEGIN:VCALENDAR
PRODID:-//Somebody//Else//EN
VERSION:2.0
X-WR-CALNAME:Ann's
BEGIN:VTIMEZONE
TZID:Customized Time Zone
BEGIN:STANDARD
DTSTART:16010101T000000
TZOFFSETFROM:+0300
TZOFFSETTO:+0300
END:STANDARD
END:VTIMEZONE
BEGIN:VEVENT
SUMMARY;LANGUAGE=en:Team
  lunch
X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-TITLE="A;B":geo:1.0,2.0
UID:lunch
DTSTART;TZID="Customized Time Zone":20240506T130000
DURATION:PT45M
RRULE:FREQ=WEEKLY;COUNT=3
EXDATE;TZID="Customized Time Zone":20240520T130000
DTSTAMP:20240101T000000Z
BEGIN:VALARM
ACTION:DISPLAY
DESCRIPTION:soon
TRIGGER:-PT10M
END:VALARM
END:VEVENT
BEGIN:VTODO
UID:todo
DTSTAMP:20240101T000000Z
SUMMARY:Not an event
END:VTODO
BEGIN:VEVENT
UID:floating
DTSTAMP:20240101T000000Z
DTSTART:20240507T080000
SUMMARY:Alarm clock
END:VEVENT
END:VCALENDAR
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "calendar.ics"


@pytest.fixture
def call(file: Path) -> Call:
    toolbox = Toolbox(CalendarTools(in_folder(file.parent).calendar()))

    def run(name: str, **arguments: Any) -> Any:
        (result,) = toolbox.run([ToolCall("1", f"{name}_calendar_event" + "s" * (name == "list"), arguments)])
        return result.text if result.is_error else json.loads(result.text)

    return run


def week(calendar: Calendar) -> list[tuple[str, str]]:
    listing = calendar.list(datetime.date(2024, 5, 6), datetime.date(2024, 5, 31))
    return [(one.title, one.start.isoformat()) for one in listing.occurrences]


@pytest.mark.parametrize("ending", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_what_others_wrote_stays_to_the_last_byte(file: Path, call: Call, ending: str) -> None:
    """A new event comes at the end, with lines that end like the others."""
    foreign = FOREIGN.replace("\n", ending)
    file.write_bytes(foreign.encode())
    id = call("create", title="Dentist", start="2024-05-08T10:30")["created"]["id"]
    text = file.read_bytes().decode()
    start, end = foreign[: foreign.rindex("END:VCALENDAR")], f"END:VCALENDAR{ending}"

    assert text.startswith(start)
    assert text.endswith(end)
    assert set(text.replace("\r\n", "")) & {"\r", "\n"} == ({"\n"} if ending == "\n" else set())
    call("delete", id=id)
    zone = text[len(start) : text.rindex("BEGIN:VEVENT")]
    assert file.read_bytes().decode() == start + zone + end


def test_events_of_others_are_read(file: Path, call: Call) -> None:
    """With their own time zones, folded lines, and times without a zone, which are of the calendar's."""
    file.write_text(FOREIGN)

    assert [
        (e["title"], e["start"], e["end"]) for e in call("list", start="2024-05-06", end="2024-05-31")["events"]
    ] == [
        ("Team lunch", "2024-05-06T13:00:00+03:00", "2024-05-06T13:45:00+03:00"),
        ("Alarm clock", "2024-05-07T08:00:00+02:00", "2024-05-07T08:00:00+02:00"),
        ("Team lunch", "2024-05-13T13:00:00+03:00", "2024-05-13T13:45:00+03:00"),
    ]


def test_an_event_of_others_keeps_what_is_not_changed(file: Path, call: Call) -> None:
    """Its alarm, its own properties and parameters; and all other lines of the file."""
    file.write_text(FOREIGN)
    call("update", id="lunch", title="Late lunch")
    before, after = (text.replace('"', "").splitlines() for text in (FOREIGN, file.read_text()))  # needless quotes go

    assert [line for line in before if line not in after] == ["SUMMARY;LANGUAGE=en:Team", "  lunch"]
    assert [line for line in after if line not in before] == [
        "SUMMARY:Late lunch",
        "DTSTAMP:20240501T070000Z",
        "LAST-MODIFIED:20240501T070000Z",
        "SEQUENCE:1",
    ]


def test_an_occurrence_of_an_event_of_others_is_changed(file: Path, call: Call) -> None:
    """In the series' own time zone, and as long as it was; floating times stay floating."""
    file.write_text(FOREIGN)
    call("update", id="lunch", occurrence="2024-05-13T12:00+02:00", title="Picnic")
    call("update", id="floating", start="2024-05-07T07:00", end="2024-05-07T07:05")
    call("update", id="floating", repeat="FREQ=DAILY;COUNT=2")
    call("delete", id="floating", occurrence="2024-05-08T07:00")
    text = file.read_text()

    assert "RECURRENCE-ID;TZID=Customized Time Zone:20240513T130000\n" in text
    assert week(in_folder(file.parent).calendar()) == [
        ("Team lunch", "2024-05-06T13:00:00+03:00"),
        ("Alarm clock", "2024-05-07T07:00:00+02:00"),
        ("Picnic", "2024-05-13T13:00:00+03:00"),
    ]


FLOATING = FOREIGN.replace("SUMMARY:Alarm", "RRULE:FREQ=DAILY;COUNT=3\nSUMMARY:Alarm")


def test_a_floating_series_keeps_its_form(file: Path, call: Call) -> None:
    """What is deleted of it is named as it names it; an end alone is of its kind."""
    file.write_text(FLOATING)
    call("delete", id="floating", occurrence="2024-05-08T08:00")
    call("update", id="floating", end="2024-05-07T08:10")

    assert "EXDATE:20240508T080000\n" in file.read_text()
    assert [start for title, start in week(in_folder(file.parent).calendar()) if title == "Alarm clock"] == [
        "2024-05-07T08:00:00+02:00",
        "2024-05-09T08:00:00+02:00",
    ]


ORPHAN = """BEGIN:VCALENDAR
VERSION:2.0
PRODID:x
BEGIN:VEVENT
UID:invited
DTSTAMP:20240101T000000Z
RECURRENCE-ID:20240506T100000Z
DTSTART:20240506T110000Z
DTEND:20240506T120000Z
SUMMARY:One of a series
END:VEVENT
END:VCALENDAR
"""


def test_an_occurrence_without_its_series_is_no_series(file: Path, call: Call) -> None:
    """So it comes to who was invited to one meeting of many; it can be deleted."""
    file.write_text(ORPHAN)
    (event,) = call("list", start="2024-05-06")["events"]

    assert (event["occurrence"], event["start"]) == ("2024-05-06T10:00:00+00:00", "2024-05-06T11:00:00+00:00")
    assert "only single occurrences of event 'invited' are here" in call("update", id="invited", title="x")
    call("delete", id="invited", occurrence=event["occurrence"])
    assert call("list", start="2024-05-06") == {"events": []}


def broken(line: str, old: str = "SUMMARY:Alarm clock") -> str:
    return FOREIGN.replace(old, f"{old}\n{line}" if line else "")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (broken("what is this"), "event 'Alarm clock' (id 'floating'): a line cannot be read"),
        (broken("DTEND:soon"), "event 'Alarm clock' (id 'floating'): DTEND cannot be read"),
        (broken("DTSTART:20240508T080000"), "event 'Alarm clock' (id 'floating'): DTSTART is there twice"),
        (broken("", "DTSTART:20240507T080000\n"), "event 'Alarm clock' (id 'floating'): it has no DTSTART"),
        (broken("RRULE:often"), "event 'Alarm clock' (id 'floating'): it repeats more often than every hour, or in"),
        (broken("RRULE:FREQ=SECONDLY"), "event 'Alarm clock' (id 'floating'): it repeats more often than every hour"),
        (
            broken("RRULE:FREQ=DAILY;INTERVAL=0"),
            "event 'Alarm clock' (id 'floating'): it repeats more often than every",
        ),
        (broken("DTEND;VALUE=DATE:20240509"), "event 'Alarm clock' (id 'floating'): its times make no sense"),
        (broken("RRULE:FREQ=DAILY;BYSETPOS=2;BYDAY=XX"), "event 'Alarm clock' (id 'floating'): "),
    ],
)
def test_an_event_that_cannot_be_read_hides_no_other(file: Path, call: Call, text: str, complaint: str) -> None:
    """It is named, left as it is when others change, and can be deleted."""
    file.write_text(text)
    listed = call("list", start="2024-05-06", end="2024-05-31")

    assert [event["title"] for event in listed["events"]] == ["Team lunch", "Team lunch"]
    assert listed["unreadable"][0].startswith(complaint)
    assert "it was left as it is. Repair it by hand, or delete it" in call("update", id="floating", title="x")
    call("delete", id="lunch", occurrence="2024-05-13T13:00+03:00")
    assert text[text.index("BEGIN:VTODO") :] in file.read_text()
    assert call("delete", id="floating") == {"deleted": {"id": "floating"}}
    assert "unreadable" not in call("list", start="2024-05-06", end="2024-05-31")


def test_an_event_without_an_id_is_named(file: Path, call: Call) -> None:
    """It cannot be changed, as it cannot be told from others."""
    file.write_text(FOREIGN.replace("UID:floating\n", ""))

    assert call("list", start="2024-05-07")["unreadable"] == ["event 'Alarm clock' (id ''): it has no UID"]


def test_times_that_only_the_rule_spoils_are_told(file: Path, call: Call) -> None:
    """The library that expands rules says what is wrong."""
    file.write_text(FOREIGN.replace("COUNT=3", "COUNT=3;BYHOUR=99"))

    (problem,) = call("list", start="2024-05-06")["unreadable"]
    assert problem.startswith("event 'lunch': its times make no sense")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("These are my appointments", "line 1 has 'THESE ARE MY APPOINTMENTS' where 'BEGIN:VCALENDAR' should be"),
        (FOREIGN[:700], "has 'the end of the text' where 'END:VEVENT' should be"),
        (FOREIGN.replace("END:VTODO\n", ""), "line 39 has 'END:VCALENDAR' where 'END:VTODO' should be"),
        (FOREIGN.replace("END:VALARM\n", ""), "has 'END:VEVENT' where 'END:VALARM' should be"),
        (FOREIGN + "END:VEVENT\n", "has 'END:VEVENT' where 'BEGIN:VCALENDAR' should be"),
        (
            FOREIGN.replace("VERSION:2.0", "what is this"),
            "the calendar cannot be read: Content line could not be parsed",
        ),
    ],
)
def test_a_broken_file_is_told_and_left_alone(file: Path, call: Call, text: str, complaint: str) -> None:
    """Whatever is asked for; the error names the line."""
    file.write_text(text)

    for told in (
        call("list", start="2024-05-06"),
        call("create", title="x", start="2024-05-06"),
        call("update", id="lunch", title="x"),
        call("delete", id="lunch"),
    ):
        assert complaint in told
    assert file.read_text() == text


def test_a_file_in_another_encoding_is_told(file: Path, call: Call) -> None:
    """Nothing is guessed; a mark at the start is no other encoding."""
    file.write_bytes(FOREIGN.replace("Ann's", "Ännes").encode("latin-1"))
    told = call("list", start="2024-05-06")
    file.write_bytes(b"\xef\xbb\xbf" + FOREIGN.encode())

    assert told == "calendar.ics is no UTF-8 text (invalid continuation byte); repair it. Nothing was changed"
    assert len(call("list", start="2024-05-06")["events"]) == 1


@pytest.mark.parametrize("text", ["", " \n"])
def test_an_empty_file_is_an_empty_calendar(file: Path, call: Call, text: str) -> None:
    """As `touch` makes one."""
    file.write_text(text)

    assert call("list", start="2024-05-06") == {"events": []}
    call("create", title="x", start="2024-05-06")
    assert file.read_text().startswith("BEGIN:VCALENDAR")


def test_several_calendars_may_be_in_one_file(file: Path, call: Call) -> None:
    """A new event goes into the last."""
    file.write_text(FOREIGN + ORPHAN)
    call("create", title="x", start="2024-05-06")

    assert [event["title"] for event in call("list", start="2024-05-06")["events"]] == [
        "x",
        "Team lunch",
        "One of a series",
    ]
    assert file.read_text().startswith(FOREIGN)


def test_a_full_disk_leaves_the_calendar_as_it_was(file: Path, call: Call) -> None:
    """The error says so."""
    call("create", title="Dentist", start="2024-05-06")
    before = file.read_bytes()
    with full_disk(1000):
        told = call("create", title="x", start="2024-05-07", description="y" * 5000)

    assert told.startswith("could not write calendar.ics: the file would be larger than the system allows; nothing was")
    assert file.read_bytes() == before


def test_a_place_that_cannot_be_is_told(tmp_path: Path) -> None:
    """Here a folder would have to be a file."""
    (tmp_path / "x").write_text("")
    store = CalendarFile(tmp_path / "x" / "calendar.ics")

    with pytest.raises(StoreError, match=r"could not lock calendar\.ics: "):
        store.add(FOREIGN)
    with pytest.raises(StoreError, match=r"could not read calendar\.ics: a part of its path is no folder"):
        store.read(NOON, NOON)


def test_a_writer_that_does_not_finish_is_told(file: Path) -> None:
    """Patience ends."""
    with FileLock(file.with_name(".calendar.ics.lock")):
        store = CalendarFile(file, patience=0.01)

        with pytest.raises(StoreError, match=r"another program is writing to calendar\.ics and does not finish"):
            store.add(FOREIGN)


def test_the_calendar_can_be_used_without_tools(file: Path) -> None:
    """Its zone is this machine's, unless it is told otherwise; times are now."""
    calendar = Calendar(CalendarFile(file))
    own, conflicts = calendar.create(Draft("x", NOON, NOON + datetime.timedelta(hours=1)))
    ((changed,), _) = calendar.update(own[0].id, None, Change(title="y"))
    calendar.delete(own[0].id, None)

    assert (calendar.zone, conflicts, changed.title) == (local_zone(), (), "y")
    with pytest.raises(UnknownIdError):
        calendar.delete(own[0].id, None)
