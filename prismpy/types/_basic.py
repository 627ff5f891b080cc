"""The rows for JSON's own types, and for choices and unions of them."""

import enum
from collections.abc import Callable, Iterable
from functools import partial, reduce
from operator import or_
from typing import Any, Final, Literal, get_args

from prismpy.schema import (
    AnyOfSchema,
    ArraySchema,
    BooleanSchema,
    EnumSchema,
    IntegerSchema,
    NullSchema,
    NumberSchema,
    ObjectSchema,
    RawSchema,
    Schema,
    StringSchema,
    changed,
    cut,
    json_type,
)

from ._errors import ConversionError, NoJSONFormError, OpaqueFormError
from ._reader import Reader
from ._rule import UNIONS, Form, TypeRule, load_with, type_name

ANY: Final = RawSchema("", {})
"""The schema that accepts everything."""


# --- JSON's own types ---------------------------------------------------------

TEXT: Final = Form(StringSchema())
"""Any text."""

BASE64: Final = StringSchema(extra={"contentEncoding": "base64"})
"""Bytes as text."""

SCALARS: Final = {
    str: TEXT,
    int: Form(IntegerSchema(), int),  # 5.0 is an integer by JSON Schema
    float: Form(NumberSchema(), float),
    bool: Form(BooleanSchema()),
    type(None): Form(NullSchema()),
    None: Form(NullSchema()),
    Any: Form(ANY),
    object: Form(ANY),
}


def _is_scalar(annotation: Any) -> bool:
    try:
        return annotation in SCALARS
    except TypeError:  # not hashable, such as Annotated[int, []]
        return False


def _scalar_form(annotation: Any, _: Reader) -> Form:
    return SCALARS[annotation]


# --- Literal and Enum ---------------------------------------------------------


def _is_literal(annotation: Any) -> bool:
    return getattr(annotation, "__origin__", None) is Literal


def _literal_form(annotation: Any, reader: Reader) -> Form:
    return _choice_form(get_args(annotation), annotation, reader)


def _is_flag(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, enum.Flag)


def _flag_form(annotation: type[enum.Flag], _: Reader) -> Form:
    """Offer the names of single flags, any of which may be set."""
    if not list(annotation):
        msg = f"{type_name(annotation)} is a flag without members, so no value could be right"
        raise OpaqueFormError(msg)
    names = EnumSchema(options=tuple(member.name for member in annotation))
    return Form(ArraySchema(items=names), partial(_load_flag, annotation))


def _load_flag(kind: type[enum.Flag], names: list[str]) -> enum.Flag:
    return reduce(or_, (kind[name] for name in names), kind(0))


def _flag_names(value: enum.Flag) -> list[str]:
    """Name the flags that are set; a bit without a name would be lost."""
    names = [member.name for member in type(value) if member in value and member.name]
    if _load_flag(type(value), names) != value:
        msg = f"{value!r} has flags without a name, and so no JSON form"
        raise NoJSONFormError(msg)
    return names


def is_enum(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, enum.Enum)


def _enum_form(annotation: type[enum.Enum], reader: Reader) -> Form:
    if not list(annotation):
        msg = f"{type_name(annotation)} is an enum without members, so no value could be right"
        raise OpaqueFormError(msg)
    return _choice_form(tuple(annotation), annotation, reader)


def _choice_form(members: Iterable[Any], annotation: Any, reader: Reader) -> Form:
    """
    Offer the values of members, and load a value as the member that has it.

    Members whose value is no scalar in JSON are left out, as long as there are others.
    """
    by_value: dict[tuple[str, Any], Any] = {}
    left_out: list[str] = []
    for member in members:
        value = _scalar_of(member, reader)
        if value is not NotImplemented and by_value.setdefault(_key(value), member) is member:
            continue
        shown = cut(repr(member.value if isinstance(member, enum.Enum) else member))
        reason = "which JSON does not know" if value is NotImplemented else "which looks like another in JSON"
        left_out.append(f"{type_name(annotation)} has the choice {shown}, {reason}")
    if not by_value:
        raise NoJSONFormError(left_out[0])
    reader.remarks |= dict.fromkeys(f"{reason}, so it is left out of the type" for reason in left_out)
    plain_values = all(value is member for (_, value), member in by_value.items())
    load = None if plain_values else partial(_load_choice, by_value)
    return Form(EnumSchema(options=tuple(value for _, value in by_value)), load)


def _scalar_of(member: Any, reader: Reader) -> Any:
    """Return the JSON of a choice; `NotImplemented` where it is no text, number, boolean or null."""
    try:
        value = reader.dump(member)
    except NoJSONFormError:
        return NotImplemented
    return value if isinstance(value, str | int | float | None) else NotImplemented


def _load_choice(by_value: dict[tuple[str, Any], Any], value: Any) -> Any:
    try:
        return by_value[_key(value)]
    except KeyError:
        choices = ", ".join(repr(choice) for _, choice in by_value)
        msg = f"expected one of {choices}, got {value!r}"
        raise ConversionError(msg) from None


def _key(value: Any) -> tuple[str, Any]:
    """Tell 1, True and "1" apart, but not 1 and 1.0."""
    return ("number" if json_type(value) in {"integer", "number"} else json_type(value), value)


def _enum_value(member: enum.Enum) -> Any:
    return member.value


# --- unions -------------------------------------------------------------------


def is_union(annotation: Any) -> bool:
    """Tell whether an annotation is a union, old or new."""
    return type(annotation) in UNIONS


def _union_form(annotation: Any, reader: Reader) -> Form:
    forms = _distinct(_branches(annotation, reader), reader)
    some = [form for form in forms if not isinstance(form.schema, NullSchema)]
    nullable = len(some) < len(forms)
    if any(form.schema is ANY for form in some):
        return Form(ANY)
    if len(some) == 1:
        return Form(_nullable(some[0].schema), _unless_none(some[0].load)) if nullable else some[0]
    if all(isinstance(form.schema, EnumSchema) and form.load is None for form in some):
        return Form(_merge_choices([form.schema for form in some], nullable))
    schema = AnyOfSchema(tuple(form.schema for form in some), nullable=nullable)
    if all(form.load is None for form in some):
        return Form(schema)
    return Form(schema, partial(_load_union, [(reader.judge(form), form) for form in forms]))


def _branches(annotation: Any, reader: Reader) -> list[Form]:
    """Read the members of a union; those without JSON form are left out, as long as another says something."""
    forms: list[Form] = []
    refused: list[NoJSONFormError] = []
    for branch in get_args(annotation):
        try:
            forms.append(reader.form(branch))
        except NoJSONFormError as error:
            refused.append(error)
    if refused and all(isinstance(form.schema, NullSchema) for form in forms):
        raise refused[0]
    reader.remarks |= dict.fromkeys(f"{error}, so it is left out of the type" for error in refused)
    return forms


def _distinct(forms: list[Form], reader: Reader) -> list[Form]:
    """Leave bytes out beside text: a word such as "word" would be decoded."""
    if not any(form.schema is TEXT.schema for form in forms) or not any(form.schema is BASE64 for form in forms):
        return forms
    reader.remarks["bytes look like the text that is taken too, so they are left out of the type"] = None
    return [form for form in forms if form.schema is not BASE64]


def _nullable(node: Schema) -> Schema:
    if isinstance(node, StringSchema | NumberSchema | BooleanSchema | ArraySchema | ObjectSchema):
        return changed(node, nullable=True)
    if isinstance(node, EnumSchema):
        return EnumSchema("", node.description, node.options, nullable=True)
    return AnyOfSchema((node, NullSchema()))


def _merge_choices(nodes: Iterable[Any], nullable: bool) -> EnumSchema:
    options = {_key(option): option for node in nodes for option in node.options}
    return EnumSchema(options=tuple(options.values()), nullable=nullable)


def _unless_none(load: Callable[[Any], Any] | None) -> Callable[[Any], Any] | None:
    return None if load is None else lambda value: None if value is None else load(value)


def _load_union(branches: list[tuple[Callable[[Any], Any], Form]], value: Any) -> Any:
    """Load a value by the first branch that takes it: a text may fit `date | str` as text only."""
    failure = ConversionError(f"{value!r} fits no member of the union")
    for problems, form in branches:
        try:
            if not problems(value):
                return load_with(form, value)
        except ConversionError as error:
            failure = error
    raise failure


def bare(annotation: Any) -> Any:
    """Return the class behind an annotation, `list` for `list[int]`; None if there is none."""
    return annotation if isinstance(annotation, type) else getattr(annotation, "__origin__", None)


SCALAR_RULE: Final = TypeRule(_is_scalar, _scalar_form)
"""Stands first of all, as most types are scalars."""

BASIC_RULES: Final = (
    TypeRule(is_union, _union_form),
    TypeRule(_is_literal, _literal_form),
    TypeRule(_is_flag, _flag_form, _flag_names),
    TypeRule(is_enum, _enum_form, _enum_value),
)
