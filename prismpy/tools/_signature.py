"""
Reading a callable: its name, its text, its parameters with their types.

What a type means as JSON is `prismpy.types`' business, what a docstring says
`prismpy.docstrings`'; how both meet in a parameter is `_infer`'s.
"""

import functools
import inspect
import sys
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any

import attrs

from prismpy.errors import DefinitionError
from prismpy.types import (
    bindings_of,
    evaluated,
    field_texts,
    hints_of,
    is_a,
    is_class,
    is_required,
    substituted,
    unqualified,
)

from ._given import NOTHING, Kind, given_by
from ._scope import Scopes, bound_to, function_of
from ._words import constructor_doc_of, doc_of, label_of, more_docs_of, name_of


@attrs.frozen(slots=False)
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

    more_docs: tuple[str, ...] = ()
    """Further docstrings that may describe parameters, the nearest first."""

    field_texts: Mapping[str, str] = attrs.field(factory=dict, hash=False)
    """What the fields of a record say of themselves, outside of all docstrings."""

    apart: Mapping[str, str] = attrs.field(factory=dict, hash=False)
    """Parameters that no call can give, and why: those of some implementations only."""

    rest: Parameter | None = None
    """Its `**kwargs`, where something is said of their values."""

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
        msg = f"{label_of(handler)} is a method of {owner} and not bound; take it from an instance"
        raise DefinitionError(msg)
    try:
        given, returns = given_by(handler)
    except (ValueError, TypeError) as error:
        msg = f"{label_of(handler)} does not tell its parameters ({error}); wrap it in a function that names them"
        raise DefinitionError(msg) from error
    annotations = _Annotations(handler)
    bound = _bound_keywords(handler)
    parameters: list[Parameter] = []
    variadic, takes_any, rest = "", False, None
    for name, kind, default, annotation in given:
        if kind is Kind.VAR_POSITIONAL:
            variadic = name
        elif kind is Kind.VAR_KEYWORD:
            unpacked = _unpacked(annotations.evaluate(name, annotation))
            parameters += () if unpacked is None else keys_of(unpacked)
            takes_any = unpacked is None
            said = annotations.evaluate(name, annotation)
            says_nothing = any(said is nothing for nothing in (NOTHING, Any, object))
            says = not (says_nothing or is_a(said, typing.ParamSpecKwargs))
            rest = Parameter(name, said) if takes_any and says else None
        elif name not in bound:
            plain = type(annotation) is type and annotation is not NOTHING
            meant = annotation if plain else annotations.of(name, annotation)
            parameters.append(Parameter(name, meant, default, kind is Kind.POSITIONAL_ONLY))
    return Signature(
        name_of(handler),
        doc_of(handler),
        tuple(parameters),
        takes_any,
        variadic,
        bound,
        constructor_doc_of(handler),
        more_docs_of(handler),
        field_texts(handler) if is_class(handler) else {},
        rest=rest,
        returns=annotations.evaluate("return", returns),
    )


def _unpacked(annotation: Any) -> Any:
    """Return the TypedDict in `**kwargs: Unpack[SomeTypedDict]`; None if it is not that."""
    is_unpack = getattr(typing.get_origin(annotation), "_name", None) == "Unpack"
    return typing.get_args(annotation)[0] if is_unpack else None


def keys_of(typed_dict: Any) -> list[Parameter]:
    """Read the keys of a TypedDict as parameters."""
    return [
        Parameter(name, unqualified(hint), optional=not is_required(typed_dict, name, hint))
        for name, hint in hints_of(typed_dict).items()
    ]


# --- annotations --------------------------------------------------------------


class _Annotations:
    """The annotations of a callable, where it was written; what an implementation leaves out its overloads say."""

    def __init__(self, handler: Any) -> None:
        self._handler = handler

    @functools.cached_property
    def _function(self) -> Any:
        return function_of(self._handler)

    @functools.cached_property
    def _scopes(self) -> Scopes:
        return Scopes(self._handler, self._function)

    @functools.cached_property
    def _bindings(self) -> Mapping[Any, Any]:
        """What stands for type variables, in `class IntBox(Box[int])` and in a `Box[int](1)`."""
        return {} if is_a(self._handler, types.FunctionType) else bindings_of(bound_to(self._handler))

    @functools.cached_property
    def _overloads(self) -> list[Mapping[str, Any]]:
        overloads = typing.get_overloads(self._function) if is_a(self._function, types.FunctionType) else ()
        return [overload.__annotations__ for overload in overloads]

    def evaluate(self, name: str, annotation: Any) -> Any:
        if isinstance(annotation, type):
            return annotation
        found = evaluated(annotation, lambda: self._scopes.of(name))
        return substituted(found, self._bindings) if self._bindings else found

    def of(self, name: str, annotation: Any) -> Any:
        if annotation is not NOTHING or not self._overloads:
            return self.evaluate(name, annotation)
        hints = tuple(self.evaluate(name, overload[name]) for overload in self._overloads if name in overload)
        return typing.Union[hints] if hints else NOTHING  # noqa: UP007  # of a tuple


def _is_unbound(handler: Any) -> bool:
    """Recognise a method that was taken from its class, by finding it there."""
    if not is_a(handler, types.FunctionType) or "." not in handler.__qualname__.rpartition("<locals>.")[2]:
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
    if not is_a(handler, functools.partial):
        return frozenset()
    return frozenset(handler.keywords) | _bound_keywords(handler.func)
