"""Where the page is served, and what is in the way of it."""

import contextlib
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from prismpy.assistant import AddressError, _serve, serve
from prismpy.errors import StoreError

from .conftest import OpenHome


@contextlib.contextmanager
def process(folder: Path, *options: str) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """Serve in a process of its own, and tell where."""
    command = [sys.executable, "-m", "prismpy", "assistant", "--folder", str(folder), "--port", "0", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        try:
            yield running, running.stdout.readline().strip()
        finally:
            running.kill()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")
def test_ctrl_c_ends_it_in_silence(tmp_path: Path) -> None:
    """Once it listens, on a port that is told, and although a page watches."""
    with process(tmp_path) as (running, url):
        assert re.fullmatch(r"http://127\.0\.0\.1:[1-9]\d*/", url)
        page = urllib.request.urlopen(url).read().decode()  # noqa: S310  # ours

        running.send_signal(signal.SIGINT)
        _, complaints = running.communicate(timeout=30)

    assert "What can I do" not in page
    assert 'name="token"' in page
    assert (running.returncode, complaints) == (0, "Ctrl-C ends it\n")


@pytest.mark.skipif(sys.platform == "win32", reason="a killed process holds its files for a while there")
def test_one_process_serves_a_folder(tmp_path: Path, open_home: OpenHome) -> None:
    """A second one would not hear of what the first one does; a killed one leaves no lock."""
    home = open_home()
    with (
        process(home.folder),
        pytest.raises(AddressError, match="is served already, by another process; use its page"),
    ):
        serve(home, port=0)

    with _serve._alone(home.folder):
        pass


def test_damaged_conversations_are_told_before_anything_is_served(open_home: OpenHome) -> None:
    """In one sentence; the file stays as it is."""
    home = open_home()
    (home.folder / "conversations.db").write_text("no database at all, but long enough to be looked at" * 20)

    with pytest.raises(StoreError, match="it is no SQLite database"):
        serve(home, port=0, told=pytest.fail)


def test_addresses_that_are_none_are_told(open_home: OpenHome) -> None:
    """With what the system says of them."""
    with pytest.raises(
        AddressError,
        match=r"cannot listen on 192\.0\.2\.1, port 0: this machine has no such address; choose another address or port",
    ):
        serve(open_home(), host="192.0.2.1", port=0)


@pytest.mark.parametrize(
    ("host", "names", "shown"),
    [
        ("127.0.0.1", ("127.0.0.1",), "127.0.0.1"),
        ("::1", ("[::1]",), "[::1]"),
        ("0.0.0.0", (socket.gethostname().lower(),), "127.0.0.1"),  # noqa: S104  # nothing listens
        ("Desk.local", ("desk.local",), "Desk.local"),
    ],
)
def test_a_server_knows_its_names(host: str, names: tuple[str, ...], shown: str) -> None:
    """One that listens everywhere is reached under the name of the machine."""
    assert (_serve._names(host), _serve._shown(host)) == (names, shown)
