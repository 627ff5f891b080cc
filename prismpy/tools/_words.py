"""What a callable is called, and what its author wrote about it."""

import functools
import inspect
import re
import types
from collections.abc import Iterator
from typing import Any, Final


def name_of(handler: Any) -> str:
    """Name a callable as a tool: its own name, or that of its class in snake case; "" for a lambda."""
    if isinstance(handler, functools.partial):
        return name_of(handler.func)
    name: str = getattr(handler, "__name__", "") or snake_case(type(handler).__name__)
    return "" if name == "<lambda>" else name


def snake_case(name: str) -> str:
    """Spell a class name as a function name: `StoreMemory` gives `store_memory`, `HTTPGet` `http_get`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def doc_of(handler: Any) -> str:
    if isinstance(handler, functools.partial):
        return doc_of(handler.func)
    if inspect.isclass(handler):
        return next(texts(handler), "")
    if inspect.isroutine(handler) or hasattr(handler, "__wrapped__"):
        return next(texts(handler), "") or inspect.getdoc(handler) or ""
    # not inspect.getdoc, which would find what object says of every __call__
    # nor the docstrings of all bases, but of those down to the one that can be called
    own = handler if handler.__doc__ != type(handler).__doc__ else None  # as each of numpy's functions has
    return next(texts(own, type(handler).__call__, *_down_to_call(type(handler))), "")


def texts(*documented: Any) -> Iterator[str]:
    """Return the docstrings that the authors of some things wrote, and none that Python wrote for them."""
    for thing in documented:
        doc = getattr(thing, "__doc__", None)
        if isinstance(doc, str) and doc and thing is not None and not isinstance(thing, _SLOTS):
            yield doc


_SLOTS: Final = (types.WrapperDescriptorType, types.MethodWrapperType)
"""What stands for a method that a class does not define itself, such as `object.__init__`."""


def _down_to_call(kind: type) -> Iterator[type]:
    for base in kind.__mro__:
        yield base
        if "__call__" in vars(base):
            return


def label_of(handler: Any) -> str:
    return f"{getattr(handler, '__module__', None) or ''}.{name_of(handler) or 'lambda'}".lstrip(".")
