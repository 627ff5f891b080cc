"""An address to listen on, and the page served there. The one file that imports uvicorn, when first used."""

import errno
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from prismpy.errors import PrismError
from prismpy.extras import needs
from prismpy.storage import locked

from ._home import Home
from ._server import LOOPBACK, application

_EVERYWHERE: Final = frozenset({"0.0.0.0", "::", ""})  # noqa: S104  # looked for, not listened on
"""Addresses that stand for all that this machine has."""

_REASONS: Final = {
    errno.EADDRINUSE: "another program listens there",
    errno.EADDRNOTAVAIL: "this machine has no such address",
    errno.EACCES: "it is not allowed",
}
"""What to say of an error of the operating system, which says it together with numbers."""


class AddressError(PrismError):
    """The page cannot be served at the address, or is served from that folder already."""


def serve(
    home: Home,
    *,
    host: str = "127.0.0.1",
    port: int = 8321,
    hosts: tuple[str, ...] = LOOPBACK,
    password: str = "",
    told: Callable[[str], None] = lambda _: None,
) -> None:
    """
    Serve the page until the process is told to end.

    Args:
        home: The assistant.

        host: Address to listen on; anything but loopback lets others on the network talk to it, so give a password.

        port: To listen on; 0 for any that is free.

        hosts: Names under which pages reach the server; addresses in numbers need not be named.

        password: Who does not say it sees nothing; at least 12 characters. "" to let everybody in who gets here.

        told: Gets the URL of the page, once it can be visited.

    Raises:
        NotInstalledError: if what `prismpy[assistant]` brings is not installed.

        DefinitionError: if the password is too short.

        AddressError: if the port is taken, or another process serves the same folder.

        StoreError: if the folder cannot be written to, or the conversations cannot be read.
    """
    needs("serving the page", "assistant", "filelock", "starlette", "uvicorn")
    import uvicorn

    config = uvicorn.Config(
        application(home, (*hosts, *_names(host)), password),
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=1,  # seconds; pages that watch never hang up by themselves
    )
    with _alone(home.folder), _listening(host, port) as listener:
        home.conversations.list()
        told(f"http://{_shown(host)}:{listener.getsockname()[1]}/")
        with suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[listener])


def _names(host: str) -> tuple[str, ...]:
    return (socket.gethostname().lower(),) if host in _EVERYWHERE else (_shown(host).lower(),)


def _shown(host: str) -> str:
    if host in _EVERYWHERE:
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """See that no other process drives the conversations of a folder; neither would hear of what the other does."""
    with locked(folder / ".serving.lock", f"use the folder {folder}") as is_alone:
        if not is_alone:
            msg = f"the assistant in {folder} is served already, by another process; use its page, or another folder"
            raise AddressError(msg)
        yield


@contextmanager
def _listening(host: str, port: int) -> Iterator[socket.socket]:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family)
    except OSError as error:
        reason = _REASONS.get(error.errno or 0, error.strerror)
        msg = f"cannot listen on {host}, port {port}: {reason}; choose another address or port"
        raise AddressError(msg) from error
    with listener:
        yield listener
