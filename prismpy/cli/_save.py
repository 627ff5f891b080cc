"""Writing artifacts to files, under names that are safe: never outside the folder, never over another file."""

import itertools
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from prismpy.errors import PrismError
from prismpy.messages import Artifact
from prismpy.storage import extension_of, safe_name, write_new

from ._output import Output
from ._usage import UsageError, words


def make_folder(folder: Path | None) -> None:
    """
    Make sure, before a tool runs, that there is a folder for what it makes.

    Raises:
        UsageError: if there is none and none can be made.
    """
    try:
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        msg = f"--save {folder}: {words(error)}"
        raise UsageError(msg) from error


def keep(artifacts: Iterable[Artifact], folder: Path | None, out: Output) -> bool:
    """
    Write artifacts to files and say where; without a folder, say what is not kept.

    Returns:
        Whether everything that should be written was.
    """
    fine = True
    for number, artifact in enumerate(artifacts, 1):
        what = f"artifact {number} ({artifact.mime_type})"
        try:
            if folder is None:
                out.note(f"{what} is not kept; --save DIR writes it to a file")
            else:
                out.note(f"{what} is in {save(artifact, number, folder)}")
        except (OSError, PrismError) as error:
            out.error(f"{what} cannot be saved: {words(error)}")
            fine = False
    return fine


def save(artifact: Artifact, number: int, folder: Path) -> Path:
    """
    Write an artifact to a new file.

    Args:
        artifact: What to write.

        number: Names the file if the artifact has no id; 1-based.

        folder: Where the file goes.

    Returns:
        Path of the file. Its name is numbered on if there is such a file already.

    Raises:
        OSError: if the file cannot be written.

        PrismError: if the artifact's data is no base64.
    """
    content = artifact.raw()
    paths = (folder / name for name in file_names(artifact, number))
    return next(path for path in paths if _write_new(path, content))


def _write_new(path: Path, content: bytes) -> bool:
    """Write a file unless there is one, or a link; tell whether it was written."""
    try:
        write_new(path, content)
    except FileExistsError:
        return False
    return True


def file_names(artifact: Artifact, number: int) -> Iterator[str]:
    """Name a file for an artifact: by its id or else the number, then numbered on without end."""
    suffix = extension_of(artifact.mime_type)
    stem = _safe((artifact.id or "").removesuffix(suffix)) or str(number)
    yield f"{stem}{suffix}"
    yield from (f"{stem}-{more}{suffix}" for more in itertools.count(2))


_LENGTH = 60
"""Characters of an id that go into a name."""


def _safe(id: str) -> str:
    """Keep of an id what may stand in the name of a file: letters, digits, `_`, `-`, and dots inside."""
    return safe_name(re.sub(r"[^\w.-]+", "_", id)[:_LENGTH].strip("._-"), "")
