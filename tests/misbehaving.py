"""Servers on loopback that misbehave: one that never answers, and one that answers the same to everything."""

import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from socketserver import TCPServer, ThreadingMixIn
from typing import Any


class Prompt(ThreadingMixIn, TCPServer):
    """
    Answers each client in a thread of its own, and sends every piece at once.

    Else a body, being sent after the head, would wait until the client has confirmed the head: 40 ms an answer.
    """

    daemon_threads = True

    def get_request(self) -> tuple[socket.socket, Any]:
        """Accept a connection."""
        line, address = super().get_request()
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, True)
        return line, address


@contextmanager
def silent() -> Iterator[str]:
    """Accept connections and say nothing; give the address, `127.0.0.1:port`."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"127.0.0.1:{server.getsockname()[1]}"


@contextmanager
def closed() -> Iterator[str]:
    """Give an address at which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
    yield address


@contextmanager
def answering(status: int, body: bytes, headers: Mapping[str, str] | None = None) -> Iterator[str]:
    """Answer every request alike; give the address."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **(headers or {})}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_PUT = do_DELETE = do_PROPFIND = do_REPORT = answer

        def log_message(self, *words: Any) -> None:
            """Say nothing."""

    with serving(Handler) as address:
        yield address


@contextmanager
def serving(
    handler: type[BaseHTTPRequestHandler], wrap: Callable[[socket.socket], socket.socket] = lambda line: line
) -> Iterator[str]:
    """Serve by a handler, its socket wrapped where TLS is wished; give the address."""

    class Server(Prompt, HTTPServer):
        def handle_error(self, *_: object) -> None:
            """Clients that hang up are what is tested."""

    server = Server(("127.0.0.1", 0), handler)
    server.socket = wrap(server.socket)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
