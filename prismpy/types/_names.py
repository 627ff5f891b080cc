"""
Annotations as what they mean: names are looked up where they were written.

An alias such as `Source = Union[str, "Buffer"]` means what it says in its own module,
wherever it is imported; so every name is followed to the module that defines it.
"""

import builtins
import collections.abc
import functools
import inspect
import sys
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, ForwardRef, Literal, Self, Union, cast

import attrs

from ._enclosing import enclosing_names
from ._modules import guarded_names, imported_names
from ._texts import value_of


class _Operand:
    """What may stand in a union although it is no type."""

    def __or__(self, other: Any) -> Any:
        return Union[self, other]  # noqa: UP007  # `|` is what is being defined

    def __ror__(self, other: Any) -> Any:
        return Union[other, self]  # noqa: UP007


@attrs.frozen
class Unevaluable(_Operand):
    """Stands for what means nothing, or nothing yet; so does whatever is taken from it."""

    reason: str

    def __getattr__(self, name: str) -> "Unevaluable":
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __getitem__(self, _: Any) -> "Unevaluable":
        return self


@attrs.frozen
class Named(_Operand):
    """Stands for an alias that is met within itself: `Json` in `Json = Union[str, list["Json"]]`."""

    module: str
    name: str

    def __str__(self) -> str:
        return self.name

    @property
    def value(self) -> Any:
        """What it stands for, with the alias itself standing in it."""
        return _value_of(self, frozenset())


@attrs.frozen
class Scope:
    """Where the names of an annotation are looked up. `eval` takes it for a namespace."""

    spaces: tuple[Mapping[str, Any], ...]
    """Names to values: of a closure, a class, a module; the first that has a name counts."""

    owner: Any = None
    """What `Self` means, if it means anything."""

    within: frozenset[Named] = frozenset()
    """Aliases that are being looked up."""

    def __getitem__(self, name: str) -> Any:
        """
        Return what a name means, be it there for type checkers only; `KeyError` for Python's own.

        What is no type, such as a method called `list`, gives way to what may be one.
        """
        is_builtin = hasattr(builtins, name)
        others: list[tuple[str, Any, str]] = []
        for names, module in self._namespaces(is_builtin):
            if name in names:
                found = (name, names[name], module)
                if not isinstance(names[name], _NO_TYPES):
                    return self._meaning(*found)
                others.append(found)
        if is_builtin:
            raise KeyError(name)
        return self._meaning(*others[0]) if others else Unevaluable(f"name {name!r} is not defined")

    def _namespaces(self, is_builtin: bool) -> Iterator[tuple[Mapping[str, Any], str]]:
        """Give all names there may be, the nearest first, and the module that they are in."""
        modules = [space.get("__name__", "") for space in self.spaces]
        for space, module in zip(self.spaces, modules, strict=True):
            yield space, module
            if not is_builtin:
                yield guarded_names(module), module
        for module in () if is_builtin else _imported_from(modules):
            yield vars(sys.modules[module]), module
            yield guarded_names(module), module

    def _meaning(self, name: str, value: Any, module: str) -> Any:
        if isinstance(value, types.ModuleType):
            return _Dotted(value, self.within)
        if not (isinstance(value, str) or is_unsettled(value)) or module not in sys.modules:
            return value
        alias = _origin(Named(module, name))
        if isinstance(value, str) and not _is_alias(alias):
            return value
        if alias in self.within:
            return alias
        found = _value_of(alias, self.within)
        return alias if _mentions(found, alias) else found


_NO_TYPES: Final = (
    *(property, functools.cached_property, classmethod, staticmethod, types.FunctionType, types.BuiltinFunctionType),
    *(types.MethodDescriptorType, types.GetSetDescriptorType, types.MemberDescriptorType),
)


@attrs.frozen
class _Dotted:
    """A module in a dotted name, `types.Source`, where names for type checkers are found, too."""

    _module: types.ModuleType
    _within: frozenset[Named]

    def __getattr__(self, name: str) -> Any:
        found = Scope((vars(self._module),), within=self._within)[name]
        if not isinstance(found, Unevaluable):
            return found
        try:
            return getattr(self._module, name)  # which may make it when it is asked for
        except AttributeError as error:
            return Unevaluable(str(error))


def evaluated(annotation: Any, scope: Callable[[], Scope]) -> Any:
    """
    Return an annotation with all names in it looked up, or an `Unevaluable`.

    Args:
        annotation: As written: a type, a text, or a type with texts in it.

        scope: Makes the scope it was written in, where there is need of one.
    """
    if not is_unsettled(annotation):
        return annotation
    try:
        found = _evaluate(annotation, scope())
    except Exception as error:  # noqa: BLE001  # annotations are code of the user's, and may raise anything
        found = Unevaluable(str(error))
    if not isinstance(found, Unevaluable):
        return found
    return Unevaluable(f"{_spelled(annotation)!r} cannot be evaluated: {found.reason}")


def hints_of(kind: type) -> dict[str, Any]:
    """Return the annotations of a class and its bases, by name, each looked up in the class that has it."""
    hints: dict[str, Any] = {}
    for base in reversed(kind.__mro__):
        scope = functools.cache(functools.partial(scope_of_class, base, kind))
        hints |= {name: evaluated(hint, scope) for name, hint in inspect.get_annotations(base).items()}
    return hints


def scope_of_class(kind: type, owner: Any = None) -> Scope:
    """Return the scope of the annotations in the body of a class."""
    module = sys.modules.get(kind.__module__)
    inner = (type_parameters(kind), *enclosing_names(kind))
    # a class that is local to a function may name itself, though nothing else can find it
    return Scope((*inner, vars(module) if module else {}, vars(kind), {kind.__name__: kind}), owner)


def scope_of_constructor(kind: Any) -> Scope:
    """Return the scope of the annotations of `__init__`, which may be that of a base in another module."""
    around = scope_of_class(kind, kind)
    return attrs.evolve(around, spaces=(kind.__init__.__globals__, *around.spaces))


def type_parameters(thing: Any) -> Mapping[str, Any]:
    """Return the variables in `def f[T]()` and `class C[T]` of Python 3.12, by name."""
    return {parameter.__name__: parameter for parameter in getattr(thing, "__type_params__", ())}


# --- what is within an annotation ---------------------------------------------

_OPAQUE: Final = (Literal, type, collections.abc.Callable)
"""What holds no names to look up, or none that matter."""

_TEXTS: Final = (str, ForwardRef)
"""Classes of what is yet to be evaluated."""


def is_unsettled(annotation: Any) -> bool:
    """Tell whether there is a name in an annotation that is to be looked up."""
    if isinstance(annotation, type):
        return False
    if annotation is None or annotation is Self or isinstance(annotation, _TEXTS):
        return True
    parts = getattr(annotation, "__args__", None)
    if not isinstance(parts, tuple) or getattr(annotation, "__origin__", None) in _OPAQUE:
        return False
    return any(map(is_unsettled, parts))


def in_definition(annotation: Any, of: Any) -> Any:
    """Return a part of the definition of a type variable, a new type or an alias, with its names looked up there."""
    return evaluated(annotation, lambda: Scope(tuple(_homes(of))))


def _homes(thing: Any) -> list[Mapping[str, Any]]:
    """Return the modules that a type may be defined in: the one it names, or those of its package that have it."""
    name, package = thing.__name__, thing.__module__.partition(".")[0]
    named = vars(sys.modules[thing.__module__]) if thing.__module__ in sys.modules else {}
    if named.get(name) is thing:
        return [named]
    spaces = [vars(sys.modules[module]) for module in list(sys.modules) if module.partition(".")[0] == package]
    return [*(space for space in spaces if space.get(name) is thing), named]  # a helper may have made it for them


def _evaluate(annotation: Any, scope: Scope) -> Any:
    if annotation is Self:
        return Self if scope.owner is None else scope.owner
    if isinstance(annotation, ForwardRef):
        scope = _with_module(scope, annotation.__forward_module__)
    if isinstance(annotation, _TEXTS):
        return _evaluate(value_of(_spelled(annotation), scope), scope)
    if annotation is None or not is_unsettled(annotation):
        return type(None) if annotation is None else annotation
    return _with_parts(annotation, tuple(_evaluate(part, scope) for part in annotation.__args__))


def _with_parts(annotation: Any, parts: tuple[Any, ...]) -> Any:
    if typing.get_origin(annotation) in (Union, types.UnionType):
        return Union[parts]  # noqa: UP007  # of a tuple
    if isinstance(annotation, types.GenericAlias):
        return types.GenericAlias(cast(type, annotation.__origin__), parts)
    return annotation.copy_with(parts)


def _mentions(annotation: Any, alias: Named) -> bool:
    parts = getattr(annotation, "__args__", ())
    return annotation == alias or any(_mentions(part, alias) for part in parts)


def _spelled(annotation: Any) -> Any:
    return annotation.__forward_arg__ if isinstance(annotation, ForwardRef) else annotation


# --- modules ------------------------------------------------------------------


def _with_module(scope: Scope, module: Any) -> Scope:
    """Put the module before all else that a `ForwardRef` says it was written in."""
    found = sys.modules.get(module) if isinstance(module, str) else module
    return scope if found is None else attrs.evolve(scope, spaces=(vars(found), *scope.spaces))


def _origin(alias: Named) -> Named:
    """Follow a name through the modules that import it to the one that defines it."""
    for _ in range(20):  # two modules may name each other
        source = Named(*imported_names(alias.module).get(alias.name, ("", "")))
        if source == alias or not _is_there(source):
            break
        alias = source
    return alias


def _is_there(alias: Named) -> bool:
    found = sys.modules.get(alias.module)
    return found is not None and (alias.name in vars(found) or alias.name in guarded_names(alias.module))


def _value_of(alias: Named, within: frozenset[Named]) -> Any:
    names = vars(sys.modules[alias.module])
    value = names[alias.name] if alias.name in names else guarded_names(alias.module)[alias.name]
    return _evaluate(value, Scope((names,), within=within | {alias}))


def _is_alias(alias: Named) -> bool:
    """Tell whether a text is one by its own account: `Source: TypeAlias = "str | Buffer"`."""
    said = inspect.get_annotations(sys.modules[alias.module]) | guarded_names(alias.module).get("__annotations__", {})
    return "TypeAlias" in str(said.get(alias.name, ""))


def _imported_from(modules: Iterable[str]) -> Iterator[str]:
    """Give the modules that some take names from, then those that these do: loaded ones of their package."""
    seen = [module for module in dict.fromkeys(modules) if module in sys.modules]
    level = seen
    for _ in range(2):
        sources = dict.fromkeys(source for module in level for source in _sources(module))
        level = [source for source in sources if source in sys.modules and source not in seen]
        yield from level
        seen = [*seen, *level]


def _sources(module: str) -> Iterator[str]:
    package = module.partition(".")[0]
    return (source for source, _ in imported_names(module).values() if source.partition(".")[0] == package)
