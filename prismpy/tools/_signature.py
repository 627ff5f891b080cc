"""
Reading a callable: its name, its text, its parameters with their types.

What a type means as JSON is `prismpy.types`' business, what a docstring says
`prismpy.docstrings`'; how both meet in a parameter is `_infer`'s.
"""

import functools
import inspect
import re
import sys
import types
import typing
from collections.abc import Callable, Iterator
from typing import Any, Final

import attrs

from prismpy.errors import DefinitionError
from prismpy.types import evaluated, hints_of, unqualified

from ._scope import function_of, scope_of

NOTHING: Final = inspect.Parameter.empty
"""Marks a parameter without annotation or default."""


@attrs.frozen
class Parameter:
    """One parameter that a call can fill by name or, if it is positional-only, by place."""

    name: str
    annotation: Any = NOTHING
    default: Any = NOTHING
    positional_only: bool = False
    optional: bool = False
    """Whether it may be left out although it has no default: a key of `**kwargs: Unpack[...]` that is not required."""


@attrs.frozen
class Signature:
    """What a callable says about itself."""

    name: str
    doc: str
    parameters: tuple[Parameter, ...]
    takes_any: bool
    """Whether it has `**kwargs`."""

    variadic: str = ""
    """Name of its `*args`; "" if it has none."""

    bound: frozenset[str] = frozenset()
    """Names that a partial has bound."""

    constructor_doc: str = ""
    """Docstring of the constructor, for a class; it may describe parameters, too."""

    returns: Any = NOTHING
    """Annotation of what it returns, if that can be evaluated."""


def read_signature(handler: Callable[..., Any]) -> Signature:
    """
    Read a callable: a function, bound method, partial, class or callable object.

    Raises:
        DefinitionError: if it is none, or a builtin that does not tell its parameters.
    """
    if not callable(handler):
        msg = f"{handler!r} cannot be called; a tool needs a function, a bound method or an object with __call__"
        raise DefinitionError(msg)
    if _is_unbound(handler):
        owner = handler.__qualname__.rpartition(".")[0]
        msg = f"{_label(handler)} is a method of {owner} and not bound; take it from an instance"
        raise DefinitionError(msg)
    try:
        signature = _signature_of(handler)
    except (ValueError, TypeError) as error:
        msg = f"{_label(handler)} does not tell its parameters ({error}); wrap it in a function that names them"
        raise DefinitionError(msg) from error
    annotations = _Annotations(handler)
    bound = _bound_keywords(handler)
    by_kind = {p.kind: p for p in signature.parameters.values()}
    variadic, keywords = by_kind.get(inspect.Parameter.VAR_POSITIONAL), by_kind.get(inspect.Parameter.VAR_KEYWORD)
    named = [p for p in signature.parameters.values() if p not in (variadic, keywords) and p.name not in bound]
    unpacked = _unpacked(keywords, annotations)
    return Signature(
        name=name_of(handler),
        doc=_doc_of(handler),
        parameters=(*(_read_parameter(p, annotations) for p in named), *(unpacked or ())),
        takes_any=keywords is not None and unpacked is None,
        variadic=variadic.name if variadic else "",
        bound=bound,
        constructor_doc=next(_texts(handler.__init__), "") if inspect.isclass(handler) else "",
        returns=annotations.evaluate("return", signature.return_annotation),
    )


def _signature_of(handler: Callable[..., Any]) -> inspect.Signature:
    """Read a callable's signature; a class in C that has none may have a constructor that does."""
    try:
        return inspect.signature(handler)
    except ValueError:
        if not inspect.isclass(handler):
            raise
        constructor = inspect.signature(handler.__init__)
        return constructor.replace(parameters=list(constructor.parameters.values())[1:])


def _read_parameter(p: inspect.Parameter, annotations: "_Annotations") -> Parameter:
    return Parameter(p.name, annotations.of(p), p.default, p.kind is inspect.Parameter.POSITIONAL_ONLY)


def _unpacked(keywords: inspect.Parameter | None, annotations: "_Annotations") -> list[Parameter] | None:
    """Read `**kwargs: Unpack[SomeTypedDict]` as the parameters it stands for; None if it is not that."""
    annotation = NOTHING if keywords is None else annotations.of(keywords)
    if getattr(typing.get_origin(annotation), "_name", None) != "Unpack":
        return None
    (fields,) = typing.get_args(annotation)
    return [
        Parameter(name, unqualified(hint), optional=name not in fields.__required_keys__)
        for name, hint in hints_of(fields).items()
    ]


# --- annotations --------------------------------------------------------------


class _Annotations:
    """The annotations of a callable, where it was written; what an implementation leaves out its overloads say."""

    def __init__(self, handler: Any) -> None:
        self._handler = handler
        self._function = function_of(handler)

    def evaluate(self, name: str, annotation: Any) -> Any:
        return evaluated(annotation, lambda: scope_of(self._handler, self._function, name))

    def of(self, p: inspect.Parameter) -> Any:
        return self._overloaded(p.name) if p.annotation is NOTHING else self.evaluate(p.name, p.annotation)

    def _overloaded(self, name: str) -> Any:
        """Return what the overloads of a function take a parameter to be, all together."""
        if not inspect.isfunction(self._function):
            return NOTHING
        overloads = (overload.__annotations__ for overload in typing.get_overloads(self._function))
        hints = [self.evaluate(name, annotations[name]) for annotations in overloads if name in annotations]
        return typing.Union[tuple(hints)] if hints else NOTHING  # noqa: UP007  # of a tuple


def _is_unbound(handler: Any) -> bool:
    """Recognise a method that was taken from its class, by finding it there."""
    if not inspect.isfunction(handler) or "." not in handler.__qualname__.rpartition("<locals>.")[2]:
        return False
    if "<locals>" in handler.__qualname__:  # where the class cannot be looked up, the first name has to tell
        return next(iter(inspect.signature(handler).parameters), "") == "self"
    found: Any = sys.modules.get(handler.__module__)
    for name in handler.__qualname__.split("."):
        owner, found = found, getattr(found, name, None)
    found = getattr(found, "__wrapped__", found)  # a tool, or whatever else wraps the method
    return found is handler and not isinstance(inspect.getattr_static(owner, handler.__name__, None), staticmethod)


def _bound_keywords(handler: Any) -> frozenset[str]:
    """Name the parameters that partials bind by keyword; those bound by place leave the signature on their own."""
    if not isinstance(handler, functools.partial):
        return frozenset()
    return frozenset(handler.keywords) | _bound_keywords(handler.func)


def name_of(handler: Any) -> str:
    """Name a callable as a tool: its own name, or that of its class in snake case; "" for a lambda."""
    if isinstance(handler, functools.partial):
        return name_of(handler.func)
    name: str = getattr(handler, "__name__", "") or snake_case(type(handler).__name__)
    return "" if name == "<lambda>" else name


def snake_case(name: str) -> str:
    """Spell a class name as a function name: `StoreMemory` gives `store_memory`, `HTTPGet` `http_get`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def _doc_of(handler: Any) -> str:
    if isinstance(handler, functools.partial):
        return _doc_of(handler.func)
    if inspect.isclass(handler):
        return next(_texts(handler), "")
    if inspect.isroutine(handler) or hasattr(handler, "__wrapped__"):
        return next(_texts(handler), "") or inspect.getdoc(handler) or ""
    # not inspect.getdoc, which would find what object says of every __call__
    # nor the docstrings of all bases, but of those down to the one that can be called
    own = handler if handler.__doc__ != type(handler).__doc__ else None  # as each of numpy's functions has
    return next(_texts(own, type(handler).__call__, *_down_to_call(type(handler))), "")


def _texts(*documented: Any) -> Iterator[str]:
    """Return the docstrings that the authors of some things wrote, each dedented: none that Python wrote for them."""
    for thing in documented:
        doc = getattr(thing, "__doc__", None)
        if isinstance(doc, str) and doc and not isinstance(thing, _SLOTS):
            yield inspect.cleandoc(doc)


_SLOTS: Final = (types.WrapperDescriptorType, types.MethodWrapperType)
"""What stands for a method that a class does not define itself, such as `object.__init__`."""


def _down_to_call(kind: type) -> Iterator[type]:
    for base in kind.__mro__:
        yield base
        if "__call__" in vars(base):
            return


def _label(handler: Any) -> str:
    return f"{getattr(handler, '__module__', None) or ''}.{name_of(handler) or 'lambda'}".lstrip(".")
