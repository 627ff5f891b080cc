"""Reading any callable: by its signature, or by what it is, where its signature does not tell."""

import functools
from collections.abc import Callable
from typing import Any

import attrs

from prismpy.types import is_a

from ._dispatch import dispatching_signature
from ._factories import factory_signature
from ._signature import Signature, read_signature


def signature_of(handler: Callable[..., Any]) -> Signature:
    """
    Read a callable: a function, bound method, partial, class, type or callable object.

    Raises:
        DefinitionError: if it is none, does not tell its parameters, or cannot be called with success at all.
    """
    if is_a(handler, functools.partial):
        within = _special(handler.func)
        return read_signature(handler) if within is None else _with_bound(within, handler)
    return _special(handler) or read_signature(handler)


def _special(handler: Any) -> Signature | None:
    return dispatching_signature(handler) or factory_signature(handler)


def _with_bound(signature: Signature, partial: "functools.partial[Any]") -> Signature:
    """Take off what a partial has bound."""
    bound = frozenset(partial.keywords)
    left = [p for p in signature.parameters[len(partial.args) :] if p.name not in bound]
    return attrs.evolve(signature, parameters=tuple(left), bound=signature.bound | bound)
