"""
The rows for classes with named fields: attrs, dataclasses, TypedDicts, NamedTuples, msgspec structs.

One shape serves all; what is particular to a kind is how its fields are listed.
"""

import dataclasses
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, Final, Literal, get_args

import attrs

from prismpy.docstrings import field_docs, read_docstring, written_doc
from prismpy.schema import MISSING, ObjectSchema, Schema, annotated

from ._annotated import is_annotated
from ._basic import bare
from ._defaults import NO_DEFAULT, default_of, maker_of
from ._dump import Step
from ._errors import NoJSONFormError, by_users_code, inside
from ._names import hints_of
from ._notes import read_notes
from ._pydantic import model_texts
from ._reader import Reader
from ._rule import Form, TypeRule, load_with, type_name
from ._special import bindings_of, qualifiers_of, substituted, unqualified

# --- what is particular to each kind of class ---------------------------------


@attrs.frozen
class Field:
    """One field of a record, whatever kind of class it is in."""

    name: str
    """As the constructor takes it; "" for what stands in JSON only."""

    annotation: Any
    required: bool
    default: Any = MISSING
    description: str | None = None
    wire: str = ""
    """As JSON has it, where that is another name."""


_FACTORY: Any = attrs.Factory  # a class, though typed as a function


def _attrs_fields(kind: Any, hints: Mapping[str, Any]) -> Iterable[Field]:
    for field in attrs.fields(kind):
        if field.init:
            required = field.default is attrs.NOTHING
            default = MISSING if required or isinstance(field.default, _FACTORY) else field.default
            yield Field(
                field.alias or field.name,
                hints.get(field.name, field.type or Any),  # made by attrs.make_class it has no annotation
                required,
                default,
                field.metadata.get("description"),
            )


def _dataclass_fields(kind: Any, hints: Mapping[str, Any]) -> Iterable[Field]:
    for field in dataclasses.fields(kind):
        if field.init:
            required = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
            default = MISSING if field.default is dataclasses.MISSING else field.default
            yield Field(field.name, hints.get(field.name, Any), required, default, field.metadata.get("description"))
    for name, hint in hints.items():
        if isinstance(hint, dataclasses.InitVar):  # which `fields` leaves out, and the constructor wants
            default = getattr(kind, name, MISSING)
            yield Field(name, hint.type, default is MISSING, default)


def _typed_dict_fields(kind: Any, hints: Mapping[str, Any]) -> Iterable[Field]:
    for name, annotation in hints.items():
        yield Field(name, unqualified(annotation), is_required(kind, name, annotation))


def is_required(typed_dict: Any, name: str, annotation: Any) -> bool:
    """Tell whether a TypedDict needs a key; Python does not see `Required` in an annotation that is a text."""
    said = qualifiers_of(annotation)
    return "Required" in said or ("NotRequired" not in said and name in typed_dict.__required_keys__)


def _named_tuple_fields(kind: Any, hints: Mapping[str, Any]) -> Iterable[Field]:
    for name in kind._fields:
        default = kind._field_defaults.get(name, MISSING)
        yield Field(name, hints.get(name, Any), default is MISSING, default)


def _struct_fields(kind: Any, hints: Mapping[str, Any]) -> Iterable[Field]:
    msgspec, config = sys.modules["msgspec"], kind.__struct_config__
    if config.tag is not None:  # which tells structs apart, in JSON only
        yield Field("", Literal[config.tag], required=True, wire=config.tag_field)
    for field in msgspec.structs.fields(kind):
        default = MISSING if field.default is msgspec.NODEFAULT else field.default
        yield Field(field.name, hints[field.name], field.required, default, wire=field.encode_name)


def is_typed_dict(annotation: Any) -> bool:
    kind = bare(annotation)
    return isinstance(kind, type) and issubclass(kind, dict) and hasattr(kind, "__required_keys__")


def _is_named_tuple(annotation: Any) -> bool:
    kind = bare(annotation)
    return isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields")


def _is_attrs(annotation: Any) -> bool:
    kind = bare(annotation)
    return isinstance(kind, type) and attrs.has(kind)


def _is_dataclass(annotation: Any) -> bool:
    kind = bare(annotation)
    return isinstance(kind, type) and dataclasses.is_dataclass(kind)


def _is_struct(annotation: Any) -> bool:
    kind, msgspec = bare(annotation), sys.modules.get("msgspec")
    return msgspec is not None and isinstance(kind, type) and issubclass(kind, msgspec.Struct)


# --- what all share -----------------------------------------------------------

_Fields = Callable[[Any, Mapping[str, Any]], Iterable[Field]]


def record_form(fields: _Fields, annotation: Any, reader: Reader) -> Form:
    return reader.recursive(annotation, lambda: _build(fields, annotation, reader))


def _build(fields: _Fields, annotation: Any, reader: Reader) -> Form:
    kind = bare(annotation)
    bindings = bindings_of(annotation)
    hints = {name: substituted(hint, bindings) for name, hint in hints_of(kind).items()}
    docs = field_docs(kind)
    parts: dict[str, _Part] = {}
    makers: dict[str, Callable[[], Any]] = {}
    for field in fields(kind, hints):
        if bindings:  # what is no hint of the class, such as a parameter of its constructor, has its variables yet
            field = attrs.evolve(field, annotation=substituted(field.annotation, bindings))  # noqa: PLW2901
        part, make = _part(kind, field, docs, reader)
        if part is not None:
            parts[part.node.name] = part
        if make is not None:
            makers[field.name] = make
    return Form(
        ObjectSchema(
            description=_description_of(kind),
            properties=tuple(part.node for part in parts.values()),
            required_fields=tuple(name for name, part in parts.items() if part.field.required) or None,
        ),
        partial(_load_record, kind, parts, makers),
    )


def _description_of(kind: type) -> str | None:
    """Return what the author wrote about a class, not what a library wrote for them."""
    return read_docstring(written_doc(kind)).description or None


@attrs.frozen
class _Part:
    """A field with its form, under the name that JSON has for it."""

    field: Field
    node: Schema
    form: Form


def _part(
    kind: type, field: Field, docs: Mapping[str, str], reader: Reader
) -> tuple[_Part | None, Callable[[], Any] | None]:
    """
    Read a field.

    Returns:
        None for an optional one without JSON form, which stays at its default; and what makes its default for each
        record, where that may change or has to be converted.
    """
    try:
        form = reader.form(field.annotation)
    except NoJSONFormError as error:
        if not field.required:
            return None, None if field.default is MISSING else maker_of(field.default, reader)
        msg = f"{type_name(kind)}.{field.name}: {error}"
        raise type(error)(msg) from error
    notes = read_notes(get_args(field.annotation)[1:]) if is_annotated(field.annotation) else read_notes(())
    wire = field.wire or notes.name or field.name
    description = field.description or notes.description or docs.get(field.name)
    left_out = NO_DEFAULT if field.default is MISSING else default_of(field.default, field.annotation, form, reader)
    return _Part(field, annotated(form.schema, wire, description, left_out.json), form), left_out.make


def _load_record(
    kind: type, parts: Mapping[str, _Part], makers: Mapping[str, Callable[[], Any]], values: dict[str, Any]
) -> Any:
    loaded = {name: make() for name, make in makers.items()}
    for name, value in values.items():
        with inside(name):
            loaded[parts[name].field.name] = load_with(parts[name].form, value)
    loaded.pop("", None)
    with by_users_code(f"no {type_name(kind)} can be made of it"):
        return kind(**loaded)


def _attrs_values(value: Any) -> dict[str, Any]:
    return {field.alias or field.name: getattr(value, field.name) for field in attrs.fields(type(value)) if field.init}


def _all_attrs_values(value: Any) -> dict[str, Any]:
    return {field.alias or field.name: getattr(value, field.name) for field in attrs.fields(type(value))}


def _dataclass_values(value: Any) -> dict[str, Any]:
    return {field.name: getattr(value, field.name) for field in dataclasses.fields(value) if field.init}


def _all_dataclass_values(value: Any) -> dict[str, Any]:
    return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}


def _named_tuple_values(value: Any) -> dict[str, Any]:
    values: dict[str, Any] = value._asdict()
    return values


def _struct_values(value: Any) -> dict[str, Any]:
    fields, config = sys.modules["msgspec"].structs.fields(type(value)), value.__struct_config__
    tag = {} if config.tag is None else {config.tag_field: config.tag}
    return {**tag, **{field.encode_name: getattr(value, field.name) for field in fields}}


_KINDS: Final[tuple[tuple[Callable[[Any], bool], _Fields, Step | None, Step | None], ...]] = (
    (is_typed_dict, _typed_dict_fields, None, None),
    (_is_named_tuple, _named_tuple_fields, _named_tuple_values, None),
    (_is_attrs, _attrs_fields, _attrs_values, _all_attrs_values),
    (_is_struct, _struct_fields, _struct_values, None),
    (_is_dataclass, _dataclass_fields, _dataclass_values, _all_dataclass_values),
)
"""How each kind is told, how its fields are listed, its values dumped and shown."""


def field_texts(kind: Any) -> Mapping[str, str]:
    """Return what is said about the fields of a record, by the names that its constructor takes; empty for others."""
    fields = next((fields for applies, fields, *_ in _KINDS if applies(kind)), None)
    if fields is None:
        return model_texts(kind)
    described = {field.name: field.description for field in fields(kind, hints_of(kind)) if field.description}
    return {**field_docs(kind), **described}


RECORD_RULES: Final = tuple(
    TypeRule(applies, partial(record_form, fields), dump, show) for applies, fields, dump, show in _KINDS
)
