"""What a store of artifacts tells about each, and what all such stores have in common."""

import datetime
import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any, Final, Protocol

import attrs

from prismpy.errors import PrismError, StoreError, UnknownIdError
from prismpy.messages import Artifact
from prismpy.storage import extension_of, safe_name

MOST_BYTES: Final = 50_000_000
"""Of one artifact, unless a store is told otherwise."""


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

    Source: `FolderArtifacts` and `SQLiteArtifacts`, which pass the same tests.
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


def describe(artifact: Artifact, content: bytes, created: datetime.datetime) -> StoredArtifact:
    """
    Work out what a store tells about an artifact.

    Raises:
        StoreError: if its type is none, or its metadata is no JSON.
    """
    if not re.fullmatch(r"[\w.+-]+/[\w.+-]+(;.*)?", artifact.mime_type, re.ASCII):
        msg = f"the artifact's type is {artifact.mime_type[:80]!r}; give it one such as 'image/png'"
        raise StoreError(msg)
    digest = hashlib.sha256(content).hexdigest()
    told = json.dumps([digest, artifact.mime_type, _plain(artifact.metadata)], sort_keys=True)
    return StoredArtifact(
        hashlib.sha256(told.encode()).hexdigest(),
        digest,
        artifact.mime_type,
        len(content),
        _filename(artifact),
        created,
        _plain(artifact.metadata),
    )


def content_of(artifact: Artifact, max_bytes: int) -> bytes:
    """
    Return the content of an artifact that is not too large.

    Raises:
        StoreError: if it is, or is no base64.
    """
    size = len(artifact.data) * 3 // 4 - artifact.data[-2:].count("=")
    if size > max_bytes:
        msg = f"the artifact has {size:,} bytes, and at most {max_bytes:,} are kept"
        raise StoreError(msg)
    try:
        return artifact.raw()
    except PrismError as error:
        raise StoreError(str(error)) from error


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


def check_room(used: int, needed: int, max_total_bytes: int | None) -> None:
    """
    Refuse what a store has no room for.

    Raises:
        StoreError: telling how much there is.
    """
    if max_total_bytes is not None and used + needed > max_total_bytes:
        msg = (
            f"the artifact has {needed:,} bytes, and the store holds {used:,} of at most {max_total_bytes:,}; "
            "delete some artifacts first"
        )
        raise StoreError(msg)


def unknown(id: str) -> UnknownIdError:
    """Make the error for an id that a store does not hold."""
    return UnknownIdError(f"there is no artifact {id[:80]!r}; list the artifacts to see their ids", id=id)


def _plain(metadata: Mapping[str, Any]) -> dict[str, Any]:
    try:
        plain: dict[str, Any] = json.loads(json.dumps(dict(metadata), allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        msg = f"the artifact's metadata is no JSON ({error}); keep to text, numbers, lists and objects"
        raise StoreError(msg) from error
    return plain


def _filename(artifact: Artifact) -> str:
    named = artifact.metadata.get("filename")
    return safe_name(named if isinstance(named, str) else "", f"artifact{extension_of(artifact.mime_type)}")
