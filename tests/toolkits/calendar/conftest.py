"""The places where calendars are kept, for one suite over both: a file, and Radicale on loopback."""

import datetime
import itertools
import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server
from zoneinfo import ZoneInfo

import attrs
import caldav
import pytest
from radicale.app import Application
from radicale.config import load

from prismpy import Toolbox, ToolCall
from prismpy.toolkits.calendar import CalDAVCalendar, Calendar, CalendarFile, CalendarTools, open_calendar
from tests.misbehaving import Prompt

BERLIN = ZoneInfo("Europe/Berlin")
_NAMES = itertools.count(1)


class Threaded(Prompt, WSGIServer):
    """Serves Radicale."""


class Quiet(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="session")
def radicale(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Radicale, with a user `ann` whose password is `secret`; return its address."""
    folder = tmp_path_factory.mktemp("radicale")
    (folder / "users").write_text("ann:secret\n")
    configuration = load()
    configuration.update(
        {
            "auth": {
                "type": "htpasswd",
                "htpasswd_filename": str(folder / "users"),
                "htpasswd_encryption": "plain",
                "delay": "0",
            },
            "storage": {"filesystem_folder": str(folder / "store"), "_filesystem_fsync": "False"},
            "logging": {"level": "critical"},
        },
        "tests",
        privileged=True,
    )
    server = make_server("127.0.0.1", 0, Application(configuration), Threaded, Quiet)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@attrs.frozen
class Place:
    """A calendar, and what is in it for other programs."""

    address: str
    texts: Callable[[], list[str]]
    put: Callable[[str], None]
    """Write a text with one event, as another program would."""

    def open(self, **options: Any) -> Any:
        kind: Any = CalDAVCalendar if self.address.startswith("http") else CalendarFile
        return kind(self.address, **options)

    def calendar(self) -> Calendar:
        """Open the place; the clock stands still."""
        now = datetime.datetime(2024, 5, 1, 7, 0, tzinfo=datetime.UTC)
        return Calendar(open_calendar(self.address), zone=BERLIN, clock=lambda: now)


def in_folder(folder: Path) -> Place:
    path = folder / "calendar.ics"

    def put(text: str) -> None:
        path.write_bytes(text.encode())

    return Place(str(path), lambda: [path.read_bytes().decode()] if path.exists() else [], put)


@pytest.fixture(params=["file", "caldav"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    if request.param == "file":
        yield in_folder(tmp_path)
        return
    address = request.getfixturevalue("radicale")
    with caldav.DAVClient(f"http://ann:secret@{address}/", enable_rfc6764=False) as client:
        made = client.principal().make_calendar(cal_id=f"c{next(_NAMES)}")
        url = str(made.url.unauth()).replace("http://", "http://ann:secret@")
        yield Place(
            url,
            lambda: [event.load().raw_data.decode() for event in made.get_events()],
            lambda text: made.add_event(text, increase_seqno=False) and None,
        )


Call: TypeAlias = Callable[..., Any]


@pytest.fixture
def call(place: Place) -> Call:
    """Call a tool; return its result as JSON, or the text of an error."""
    toolbox = Toolbox(CalendarTools(place.calendar()))

    def run(name: str, **arguments: Any) -> Any:
        (result,) = toolbox.run([ToolCall("1", f"{name}_calendar_event" + "s" * (name == "list"), arguments)])
        return result.text if result.is_error else json.loads(result.text)

    return run
