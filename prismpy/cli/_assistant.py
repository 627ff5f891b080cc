"""The assistant from the command line: as a page, or for one question on the terminal."""

import os
import secrets
import shlex
import sys
from contextlib import closing
from ipaddress import ip_address
from pathlib import Path

from prismpy.assistant import Home, serve
from prismpy.errors import NotInstalledError
from prismpy.execution import Approve

from ._chat import Show
from ._output import Output
from ._usage import UsageError

PASSWORD = "PRISMPY_PASSWORD"  # noqa: S105  # the name of it
"""Variable of the environment that holds the password of the page; on a command line all users would see it."""


def data_folder() -> Path:
    """Return where programs of this system keep data of a user, with a folder of ours in it."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "prismpy"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "prismpy"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "prismpy"


def open_home(folder: Path | None, model: str | None) -> Home:
    """
    Put the assistant together.

    Raises:
        UsageError: if what it needs is not installed.

        PrismError: if a store or the model cannot be had.
    """
    try:
        return Home.open(folder or data_folder(), model)
    except NotInstalledError as error:  # of one of its tools; whoever installs its own extra lacks no other's next
        msg = f"the assistant needs {error.name}, which is not installed; pip install 'prismpy[assistant]' brings it"
        raise UsageError(msg) from error


def ask_here(home: Home, words: str, approve: Approve, out: Output) -> bool:
    """
    Ask one thing on the terminal, and say where its traces are.

    Raises:
        UsageError: if there are no words.
    """
    if not words.strip():
        msg = '--ask needs words, such as --ask "What are my tasks?"'
        raise UsageError(msg)
    show = Show(out)
    with home.agent, closing(home.conversations):
        fine = show.all(home.ask(words, approve=approve, hooks=show.hooks))
    out.note(f"kept in {home.folder}")
    if home.offline:
        out.note("this was the offline model; with ANTHROPIC_API_KEY or OPENAI_API_KEY set, a real one answers")
    out.note(f"prismpy assistant --folder {shlex.quote(str(home.folder))} opens the page, with this conversation")
    return fine


def serve_page(home: Home, host: str, port: int, out: Output) -> None:
    """
    Serve the page until Ctrl-C. Beyond this machine it asks for a password, be it one that only its URL knows.

    Raises:
        PrismError: if what it needs is not installed, the address cannot be had, or the conversations cannot be read.
    """

    alone, password = _is_loopback(host), os.environ.get(PASSWORD, "")
    made = "" if alone or password else secrets.token_urlsafe(24)

    def told(url: str) -> None:
        out.text(f"{url}?key={made}" if made else url)
        if password:
            out.note(f"it asks for the password in {PASSWORD}")
        if not alone:
            what = "this address" if made else "the password"
            out.note(f"whoever has {what} and reaches {host} can use this assistant, its stores and its key", "yellow")
            out.note(
                "the way there is not encrypted; where others may listen, put a server with TLS before it", "yellow"
            )
        out.note("Ctrl-C ends it")

    serve(home, host=host, port=port, password=password or made, told=told)


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
