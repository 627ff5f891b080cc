"""The way of arguments to the handler: what they are called there, what converts them, what stands in for them."""

from collections.abc import Iterable
from functools import partial
from typing import Any

from prismpy.schema import JSON, MISSING, ObjectSchema, copied
from prismpy.types import Form, Load, Reader, load_with

from ._given import NOTHING
from ._infer import Inferred
from ._signature import Signature
from ._spec import Binding, Fill


def bind(
    parameters: ObjectSchema, found: Iterable[Inferred], rest: Inferred | None, signature: Signature, reader: Reader
) -> Binding:
    """
    Find the way to the handler.

    Args:
        parameters: What a model is told.

        found: What the signature says, parameter by parameter.

        rest: What it says of `**kwargs`, if it does.

        signature: What the handler says about itself.

        reader: What has read the annotations.
    """
    nodes = {node.name: node for node in parameters.properties or ()}
    names: dict[str, str] = {}
    loads: dict[str, Load] = {}
    fills: dict[str, Fill] = {}
    injected: dict[str, type] = {}
    closed = set(signature.bound)
    for one in found:
        if one.injected is not None:
            injected[one.parameter.name] = one.injected
        node = nodes.pop(one.name, None) if one.injected is None else None
        if node is None:
            closed.add(one.parameter.name)
            # what is not declared is the handler's own business, unless it has a place before others
            if (one.node is None or one.parameter.positional_only) and (fill := _fill_of(one)) is not None:
                fills[one.parameter.name] = fill
            continue
        names[one.name] = one.parameter.name
        if one.form.load is not None:
            loads[one.name] = one.form.load if node is one.node else _if_it_fits(one.form, reader)
        if node is not one.node and node.default is not MISSING:
            fills[one.name] = _declared_fill(node.default, loads.get(one.name))
        elif (fill := _fill_of(one)) is not None:
            fills[one.name] = fill
    for name, node in nodes.items():  # which the handler takes since it takes any
        if node.default is not MISSING:
            fills[name] = _declared_fill(node.default, None)
    return Binding(
        names=names,
        closed=frozenset(closed - set(names.values())),
        loads=loads,
        fills=fills,
        positional=tuple([p.name for p in signature.parameters if p.positional_only]),
        injected=injected,
        dispensable=frozenset([one.parameter.name for one in found if one.injected and not one.required]),
        takes_any=signature.takes_any,
        rest=None if rest is None else rest.form.load,
        provisional=reader.provisional,
    )


def _fill_of(one: Inferred) -> Fill | None:
    """Return what stands in for a parameter that is left out; None if the handler's own default will do."""
    if one.fresh is not None:
        return Fill(one.default, one.fresh)
    left_out = one.parameter.positional_only or one.parameter.default is NOTHING
    return Fill(one.default) if left_out and one.default is not NOTHING else None


def _declared_fill(default: JSON, load: Load | None) -> Fill:
    """Hand over a declared default as the handler would get it from a model."""
    return Fill(default, partial(copied, default) if load is None else partial(_loaded, load, default))


def _loaded(load: Load, default: JSON) -> Any:
    return load(copied(default))


def _if_it_fits(form: Form, reader: Reader) -> Load:
    """Convert a declared parameter by the handler's annotation, unless what was declared is of another form."""
    problems = reader.judge(form)
    return lambda value: value if problems(value) else load_with(form, value)
