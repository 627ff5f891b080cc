"""
A password for the page: whoever has said it gets a cookie, and nobody else is let in.

The cookie is made of the password and holds as long as that does; it says nothing of it, no script reads it, and other
sites cannot make a browser send it. The way there is HTTP, which whoever stands between can read.

Source: OWASP, cheat sheets "Session Management" (HttpOnly, SameSite) and "Authentication" (length of passwords); RFC
6265bis, "SameSite Cookies" (read 2026-11).
"""

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from html import escape
from typing import Final
from urllib.parse import parse_qs

from prismpy.errors import DefinitionError

from ._guard import POLICY, App, Receive, Scope, Send, answer, headers_of

LOGIN: Final = "/login"
"""Where the form is sent to."""

LEAST: Final = 12
"""Characters of a password; nothing but its length is in the way of who guesses."""

_MOST: Final = 4096
"""Bytes of a form."""

_POLICY: Final = POLICY.replace("form-action 'none'", "form-action 'self'").encode()


class Door:
    """
    Lets those in who have said the password, in the address (`/?key=...`) or in the form.

    Args:
        app: What is behind it.

        password: At least 12 characters.

        form: The page that asks for it; `{{complaint}}` in it stands for what was wrong.

    Raises:
        DefinitionError: if the password is too short.
    """

    def __init__(self, app: App, password: str, form: str) -> None:
        if len(password) < LEAST:
            msg = f"the password of the page has {len(password)} characters; give it {LEAST} or more"
            raise DefinitionError(msg)
        self._app = app
        self._password = password.encode()
        self._form = form
        name, value = (hmac.digest(self._password, word, hashlib.sha256).hex() for word in (b"name", b"value"))
        self._cookie = f"prismpy-{name[:8]}={value}"  # cookies know no ports: each page needs a name of its own

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or ask for the password."""
        if scope["type"] != "http" or scope["path"].startswith("/assets/"):
            await self._app(scope, receive, send)
        elif (scope["method"], scope["path"]) == ("POST", LOGIN):
            if self._opens(parse_qs(await _body(receive))):
                await answer(send, 303, b"", (b"location", b"/"), self._given())
            else:
                await self._ask(send, "That is not the password.")
        elif self._knows(headers_of(scope)):
            await self._app(scope, receive, send)
        elif scope["path"] != "/":
            await answer(send, 401, b'{"error": "say the password first; reload the page"}', _JSON)
        elif self._opens(said := parse_qs(scope["query_string"].decode("latin-1"))):
            await self._app(scope, receive, self._giving(send))
        else:
            await self._ask(send, "That is not the password of this page any more." if said else "")

    def _opens(self, said: Mapping[str, list[str]]) -> bool:
        return secrets.compare_digest(said.get("key", [""])[0].encode(), self._password)

    def _knows(self, headers: Mapping[str, str]) -> bool:
        cookies = headers.get("cookie", "").split("; ")
        return any(secrets.compare_digest(each.encode(), self._cookie.encode()) for each in cookies)

    def _given(self) -> tuple[bytes, bytes]:
        return b"set-cookie", f"{self._cookie}; Path=/; HttpOnly; SameSite=Strict".encode()

    def _giving(self, send: Send) -> Send:
        async def sending(message: Scope) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message["headers"], self._given()]}
            await send(message)

        return sending

    async def _ask(self, send: Send, complaint: str) -> None:
        form = self._form.replace("{{complaint}}", escape(complaint)).encode()
        await answer(send, 401, form, *_FORM)


_JSON: Final = (b"content-type", b"application/json")
_FORM: Final = (
    (b"content-type", b"text/html; charset=utf-8"),
    (b"content-security-policy", _POLICY),
    (b"referrer-policy", b"same-origin"),  # without a referrer browsers say of a form that its origin is null
)


async def _body(receive: Receive) -> str:
    content, more = b"", True
    while more and len(content) <= _MOST:
        message = await receive()
        content += message.get("body", b"")
        more = message.get("more_body", False)
    return content.decode("latin-1")
