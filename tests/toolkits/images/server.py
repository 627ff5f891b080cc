"""
A small server that speaks OpenAI's images API, with real HTTP.

Source of the shapes: openai 3.57.0, `types/images_response.py`; of errors, its
`_exceptions.py` (read 2026-11).
"""

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from typing import Any

from prismpy.toolkits.images import DrawnImages, Wish
from tests.misbehaving import serving

KEY = "sk-0123456789abcdef"


@contextmanager
def images(requests: list[Any]) -> Iterator[str]:
    """Serve pictures, and note what was asked for; give the base URL."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            requests.append((self.path, body))
            status, answer = self.route(body)
            content = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def route(self, body: Any) -> tuple[int, Any]:
            if self.headers["Authorization"] != f"Bearer {KEY}":
                return 401, error(
                    f"Incorrect API key provided: {self.headers['Authorization'][-4:]}", "invalid_api_key"
                )
            if "forbidden" in body["prompt"]:
                return 400, error("Your request was rejected by the safety system.", "moderation_blocked")
            shape = {"1024x1024": "square", "1536x1024": "landscape", "1024x1536": "portrait"}[body["size"]]
            wish = Wish(body["prompt"], shape, transparent=body["background"] == "transparent")
            picture = base64.b64encode(DrawnImages().make(wish).content).decode()
            return 200, {"created": 1714978800, "data": [{"b64_json": picture}], "output_format": "png"}

        def log_message(self, *words: Any) -> None:
            """Say nothing."""

    with serving(Handler) as address:
        yield f"http://{address}/v1"


def error(message: str, code: str) -> Any:
    return {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": code}}
