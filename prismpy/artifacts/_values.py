"""What a store of artifacts tells about each, and what all such stores have in common."""

import datetime
import hashlib
from collections.abc import Mapping
from typing import Any, Protocol

import attrs

from prismpy.errors import StoreError, UnknownIdError
from prismpy.messages import Artifact


@attrs.frozen
class StoredArtifact:
    """What is known of an artifact without reading its content."""

    id: str
    """64 hexadecimal digits, made of content, type and metadata: the same artifact has the same id in every store."""

    sha256: str
    """Of the content alone, 64 hexadecimal digits."""

    mime_type: str
    """Such as `image/png`."""

    size: int
    """Bytes of the content."""

    filename: str
    """A name that is safe on every system; made of the metadata's `filename`, or else of the type."""

    created: datetime.datetime
    """When it was first put there, in UTC."""

    metadata: Mapping[str, Any] = attrs.field(factory=dict, converter=dict, hash=False)
    """As the artifact has it."""


class ArtifactStore(Protocol):
    """
    Keeps artifacts. Its methods may be called from any thread, and by several processes.

    `FolderArtifacts` and `SQLiteArtifacts` are ones, and pass the same tests.
    """

    def put(self, artifact: Artifact) -> StoredArtifact:
        """
        Keep an artifact; one that is there already stays as it is.

        Raises:
            StoreError: if it is too large, no base64, or the disk is full; nothing of it is kept then.
        """
        ...

    def get(self, id: str) -> Artifact:
        """
        Return an artifact, its `id` that of the store.

        Raises:
            UnknownIdError: if there is none of that id.

            StoreError: if its content is no longer what was put there.
        """
        ...

    def describe(self, id: str) -> StoredArtifact:
        """
        Tell about an artifact.

        Raises:
            UnknownIdError: if there is none of that id.
        """
        ...

    def list(self) -> tuple[StoredArtifact, ...]:
        """Tell about all artifacts, oldest first."""
        ...

    def delete(self, id: str) -> None:
        """
        Remove an artifact.

        Raises:
            UnknownIdError: if there is none of that id.
        """
        ...


def restored(stored: StoredArtifact, content: bytes) -> Artifact:
    """
    Make the artifact again.

    Raises:
        StoreError: if the content is not what it was.
    """
    if hashlib.sha256(content).hexdigest() != stored.sha256:
        msg = f"artifact {stored.id}: its content was changed since it was put there; delete it and make it anew"
        raise StoreError(msg)
    return Artifact.from_raw(content, stored.mime_type, stored.metadata, stored.id)


def unknown(id: str) -> UnknownIdError:
    """Make the error for an id that a store does not hold."""
    return UnknownIdError(f"there is no artifact {id[:80]!r}; list the artifacts to see their ids", id=id)
