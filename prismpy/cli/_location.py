"""Where the code of a thing stands, for messages and editors."""

import functools
import inspect
import types
from pathlib import Path
from typing import Any

import attrs

from prismpy.types import attribute, is_a, is_class, is_made_up


@attrs.frozen
class Location:
    """A line in a file; `str()` of it shortens files in the current folder."""

    file: str
    """As Python names it, mostly absolute."""

    line: int
    """1-based."""

    def __str__(self) -> str:
        path = Path(self.file)
        return f"{path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path}:{self.line}"


def location_of(source: Any) -> Location | None:
    """Find where a function, class, partial or callable object is written; None if that is in no file."""
    if is_a(source, functools.partial):
        return location_of(source.func)
    try:
        function = source.__init__ if is_class(source) else source if is_made_up(source) else inspect.unwrap(source)
    except ValueError:  # a wrapper that wraps itself
        function = source
    function = attribute(function, "__func__", function)
    for written in (function, getattr(type(function), "__call__", None)):  # noqa: B004  # the method itself is wanted
        code = attribute(written, "__code__")
        if is_a(code, types.CodeType) and not code.co_filename.startswith("<"):  # as in `<string>`
            return Location(code.co_filename, code.co_firstlineno)
    return None
