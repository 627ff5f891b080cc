"""The parameters of a callable as Python has them; nothing is evaluated."""

import functools
import inspect
import types
from collections.abc import Callable
from typing import Any, Final, TypeAlias, TypeGuard

from prismpy.types import attribute, is_a, is_class, is_made_up

from ._behind import behind, own_signature
from ._decorated import let_through
from ._told import told_signature

NOTHING: Final = inspect.Parameter.empty
"""Marks a parameter without annotation or default."""

Kind: TypeAlias = inspect.Parameter
"""Has the kinds of parameters: `Kind.KEYWORD_ONLY` and four more."""

Given: TypeAlias = tuple[str, Any, Any, Any]
"""Name, kind, default and annotation of a parameter, as `inspect` has them."""


def needed_by(kind: type) -> list[str]:
    """Name the parameters without which a class makes no instance."""
    parameters = inspect.signature(kind).parameters.values()
    return [p.name for p in parameters if p.default is NOTHING and p.kind not in {p.VAR_POSITIONAL, p.VAR_KEYWORD}]


def given_by(handler: Callable[..., Any]) -> tuple[list[Given], Any]:
    """Return the parameters of a callable, and the annotation of what it returns; nothing is evaluated."""
    function = handler if type(handler) is types.FunctionType else _bound_by(handler)
    if type(function) is types.FunctionType and not function.__dict__.keys() & _TELLING:
        given = _given_by_function(function)
        if function is handler or (given and given[0][1] in _BY_PLACE):  # which takes what it is bound to
            return given[function is not handler :], function.__annotations__.get("return", NOTHING)
    signature = _signature_of(handler)
    given = [(p.name, p.kind, p.default, p.annotation) for p in signature.parameters.values()]
    return given, signature.return_annotation


_TELLING: Final = frozenset({"__wrapped__", "__signature__", "_partialmethod", "__partialmethod__"})
"""Attributes of a function by which it says that it takes something else."""

_BY_PLACE: Final = (Kind.POSITIONAL_ONLY, Kind.POSITIONAL_OR_KEYWORD)


def _bound_by(handler: Callable[..., Any]) -> Any:
    """Return the function that a method binds to its object, or an object that can be called to itself, if any does."""
    if type(handler) is types.MethodType:
        return handler.__func__
    if is_made_up(handler) or is_class(handler) or any(hasattr(handler, name) for name in _TELLING):
        return None
    return next((vars(base)["__call__"] for base in type(handler).__mro__ if "__call__" in vars(base)), None)


def _given_by_function(function: types.FunctionType) -> list[Given]:
    """Read a plain function, as `inspect.signature` would in a tenth of the time that a tool takes."""
    code = function.__code__
    count, positional_only = code.co_argcount, code.co_posonlyargcount
    names = code.co_varnames
    last = count + code.co_kwonlyargcount
    defaults = (NOTHING,) * (count - len(function.__defaults__ or ())) + (function.__defaults__ or ())
    kinds = [Kind.POSITIONAL_ONLY] * positional_only + [Kind.POSITIONAL_OR_KEYWORD] * (count - positional_only)
    given: list[tuple[str, Any, Any]] = list(zip(names, kinds, defaults, strict=False))
    if code.co_flags & inspect.CO_VARARGS:
        given.append((names[last], Kind.VAR_POSITIONAL, NOTHING))
        last += 1
    by_name = function.__kwdefaults__ or {}
    given += [
        (name, Kind.KEYWORD_ONLY, by_name.get(name, NOTHING)) for name in names[count : count + code.co_kwonlyargcount]
    ]
    if code.co_flags & inspect.CO_VARKEYWORDS:
        given.append((names[last], Kind.VAR_KEYWORD, NOTHING))
    annotations = function.__annotations__
    return [(name, kind, default, annotations.get(name, NOTHING)) for name, kind, default in given]


def _signature_of(handler: Callable[..., Any]) -> inspect.Signature:
    """Read a callable's signature; of what is written in C, a constructor may have it, or a docstring."""
    if is_made_up(handler) and not is_class(handler):
        return _kept_signature(handler)
    if is_a(handler, functools.partial) and not is_a(handler.func, *_PLAIN):
        return inspect.signature(functools.partial(_signed(handler.func), *handler.args, **handler.keywords))
    if _is_decorated(handler):
        inspect.unwrap(handler, stop=is_made_up)  # which finds out whether there is an end to it
        return let_through(inspect.signature(handler, follow_wrapped=False), _signature_of(handler.__wrapped__))
    if is_a(handler, types.MethodType) and _is_decorated(handler.__func__):
        return _bound(_signature_of(handler.__func__))
    if _calls_unbound(handler):
        return _signature_of(type(handler).__call__)
    try:
        return _telling(handler, inspect.signature(handler))
    except ValueError:
        if not is_class(handler):
            if (told := told_signature(handler)) is None:
                raise
            return told
        constructor = inspect.signature(handler.__init__)
        return constructor.replace(parameters=list(constructor.parameters.values())[1:])


def _is_decorated(handler: Any) -> TypeGuard[Any]:
    if not is_a(handler, types.FunctionType):
        return False
    return "__wrapped__" in handler.__dict__ and "__signature__" not in handler.__dict__


def _bound(signature: inspect.Signature) -> inspect.Signature:
    """Take off what a method is bound to."""
    first, *others = signature.parameters.values()
    return signature if first.kind in _VARIADIC else signature.replace(parameters=others)


def _calls_unbound(handler: Any) -> bool:
    """Tell whether `__call__` of an object takes no `self`, though `inspect` leaves out the first it takes."""
    own = inspect.getattr_static(type(handler), "__call__", None)
    return is_a(own, staticmethod, classmethod) or (own is not None and not inspect.isroutine(own))


def _telling(handler: Any, signature: inspect.Signature) -> inspect.Signature:
    """Read a class by its constructor where what Python calls before, a metaclass or `__new__`, hands all on."""
    if not is_class(handler) or any(p.kind not in _VARIADIC for p in signature.parameters.values()):
        return signature
    for method in (handler.__init__, handler.__new__):
        if is_a(method, types.FunctionType):
            told = inspect.signature(method)
            if any(p.kind not in _VARIADIC for p in list(told.parameters.values())[1:]):
                return told.replace(parameters=list(told.parameters.values())[1:])
    return signature


_VARIADIC: Final = frozenset({Kind.VAR_POSITIONAL, Kind.VAR_KEYWORD})
_PLAIN: Final = (types.FunctionType, types.MethodType)
"""What `inspect` reads below a partial as it reads it alone."""


def _kept_signature(handler: Callable[..., Any]) -> inspect.Signature:
    """Read what makes attributes up without asking it: `inspect` would take what it answers for its own."""
    own, within = own_signature(handler), behind(handler)
    if own is not None:
        return own
    if within is not None:
        return _signature_of(within)
    return inspect.signature(attribute(type(handler), "__call__").__get__(handler))


def _signed(handler: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that says of itself what another callable takes."""

    def stand_in() -> None: ...

    stand_in.__signature__ = _signature_of(handler)  # type: ignore[attr-defined]  # functions may have it
    return stand_in
