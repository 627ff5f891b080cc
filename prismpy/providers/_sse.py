"""
Event streams, from bytes to decoded JSON, without I/O.

Only `data` is read: what the providers' `event` lines say stands in the data too.

Source: HTML standard, section "Parsing an event stream" (read 2026-11).
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from prismpy.errors import ProviderError

_DONE = b"[DONE]"


class SseDecoder:
    """
    Takes a stream in pieces of any size and gives the JSON objects in it, each as soon as it is complete.

    `[DONE]` gives an empty object; comments and other data that is no object give nothing.
    """

    def __init__(self) -> None:
        self._rest: list[bytes] = []
        self._data: list[bytes] = []

    def feed(self, chunk: bytes) -> Iterator[Mapping[str, Any]]:
        """
        Take the next bytes.

        Raises:
            ProviderError: if an object is broken.
        """
        first, *more = chunk.split(b"\n")
        self._rest.append(first)
        if not more:  # a long line comes in many pieces; it is joined once
            return
        lines = [b"".join(self._rest), *more]
        self._rest = [lines.pop()]
        for line in lines:
            yield from self._line(line.removesuffix(b"\r"))

    def _line(self, line: bytes) -> Iterator[Mapping[str, Any]]:
        if line.startswith(b"data:"):
            self._data.append(line[5:].strip())
        elif not line and self._data:
            data = b"\n".join(self._data)
            self._data.clear()
            if data.startswith(b"{"):
                yield _decoded(data)
            elif data == _DONE:
                yield {}


def _decoded(data: bytes) -> Mapping[str, Any]:
    try:
        value: Mapping[str, Any] = json.loads(data.decode("utf-8", "replace"))
    except ValueError as error:
        msg = f"an event of the stream is no JSON ({error}); what came before it is kept"
        raise ProviderError(msg, code="bad_event") from error
    return value
