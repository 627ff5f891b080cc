"""
From a draft to a complete tool: what the handler says fills in what was not declared.

A declared parameter wins over an inferred one; a handler that cannot take what
was declared, or needs what was not, is refused.
"""

import copy
from collections.abc import Iterable
from functools import partial
from typing import Any, Final, get_args

import attrs

from prismpy.docstrings import read_docstring
from prismpy.errors import DefinitionError, ToolError, UnresolvedError
from prismpy.messages import Artifact, Content, ToolOutput
from prismpy.schema import JSON, MISSING, ObjectSchema, Schema, check_references, compile_schema, emit, parse
from prismpy.types import ANY, Form, Load, NoJSONFormError, Reader, load_with, read

from ._free_text import taking_text
from ._infer import Inferred, infer
from ._signature import NOTHING, Signature, read_signature
from ._spec import MUTABLE, Binding, Fill, ToolSpec


def complete(draft: ToolSpec) -> ToolSpec:
    """
    Return the tool with everything filled in that its handler tells: name, description, parameters, binding.

    Raises:
        DefinitionError: if it has no name, if its handler and its parameters do not fit, or if it takes free text and
            more than that. An annotation that cannot be evaluated (yet) fails a required parameter; an optional one is
            left out, and `omitted` says why.
    """
    if draft.parameters.properties:
        # only now is all there that references in parameters declared one by one may lead to
        check_references(emit(draft.parameters), tool=draft.name)
        _check_defaults(draft)
    if draft.handler is None:
        return _finished(_named(draft))
    signature = read_signature(draft.handler)
    doc = read_docstring(signature.doc)
    if signature.constructor_doc:
        constructor = read_docstring(signature.constructor_doc)
        doc = attrs.evolve(
            doc,
            description=doc.description or constructor.description,
            parameters={**doc.parameters, **constructor.parameters},
            types={**doc.types, **constructor.types},
        )
    named = _named(
        attrs.evolve(draft, name=draft.name or signature.name, description=draft.description or doc.description)
    )
    reader = read()
    found = [infer(p, doc, reader) for p in signature.parameters]
    infers = not named.parameters.properties if named.infers is None else named.infers
    spec = _with_inferred(named, found, signature, reader) if infers else named
    _check_fit(spec, found, signature)
    return _finished(
        attrs.evolve(spec, binding=_bind(spec, found, signature, reader), output=spec.output or _output_of(signature))
    )


def _finished(spec: ToolSpec) -> ToolSpec:
    return spec if spec.free_text is None else taking_text(spec)


def _named(draft: ToolSpec) -> ToolSpec:
    if not draft.name:
        msg = f"a tool has no name (description: {draft.description!r}); name it with as_()"
        raise DefinitionError(msg)
    return draft


def _check_defaults(draft: ToolSpec) -> None:
    defaults = {node.name: node.default for node in draft.parameters.properties or () if node.default is not MISSING}
    if defaults and draft.infers is not False:  # a foreign schema may say of its defaults what it likes
        problems = compile_schema(emit(attrs.evolve(draft.parameters, required_fields=None)))(defaults)
        if problems:
            raise _refuse(draft, f"a default does not fit its parameter: {problems[0]}")


# --- the parameters together --------------------------------------------------


def _with_inferred(spec: ToolSpec, found: Iterable[Inferred], signature: Signature, reader: Reader) -> ToolSpec:
    declared = {node.name: node for node in spec.parameters.properties or ()}
    declared_required = set(spec.parameters.required_fields or ())
    properties: list[Schema] = []
    required: list[str] = []
    notes: list[str] = []
    omitted = {f"*{signature.variadic}": "a model passes arguments by name only"} if signature.variadic else {}
    for one in found:
        node = declared.pop(one.name, one.node)
        if one.injected is not None:
            continue
        if node is None:
            omitted[one.name] = _omit(one, spec)
            continue
        properties.append(node)
        required += [one.name] if (one.required if node is one.node else one.name in declared_required) else []
        notes += [f"parameter {one.name!r}: {one.note}"] if one.note and node is one.node else []
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
    return attrs.evolve(spec, parameters=parameters, omitted=omitted, notes=tuple(notes))


def _omit(one: Inferred, spec: ToolSpec) -> str:
    """Return why a parameter is left out, or refuse the tool if it cannot be."""
    if not one.required:
        return one.reason
    complaint = (
        f"parameter {one.name!r}: {one.reason}; annotate it with a type that JSON knows, mark it as Injected, "
        "give it a default, or bind it with functools.partial"
    )
    raise _refuse(spec, complaint, UnresolvedError if one.unresolved else DefinitionError)


def _check_fit(spec: ToolSpec, found: Iterable[Inferred], signature: Signature) -> None:
    handler = f"its handler {signature.name or 'lambda'!r}"
    declared = {node.name: node for node in spec.parameters.properties or ()}
    taken = {one.name: one for one in found if one.injected is None}
    for name, node in declared.items():
        if name not in taken and not signature.takes_any:
            known = ", ".join(map(repr, taken)) or "none"
            raise _refuse(spec, f"{handler} takes no parameter {name!r}; it takes {known}")
        optional = name not in (spec.parameters.required_fields or ()) and node.default is MISSING
        if name in taken and taken[name].required and optional:
            complaint = f"parameter {name!r} is optional, but {handler} needs it; give it a default there or here"
            raise _refuse(spec, complaint)
    for name, one in taken.items():
        if one.required and name not in declared:
            complaint = f"{handler} needs a parameter {name!r} that is not declared; declare it or give it a default"
            raise _refuse(spec, complaint)


def _refuse(spec: ToolSpec, complaint: str, kind: type[DefinitionError] = DefinitionError) -> DefinitionError:
    return kind(f"tool {spec.name!r}: {complaint}", tool=spec.name)


# --- the way to the handler ---------------------------------------------------


def _bind(spec: ToolSpec, found: Iterable[Inferred], signature: Signature, reader: Reader) -> Binding:
    nodes = {node.name: node for node in spec.parameters.properties or ()}
    taken = {one.name: one for one in found if one.injected is None}
    injected = {one.parameter.name: one for one in found if one.injected is not None}
    loads: dict[str, Load] = {}
    fills = {name: fill for name, one in taken.items() if name in nodes and (fill := _fill_of(one)) is not None}
    for name, node in nodes.items():
        one = taken.get(name)
        if one is not None and one.form.load is not None:
            loads[name] = one.form.load if node is one.node else _if_it_fits(one.form, reader)
        if node.default is not MISSING and (one is None or node is not one.node):
            fills[name] = _declared_fill(node.default, loads.get(name))
    declared = {name: one.parameter.name for name, one in taken.items() if name in nodes}
    return Binding(
        names=declared,
        closed=frozenset({p.name for p in signature.parameters} | signature.bound) - set(declared.values()),
        loads=loads,
        fills=fills,
        positional=tuple(p.name for p in signature.parameters if p.positional_only),
        injected={name: one.injected for name, one in injected.items() if one.injected},
        dispensable=frozenset(name for name, one in injected.items() if not one.required),
        takes_any=signature.takes_any,
        provisional=reader.provisional,
    )


def _fill_of(one: Inferred) -> Fill | None:
    """Return what stands in for a parameter that is left out; None if the handler's own default will do."""
    if one.fresh is not None:
        return Fill(make=one.fresh)
    needed = one.parameter.positional_only and one.default is not NOTHING
    return Fill(one.default) if needed or isinstance(one.default, MUTABLE) else None


def _declared_fill(default: JSON, load: Load | None) -> Fill:
    """Hand over a declared default as the handler would get it from a model."""
    return Fill(default) if load is None else Fill(make=partial(_loaded, load, default))


def _loaded(load: Load, default: JSON) -> Any:
    return load(copy.deepcopy(default))


def _if_it_fits(form: Form, reader: Reader) -> Load:
    """Convert a declared parameter by the handler's annotation, unless what was declared is of another form."""
    problems = reader.judge(form)
    return lambda value: value if problems(value) else load_with(form, value)


# --- what comes back ----------------------------------------------------------


def _output_of(signature: Signature) -> Schema | None:
    """Read the annotation of what a handler returns; None where it says nothing, or nothing that JSON knows."""
    if signature.returns in _SAYING_NOTHING or _is_content(signature.returns):
        return None
    reader = read()
    try:
        node = reader.form(signature.returns).schema
    except NoJSONFormError:
        return None
    if reader.definitions:
        return parse({**emit(node), "$defs": reader.definitions})
    return None if node == ANY else node


def _is_content(annotation: Any) -> bool:
    """Tell whether an annotation names content for the model, alone or in a list or a union."""
    named = isinstance(annotation, type) and issubclass(annotation, Content)
    return named or any(map(_is_content, get_args(annotation)))


_SAYING_NOTHING: Final = [NOTHING, None, type(None), Any, Artifact, ToolError, ToolOutput]
