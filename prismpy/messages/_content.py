"""
What a message may hold beside text: pictures and files.

Source of names: Prism, `src/ValueObjects/Media/{Image,Document}.php` and `Messages/Support/Text` (read 2026-11).
"""

import base64
import mimetypes
from pathlib import Path
from typing import Any, ClassVar, Self, TypeAlias

import attrs

from prismpy.errors import DefinitionError

from ._stored import Stored

_FALLBACK_TYPE = "application/octet-stream"


@attrs.frozen
class Text(Stored):
    """Words."""

    kind: ClassVar = "text"

    text: str
    """As the model reads them."""


@attrs.frozen
class Media(Stored):
    """Bytes, or the place where they are; see `Image` and `Document`."""

    data: str | None = attrs.field(
        default=None, repr=lambda data: "None" if data is None else f"<{len(data)} characters of base64>"
    )
    """The content in base64; None where a URL or an id says where it is."""

    mime_type: str | None = None
    """Such as `image/png`; None where only the place is known."""

    url: str | None = None
    """Where a provider fetches the content itself."""

    file_id: str | None = None
    """Id of a file that was uploaded to the provider before."""

    def __attrs_post_init__(self) -> None:
        given = [name for name in ("data", "url", "file_id") if getattr(self, name) is not None]
        if len(given) != 1:
            kind = type(self).__name__
            got = " and ".join(given) or "none"
            msg = f"{kind} needs one of data, url and file_id, got {got}; build it with from_raw or from_url"
            raise DefinitionError(msg)
        if self.data is not None and self.mime_type is None:
            msg = f"{type(self).__name__} has data without mime_type; say what it is, such as 'image/png'"
            raise DefinitionError(msg)

    @property
    def address(self) -> str | None:
        """Its URL, one of type `data` where the bytes are at hand; None where a provider has it."""
        return self.url if self.data is None else f"data:{self.mime_type};base64,{self.data}"

    @classmethod
    def from_raw(cls, content: bytes, mime_type: str) -> Self:
        """Build it from bytes."""
        return cls(base64.b64encode(content).decode("ascii"), mime_type)

    @classmethod
    def from_base64(cls, data: str, mime_type: str) -> Self:
        """Build it from bytes that are in base64 already."""
        return cls(data, mime_type)

    @classmethod
    def from_path(cls, path: str | Path, mime_type: str | None = None) -> Self:
        """
        Build it from a file, read now.

        Args:
            path: The file.

            mime_type: What it is; by default what its name says.

        Raises:
            OSError: if it cannot be read.
        """
        guessed = mime_type or mimetypes.guess_type(str(path))[0] or _FALLBACK_TYPE
        return cls.from_raw(Path(path).read_bytes(), guessed)

    @classmethod
    def from_url(cls, url: str, mime_type: str | None = None) -> Self:
        """Tell a provider where to fetch it; nothing is fetched here."""
        return cls(None, mime_type, url)

    @classmethod
    def from_file_id(cls, file_id: str) -> Self:
        """Name a file that the provider has."""
        return cls(None, None, None, file_id)


@attrs.frozen
class Image(Media):
    """A picture for the model."""

    kind: ClassVar = "image"


@attrs.frozen
class Document(Media):
    """A file for the model, such as a PDF."""

    kind: ClassVar = "document"

    title: str | None = None
    """Name of the file, as the model sees it."""


Content: TypeAlias = Text | Image | Document
"""One piece of what a user says, or of what a tool answers."""


def is_content(result: Any) -> bool:
    """Tell whether a result is content: a piece of it, or a list with at least one piece."""
    return any(isinstance(piece, Content) for piece in (result if isinstance(result, list | tuple) else (result,)))


def pieces(said: Any) -> tuple[Any, ...]:
    """Return the pieces of content, one or several; strings among them become `Text`, the rest stays."""
    several = (said,) if isinstance(said, str | Content) else said
    return tuple(Text(piece) if isinstance(piece, str) else piece for piece in several)
