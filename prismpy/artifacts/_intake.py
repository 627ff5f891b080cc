"""What comes into a store of artifacts: how much it takes, and what it writes down of each."""

import datetime
import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any, Final

import attrs

from prismpy.errors import PrismError, StoreError
from prismpy.messages import Artifact
from prismpy.storage import Clock, extension_of, safe_name

from ._values import StoredArtifact

MOST_BYTES: Final = 50_000_000
"""Of one artifact, unless a store is told otherwise."""


@attrs.frozen
class Intake:
    """The limits of a store, and its clock."""

    max_bytes: int
    """Of one artifact."""

    max_total_bytes: int | None
    """Of all of them; None for no limit."""

    clock: Clock

    def taken(self, artifact: Artifact) -> tuple[StoredArtifact, bytes]:
        """
        Return what a store tells about an artifact, and its content.

        Raises:
            StoreError: if it is too large, no base64, its type is none, or its metadata is no JSON.
        """
        content = self._content_of(artifact)
        return _described(artifact, content, self.clock()), content

    def check_room(self, used: int, needed: int) -> None:
        """
        Refuse what there is no room for.

        Args:
            used: Bytes of all artifacts.

            needed: Bytes of the one that comes.

        Raises:
            StoreError: telling how much there is.
        """
        if self.max_total_bytes is not None and used + needed > self.max_total_bytes:
            msg = (
                f"the artifact has {needed:,} bytes, and the store holds {used:,} of at most {self.max_total_bytes:,}; "
                "delete some artifacts first"
            )
            raise StoreError(msg)

    def _content_of(self, artifact: Artifact) -> bytes:
        size = len(artifact.data) * 3 // 4 - artifact.data[-2:].count("=")
        if size > self.max_bytes:
            msg = f"the artifact has {size:,} bytes, and at most {self.max_bytes:,} are kept"
            raise StoreError(msg)
        try:
            return artifact.raw()
        except PrismError as error:
            raise StoreError(str(error)) from error


def _described(artifact: Artifact, content: bytes, created: datetime.datetime) -> StoredArtifact:
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
