"""
What a tool makes for the app.

Source of names: Prism, `src/ValueObjects/Artifact.php` (read 2026-11).
"""

import base64
import binascii
from collections.abc import Mapping
from typing import Any, Self

import attrs

from prismpy.errors import PrismError

from ._stored import Stored


@attrs.frozen
class Artifact(Stored):
    """
    Something a tool made for the app, not for the model: an image, a file.

    Build one from bytes with `Artifact.from_raw`.
    """

    data: str = attrs.field(repr=lambda data: f"<{len(data)} characters of base64>")
    """The content in base64."""

    mime_type: str
    """Such as `image/png`."""

    metadata: Mapping[str, Any] = attrs.field(factory=dict, converter=dict, hash=False)
    """Anything the app wants to know, as JSON: `{"filename": ..., "width": ...}`."""

    id: str | None = None
    """Name of the artifact within the app, if it has one."""

    @classmethod
    def from_raw(
        cls, content: bytes, mime_type: str, metadata: Mapping[str, Any] | None = None, id: str | None = None
    ) -> Self:
        """
        Build an artifact from bytes.

        Args:
            content: Any bytes.

            mime_type: Such as `image/png`.

            metadata: Anything the app wants to know, as JSON.

            id: Name of the artifact within the app.
        """
        return cls(base64.b64encode(content).decode("ascii"), mime_type, metadata or {}, id)

    def raw(self) -> bytes:
        """
        Return the content as bytes.

        Raises:
            PrismError: if `data` is no base64.
        """
        try:
            return base64.b64decode(self.data, validate=True)
        except (binascii.Error, ValueError) as error:
            msg = (
                f"artifact {self.id!r}: data is no base64 ({error}); build artifacts from bytes with Artifact.from_raw"
            )
            raise PrismError(msg) from error
