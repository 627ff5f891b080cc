"""
Artifacts in a folder, each in a folder of its own that other programs can look into.

A folder appears and disappears under its name in one step, so that readers see
all of an artifact or nothing, without locks.
"""

import datetime
import json
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs

from prismpy.errors import StoreError
from prismpy.messages import Artifact
from prismpy.storage import Clock, disk_errors, utc_now, write_new

from ._intake import MOST_BYTES, Intake
from ._values import StoredArtifact, restored, unknown

_ABOUT = ".artifact.json"
"""Beside the content. No safe file name starts with a dot."""


class FolderArtifacts:
    """
    An `ArtifactStore` in a folder: `<id>/<file name>`.

    Args:
        path: Of the folder, made where there is none.

        max_bytes: Of one artifact.

        max_total_bytes: Of all of them; None for no limit. Several processes that write at once may each go over it
            by one artifact.

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
        self._path = Path(path)
        self._intake = Intake(max_bytes, max_total_bytes, clock)

    def put(self, artifact: Artifact) -> StoredArtifact:
        """Keep an artifact; see `ArtifactStore.put`."""
        stored, content = self._intake.taken(artifact)
        home = self._path / stored.id
        if not home.exists():
            self._intake.check_room(self._used(), stored.size)
            self._make(home, stored, content)
        return self.describe(stored.id)

    def get(self, id: str) -> Artifact:
        """Return an artifact; see `ArtifactStore.get`."""
        stored = self.describe(id)
        with disk_errors(f"read artifact {id}"):
            content = (self._path / id / stored.filename).read_bytes()
        return restored(stored, content)

    def describe(self, id: str) -> StoredArtifact:
        """Tell about an artifact; see `ArtifactStore.describe`."""
        try:
            with disk_errors(f"read artifact {id}"):
                text = (self._home(id) / _ABOUT).read_text(encoding="utf-8")
        except StoreError as error:
            if isinstance(error.__cause__, FileNotFoundError):
                raise unknown(id) from error
            raise
        return _parse(id, text)

    def list(self) -> tuple[StoredArtifact, ...]:
        """Tell about all artifacts, oldest first."""
        with disk_errors(f"list {self._path.name}"):
            homes = [home.name for home in self._homes()]
        return tuple(sorted((self.describe(id) for id in homes), key=lambda stored: (stored.created, stored.id)))

    def delete(self, id: str) -> None:
        """Remove an artifact; see `ArtifactStore.delete`."""
        self.describe(id)
        with disk_errors(f"delete artifact {id}"):
            grave = Path(tempfile.mkdtemp(dir=self._path, prefix=".gone-"))
            self._home(id).rename(grave / id)
            shutil.rmtree(grave)

    def _make(self, home: Path, stored: StoredArtifact, content: bytes) -> None:
        with disk_errors(f"keep {stored.filename}"):
            self._path.mkdir(parents=True, exist_ok=True)
            draft = Path(tempfile.mkdtemp(dir=self._path, prefix=".new-"))
            try:
                write_new(draft / stored.filename, content)
                write_new(draft / _ABOUT, _emit(stored))
                _rename(draft, home)
            finally:
                shutil.rmtree(draft, ignore_errors=True)

    def _home(self, id: str) -> Path:
        """Return the folder of an artifact; an id is never a path."""
        if not re.fullmatch("[0-9a-f]{64}", id):
            raise unknown(id)
        return self._path / id

    def _homes(self) -> Iterator[Path]:
        found = self._path.iterdir() if self._path.exists() else ()
        return (home for home in found if re.fullmatch("[0-9a-f]{64}", home.name))

    def _used(self) -> int:
        if self._intake.max_total_bytes is None:
            return 0
        with disk_errors(f"measure {self._path.name}"):
            return sum(file.stat().st_size for home in self._homes() for file in home.iterdir() if file.name != _ABOUT)


def _rename(draft: Path, home: Path) -> None:
    try:
        draft.rename(home)
    except OSError:  # pragma: no cover  # a matter of luck; the test with two processes has it now and then
        if not home.exists():  # else another put it there meanwhile, and it is the same
            raise


def _emit(stored: StoredArtifact) -> bytes:
    told = {**attrs.asdict(stored), "created": stored.created.isoformat()}
    return json.dumps(told, indent=1, ensure_ascii=False).encode("utf-8", "backslashreplace")


def _parse(id: str, text: str) -> StoredArtifact:
    try:
        told: dict[str, Any] = json.loads(text)
        return StoredArtifact(**{**told, "created": datetime.datetime.fromisoformat(told["created"])})
    except (ValueError, TypeError, KeyError) as error:
        msg = f"artifact {id}: {_ABOUT} was changed and cannot be read ({error}); restore it, or delete the folder {id}"
        raise StoreError(msg) from error
