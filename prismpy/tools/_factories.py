"""
Types as tools: what makes a value when it is called, though its signature does not tell what it takes.

Enums take a value, TypedDicts their keys, `Box[int]` what `Box` takes for an `int`. What no call can
ever make, such as an abstract class, is refused.
"""

import inspect
import types
import typing
from typing import Any, Final, NewType

import attrs

from prismpy.errors import DefinitionError
from prismpy.types import (
    bindings_of,
    field_texts,
    is_a,
    is_annotated,
    is_class,
    is_enum,
    is_no_type,
    is_typed_dict,
    root_of_model,
    substituted,
)

from ._signature import Parameter, Signature, keys_of, read_signature
from ._words import doc_of, name_of


def factory_signature(handler: Any) -> Signature | None:
    """
    Read a type as what makes values of it; None for what is none, and for classes that tell by their constructor.

    Raises:
        DefinitionError: if nothing can be made of it by a call.
    """
    if is_a(handler, types.FunctionType, types.MethodType) or is_no_type(handler):
        return None
    if is_annotated(handler):
        return factory_signature(handler.__origin__) or read_signature(handler.__origin__)
    if is_a(handler, NewType):
        return _taking(handler, Parameter("value", handler, positional_only=True))
    origin = typing.get_origin(handler)
    if origin is not None:
        return _of_alias(handler, origin)
    if not is_class(handler):
        return None
    if (reason := _impossible(handler)) is not None:
        msg = f"{handler.__name__} {reason}; pass a class of which there are instances, or a function"
        raise DefinitionError(msg)
    if is_enum(handler):
        member = _taking(handler, Parameter("value", handler, positional_only=True))
        others = (name for name, p in inspect.signature(handler).parameters.items() if p.kind is not p.VAR_POSITIONAL)
        return attrs.evolve(member, apart={name: "it makes another enum" for name in others if name != "value"})
    if (root := root_of_model(handler)) is not None:
        return _taking(handler, Parameter("root", root, positional_only=True))
    return _taking(handler, *keys_of(handler)) if is_typed_dict(handler) else None


def _taking(handler: Any, *parameters: Parameter) -> Signature:
    texts = field_texts(handler) if is_class(handler) else {}
    return Signature(name_of(handler), doc_of(handler), parameters, takes_any=False, field_texts=texts)


def _of_alias(alias: Any, origin: Any) -> Signature:
    """Read a generic class with something in the place of its type variables."""
    if not is_class(origin) or not getattr(origin, "__parameters__", ()):
        msg = f"{alias} is a type that does not tell what it is made of; pass a class of your own, or a function"
        raise DefinitionError(msg)
    signature = factory_signature(origin) or read_signature(origin)
    bindings = bindings_of(alias)
    bound = [attrs.evolve(p, annotation=substituted(p.annotation, bindings)) for p in signature.parameters]
    return attrs.evolve(signature, parameters=tuple(bound))


# --- what cannot be made ------------------------------------------------------


def _impossible(kind: Any) -> str | None:
    """Say why calling a class makes nothing, whatever it is given; None if it may make something."""
    if getattr(kind, "_is_protocol", False) and kind.__init__.__module__ in _TYPING:
        return "is a protocol, and no instance of it can be made"
    by_python = kind.__new__ is object.__new__ and type(kind).__call__ is type.__call__
    if by_python and inspect.isabstract(kind):
        names = sorted(kind.__abstractmethods__)
        more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
        return f"is abstract, as it does not define {', '.join(names[:_SHOWN])}{more}"
    return None


_SHOWN: Final = 3
_TYPING: Final = ("typing", "typing_extensions")
