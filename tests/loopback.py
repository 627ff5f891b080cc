"""A loopback HTTP server that answers as it is told and remembers what it was asked."""

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from typing import Any

import attrs

from tests import misbehaving
from tests.recordings import Exchange


@attrs.frozen
class Asked:
    """One request as it came."""

    method: str
    path: str
    headers: Mapping[str, str] = attrs.field(repr=False)
    """With names in lower case."""

    body: Any
    """Decoded JSON; None where there was none."""


@attrs.frozen
class Answer:
    """One response to give."""

    body: bytes = b"{}"
    status: int = 200
    headers: Mapping[str, str] = attrs.field(factory=lambda: {"content-type": "application/json"})

    cut: int | None = None
    """After how many bytes the connection breaks; None for a whole answer."""

    @classmethod
    def json(cls, value: Any, status: int = 200, **headers: str) -> "Answer":
        """Answer with JSON; further headers by name, with `_` for `-`."""
        further = {name.replace("_", "-"): header for name, header in headers.items()}
        return cls(json.dumps(value).encode(), status, {"content-type": "application/json", **further})

    @classmethod
    def sse(cls, text: str) -> "Answer":
        """Answer with an event stream."""
        return cls(text.encode(), 200, {"content-type": "text/event-stream"})

    @classmethod
    def of(cls, exchange: Exchange) -> "Answer":
        """Answer as a recording did."""
        response = exchange.response
        content = response["sse"] if exchange.streamed else json.dumps(response.get("body"))
        headers = {"content-type": "application/json", **response.get("headers", {})}
        return cls(content.encode(), response["status"], headers)


class Loopback:
    """
    A server that gives its answers in order, one a request.

    Once they are used up it answers 500, so that a client that asks too often fails.
    """

    def __init__(self, answers: Sequence[Answer]) -> None:
        self._answers = list(answers)
        self._lock = threading.Lock()
        self.asked: list[Asked] = []
        """The requests so far, in order."""
        self.url = ""
        """Where it listens: `http://127.0.0.1:<port>`."""

    def answer(self, asked: Asked) -> Answer:
        """Remember a request and return the next answer."""
        with self._lock:
            self.asked.append(asked)
            if self._answers:
                return self._answers.pop(0)
        gone = {"error": {"message": "no answer is left", "type": "loopback"}}
        return Answer.json(gone, 500, x_should_retry="false")

    @property
    def bodies(self) -> list[Any]:
        """The decoded bodies of the requests, in order."""
        return [asked.body for asked in self.asked]


def _handler(loopback: Loopback) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _respond(self) -> None:
            content = self.rfile.read(int(self.headers.get("content-length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            answer = loopback.answer(Asked(self.command, self.path, headers, json.loads(content) if content else None))
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(answer.body)))
            self.end_headers()
            self.wfile.write(answer.body[: answer.cut])
            if answer.cut is not None:
                self.close_connection = True

        do_GET = do_POST = do_DELETE = _respond

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    return Handler


@contextmanager
def serving(answers: Sequence[Answer]) -> Iterator[Loopback]:
    """Serve answers on a port of their own as long as the block runs."""
    loopback = Loopback(answers)
    with misbehaving.serving(_handler(loopback)) as address:
        loopback.url = f"http://{address}"
        yield loopback
