"""Files: replaced as a whole or not at all, under names that are harmless on every system."""

import errno
import mimetypes
import os
import re
import shutil
import tempfile
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from prismpy.errors import StoreError

_REASONS = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EFBIG: "the file would be larger than the system allows",
    errno.EROFS: "the disk can only be read",
    errno.EACCES: "it is not allowed",
    errno.EPERM: "it is not allowed",
    errno.EISDIR: "it is a folder",
    errno.ENOTDIR: "a part of its path is no folder",
    errno.EEXIST: "there is a file of that name",
}
"""What to say of an error of the operating system, where its own words would not do."""


@contextmanager
def disk_errors(doing: str) -> Iterator[None]:
    """
    Turn errors of the operating system into words for the model.

    Args:
        doing: What was being done, such as `write calendar.ics`.

    Raises:
        StoreError: in place of any `OSError`.
    """
    try:
        yield
    except OSError as error:
        reason = _REASONS.get(error.errno or 0, error.strerror or type(error).__name__)
        msg = f"could not {doing}: {reason}; nothing was changed"
        raise StoreError(msg) from error


def replace_file(path: Path, content: bytes) -> None:
    """
    Give a file new content, all of it or none.

    Readers see the old content or the new. Its permissions stay; a new file is
    its owner's alone. A link stays a link, what it leads to is replaced.

    Args:
        path: The file; its folder is made where there is none.

        content: All of what it shall hold.

    Raises:
        StoreError: if the disk is full, or the place cannot be written to; the old content is untouched.
    """
    with disk_errors(f"write {path.name}"):
        target = path.resolve()
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=".prismpy-", suffix=".tmp")
        try:
            with os.fdopen(handle, "wb", buffering=0) as file:
                _write_through(file.fileno(), content)
            if target.exists():
                shutil.copymode(target, name)
            os.replace(name, target)  # noqa: PTH105  # a name, as mkstemp gives it
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise


def write_new(path: Path, content: bytes) -> None:
    """
    Write a file that is not there yet and see it on the disk.

    Raises:
        OSError: as the system has it; the caller knows what it was for.
    """
    with path.open("xb", buffering=0) as file:
        _write_through(file.fileno(), content)


def _write_through(handle: int, content: bytes) -> None:
    """Write all of the content and see it on the disk, which is when a full disk has told so at the latest."""
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(handle, rest) :]
    os.fsync(handle)


_FORBIDDEN = re.compile(r'[<>:"|?*]')
"""What Windows takes in no file name. Source: Microsoft, "Naming Files, Paths, and Namespaces" (read 2026-11)."""

_DEVICES = re.compile(r"(CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(COM|LPT)[0-9¹²³])\s*(\.|$)", re.IGNORECASE)
"""Names that are devices on Windows, whatever their extension. Source: as above."""

_MOST_BYTES = 120
"""Far below the 255 of most file systems; some programs add a suffix."""


def safe_name(name: str, default: str = "file") -> str:
    """
    Make a file name that is harmless on any system, and still tells what it was.

    Folders, control and direction characters, and characters that some system
    takes for something else are gone; device names of Windows are no longer such;
    there is no dot or dash in front, no dot or space at the end.

    Args:
        name: What somebody called the file, whoever that was.

        default: Instead of a name of which nothing is left.

    Returns:
        At most 120 bytes in UTF-8; the extension stays where it is short. A safe name stays as it is.
    """
    last = re.split(r"[/\\]", name)[-1]
    visible = "".join(c for c in unicodedata.normalize("NFC", last) if unicodedata.category(c)[0] != "C")
    trimmed = _trim(_FORBIDDEN.sub("_", visible))
    named = f"_{trimmed}" if _DEVICES.match(trimmed) else trimmed
    return _shorten(named) or default


def extension_of(mime_type: str) -> str:
    """Return what the name of a file of a type ends in, such as `.png`; `.bin` where nobody knows."""
    return mimetypes.guess_extension(mime_type.partition(";")[0].strip()) or ".bin"


def _trim(name: str) -> str:
    return re.sub(r"\s", " ", name).lstrip(" .-~").rstrip(" .")


def _shorten(name: str) -> str:
    stem, dot, extension = name.rpartition(".")
    if not dot or len(extension.encode()) > _MOST_BYTES // 4:
        stem, dot, extension = name, "", ""
    room = _MOST_BYTES - len(f"{dot}{extension}".encode())
    return _trim(stem.encode()[:room].decode("utf-8", "ignore") + dot + extension)
