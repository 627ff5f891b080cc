"""Where the annotations of a callable were written: what the names in them may mean."""

import functools
import inspect
import sys
import types
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from prismpy.types import Scope, attribute, enclosing_names, is_a, is_class, is_made_up, scope_of_class, type_parameters

from ._behind import behind


def function_of(handler: Any) -> Any:
    """Find the function whose annotations describe a callable, as `inspect.signature` does."""
    if is_a(handler, functools.partial):
        return function_of(handler.func)
    if is_class(handler):
        return handler.__init__ if handler.__init__ is not object.__init__ else handler.__new__
    if inspect.ismethod(handler):
        return function_of(handler.__func__)
    if is_made_up(handler):
        within = behind(handler)
        return function_of(type(handler).__call__ if within is None else within)
    if not inspect.isroutine(handler) and not hasattr(handler, "__wrapped__"):
        return function_of(type(handler).__call__)
    return inspect.unwrap(handler)


def bound_to(handler: Any) -> Any:
    """Return the class that a callable belongs to, a generic one with what stands for its variables; or None."""
    if is_a(handler, functools.partial):
        return bound_to(handler.func)
    if is_a(handler, *_ROUTINES):
        return None
    owner = handler.__self__ if is_a(handler, types.MethodType) else handler
    return owner if is_class(owner) else attribute(owner, "__orig_class__", type(owner))


_ROUTINES: Final = (types.FunctionType, types.BuiltinFunctionType, types.WrapperDescriptorType)


class Scopes:
    """
    The scopes of the annotations of a callable: of its function, of the modules around, of the class.

    Args:
        handler: The callable.

        function: What `function_of` returns for it.
    """

    def __init__(self, handler: Any, function: Any) -> None:
        self._owner = _owner_of(handler, function)
        self._own = (closure_of(function), type_parameters(function), *enclosing_names(function))
        self._around = (_namespace(function), *(_module_of(thing) for thing in (function, handler)))
        self._classes = _spaces_of(getattr(self._owner, "__mro__", ()))
        self._is_generated = _is_generated(function)

    def of(self, parameter: str) -> Scope:
        """
        Return the scope of the annotation of a parameter.

        Args:
            parameter: Its name; the constructor of a dataclass has the annotations of fields of its bases.
        """
        fields = _spaces_of(_bases_with(parameter, self._owner))
        written = (*fields, *self._around) if self._is_generated else (*self._around, *fields)
        # most modules are there twice
        spaces = {id(space): space for space in (*self._own, *written, *self._classes)}
        return Scope(tuple(spaces.values()), self._owner)


def _spaces_of(kinds: Iterable[type]) -> list[Mapping[str, Any]]:
    return [space for kind in kinds for space in scope_of_class(kind).spaces]


def _namespace(function: Any) -> Mapping[str, Any]:
    found: Mapping[str, Any] = getattr(function, "__globals__", {})
    return found


def _module_of(thing: Any) -> Mapping[str, Any]:
    module = sys.modules.get(attribute(thing, "__module__") or "")
    return vars(module) if module is not None else {}


def _owner_of(handler: Any, function: Any) -> Any:
    """Return the class that a callable belongs to, None if there is none to be found."""
    if is_a(handler, functools.partial):
        return _owner_of(handler.func, function)
    if is_class(handler):
        return handler
    if is_made_up(handler):
        return _owner_of(behind(handler), function)
    if inspect.ismethod(handler):
        return handler.__self__ if inspect.isclass(handler.__self__) else type(handler.__self__)
    if not inspect.isroutine(handler):
        return type(handler)
    found: Any = sys.modules.get(getattr(function, "__module__", None) or "")
    for name in getattr(function, "__qualname__", "").split(".")[:-1]:
        found = getattr(found, name, None)
    return found if inspect.isclass(found) else None


def _bases_with(parameter: str, owner: Any) -> Iterator[type]:
    for base in getattr(owner, "__mro__", ()):
        if parameter in inspect.get_annotations(base) or f"_{parameter}" in inspect.get_annotations(base):
            yield base


def _is_generated(function: Any) -> bool:
    return getattr(getattr(function, "__code__", None), "co_filename", "<").startswith("<")


def closure_of(function: Any) -> dict[str, Any]:
    """Return what a function closes over, classes that are local to another function among it."""
    names = getattr(getattr(function, "__code__", None), "co_freevars", ())
    cells = getattr(function, "__closure__", None) or ()
    return {name: cell.cell_contents for name, cell in zip(names, cells, strict=True) if _filled(cell)}


def _filled(cell: Any) -> bool:
    try:
        cell.cell_contents  # noqa: B018  # the look itself is the test
    except ValueError:
        return False
    return True
