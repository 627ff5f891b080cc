"""Pictures without a model, a key or a network: bands of colour that the words decide, for demos and tests."""

import hashlib
import math
import struct
import zlib
from collections.abc import Iterator
from typing import Final

from ._values import Picture, Wish, picture_of

_SIZES: Final = {"square": (192, 192), "landscape": (288, 192), "portrait": (192, 288)}
"""Shape to width and height in pixels."""


class DrawnImages:
    """An `ImageMaker` that draws the same picture for the same words."""

    def make(self, wish: Wish) -> Picture:
        """Draw a picture; see `ImageMaker.make`."""
        width, height = _SIZES[wish.shape]
        seed = hashlib.sha256(wish.prompt.encode("utf-8", "replace")).digest()
        rows = b"".join(b"\0" + bytes(_row(seed, y / height, width, wish.transparent)) for y in range(height))
        return picture_of(_png(width, height, rows))


def _row(seed: bytes, y: float, width: int, transparent: bool) -> Iterator[int]:
    """Give red, green, blue and opacity of each pixel: three waves, and a fading edge where that is wished."""
    for column in range(width):
        x = column / width
        for wave in range(3):
            angle, speed, shift = seed[3 * wave : 3 * wave + 3]
            across = x * math.cos(angle / 40) + y * math.sin(angle / 40)
            yield round(127.5 * (1 + math.sin(across * (2 + speed / 40) + shift / 20)))
        yield max(0, round(255 * (1 - 2 * math.hypot(x - 0.5, y - 0.5)))) if transparent else 255


def _png(width: int, height: int, rows: bytes) -> bytes:
    """Write pixels of four bytes as a PNG. Source: W3C, "Portable Network Graphics", 5 and 11 (read 2026-11)."""
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    chunks = {b"IHDR": header, b"IDAT": zlib.compress(rows), b"IEND": b""}
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, content) for name, content in chunks.items())


def _chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
