"""A schema in a provider's words, with the way there and back for values. Nothing here knows a provider."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any, Final, TypeAlias

import attrs

from prismpy.schema import JSON, UnreadableError, decode

from ._apart import kinds_of, told_apart
from ._judges import Judge

Translate: TypeAlias = Callable[[JSON], JSON]


@attrs.frozen
class Lens:
    """
    One lowered schema and its pair of translators.

    Both take anything, and leave alone what they do not understand.
    """

    schema: dict[str, JSON]
    encode: Translate | None = None
    """None where nothing changes."""

    decode: Translate | None = None
    """None where nothing changes."""


def encoded(lens: Lens, value: JSON) -> JSON:
    """Translate a declared value into the provider's form."""
    return value if lens.encode is None else lens.encode(value)


def decoded(lens: Lens, value: JSON) -> JSON:
    """Translate a value in the provider's form into the declared one."""
    return value if lens.decode is None else lens.decode(value)


# --- any value, as JSON text --------------------------------------------------


def _to_text(value: JSON) -> JSON:
    return json.dumps(value, ensure_ascii=False)


def _from_text(value: JSON) -> JSON:
    """Read JSON text as strictly as arguments are read; text that is none stays text, for the executor to refuse."""
    if not isinstance(value, str):
        return value
    try:
        return decode(value)
    except UnreadableError:
        return value


def text_lens(description: str) -> Lens:
    """Say a value as JSON text: what no other word of the provider can say."""
    return Lens({"type": "string", "description": description}, _to_text, _from_text)


# --- null ---------------------------------------------------------------------

_NULL: Final = {"type": "null"}


def nullable(lens: Lens, *, keyword: bool = False) -> Lens:
    """
    Let null be told, too. What it stands for is up to the translators round this lens.

    Args:
        lens: What else may stand there.

        keyword: Whether null is said by OpenAPI's `nullable`.
    """
    schema = dict(lens.schema)
    if "null" in kinds_of(schema) or not schema.keys() & {"type", "anyOf", "$ref"}:
        return lens
    return attrs.evolve(lens, schema=_with_keyword(schema) if keyword else _with_null(schema))


def _with_null(schema: dict[str, JSON]) -> dict[str, JSON]:
    match schema:
        case {"type": str() as word, **rest} if "enum" not in rest and "anyOf" not in rest:
            return {**schema, "type": [word, "null"]}
        case {"type": str() as word, "enum": [*options]}:
            return {**schema, "type": [word, "null"], "enum": [*options, None]}
        case {"anyOf": [*branches]}:
            return {**schema, "anyOf": [*branches, _NULL]}
        case _:
            described = {"description": schema.pop("description")} if "description" in schema else {}
            return {"anyOf": [schema, _NULL], **described}


def _with_keyword(schema: dict[str, JSON]) -> dict[str, JSON]:
    match schema:
        case {"anyOf": [first, *others]}:  # beside which nothing may stand
            return {**schema, "anyOf": [_with_keyword(first), *others]}
        case _:
            return {**schema, "nullable": True}


def unless_null(lens: Lens) -> Lens:
    """Leave null alone."""

    def around(translate: Translate | None) -> Translate | None:
        return None if translate is None else lambda value: None if value is None else translate(value)

    return Lens(lens.schema, around(lens.encode), around(lens.decode))


# --- objects of any names -----------------------------------------------------


def entries_lens(keys: dict[str, JSON], values: Lens, about: dict[str, JSON], closing: dict[str, JSON]) -> Lens:
    """
    Say an object of any names as a list of entries, each with its name and its value.

    Args:
        keys: Schema of the names.

        values: For the values.

        about: What is said of the list, `{"description": ...}` and maybe a title.

        closing: What an object says for being closed.
    """
    entry = {
        "type": "object",
        "properties": {"name": keys, "value": values.schema},
        "required": ["name", "value"],
        **closing,
    }

    def encode(value: JSON) -> JSON:
        if not isinstance(value, dict):
            return value
        return [{"name": name, "value": encoded(values, item)} for name, item in value.items()]

    def decode(value: JSON) -> JSON:
        if not isinstance(value, list) or not all(_is_entry(item) for item in value):
            return value
        names = [item["name"] for item in value]
        if len(set(names)) < len(names):
            return value  # which of two is meant, nobody knows
        return {item["name"]: decoded(values, item["value"]) for item in value}

    return Lens({"type": "array", "items": entry, **about}, encode, decode)


def _is_entry(item: Any) -> bool:
    return isinstance(item, dict) and item.keys() == {"name", "value"} and isinstance(item["name"], str)


# --- tuples -------------------------------------------------------------------


def tuple_lens(parts: list[Lens], beside: dict[str, JSON]) -> Lens:
    """
    Say a list of a fixed length, each place with a schema of its own, as an object with a name for each place.

    Args:
        parts: One for each place.

        beside: What an object says for being closed, and the description, if there is one.
    """
    names = [f"item_{place}" for place in range(1, len(parts) + 1)]
    schema = {
        "type": "object",
        "properties": {name: part.schema for name, part in zip(names, parts, strict=True)},
        "required": names,
        **beside,
    }

    def encode(value: JSON) -> JSON:
        if not isinstance(value, list) or len(value) != len(parts):
            return value
        return {name: encoded(part, item) for name, part, item in zip(names, parts, value, strict=True)}

    def decode(value: JSON) -> JSON:
        if not isinstance(value, dict) or value.keys() != set(names):
            return value
        return [decoded(part, value[name]) for name, part in zip(names, parts, strict=True)]

    return Lens(schema, encode, decode)


def places_lens(schema: dict[str, JSON], parts: list[Lens], rest: Lens | None) -> Lens:
    """
    Say a list whose first items have schemas of their own as such a list.

    Args:
        schema: What stands beside.

        parts: One for each of the first places.

        rest: For all others; None where there are none, or they may be anything.
    """
    lowered = {**schema, "prefixItems": [part.schema for part in parts]} | ({"items": rest.schema} if rest else {})

    def each(value: JSON, translate: Callable[[Lens, JSON], JSON]) -> JSON:
        if not isinstance(value, list):
            return value
        lenses = (*parts, *((rest or _ANYTHING,) * max(0, len(value) - len(parts))))
        return [translate(lens, item) for lens, item in zip(lenses, value, strict=False)]

    return Lens(lowered, lambda value: each(value, encoded), lambda value: each(value, decoded))


_ANYTHING: Final = Lens({})


# --- lists and unions ---------------------------------------------------------


def list_lens(schema: dict[str, JSON], items: Lens) -> Lens:
    """Say a list whose items are all of one schema."""
    if items.encode is None and items.decode is None:
        return Lens({**schema, "items": items.schema})

    def encode(value: JSON) -> JSON:
        return [encoded(items, item) for item in value] if isinstance(value, list) else value

    def decode(value: JSON) -> JSON:
        return [decoded(items, item) for item in value] if isinstance(value, list) else value

    return Lens({**schema, "items": items.schema}, encode, decode)


def union_lens(schema: dict[str, JSON], branches: list[tuple[Lens, Judge]], closing: dict[str, JSON]) -> Lens:
    """
    Say a value of one of several schemas.

    Where translating back needs to know which one was meant, and neither the JSON type of the value nor a tag in it
    tells, each branch becomes an object with a key of its own.

    Args:
        schema: What stands beside `anyOf`.

        branches: Each with the judge of its declared schema.

        closing: What an object says for being closed.
    """
    lenses, judges = [lens for lens, _ in branches], [accepts for _, accepts in branches]
    if all(lens.encode is None and lens.decode is None for lens in lenses):
        return Lens({**schema, "anyOf": [lens.schema for lens in lenses]})
    meant = told_apart([lens.schema for lens in lenses])
    if meant is None:
        names = [f"option_{i}" for i in range(1, len(lenses) + 1)]
        lenses = [_named(name, lens, closing) for name, lens in zip(names, lenses, strict=True)]
        meant = partial(_position_by_name, names)
    lowered = {**schema, "anyOf": [lens.schema for lens in lenses]}

    def encode(value: JSON) -> JSON:
        return next(
            (encoded(lens, value) for lens, accepts in zip(lenses, judges, strict=True) if accepts(value)), value
        )

    def decode(value: JSON) -> JSON:
        position = meant(value)
        return value if position is None else decoded(lenses[position], value)

    return Lens(lowered, encode, decode)


def _named(name: str, lens: Lens, closing: dict[str, JSON]) -> Lens:
    schema = {"type": "object", "properties": {name: lens.schema}, "required": [name], **closing}

    def decode(value: JSON) -> JSON:
        return decoded(lens, value[name]) if isinstance(value, dict) and value.keys() == {name} else value

    return Lens(schema, lambda value: {name: encoded(lens, value)}, decode)


def _position_by_name(names: list[str], value: JSON) -> int | None:
    return next((i for i, name in enumerate(names) if isinstance(value, dict) and value.keys() == {name}), None)
