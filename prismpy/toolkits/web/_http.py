"""
One page over HTTP: from a checked address, within a size and a time, through a few redirects.

The standard library's client is given a line that leads to the checked address;
it never looks a name up itself, and knows no proxies.
"""

import http.client
import re
import socket
import ssl
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import Message
from http import HTTPStatus
from typing import Final
from urllib.parse import SplitResult, quote, urljoin, urlsplit

import attrs

from prismpy.errors import StoreError
from prismpy.storage import hung_up_after

from ._addresses import Network, Resolve, checked

_REDIRECTS: Final = {301, 302, 303, 307, 308}
_MOST_REDIRECTS: Final = 5
_PORTS: Final = {"http": 80, "https": 443}
_LOWEST_FREE_PORT: Final = 1024
"""Below it are the doors of mail servers and the like, for which a page is no reason to knock."""

_PIECE: Final = 65_536


@attrs.frozen
class Limits:
    """What a page may cost, and where it may come from."""

    max_bytes: int
    """Of the page, when it is unpacked."""

    seconds: float
    """For all of it, redirects too."""

    allowed: tuple[Network, ...]
    """Networks beside the public internet."""

    resolve: Resolve
    """From a name to addresses."""

    user_agent: str
    """Who asks, as servers are told."""


@attrs.frozen
class Page:
    """What a server gave."""

    url: str
    """Where it came from in the end."""

    content: bytes
    mime_type: str
    """In lower case, without parameters; "" where the server did not say."""

    charset: str
    """As the server says; "" where it does not."""


def fetch(url: str, limits: Limits) -> Page:
    """
    Get a page.

    Raises:
        StoreError: if the address is none, may not be asked, or does not answer with a page within the limits.
    """
    deadline = time.monotonic() + limits.seconds
    for _ in range(_MOST_REDIRECTS + 1):
        with _asked(url, limits, deadline) as (response, parts):
            location = response.getheader("Location")
            if response.status not in _REDIRECTS or not location:
                return _page(response, parts, limits, deadline)
        url = urljoin(url, location)
    msg = f"{_host(url)} sends from one address to the next without an end"
    raise StoreError(msg)


def _split(url: str) -> SplitResult:
    """Take an address apart, and refuse what is none for a page."""
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError:
        parts, port = SplitResult("", "", "", "", ""), None
    if parts.scheme not in _PORTS or not parts.hostname or re.search(r"[\s\x00-\x20\x7f\\]", parts.netloc):
        msg = f"{url[:100]!r} is no address of a page; give one that begins with https:// or http://"
        raise StoreError(msg)
    if parts.username is not None or parts.password is not None:
        msg = f"the address of {parts.hostname} has a user or a password in it, and was not asked"
        raise StoreError(msg)
    if port is not None and port not in _PORTS.values() and port < _LOWEST_FREE_PORT:
        msg = f"port {port} of {parts.hostname} is none for pages, and was not asked"
        raise StoreError(msg)
    return parts


def _host(url: str) -> str:
    return (urlsplit(url).hostname or "the server")[:100]


@contextmanager
def _asked(url: str, limits: Limits, deadline: float) -> Iterator[tuple[http.client.HTTPResponse, SplitResult]]:
    """Ask for an address and lend the answer; close the line at the end, whatever happened."""
    parts = _split(url)
    host = parts.hostname or ""
    port = parts.port or _PORTS[parts.scheme]
    addresses = checked(host, port, limits.resolve, limits.allowed)
    try:
        with (
            _line(addresses, port, deadline) as plain,
            hung_up_after(_left(deadline), plain.fileno),  # while keys are exchanged
            _secured(plain, parts) as line,
            hung_up_after(_left(deadline), line.fileno),
            _answer(line, parts, limits) as response,
        ):
            yield response, parts
    except (OSError, http.client.HTTPException, ValueError, zlib.error) as error:
        reason = "did not answer in time" if _is_over(deadline) else _reason(error)
        msg = f"{host[:100]} {reason}"
        raise StoreError(msg) from error


def _reason(error: Exception) -> str:
    match error:
        case ssl.SSLCertVerificationError():
            return f"has no certificate that can be trusted ({error.verify_message})"
        case OSError():
            return f"cannot be reached ({error.strerror or type(error).__name__})"
        case _:
            return f"answers what is no HTTP ({type(error).__name__})"


def _left(deadline: float) -> float:
    return max(0.001, deadline - time.monotonic())


def _is_over(deadline: float) -> bool:
    return time.monotonic() >= deadline


def _line(addresses: list[str], port: int, deadline: float) -> socket.socket:
    """Connect to the first address that answers."""
    *others, last = addresses
    for address in others:
        try:
            return socket.create_connection((address, port), timeout=_left(deadline) / 2)
        except OSError:
            continue
    return socket.create_connection((last, port), timeout=_left(deadline))


def _secured(line: socket.socket, parts: SplitResult) -> socket.socket:
    if parts.scheme == "http":
        return line
    return ssl.create_default_context().wrap_socket(line, server_hostname=parts.hostname)


def _answer(line: socket.socket, parts: SplitResult, limits: Limits) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port)
    connection.sock = line
    path = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~-._")
    query = quote(parts.query, safe="/?%:@!$&'()*+,;=~-._")
    headers = {
        "Host": parts.netloc.encode("idna").decode() if not parts.netloc.isascii() else parts.netloc,
        "User-Agent": limits.user_agent,
        "Accept": "text/html,application/xhtml+xml,text/*;q=0.9,*/*;q=0.5",
        "Accept-Encoding": "gzip, deflate",
        "Connection": "close",
    }
    connection.request("GET", f"{path}?{query}" if query else path, headers=headers)
    return connection.getresponse()


def _page(response: http.client.HTTPResponse, parts: SplitResult, limits: Limits, deadline: float) -> Page:
    if response.status >= HTTPStatus.BAD_REQUEST:
        msg = f"{parts.hostname} answers with status {response.status} ({response.reason[:60]})"
        raise StoreError(msg)
    about = Message()
    about["Content-Type"] = response.getheader("Content-Type", "")
    content = bytearray()
    for piece in _unpacked(response, (response.getheader("Content-Encoding") or "identity").lower().strip()):
        content += piece
        if len(content) > limits.max_bytes:
            msg = f"the page of {parts.hostname} has more than {limits.max_bytes:,} bytes, and was not read"
            raise StoreError(msg)
    if _is_over(deadline):  # then the line was hung up, and what came looks like all there was
        raise TimeoutError
    kind = about.get_content_type() if response.getheader("Content-Type") else ""
    return Page(parts.geturl(), bytes(content), kind, str(about.get_param("charset", "")))


def _unpacked(response: http.client.HTTPResponse, encoding: str) -> Iterator[bytes]:
    """Give the content in pieces of a limited size, however well it was packed."""
    if encoding not in {"identity", "gzip", "x-gzip", "deflate"}:
        msg = f"the page is packed by {encoding[:40]!r}, which is not known here"
        raise StoreError(msg)
    unpacker = None if encoding == "identity" else zlib.decompressobj(zlib.MAX_WBITS | 32)  # it finds out by which
    while piece := response.read(_PIECE):
        if unpacker is None:
            yield piece
            continue
        while piece:
            yield unpacker.decompress(piece, _PIECE)
            piece = unpacker.unconsumed_tail
    if response.length or (unpacker is not None and not unpacker.eof):
        rest = b""
        raise http.client.IncompleteRead(rest, response.length)
