"""What a callable is called, and what its author wrote about it."""

import functools
import inspect
import re
import types
from collections.abc import Iterator
from typing import Any, Final

from prismpy.docstrings import written_doc
from prismpy.types import attribute, is_a, is_class, is_made_up

from ._behind import behind, is_mock, own_name


def name_of(handler: Any) -> str:
    """Name a callable as a tool: its own name, or that of its class in snake case; "" for a lambda."""
    if is_a(handler, functools.partial):
        return name_of(handler.func)
    name: str = own_name(handler) if is_made_up(handler) else getattr(handler, "__name__", "")
    if not name and (within := behind(handler)) is not None:
        return name_of(within)
    name = name or snake_case(type(handler).__name__)
    return "" if name == "<lambda>" else name


def snake_case(name: str) -> str:
    """Spell a class name as a function name: `StoreMemory` gives `store_memory`, `HTTPGet` `http_get`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def doc_of(handler: Any) -> str:
    if is_a(handler, functools.partial):
        return doc_of(handler.func)
    if is_class(handler):
        return next(texts(handler), "")
    within = behind(handler)
    if is_mock(handler):
        own = vars(handler).get("__doc__")
        if isinstance(own, str):
            return own
        return "" if within is None else doc_of(within)
    if within is not None:
        return next(texts(handler), "") or doc_of(within)
    if inspect.isroutine(handler) or attribute(handler, "__wrapped__") is not None:
        return next(texts(handler), "") or inspect.getdoc(handler) or ""
    return next(_texts_of_object(handler), "")


def constructor_doc_of(handler: Any) -> str:
    """Return what is written about the constructor of a class, be it that of a base; "" for all else."""
    return next(texts(*(vars(base).get("__init__") for base in handler.__mro__)), "") if is_class(handler) else ""


def more_docs_of(handler: Any) -> tuple[str, ...]:
    """Return what else may describe parameters: texts of the bases of a class, of the class of an object."""
    if is_class(handler):
        return tuple(texts(*list(_down_to(handler, "__init__"))[1:]))
    if is_a(handler, functools.partial, *_ROUTINES) or is_made_up(handler) or hasattr(handler, "__wrapped__"):
        return ()
    return tuple(_texts_of_object(handler))[1:]


_ROUTINES: Final = (types.FunctionType, types.MethodType, types.BuiltinFunctionType)


def _texts_of_object(handler: Any) -> Iterator[str]:
    # not inspect.getdoc, which would find what object says of every __call__
    # nor the docstrings of all bases, but of those down to the one that can be called
    own = handler if handler.__doc__ != type(handler).__doc__ else None  # as each of numpy's functions has
    return texts(own, type(handler).__call__, *_down_to(type(handler), "__call__"))


def texts(*documented: Any) -> Iterator[str]:
    """Return the docstrings that the authors of some things wrote, and none that Python wrote for them."""
    for thing in documented:
        doc = written_doc(thing) if is_class(thing) else getattr(thing, "__doc__", None)
        if isinstance(doc, str) and doc and thing is not None and not isinstance(thing, _SLOTS):
            yield doc


_SLOTS: Final = (types.WrapperDescriptorType, types.MethodWrapperType)
"""What stands for a method that a class does not define itself, such as `object.__init__`."""


def _down_to(kind: type, method: str) -> Iterator[type]:
    for base in kind.__mro__:
        yield base
        if method in vars(base):
            return


def label_of(handler: Any) -> str:
    return f"{attribute(handler, '__module__') or ''}.{name_of(handler) or 'lambda'}".lstrip(".")
