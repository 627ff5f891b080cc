"""Where artifacts are kept: each under an id made of what it is, in a folder or in SQLite."""

from ._folder import FolderArtifacts
from ._sqlite import SQLiteArtifacts
from ._values import ArtifactStore, StoredArtifact

__all__ = ["ArtifactStore", "FolderArtifacts", "SQLiteArtifacts", "StoredArtifact"]
