"""
Functions that choose an implementation by the class of their first argument: `functools.singledispatch`.

They are read as a set: the first parameter takes what any implementation takes, and goes to the dispatcher by place.
"""

import functools
import types
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, Union, get_args

import attrs

from prismpy.types import Unevaluable, attribute, bare, is_a, is_union

from ._given import NOTHING
from ._scope import closure_of
from ._signature import Parameter, Signature, read_signature


def dispatching_signature(handler: Any) -> Signature | None:
    """Read a function that dispatches, or a bound method that does; None for all others."""
    bind, registry = _registry_of(handler)
    if registry is None:
        return None
    base = bind(attribute(handler, "__wrapped__"))
    signature = read_signature(base)
    implementations = {
        implementation: tuple(kind for kind, each in registry.items() if each is implementation)
        for kind, implementation in registry.items()
        if kind is not object
    }
    others = [_Implementation(read_signature(bind(each)), kinds) for each, kinds in implementations.items()]
    return _merged(signature, others) if others and signature.parameters else signature


def _registry_of(handler: Any) -> tuple[Callable[[Any], Any], Mapping[type, Any] | None]:
    """Return what binds implementations as the handler is bound, and the implementations by class; None if none are."""
    if is_a(handler, types.FunctionType) and not handler.__dict__:  # as nearly always
        return _as_it_is, None
    method = attribute(attribute(handler, "register"), "__self__")
    if is_a(method, functools.singledispatchmethod):
        # Python 3.14 has them as attributes
        owners = closure_of(handler) or {"obj": attribute(handler, "_obj"), "cls": attribute(handler, "_cls")}
        return functools.partial(_bound, owners["obj"], owners["cls"]), method.dispatcher.registry
    registry = attribute(handler, "registry")
    is_dispatcher = is_a(registry, types.MappingProxyType) and callable(attribute(handler, "dispatch"))
    return _as_it_is, registry if is_dispatcher else None


def _as_it_is(implementation: Any) -> Any:
    return implementation


def _bound(instance: Any, owner: type, implementation: Any) -> Any:
    return implementation.__get__(instance, owner)


# --- together -----------------------------------------------------------------


@attrs.frozen
class _Implementation:
    """One implementation, and the classes that it is registered for."""

    signature: Signature
    kinds: tuple[type, ...]

    @property
    def dispatched(self) -> Any:
        """What its first argument is, as it says itself, or else as it was registered."""
        said = next((p.annotation for p in self.signature.parameters), NOTHING)
        return said if _says(said) and not isinstance(said, Unevaluable) else Union[self.kinds]  # noqa: UP007  # of a tuple

    def find(self, name: str) -> Parameter | None:
        return next((p for p in self.signature.parameters if p.name == name), None)


def _merged(signature: Signature, implementations: list[_Implementation]) -> Signature:
    first, *others = signature.parameters
    known = {p.name for p in signature.parameters}
    apart = {
        p.name: f"only the implementation for {' and '.join(kind.__name__ for kind in one.kinds)} takes it"
        for one in implementations
        for p in one.signature.parameters[1:]
        if p.name not in known and not signature.takes_any
    }
    dispatched = attrs.evolve(first, annotation=_dispatched(first, implementations), positional_only=True)
    return attrs.evolve(
        signature,
        parameters=(dispatched, *(_shared(p, implementations) for p in others)),
        apart=apart,
        returns=_any_of(signature.returns, [one.signature.returns for one in implementations]),
    )


def _dispatched(first: Parameter, implementations: Iterable[_Implementation]) -> Any:
    """Return a union of what the implementations take, and of what is left to the function itself, if it says so."""
    kinds = [one.dispatched for one in implementations]
    if _says(first.annotation):
        kinds.append(first.annotation)
    members = [member for kind in kinds for member in (get_args(kind) if is_union(kind) else (kind,))]
    # a member of a union that takes whatever another takes must come after it
    return Union[tuple(sorted(members, key=lambda kind: bare(kind) in _BROAD))]  # noqa: UP007  # of a list


def _says(annotation: Any) -> bool:
    return not any(annotation is nothing for nothing in (NOTHING, Any, object))


_BROAD: Final = (str, float, list, dict)
"""Classes whose JSON that of others looks like: a date is a text, a whole number a number, a record an object."""


def _shared(p: Parameter, implementations: Iterable[_Implementation]) -> Parameter:
    """Say of a parameter what all implementations agree on: each has a default of its own."""
    own = [found for one in implementations if (found := one.find(p.name)) is not None]
    p = attrs.evolve(p, annotation=_any_of(p.annotation, [found.annotation for found in own]))
    if p.default is NOTHING or all(_is_same(found.default, p.default) for found in own):
        return p
    return attrs.evolve(p, default=NOTHING, optional=True)


def _is_same(one: Any, other: Any) -> bool:
    try:
        return one is other or bool(one == other)
    except Exception:  # noqa: BLE001  # code of the user's, such as that of arrays
        return False


def _any_of(said: Any, otherwise: Iterable[Any]) -> Any:
    """Return what a function says itself, else a union of what its implementations say."""
    kinds = tuple(kind for kind in otherwise if kind is not NOTHING)
    return said if said is not NOTHING or not kinds else Union[kinds]  # noqa: UP007  # of a tuple
