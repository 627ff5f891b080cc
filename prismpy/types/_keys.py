"""The keys of maps: JSON has texts only, so that a scalar is written as its own JSON text, 3 as "3"."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from prismpy.schema import (
    AnyOfSchema,
    BooleanSchema,
    EnumSchema,
    IntegerSchema,
    NullSchema,
    NumberSchema,
    Schema,
    StringSchema,
    UnreadableError,
    decode,
)

from ._basic import ANY, TEXT
from ._errors import ConversionError, NoJSONFormError
from ._reader import Reader
from ._rule import Form, load_with, type_name


def key_form(key: Any, annotation: Any, reader: Reader) -> Form:
    """Say how the keys of a map look as text: JSON has no other keys."""
    if key is str:
        return TEXT
    form = reader.form(key)
    schema = _key_schema(form.schema)
    if schema is None:
        msg = (
            f"{annotation} has keys of type {type_name(key)}, and JSON objects have text keys only; use dict[str, ...]"
        )
        raise NoJSONFormError(msg)
    if schema is form.schema:
        return form
    return TEXT if schema is TEXT.schema else Form(schema, partial(_load_key, reader.judge(form), form))


_NUMBER: Final = r"^-?\d+(\.\d+)?([eE][+-]?\d+)?$"
_AS_TEXT: Final[dict[type, Schema]] = {
    BooleanSchema: EnumSchema(options=("true", "false")),
    IntegerSchema: StringSchema(pattern=r"^-?\d+$"),
    NullSchema: EnumSchema(options=("null",)),
    NumberSchema: StringSchema(pattern=_NUMBER),
}
"""Node of a scalar to the node of its JSON text."""


def _key_schema(node: Schema) -> Schema | None:
    """Return the schema of keys, for values that JSON has no keys for; None where they are no scalars."""
    match node:
        case StringSchema(nullable=True):
            return TEXT.schema
        case BooleanSchema(nullable=True) | NumberSchema(nullable=True):
            return AnyOfSchema((_AS_TEXT[type(node)], _AS_TEXT[NullSchema]))
        case StringSchema() | EnumSchema(type="string"):
            return node
        case EnumSchema(options=options):
            texts = (option if isinstance(option, str) else json.dumps(option) for option in options)
            return EnumSchema(options=tuple(texts))
        case AnyOfSchema(schemas=branches):
            keys = [_key_schema(branch) for branch in branches]
            known = [key for key in keys if key is not None]
            return TEXT.schema if TEXT.schema in known else AnyOfSchema(tuple(known)) if known == keys else None
        case _:
            return TEXT.schema if node is ANY else _AS_TEXT.get(type(node))


def _load_key(problems: Callable[[Any], Any], form: Form, text: str) -> Any:
    """Load a key by the JSON that it is the text of, or else as text."""
    for value in (_scalar(text), text):
        if not problems(value):
            return load_with(form, value)
    msg = f"{text!r} is no key that is expected there"
    raise ConversionError(msg)


def _scalar(text: str) -> Any:
    try:
        return decode(text)
    except UnreadableError:
        return text
