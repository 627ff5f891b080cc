"""Artifacts in an SQLite file."""

import datetime
import json
from pathlib import Path
from typing import Any, Final

from prismpy.messages import Artifact
from prismpy.storage import Clock, Database, utc_now

from ._intake import MOST_BYTES, Intake
from ._values import StoredArtifact, restored, unknown

_MIGRATIONS: Final = (
    (
        """
        CREATE TABLE artifacts (
            id TEXT PRIMARY KEY,
            sha256 TEXT NOT NULL,
            mime_type TEXT NOT NULL,
            size INTEGER NOT NULL,
            filename TEXT NOT NULL,
            created TEXT NOT NULL,
            metadata TEXT NOT NULL,
            content BLOB NOT NULL
        )
        """,
    ),
)

_ABOUT: Final = "SELECT id, sha256, mime_type, size, filename, created, metadata FROM artifacts"


class SQLiteArtifacts:
    """
    An `ArtifactStore` in an SQLite file, which may hold other stores too.

    Args:
        path: Of the file, made where there is none; `:memory:` for one that ends with the process.

        max_bytes: Of one artifact.

        max_total_bytes: Of all of them; None for no limit.

        clock: Tells the time, in UTC.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        max_bytes: int = MOST_BYTES,
        max_total_bytes: int | None = None,
        clock: Clock = utc_now,
    ) -> None:
        self._database = Database(path, "artifacts", _MIGRATIONS)
        self._intake = Intake(max_bytes, max_total_bytes, clock)

    def put(self, artifact: Artifact) -> StoredArtifact:
        """Keep an artifact; see `ArtifactStore.put`."""
        stored, content = self._intake.taken(artifact)
        with self._database.write() as connection:
            found = connection.execute(_ABOUT + " WHERE id = ?", (stored.id,)).fetchone()
            if found is not None:
                return _parse(found)
            used = connection.execute("SELECT coalesce(sum(size), 0) FROM artifacts").fetchone()[0]
            self._intake.check_room(used, stored.size)
            connection.execute("INSERT INTO artifacts VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (*_emit(stored), content))
        return stored

    def get(self, id: str) -> Artifact:
        """Return an artifact; see `ArtifactStore.get`."""
        stored = self.describe(id)
        rows = self._database.read("SELECT content FROM artifacts WHERE id = ?", (id,))
        if not rows:  # pragma: no cover  # somebody deleted it between the two lines
            raise unknown(id)
        return restored(stored, rows[0][0])

    def describe(self, id: str) -> StoredArtifact:
        """Tell about an artifact; see `ArtifactStore.describe`."""
        rows = self._database.read(_ABOUT + " WHERE id = ?", (id,))
        if not rows:
            raise unknown(id)
        return _parse(rows[0])

    def list(self) -> tuple[StoredArtifact, ...]:
        """Tell about all artifacts, oldest first."""
        rows = self._database.read(_ABOUT + " ORDER BY created, id")
        return tuple(map(_parse, rows))

    def delete(self, id: str) -> None:
        """Remove an artifact; see `ArtifactStore.delete`."""
        with self._database.write() as connection:
            if not connection.execute("DELETE FROM artifacts WHERE id = ?", (id,)).rowcount:
                raise unknown(id)

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        self._database.close()


def _emit(stored: StoredArtifact) -> tuple[Any, ...]:
    about = (stored.id, stored.sha256, stored.mime_type, stored.size, stored.filename)
    return (*about, stored.created.isoformat(), json.dumps(stored.metadata))


def _parse(row: Any) -> StoredArtifact:
    id, sha256, mime_type, size, filename, created, metadata = row
    when = datetime.datetime.fromisoformat(created)
    return StoredArtifact(id, sha256, mime_type, size, filename, when, json.loads(metadata))
