"""Objects in a provider's words: what is optional, what has names that nobody declared, names that do not fit."""

from collections.abc import Iterable
from typing import Final

import attrs

from prismpy.schema import JSON

from ._lens import Lens, decoded, encoded, nullable
from ._names import Names

_MARK: Final = {
    "type": "object",
    "properties": {"left_out": {"type": "boolean", "enum": [True]}},
    "required": ["left_out"],
    "additionalProperties": False,
}
"""Says that a property is left out, where null would say something else."""

LEFT_OUT: Final = {"left_out": True}
"""The value that the mark has."""


@attrs.frozen
class Property:
    """One property of an object, as declared and as lowered."""

    name: str
    lens: Lens
    required: bool
    takes_null: bool
    """Whether null is a value for it, as lowered too, so that it cannot stand for leaving it out."""

    null_by_default: bool = False
    """Whether leaving it out means null, by its default."""

    @property
    def is_marked(self) -> bool:
        """Whether leaving it out needs a mark of its own."""
        return self.takes_null and not self.null_by_default


@attrs.frozen
class Others:
    """What has names that nobody declared."""

    lens: Lens
    """For all of it together where it is folded, else for each value."""

    name: str | None = None
    """The property it is folded into; None where it stays in place."""


def object_lens(
    properties: Iterable[Property], others: Others | None, beside: dict[str, JSON], *, all_required: bool
) -> Lens:
    """
    Say an object with declared properties.

    Args:
        properties: In order.

        others: None for a closed object, and one whose other values are not translated.

        beside: `additionalProperties` and `description`, where they are said.

        all_required: Whether optional properties must be there, and take null for being left out.
    """
    declared = {p.name: p for p in properties}
    optional = [p for p in declared.values() if not p.required and all_required]
    folded = others.name if others is not None else None
    more = [] if others is None or folded is None else [Property(folded, others.lens, False, False)]
    schemas = {p.name: _schema_of(p, all_required) for p in (*declared.values(), *more)}
    required = list(schemas) if all_required else [p.name for p in declared.values() if p.required]
    schema = {"type": "object", "properties": schemas, "required": required, **beside}

    def encode(value: JSON) -> JSON:
        if not isinstance(value, dict):
            return value
        out = {name: encoded(declared[name].lens, item) for name, item in value.items() if name in declared}
        out |= {p.name: dict(LEFT_OUT) if p.is_marked else None for p in optional if p.name not in value}
        rest = {name: item for name, item in value.items() if name not in declared}
        if others is not None and folded is not None:
            return out | ({folded: encoded(others.lens, rest)} if rest else {folded: None} if all_required else {})
        return out | {name: item if others is None else encoded(others.lens, item) for name, item in rest.items()}

    def decode(value: JSON) -> JSON:
        if not isinstance(value, dict):
            return value
        out = {}
        for name, item in value.items():
            if name in declared:
                if not (all_required and _is_left_out(declared[name], item)):
                    out[name] = decoded(declared[name].lens, item)
            elif others is None or (folded is not None and name != folded):
                out[name] = item
            elif folded is None:
                out[name] = decoded(others.lens, item)
            elif item is not None:
                rest = decoded(others.lens, item)
                fitting = isinstance(rest, dict) and not rest.keys() & declared.keys()
                out |= rest if fitting else {name: item}
        return out

    lenses = [p.lens for p in declared.values()] + ([] if others is None else [others.lens])
    if not (optional or more) and all(lens.encode is None and lens.decode is None for lens in lenses):
        return Lens(schema)
    return Lens(schema, encode, decode)


def _schema_of(p: Property, all_required: bool) -> JSON:
    if p.required or not all_required:
        return p.lens.schema
    if not p.takes_null:
        return nullable(p.lens).schema
    return {"anyOf": [p.lens.schema, _MARK]} if p.is_marked else p.lens.schema


def _is_left_out(p: Property, value: JSON) -> bool:
    """Undo the stand-in; null for any property that is optional and has no use for it means left out, too."""
    if p.required:
        return False
    return p.is_marked and bool(value == LEFT_OUT) if p.takes_null else value is None


def renamed(lens: Lens, names: Names) -> tuple[Lens, dict[str, str]]:
    """
    Give the properties of an object names that a provider takes.

    Args:
        lens: Of an object.

        names: What names fit.

    Returns:
        The lens, and name to new name for those that changed. A value that has a new name as an undeclared one trades
        it for the old, so that none is lost.
    """
    fitting = names.fit(lens.schema.get("properties", ()))
    new = {name: fit for name, fit in fitting.items() if name != fit}
    if not new:
        return lens, {}
    trade = new | {fit: name for name, fit in new.items()}
    schema = {**lens.schema, "properties": {fitting[name]: node for name, node in lens.schema["properties"].items()}}
    if "required" in schema:
        schema["required"] = [new.get(name, name) for name in schema["required"]]

    def traded(value: JSON) -> JSON:
        return {trade.get(name, name): item for name, item in value.items()} if isinstance(value, dict) else value

    return Lens(schema, lambda value: traded(encoded(lens, value)), lambda value: decoded(lens, traded(value))), new
