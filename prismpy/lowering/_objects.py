"""Objects in a provider's words: what is optional, and what has names that nobody declared."""

from collections.abc import Iterable
from typing import Final

import attrs

from prismpy.schema import JSON

from ._lens import Lens, decoded, encoded, nullable

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


def object_lens(
    properties: Iterable[Property], others: tuple[str, Lens] | None, description: dict[str, JSON], *, all_required: bool
) -> Lens:
    """
    Say an object with declared properties.

    Args:
        properties: In order.

        others: Name of the property that holds what has other names, and the lens for all of that together; None for
            a closed object.

        description: The `description` keyword, if there is one.

        all_required: Whether optional properties must be there, and take null for being left out.
    """
    declared = {p.name: p for p in properties}
    optional = [p for p in declared.values() if not p.required and all_required]
    more = {} if others is None else {others[0]: Property(others[0], others[1], required=False, takes_null=False)}
    schemas = {p.name: _schema_of(p, all_required) for p in (*declared.values(), *more.values())}
    required = list(schemas) if all_required else [p.name for p in declared.values() if p.required]
    schema = {
        "type": "object",
        "properties": schemas,
        "required": required,
        "additionalProperties": False,
    } | description

    def encode(value: JSON) -> JSON:
        if not isinstance(value, dict):
            return value
        out = {name: encoded(declared[name].lens, item) for name, item in value.items() if name in declared}
        out |= {p.name: dict(LEFT_OUT) if p.is_marked else None for p in optional if p.name not in value}
        if others is not None:
            rest = {name: item for name, item in value.items() if name not in declared}
            out |= {others[0]: encoded(others[1], rest)} if rest else {others[0]: None} if all_required else {}
        return out

    def decode(value: JSON) -> JSON:
        if not isinstance(value, dict):
            return value
        out = {}
        for name, item in value.items():
            if name in declared:
                if not (all_required and _is_left_out(declared[name], item)):
                    out[name] = decoded(declared[name].lens, item)
            elif others is None or name != others[0]:
                out[name] = item
            elif item is not None:
                rest = decoded(others[1], item)
                fitting = isinstance(rest, dict) and not rest.keys() & declared.keys()
                out |= rest if fitting else {name: item}
        return out

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
