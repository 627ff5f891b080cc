"""How a handler gives its result: at once, when it is awaited, or step by step."""

import functools
import inspect
import types
from collections.abc import Callable
from typing import Any, Final

from prismpy.types import attribute, is_a, is_made_up


def is_async(function: Any) -> bool:
    """Tell whether what a function, or an object that can be called, returns at once is to be awaited or iterated."""
    return _is(function, inspect.iscoroutinefunction) or _is(function, inspect.isasyncgenfunction)


def is_steps(function: Any) -> bool:
    """Tell whether a function, or an object that can be called, is a generator, async or not."""
    return _is(function, inspect.isgeneratorfunction) or _is(function, inspect.isasyncgenfunction)


def hands_on_steps(function: Any) -> bool:
    """Tell whether what stands behind a decorator is a generator, so that calling it may return one."""
    for _ in range(_DEEPEST):
        function = attribute(function.func if is_a(function, functools.partial) else function, "__wrapped__")
        if function is None:
            return False
        if is_steps(function):
            return True
    return False


_DEEPEST: Final = 100
"""Decorators over each other; what wraps itself has no end."""


_ROUTINES: Final = (types.FunctionType, types.MethodType, types.BuiltinFunctionType)
"""Classes of what is called itself, and not by a method of its class."""


def _is(function: Any, kind: Callable[[Any], bool]) -> bool:
    if type(function) in _ROUTINES:
        return kind(function)
    method = getattr(type(function), "__call__", None)  # noqa: B004  # the method is looked at, not whether it is there
    return kind(method) or (not is_made_up(function) and kind(function))
