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
from prismpy.types import guarded_names, hints_of, unqualified

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
    unresolved: str = ""
    """Why the annotation could not be evaluated; "" if it could, or if there is none."""

    @property
    def required(self) -> bool:
        """Whether the handler cannot be called without it."""
        return self.default is NOTHING and not self.optional


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
    resolve = _resolver(handler)
    bound = _bound_keywords(handler)
    by_kind = {p.kind: p for p in signature.parameters.values()}
    variadic, keywords = by_kind.get(inspect.Parameter.VAR_POSITIONAL), by_kind.get(inspect.Parameter.VAR_KEYWORD)
    named = [p for p in signature.parameters.values() if p not in (variadic, keywords) and p.name not in bound]
    unpacked = _unpacked(keywords, resolve)
    return Signature(
        name=name_of(handler),
        doc=_doc_of(handler),
        parameters=(*(_read_parameter(p, resolve) for p in named), *(unpacked or ())),
        takes_any=keywords is not None and unpacked is None,
        variadic=variadic.name if variadic else "",
        bound=bound,
        constructor_doc=next(_texts(handler.__init__), "") if inspect.isclass(handler) else "",
        returns=_evaluated("return", signature.return_annotation, resolve)[0],
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


def _read_parameter(p: inspect.Parameter, resolve: "_Resolve") -> Parameter:
    annotation, unresolved = _evaluated(p.name, p.annotation, resolve)
    positional_only = p.kind is inspect.Parameter.POSITIONAL_ONLY
    return Parameter(p.name, annotation, p.default, positional_only, unresolved=unresolved)


def _unpacked(keywords: inspect.Parameter | None, resolve: "_Resolve") -> list[Parameter] | None:
    """Read `**kwargs: Unpack[SomeTypedDict]` as the parameters it stands for; None if it is not that."""
    annotation = NOTHING if keywords is None else _evaluated(keywords.name, keywords.annotation, resolve)[0]
    if getattr(typing.get_origin(annotation), "_name", None) != "Unpack":
        return None
    (fields,) = typing.get_args(annotation)
    try:
        hints = hints_of(fields)
    except _UNEVALUABLE:
        return None
    return [
        Parameter(name, unqualified(hint), optional=name not in fields.__required_keys__)
        for name, hint in hints.items()
    ]


# --- annotations --------------------------------------------------------------

_Resolve = Callable[[str, Any], Any]

_UNEVALUABLE: Final = Exception
"""What evaluating an annotation may raise: it is code of the user's."""


def _evaluated(name: str, annotation: Any, resolve: _Resolve) -> tuple[Any, str]:
    """Return an annotation, and why it could not be evaluated where it could not."""
    try:
        return resolve(name, annotation), ""
    except _UNEVALUABLE as error:
        return NOTHING, f"{annotation!r} cannot be evaluated: {error}"


def _resolver(handler: Callable[..., Any]) -> _Resolve:
    """
    Prepare to evaluate annotations where the callable was written.

    All at once if that succeeds, else one by one, so that an unresolvable name
    fails its own parameter only. What an implementation leaves out, its
    overloads may say.
    """
    function = _function_of(handler)
    outermost = inspect.unwrap(handler, stop=lambda wrapper: hasattr(wrapper, "__signature__"))
    if hasattr(outermost, "__signature__"):  # set by hand, it knows better than the annotations
        return functools.partial(_evaluate, _namespace_of(handler, function))
    try:
        hints = hints_of(function)
    except _UNEVALUABLE:
        return functools.partial(_evaluate, _namespace_of(handler, function))
    return {**_overloaded(function), **hints}.get


def _overloaded(function: Any) -> dict[str, Any]:
    """Return, for each parameter of a function with overloads, what they take it to be, all together."""
    overloads = typing.get_overloads(function) if inspect.isfunction(function) else []
    try:
        hints = [hints_of(overload) for overload in overloads]
    except _UNEVALUABLE:
        return {}
    names = dict.fromkeys(name for hint in hints for name in hint)
    return {name: typing.Union[tuple(hint[name] for hint in hints if name in hint)] for name in names}  # noqa: UP007  # of a tuple


def _evaluate(namespace: dict[str, Any], _name: str, annotation: Any) -> Any:
    if isinstance(annotation, typing.ForwardRef):  # which NamedTuple makes of the strings it is given
        annotation = annotation.__forward_arg__
    if not isinstance(annotation, str):
        return annotation
    probe = types.SimpleNamespace(__annotations__={"it": annotation})
    return typing.get_type_hints(probe, namespace, include_extras=True)["it"]


def _namespace_of(handler: Any, function: Any) -> dict[str, Any]:
    """Return every name that an annotation of a callable may mean: of its module, its class' module, its closure."""
    names: dict[str, Any] = {}
    for owner in (function, handler):
        module = sys.modules.get(getattr(owner, "__module__", None) or "")
        if module is not None:
            names |= guarded_names(module.__name__) | vars(module)
    names |= getattr(function, "__globals__", {}) | _closure_of(function)
    names.pop("__builtins__", None)  # which the constructors of NamedTuples have none of
    return names


def _closure_of(function: Any) -> dict[str, Any]:
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


def _function_of(handler: Any) -> Any:
    """Find the function whose annotations describe a callable, as `inspect.signature` does."""
    if isinstance(handler, functools.partial):
        return _function_of(handler.func)
    if inspect.isclass(handler):
        return handler.__init__ if handler.__init__ is not object.__init__ else handler.__new__
    if inspect.ismethod(handler):
        return _function_of(handler.__func__)
    if not inspect.isroutine(handler) and not hasattr(handler, "__wrapped__"):
        return _function_of(type(handler).__call__)
    return inspect.unwrap(handler)


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
