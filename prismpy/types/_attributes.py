"""
What an object really is and has, whatever it says of itself.

A mock has every attribute that it is asked for and calls itself an instance of what it
stands for; so do proxies. Asking one tells nothing, and leaves traces in it.
"""

import functools
import inspect
import types
from typing import Any, Final, TypeGuard, TypeVar

T = TypeVar("T")

_HONEST: Final = frozenset(
    {types.FunctionType, types.MethodType, types.BuiltinFunctionType, types.ModuleType, functools.partial, type}
)


def attribute(thing: Any, name: str, default: Any = None) -> Any:
    """Return an attribute that an object has, and none that its `__getattr__` makes up."""
    if is_made_up(thing) and inspect.getattr_static(thing, name, _ABSENT) is _ABSENT:
        return default
    return getattr(thing, name, default)


_ABSENT: Final = object()


def is_made_up(thing: Any) -> bool:
    """Tell whether an object may answer for attributes that it does not have."""
    kind: Any = type(thing)
    return kind not in _HONEST and _makes_up(kind)


@functools.lru_cache(1000)  # each tool's class is asked for many times
def _makes_up(kind: type) -> bool:
    own = (vars(base) for base in kind.__mro__)
    # what C has under this name is mostly what `object` has
    return any("__getattr__" in names or is_a(names.get("__getattribute__"), types.FunctionType) for names in own)


def is_a(thing: Any, *kinds: type[T]) -> TypeGuard[T]:
    """Tell whether an object is an instance of some classes, by its type and not by the `__class__` it names."""
    return issubclass(type(thing), kinds)


def is_class(thing: Any) -> TypeGuard[type[Any]]:
    """Tell whether an object is a class."""
    return issubclass(type(thing), type)
