"""Names that are local to a function which still runs: those of the function that another one, or a class, is in."""

import sys
from collections.abc import Iterator, Mapping
from types import FrameType
from typing import Any

from ._attributes import attribute


def enclosing_names(thing: Any) -> Iterator[Mapping[str, Any]]:
    """
    Return the variables of the functions around a function or class, the innermost first.

    They are found where reading it was asked for from within, as by a decorator: a class that stands beside it and
    is not used in its code leaves no other trace.
    """
    module, outer = attribute(thing, "__module__"), attribute(thing, "__qualname__", "")
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and ".<locals>." in outer:
        around = outer.rpartition(".<locals>.")[0]
        if frame.f_code.co_qualname == around and frame.f_globals.get("__name__") == module:
            yield dict(frame.f_locals)
            outer = around
        frame = frame.f_back
