"""
From a draft to a complete tool: what the handler says fills in what was not declared.

A declared parameter wins over an inferred one; a handler that cannot take what
was declared, or needs what was not, is refused.
"""

from collections.abc import Collection, Iterable

import attrs

from prismpy.docstrings import Docstring, read_docstring
from prismpy.errors import DefinitionError
from prismpy.schema import MISSING, ObjectSchema, Schema, changed, check_references, compile_schema, emit, upgrade
from prismpy.types import Reader, read

from ._bind import bind
from ._free_text import taking_text
from ._infer import Inferred, infer
from ._output import output_of
from ._read import signature_of
from ._signature import Signature
from ._spec import ToolSpec


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
    handler = draft.handler
    if handler is None:
        return _finished(_named(draft, draft.name))
    signature = signature_of(handler)
    doc = _doc_of(signature)
    draft = _named(draft, draft.name or signature.name)
    reader = read()
    found = [infer(p, doc, reader) for p in signature.parameters]
    rest = None if signature.rest is None else infer(signature.rest, doc, reader)
    spec = _with_parameters(draft, found, rest, signature, reader)
    return _finished(
        changed(
            spec,
            description=draft.description or doc.description,
            binding=bind(spec.parameters, found, rest, signature, reader),
            output=draft.output or output_of(handler, signature),
        )
    )


def _named(draft: ToolSpec, name: str) -> ToolSpec:
    if not name:
        msg = f"a tool has no name (description: {draft.description!r}); name it with as_()"
        raise DefinitionError(msg)
    return draft if name == draft.name else changed(draft, name=name)


def _doc_of(signature: Signature) -> Docstring:
    """Read what the author wrote; of a class, the constructor's docstring too, and of parameters what bases say."""
    doc = read_docstring(signature.doc)
    if not signature.constructor_doc and not signature.more_docs and not signature.field_texts:
        return doc
    constructor = read_docstring(signature.constructor_doc)
    fields = Docstring(parameters=signature.field_texts)
    nearest_last = [*map(read_docstring, reversed(signature.more_docs)), doc, fields, constructor]
    return attrs.evolve(
        doc,
        description=doc.description or constructor.description,
        parameters={name: text for one in nearest_last for name, text in one.parameters.items()},
        types={name: text for one in nearest_last for name, text in one.types.items()},
    )


def _finished(spec: ToolSpec) -> ToolSpec:
    return spec if spec.free_text is None else taking_text(spec)


def _check_defaults(draft: ToolSpec) -> None:
    defaults = {node.name: node.default for node in draft.parameters.properties or () if node.default is not MISSING}
    if defaults and draft.infers is not False:  # a foreign schema may say of its defaults what it likes
        problems = compile_schema(emit(changed(draft.parameters, required_fields=None)))(defaults)
        if problems:
            raise _refuse(draft, f"a default does not fit its parameter: {problems[0]}")


# --- the parameters together --------------------------------------------------


def _with_parameters(
    draft: ToolSpec, found: Iterable[Inferred], rest: Inferred | None, signature: Signature, reader: Reader
) -> ToolSpec:
    declares = bool(draft.parameters.properties)
    infers = not declares if draft.infers is None else draft.infers
    spec = _with_inferred(draft, found, rest, signature, reader) if infers else draft
    if declares or not infers:
        _check_fit(spec, found, signature)
    return spec


def _with_inferred(
    spec: ToolSpec, found: Iterable[Inferred], rest: Inferred | None, signature: Signature, reader: Reader
) -> ToolSpec:
    declared = {node.name: node for node in spec.parameters.properties or ()}
    declared_required = spec.parameters.required_fields or ()
    properties: list[Schema] = []
    required: list[str] = []
    notes: list[str] = []
    omitted = {f"*{signature.variadic}": "a model passes arguments by name only"} if signature.variadic else {}
    omitted |= signature.apart
    if rest is not None and rest.node is None:
        omitted[f"**{rest.name}"] = rest.reason
    for one in found:
        node = declared.pop(one.name, one.node)
        if one.injected is not None:
            continue
        if node is None:
            omitted[one.name] = _omit(one, spec)
            continue
        properties.append(node)
        if one.required if node is one.node else one.name in declared_required:
            required.append(one.name)
        if one.note and node is one.node:
            notes.append(f"parameter {one.name!r}: {one.note}")
    properties += declared.values()
    required += [name for name in declared_required if name in declared]
    definitions = {**spec.parameters.extra.get("$defs", {}), **reader.definitions}
    parameters = ObjectSchema(
        properties=tuple(properties),
        required_fields=tuple(required) or None,
        allow_additional_properties=_others(rest, signature),
        extra={**spec.parameters.extra, "$defs": definitions} if definitions else spec.parameters.extra,
    )
    return changed(spec, parameters=parameters, omitted=omitted, notes=tuple(notes))


def _others(rest: Inferred | None, signature: Signature) -> Schema | bool | None:
    """Return what is allowed beside the parameters that have a name: what `**kwargs` take."""
    if rest is None or rest.node is None:
        return None if signature.takes_any and rest is None else False
    return rest.form.schema


def _omit(one: Inferred, spec: ToolSpec) -> str:
    """Return why a parameter is left out, or refuse the tool if it cannot be."""
    if not one.required:
        return one.reason
    complaint = (
        f"parameter {one.name!r}: {one.reason}; annotate it with a type that JSON knows, mark it as Injected, "
        "give it a default, or bind it with functools.partial"
    )
    raise _refuse(spec, complaint, one.refusal)


def _check_fit(spec: ToolSpec, found: Iterable[Inferred], signature: Signature) -> None:
    handler = f"its handler {signature.name or 'lambda'!r}"
    declared = {node.name: node for node in spec.parameters.properties or ()}
    taken = {one.name: one for one in found if one.injected is None}
    required = _required(spec)
    for name, node in declared.items():
        if name not in taken and not signature.takes_any:
            known = ", ".join(map(repr, taken)) or "none"
            raise _refuse(spec, f"{handler} takes no parameter {name!r}; it takes {known}")
        optional = name not in required and node.default is MISSING
        if name in taken and taken[name].required and optional:
            complaint = f"parameter {name!r} is optional, but {handler} needs it; give it a default there or here"
            raise _refuse(spec, complaint)
    for name, one in taken.items():
        if one.required and name not in declared:
            complaint = f"{handler} needs a parameter {name!r} that is not declared; declare it or give it a default"
            raise _refuse(spec, complaint)


def _required(spec: ToolSpec) -> Collection[str]:
    """Name the parameters that are required, as the draft of a foreign schema says that."""
    if spec.infers is not False:
        return spec.parameters.required_fields or ()
    required: list[str] = upgrade(emit(spec.parameters))[0].get("required", [])
    return required


def _refuse(spec: ToolSpec, complaint: str, kind: type[DefinitionError] = DefinitionError) -> DefinitionError:
    return kind(f"tool {spec.name!r}: {complaint}", tool=spec.name)
