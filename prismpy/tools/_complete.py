"""
From a draft to a complete tool: what the handler says fills in what was not declared.

A declared parameter wins over an inferred one; a handler that cannot take what
was declared, or needs what was not, is refused.
"""

from collections.abc import Iterable
from typing import Any, Final

import attrs

from prismpy.docstrings import Docstring, read_docstring
from prismpy.errors import DefinitionError
from prismpy.schema import JSON, MISSING, Missing, ObjectSchema, Schema, annotated, check_references, emit
from prismpy.types import ANY, Form, Load, NoJSONFormError, Reader, load_with, read

from ._signature import NOTHING, Parameter, Signature, read_signature
from ._spec import Binding, ToolSpec


def complete(draft: ToolSpec) -> ToolSpec:
    """
    Return the tool with everything filled in that its handler tells: name, description, parameters, binding.

    Raises:
        DefinitionError: if it has no name, or if its handler and its parameters do not fit. An annotation that cannot
            be evaluated (yet) fails a required parameter; an optional one is left out, and `omitted` says why.
    """
    if draft.handler is None:
        return _checked(_named(draft))
    signature = read_signature(draft.handler)
    doc = read_docstring(signature.doc)
    named = _named(
        attrs.evolve(draft, name=draft.name or signature.name, description=draft.description or doc.description)
    )
    reader = read()
    found = [_infer(p, doc, reader) for p in signature.parameters]
    if not named.parameters.properties if named.infers is None else named.infers:
        named = _with_inferred(named, found, signature, reader)
    _check_fit(_checked(named), found, signature)
    return attrs.evolve(named, binding=_bind(named, found, signature, reader))


def _named(draft: ToolSpec) -> ToolSpec:
    if not draft.name:
        msg = f"a tool has no name (description: {draft.description!r}); name it with as_()"
        raise DefinitionError(msg)
    return draft


def _checked(spec: ToolSpec) -> ToolSpec:
    """Follow the references of parameters that were declared one by one: only now is all there that they lead to."""
    check_references(emit(spec.parameters), tool=spec.name)
    return spec


# --- one parameter ------------------------------------------------------------


@attrs.frozen
class _Inferred:
    """What a parameter of the signature comes to."""

    parameter: Parameter
    node: Schema | None
    """Its schema under its name; None where its type has no JSON form."""

    form: Form
    reason: str = ""
    """Why there is no JSON form."""

    @property
    def required(self) -> bool:
        return self.parameter.default is NOTHING


def _infer(p: Parameter, doc: Docstring, reader: Reader) -> _Inferred:
    if p.unresolved:
        return _Inferred(p, None, Form(ANY), p.unresolved)
    try:
        form = reader.form(_annotation_of(p))
    except NoJSONFormError as error:
        return _Inferred(p, None, Form(ANY), str(error))
    node = annotated(form.schema, p.name, doc.parameters.get(p.name), _json_default(p, reader))
    return _Inferred(p, node, form)


_TELLING: Final = (bool, int, float, str, list, dict, tuple, set, frozenset)
"""Classes whose instances, as defaults, tell the type of a parameter without annotation."""


def _annotation_of(p: Parameter) -> Any:
    if p.annotation is NOTHING:
        return type(p.default) if type(p.default) in _TELLING else Any
    return p.annotation | None if p.default is None and _joins(p.annotation) else p.annotation


def _joins(annotation: Any) -> bool:
    """Tell whether `annotation | None` can be written: `x: int = None` means what it says, not what it spells."""
    return annotation is not Any and hasattr(annotation, "__or__")


def _json_default(p: Parameter, reader: Reader) -> JSON | Missing:
    try:
        return MISSING if p.default is NOTHING else reader.dump(p.default)
    except NoJSONFormError:
        return MISSING


# --- the parameters together --------------------------------------------------


def _with_inferred(spec: ToolSpec, found: Iterable[_Inferred], signature: Signature, reader: Reader) -> ToolSpec:
    declared = {node.name: node for node in spec.parameters.properties or ()}
    declared_required = set(spec.parameters.required_fields or ())
    properties: list[Schema] = []
    required: list[str] = []
    omitted = {f"*{signature.variadic}": "a model passes arguments by name only"} if signature.variadic else {}
    for one in found:
        name = one.parameter.name
        node = declared.pop(name, None)
        if node is None and one.node is None:
            omitted[name] = _omit(one, spec)
            continue
        properties.append(node or one.node)  # type: ignore[arg-type]  # one of them is a node
        if (name in declared_required) if node else one.required:
            required.append(name)
    properties += declared.values()
    required += [name for name in spec.parameters.required_fields or () if name in declared]
    definitions = {**spec.parameters.extra.get("$defs", {}), **reader.definitions}
    extra = {"$defs": definitions} if definitions else {}
    parameters = ObjectSchema(
        properties=tuple(properties),
        required_fields=tuple(required) or None,
        allow_additional_properties=None if signature.takes_any else False,
        extra={**spec.parameters.extra, **extra},
    )
    return attrs.evolve(spec, parameters=parameters, omitted=omitted)


def _omit(one: _Inferred, spec: ToolSpec) -> str:
    """Return why a parameter is left out, or refuse the tool if it cannot be."""
    if not one.required:
        return one.reason
    raise _refuse(
        spec,
        f"parameter {one.parameter.name!r}: {one.reason}; annotate it with a type that JSON knows, "
        "give it a default, or bind it with functools.partial",
    )


def _check_fit(spec: ToolSpec, found: list[_Inferred], signature: Signature) -> None:
    handler = f"its handler {signature.name or 'lambda'!r}"
    declared = {node.name: node for node in spec.parameters.properties or ()}
    taken = {one.parameter.name: one for one in found}
    for name, node in declared.items():
        if name not in taken and not signature.takes_any:
            known = ", ".join(map(repr, taken)) or "none"
            raise _refuse(spec, f"{handler} takes no parameter {name!r}; it takes {known}")
        optional = name not in (spec.parameters.required_fields or ()) and node.default is MISSING
        if name in taken and taken[name].required and optional:
            raise _refuse(
                spec, f"parameter {name!r} is optional, but {handler} needs it; give it a default there or here"
            )
    for name, one in taken.items():
        if one.required and name not in declared:
            raise _refuse(
                spec, f"{handler} needs a parameter {name!r} that is not declared; declare it or give it a default"
            )


def _refuse(spec: ToolSpec, complaint: str) -> DefinitionError:
    return DefinitionError(f"tool {spec.name!r}: {complaint}", tool=spec.name)


# --- the way to the handler ---------------------------------------------------


def _bind(spec: ToolSpec, found: list[_Inferred], signature: Signature, reader: Reader) -> Binding:
    nodes = {node.name: node for node in spec.parameters.properties or ()}
    loads: dict[str, Load] = {}
    fills: dict[str, Any] = {}
    for one in found:
        name, node = one.parameter.name, nodes.get(one.parameter.name)
        if node is not None and one.form.load is not None:
            loads[name] = one.form.load if node is one.node else _if_it_fits(one.form, reader)
        if not one.required and (one.parameter.positional_only or isinstance(one.parameter.default, _MUTABLE)):
            fills[name] = one.parameter.default
    for name, node in nodes.items():
        if node.default is not MISSING and all(one.required or one.parameter.name != name for one in found):
            fills[name] = node.default
    return Binding(
        names={one.parameter.name: one.parameter.name for one in found},
        loads=loads,
        fills=fills,
        positional=tuple(one.parameter.name for one in found if one.parameter.positional_only),
        takes_any=signature.takes_any,
    )


_MUTABLE: Final = (list, dict, set, bytearray)


def _if_it_fits(form: Form, reader: Reader) -> Load:
    """Convert a declared parameter by the handler's annotation, unless what was declared is of another form."""
    problems = reader.judge(form)
    return lambda value: value if problems(value) else load_with(form, value)
