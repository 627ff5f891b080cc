"""
Who may talk to the assistant: pages that it served itself, on this machine.

Other pages in the same browser can send requests to a server on loopback. A
request must name this server as its host, which a name that was pointed here by
somebody else's DNS does not, or an address in numbers; whatever changes something must come from a page of
this origin and bear the token that only such a page can read.

Source: OWASP, cheat sheet "Cross-Site Request Forgery Prevention"; W3C, "Content Security Policy Level 3" and "Fetch
Metadata Request Headers" (read 2026-11).
"""

import ipaddress
import secrets
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from typing import Any, Final, TypeAlias

Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

TOKEN_HEADER: Final = "x-prismpy-token"  # noqa: S105  # the name of it

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""What a page may load: its own scripts, styles, pictures and events, and nothing from elsewhere."""

_HEADERS: Final = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
_SAFE: Final = frozenset({"GET", "HEAD"})


class Guard:
    """
    Refuses requests from elsewhere, and says in each answer what a page may do.

    Args:
        app: What is guarded.

        hosts: Names under which the server is reached, with or without a port.

        token: What a page of ours sends back with each change.

        tokenless: Paths of changes that are made before any page could read it.
    """

    def __init__(self, app: App, hosts: Iterable[str], token: str, tokenless: Iterable[str] = ()) -> None:
        self._app = app
        self._hosts = frozenset(hosts)
        self._token = token
        self._tokenless = frozenset(tokenless)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if complaint := self._complaint(scope, headers_of(scope)):
            await answer(_with_headers(send), 403, complaint.encode(), (b"content-type", b"text/plain; charset=utf-8"))
        else:
            await self._app(scope, receive, _with_headers(send))

    def _complaint(self, scope: Scope, headers: Mapping[str, str]) -> str:
        host = headers.get("host", "")
        if not (self._is_ours(host) or _is_address(host)):
            return "this server is not reached under that name"
        if scope["method"] in _SAFE:
            return ""
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2] != host and not self._is_ours(origin.partition("://")[2]):
            return "a change must come from a page of this server"
        if headers.get("sec-fetch-site", "same-origin") != "same-origin":
            return "a change must come from a page of this server"
        if scope["path"] not in self._tokenless and not secrets.compare_digest(
            headers.get(TOKEN_HEADER, "").encode(), self._token.encode()
        ):
            return "the token of the page is missing or old; reload the page"
        return ""

    def _is_ours(self, host: str) -> bool:
        return host in self._hosts or _without_port(host) in self._hosts


def _without_port(host: str) -> str:
    name, _, port = host.rpartition(":")
    return name if port.isdigit() else host


def _is_address(host: str) -> bool:
    """Tell whether a host is an address in numbers, which leads to this server or not at all: nobody can rebind it."""
    try:
        ipaddress.ip_address(_without_port(host).removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True


def _with_headers(send: Send) -> Send:
    async def sending(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            given = {name.lower() for name, _ in message["headers"]}
            more = [(name.encode(), value.encode()) for name, value in _HEADERS.items() if name.encode() not in given]
            message = {**message, "headers": [*message["headers"], *more]}
        await send(message)

    return sending


async def answer(send: Send, status: int, body: bytes, *headers: tuple[bytes, bytes]) -> None:
    """Answer a request."""
    await send({"type": "http.response.start", "status": status, "headers": list(headers)})
    await send({"type": "http.response.body", "body": body})


def headers_of(scope: Scope) -> dict[str, str]:
    """Return the headers of a request, with names in lower case."""
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
