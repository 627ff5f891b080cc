"""A calendar in a file that other programs may open, and write, too."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from prismpy.errors import StoreError
from prismpy.extras import needs
from prismpy.storage import disk_errors, locked, replace_file

from ._parts import ids
from ._writing import merged


class CalendarFile:
    """
    A `CalendarStore` in an iCalendar file.

    Who writes holds a lock file beside it, named like it with a dot in front and `.lock` behind.

    Args:
        path: Of the file, made where there is none.

        patience: Seconds to wait for others who write, more than 0.

    Raises:
        NotInstalledError: if what `prismpy[calendar]` brings is not installed.
    """

    def __init__(self, path: str | Path, *, patience: float = 30.0) -> None:
        needs("a calendar in a file", "calendar", "filelock", "icalendar")
        self._path = Path(path)
        self._patience = patience

    def read(self, start: datetime, end: datetime) -> tuple[str, ...]:  # noqa: ARG002  # as the protocol has it
        """Return the whole text; see `CalendarStore.read`."""
        return (self._text(),)

    def add(self, event: str) -> None:
        """Keep another event; see `CalendarStore.add`."""
        with self._locked():
            self._replace(merged(self._text(), event))

    def edit(self, id: str, edit: Callable[[str], str]) -> None:  # noqa: ARG002  # as the protocol has it
        """Replace the text; see `CalendarStore.edit`."""
        with self._locked():
            self._replace(edit(self._text()))

    def _text(self) -> str:
        with disk_errors(f"read {self._path.name}"):
            try:
                return self._path.read_bytes().decode("utf-8-sig")
            except FileNotFoundError:
                return ""
            except UnicodeDecodeError as error:
                msg = f"{self._path.name} is no UTF-8 text ({error.reason}); repair it. Nothing was changed"
                raise StoreError(msg) from error

    def _replace(self, text: str) -> None:
        """Write a text, of which it is certain that it can be read again."""
        ids(text)
        replace_file(self._path, text.encode())

    @contextmanager
    def _locked(self) -> Iterator[None]:
        path = self._path.resolve()
        lock = path.with_name(f".{path.name}.lock")
        with locked(lock, f"lock {path.name}", seconds=self._patience) as is_turn:
            if not is_turn:
                msg = f"another program is writing to {path.name} and does not finish; nothing was changed"
                raise StoreError(msg)
            yield
