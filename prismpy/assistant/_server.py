"""
The assistant as a web server. The one file that imports starlette here, when first used.

    GET    /                                     the page; with a password, the form that asks for it
    POST   /login                                key=...
    GET    /assets/{name}                        its scripts and its style
    GET    /artifacts/{id}                       a picture or a file that a tool made
    GET    /api/about                            which model and which tools there are
    GET    /api/conversations                    all of them, the last one first
    POST   /api/conversations                    begins one
    DELETE /api/conversations/{id}
    GET    /api/conversations/{id}/events        server-sent events, those of the past first
    POST   /api/conversations/{id}/messages      {"text": ...}
    POST   /api/conversations/{id}/decisions     {"digest": ..., "agreed": ..., "reason": ...}
    POST   /api/conversations/{id}/stop
"""

import json
import re
import secrets
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

import attrs

from prismpy.errors import PrismError, ProtocolError, StoreError, UnknownIdError
from prismpy.events import SSE_HEADERS
from prismpy.extras import needs
from prismpy.messages import Decision

from ._door import LOGIN, Door
from ._guard import App, Guard
from ._home import Home
from ._runs import Runs

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")
"""Names under which a server on this machine is reached."""

MAX_BODY: Final = 256 * 1024
"""Bytes of a request; what a person types is far less."""

_ASSETS: Final = {
    **dict.fromkeys(("page.js", "view.js", "events.js", "server.js", "written.js"), "text/javascript"),
    "page.css": "text/css",
    "icon.svg": "image/svg+xml",
}
_SHOWN: Final = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
"""Types that a browser shows and cannot be made to run; all others are downloads."""


_PATIENCE: Final = 30.0
"""Seconds in which a request must have come."""


class TooLargeError(PrismError):
    """A request holds more than the server reads."""


class TooSlowError(PrismError):
    """A request takes longer than the server waits."""


def application(home: Home, hosts: tuple[str, ...] = LOOPBACK, password: str = "") -> App:
    """
    Return the server as an ASGI application, for one process.

    Args:
        home: The assistant.

        hosts: Names under which pages reach it; addresses in numbers need not be named.

        password: Who does not say it sees nothing; at least 12 characters. "" to let everybody in who gets here.

    Raises:
        NotInstalledError: if what `prismpy[assistant]` brings is not installed.

        DefinitionError: if the password is too short.
    """
    needs("the page", "assistant", "starlette")
    from starlette.applications import Starlette
    from starlette.routing import Route

    token = secrets.token_urlsafe(32)
    site = _Site(home, token)

    @asynccontextmanager
    async def open_(_: Starlette) -> AsyncIterator[None]:
        async with home.opened() as runs:
            site.runs = runs
            yield

    def route(path: str, method: str, endpoint: Any) -> Route:
        return Route(path, _answering(endpoint), methods=[method])

    one = "/api/conversations/{id}"
    routes = [
        route("/", "GET", site.page),
        route("/assets/{name}", "GET", site.asset),
        route("/artifacts/{id}", "GET", site.artifact),
        route("/api/about", "GET", site.about),
        route("/api/conversations", "GET", site.list),
        route("/api/conversations", "POST", site.create),
        route(one, "DELETE", site.delete),
        route(f"{one}/events", "GET", site.events),
        route(f"{one}/messages", "POST", site.ask),
        route(f"{one}/decisions", "POST", site.decide),
        route(f"{one}/stop", "POST", site.stop),
    ]
    app: App = Starlette(routes=routes, lifespan=open_)
    return Guard(Door(app, password, _read("key.html")) if password else app, hosts, token, [LOGIN])


_STATUS: Final[tuple[tuple[type[PrismError], int], ...]] = (
    (UnknownIdError, 404),
    (TooSlowError, 408),
    (ProtocolError, 409),
    (TooLargeError, 413),
    (StoreError, 503),
    (PrismError, 400),
)


def _answering(endpoint: Any) -> Any:
    """Answer what is wrong with a request in one sentence."""

    async def answer(request: "Request") -> "Response":
        try:
            response: Response = await endpoint(request)
        except PrismError as error:
            status = next(status for kind, status in _STATUS if isinstance(error, kind))
            return _json({"error": str(error)}, status)
        return response

    return answer


@attrs.define(eq=False)
class _Site:
    """What is answered to each request."""

    home: Home
    token: str
    _runs: Runs | None = None

    @property
    def runs(self) -> Runs:
        """The runs; they are there while the server is open."""
        assert self._runs is not None  # noqa: S101  # the server takes no request before
        return self._runs

    @runs.setter
    def runs(self, runs: Runs) -> None:
        self._runs = runs

    async def page(self, _: "Request") -> "Response":
        from starlette.responses import HTMLResponse

        return HTMLResponse(_read("page.html").replace("{{token}}", self.token))

    async def asset(self, request: "Request") -> "Response":
        from starlette.responses import Response

        name = request.path_params["name"]
        if name not in _ASSETS:
            msg = f"there is no file {name!r}"
            raise UnknownIdError(msg)
        return Response(_read(name), media_type=_ASSETS[name])

    async def artifact(self, request: "Request") -> "Response":
        from starlette.responses import Response

        stored = self.home.artifacts.describe(request.path_params["id"])
        shown = stored.mime_type in _SHOWN
        disposition = f"{'inline' if shown else 'attachment'}; filename*=UTF-8''{quote(stored.filename)}"
        return Response(
            self.home.artifacts.get(stored.id).raw(),
            media_type=stored.mime_type if shown else "application/octet-stream",
            headers={"content-disposition": disposition, "content-security-policy": "default-src 'none'; sandbox"},
        )

    async def about(self, _: "Request") -> "Response":
        return _json(self.home.about())

    async def list(self, _: "Request") -> "Response":
        found = [attrs.asdict(each) for each in self.home.conversations.list()]
        return _json([{**each, "running": self.runs.is_running(each["id"])} for each in found])

    async def create(self, _: "Request") -> "Response":
        return _json(attrs.asdict(self.home.conversations.create()), 201)

    async def delete(self, request: "Request") -> "Response":
        await self.runs.delete(request.path_params["id"])
        return _json({})

    async def events(self, request: "Request") -> "Response":
        from starlette.responses import StreamingResponse

        after = request.headers.get("last-event-id") or request.query_params.get("after") or "0"
        if not re.fullmatch(r"[0-9]{1,18}", after):
            msg = f"the number of the last event is {after[:40]!r}; it must be at most 18 digits"
            raise PrismError(msg)
        id = request.path_params["id"]
        self.home.conversations.get(id)
        return StreamingResponse(self._told(id, int(after)), headers=SSE_HEADERS)

    async def _told(self, id: str, after: int) -> AsyncIterator[str]:
        async with aclosing(self.runs.watch(id, after)) as events:
            async for told in events:
                if told is None:
                    yield _sse("caught_up", {"running": self.runs.is_running(id)})
                else:
                    yield (f"id: {told.number}\n" if told.number else "") + _sse(told.type, told.data)

    async def ask(self, request: "Request") -> "Response":
        text = (await _body(request)).get("text")
        if not isinstance(text, str) or not text.strip():
            msg = "a message needs words under 'text'"
            raise PrismError(msg)
        if re.search("[\ud800-\udfff]", text):
            msg = "the message has half a character; write it again"
            raise PrismError(msg)
        self.runs.ask(request.path_params["id"], text.strip())
        return _json({}, 202)

    async def decide(self, request: "Request") -> "Response":
        body = await _body(request)
        match body:
            case {"digest": str() as digest, "agreed": bool() as agreed}:
                reason = body.get("reason")
                decision = Decision(agreed, reason if isinstance(reason, str) else "")
                self.runs.answer(request.path_params["id"], digest, decision)
                return _json({}, 202)
            case _:
                msg = "a decision needs the 'digest' of the call and 'agreed', true or false"
                raise PrismError(msg)

    async def stop(self, request: "Request") -> "Response":
        self.runs.stop(request.path_params["id"])
        return _json({}, 202)


def _sse(type: str, data: Any) -> str:
    return f"event: {type}\ndata: {json.dumps(data)}\n\n"


async def _body(request: "Request") -> dict[str, Any]:
    import anyio

    content = bytearray()
    with anyio.move_on_after(_PATIENCE) as waiting:
        async for piece in request.stream():
            content += piece
            if len(content) > MAX_BODY:
                msg = f"a request may hold {MAX_BODY} bytes"
                raise TooLargeError(msg)
    if waiting.cancelled_caught:
        msg = f"the request did not come within {_PATIENCE:.0f} seconds"
        raise TooSlowError(msg)
    try:
        body = json.loads(content)
    except (ValueError, RecursionError) as error:
        msg = f"the request is no JSON: {error}"
        raise PrismError(msg) from error
    if not isinstance(body, dict):
        msg = "the request must be a JSON object"
        raise PrismError(msg)
    return body


def _json(value: Any, status: int = 200) -> "Response":
    from starlette.responses import JSONResponse

    return JSONResponse(value, status)


def _read(name: str) -> str:
    return (files(__package__) / "page" / name).read_text(encoding="utf-8")
