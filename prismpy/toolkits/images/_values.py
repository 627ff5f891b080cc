"""What a maker of pictures is asked for, what it gives, and what a picture's first bytes tell."""

import struct
from collections.abc import Mapping
from typing import Final, Literal, Protocol, TypeAlias, get_args

import attrs

from prismpy.errors import StoreError

Shape: TypeAlias = Literal["square", "landscape", "portrait"]
Quality: TypeAlias = Literal["auto", "low", "medium", "high"]

SHAPES: Final[tuple[Shape, ...]] = get_args(Shape)
QUALITIES: Final[tuple[Quality, ...]] = get_args(Quality)


@attrs.frozen
class Wish:
    """What a picture shall be."""

    prompt: str
    """In words."""

    shape: str = SHAPES[0]
    """One of `SHAPES`."""

    quality: str = QUALITIES[0]
    """One of `QUALITIES`."""

    transparent: bool = False
    """Whether what is behind the subject shall be left out."""


@attrs.frozen
class Picture:
    """A picture."""

    content: bytes = attrs.field(repr=lambda content: f"<{len(content)} bytes>")

    mime_type: str
    """Such as `image/png`."""

    width: int | None = None
    """Pixels, where the first bytes tell."""

    height: int | None = None
    """Pixels, where the first bytes tell."""


class ImageMaker(Protocol):
    """
    Makes pictures. May be called from any thread.

    `DrawnImages` and `OpenAIImages` are ones, and pass the same tests.
    """

    def make(self, wish: Wish) -> Picture:
        """
        Make a picture.

        Raises:
            StoreError: if it cannot be made, in words for the model.
        """
        ...


_BEGINNINGS: Final[Mapping[bytes, str]] = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF8": "image/gif",
    b"RIFF": "image/webp",
}
"""First bytes to type. Source: WHATWG, "MIME Sniffing", 6.1 (read 2026-11)."""

_PNG_SIZE: Final = slice(16, 24)
"""Width and height in a PNG. Source: W3C, "Portable Network Graphics", 11.2.1 (read 2026-11)."""


def picture_of(content: bytes) -> Picture:
    """
    Recognise a picture by its first bytes, whatever somebody says it is.

    Raises:
        StoreError: if it is none of PNG, JPEG, GIF and WebP.
    """
    kind = next((kind for beginning, kind in _BEGINNINGS.items() if content.startswith(beginning)), None)
    if kind is None or (kind == "image/webp" and content[8:12] != b"WEBP"):
        msg = "what was made is no PNG, JPEG, GIF or WebP picture, so it was not kept"
        raise StoreError(msg)
    if kind == "image/png" and len(content) >= _PNG_SIZE.stop:
        return Picture(content, kind, *struct.unpack(">II", content[_PNG_SIZE]))
    return Picture(content, kind)
