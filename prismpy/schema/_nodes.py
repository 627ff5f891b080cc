"""
The schema IR: one frozen class per kind of node, with Prism's names and argument order.

Every JSON Schema has exactly one node form and every node one JSON form. What
a class has no field for stands in `extra`, as plain JSON under its keyword, so
nothing is lost. None in a field means: the keyword is absent.

A node knows the name of the property it describes. In a nameless place (items
of an array, branches of a union) the name is dropped, since JSON has no room
for it there.

Source: Prism, `src/Schema/*.php` (read 2026-11).
"""

from collections.abc import Iterable
from typing import Any, ClassVar, Final, TypeAlias, get_args

import attrs

from prismpy.errors import DefinitionError

from ._changed import changed
from ._json import JSON, MISSING, Missing, canonical, cut, json_type, plain
from ._node import NamedNode, SchemaNode, compact_repr, refused


def _node(value: Any) -> "Schema":
    if type(value) not in KINDS:
        msg = f"{cut(repr(value))} is no schema; pass a node such as StringSchema('name', 'description')"
        raise DefinitionError(msg)
    node: Schema = value
    return node


def _nameless(node: "Schema | None") -> "Schema | None":
    return changed(node, name="") if node is not None and _node(node).name else node


def _all_nameless(nodes: "Iterable[Schema]") -> "tuple[Schema, ...]":
    return tuple(changed(node, name="") if _node(node).name else node for node in nodes)


def _nameless_or_flag(value: "Schema | bool | None") -> "Schema | bool | None":
    if isinstance(value, RawSchema) and isinstance(value.schema, bool):
        return value.schema  # one form for both ways to write it
    return value if isinstance(value, bool) else _nameless(value)


def _nodes_or_none(nodes: "Iterable[Schema] | None") -> "tuple[Schema, ...] | None":
    return None if nodes is None else tuple(map(_node, nodes))


def _names_or_none(names: Iterable[str] | None) -> tuple[str, ...] | None:
    if isinstance(names, str):
        msg = f"required fields are {names!r}; pass a list of names"
        raise DefinitionError(msg, path="$.required")
    return None if names is None else tuple(names)


def _plain_options(options: Iterable[JSON]) -> tuple[JSON, ...]:
    return tuple(plain(option) for option in options)


@attrs.frozen(repr=False, slots=False)
class StringSchema(NamedNode):
    """A string. Its lengths count characters; `pattern` must be found in it, `format` tells and is not enforced."""

    TYPE: ClassVar[str] = "string"

    nullable: bool = False
    min_length: int | None = attrs.field(default=None, kw_only=True)
    max_length: int | None = attrs.field(default=None, kw_only=True)
    pattern: str | None = attrs.field(default=None, kw_only=True)
    format: str | None = attrs.field(default=None, kw_only=True)


@attrs.frozen(repr=False, slots=False)
class NumberSchema(NamedNode):
    """A number, whole or not. Exclusive bounds are not right themselves; `multiple_of` is more than 0."""

    TYPE: ClassVar[str] = "number"

    nullable: bool = False
    multiple_of: float | None = attrs.field(default=None, eq=canonical)
    maximum: float | None = attrs.field(default=None, eq=canonical)
    exclusive_maximum: float | None = attrs.field(default=None, eq=canonical)
    minimum: float | None = attrs.field(default=None, eq=canonical)
    exclusive_minimum: float | None = attrs.field(default=None, eq=canonical)


@attrs.frozen(repr=False, slots=False)
class IntegerSchema(NumberSchema):
    """A whole number."""

    TYPE: ClassVar[str] = "integer"


@attrs.frozen(repr=False, slots=False)
class BooleanSchema(NamedNode):
    """True or false."""

    TYPE: ClassVar[str] = "boolean"

    nullable: bool = False


@attrs.frozen(repr=False, slots=False)
class NullSchema(NamedNode):
    """Null and nothing else."""

    TYPE: ClassVar[str] = "null"


@attrs.frozen(repr=False, slots=False)
class ArraySchema(NamedNode):
    """A list whose items all obey one schema; None leaves `items` out, so any item is right."""

    TYPE: ClassVar[str] = "array"

    items: "Schema | None" = attrs.field(default=None, converter=_nameless)
    nullable: bool = False
    min_items: int | None = None
    max_items: int | None = None
    unique_items: bool | None = attrs.field(default=None, kw_only=True)


@attrs.frozen(repr=False, slots=False)
class ObjectSchema(NamedNode):
    """
    An object with named properties.

    `allow_additional_properties` is Prism's name for `additionalProperties`: a
    bool, a schema for the further values, or None to leave the keyword out. As
    in Prism an object is closed unless opened.
    """

    TYPE: ClassVar[str] = "object"

    properties: "tuple[Schema, ...] | None" = attrs.field(default=(), converter=_nodes_or_none)
    required_fields: tuple[str, ...] | None = attrs.field(default=None, converter=_names_or_none)
    allow_additional_properties: "Schema | bool | None" = attrs.field(default=False, converter=_nameless_or_flag)
    nullable: bool = False

    def _normalise(self) -> None:
        seen: set[str] = set()
        for node in self.properties or ():
            if node.name in seen:
                raise refused(self, "properties", node.name, "that name is declared twice; rename or remove one")
            seen.add(node.name)


@attrs.frozen(repr=False, slots=False)
class EnumSchema(NamedNode):
    """
    One of a few values.

    A nullable enum has None among its options: JSON Schema wants null listed too.
    `type` follows from the options; pass None to leave the keyword out.
    """

    options: tuple[JSON, ...] = attrs.field(default=(), converter=_plain_options, eq=canonical)
    nullable: bool = False
    type: str | tuple[str, ...] | None = attrs.field(kw_only=True)

    @type.default
    def _type_of_options(self) -> str | tuple[str, ...]:
        words = dict.fromkeys(json_type(option) for option in (*self.options, *([None] if self.nullable else [])))
        return next(iter(words)) if len(words) == 1 else tuple(words)

    def _normalise(self) -> None:
        if not self.options:
            raise refused(self, "enum", [], "no value could be right; name at least one option")
        if self.nullable and None not in self.options:
            object.__setattr__(self, "options", (*self.options, None))
        object.__setattr__(self, "nullable", None in self.options)


@attrs.frozen(repr=False, slots=False)
class AnyOfSchema(SchemaNode):
    """
    A value that obeys at least one of several schemas.

    A nullable union has a `NullSchema` among its branches.
    """

    schemas: "tuple[Schema, ...]" = attrs.field(converter=_all_nameless)
    name: str = ""
    description: str | None = None
    nullable: bool = False

    def _normalise(self) -> None:
        if not self.schemas:
            raise refused(self, "anyOf", [], "no value could be right; name at least one schema")
        has_null = any(isinstance(branch, NullSchema) for branch in self.schemas)
        if self.nullable and not has_null:
            object.__setattr__(self, "schemas", (*self.schemas, NullSchema()))
        object.__setattr__(self, "nullable", self.nullable or has_null)


@attrs.frozen(repr=False, slots=False)
class RefSchema(SchemaNode):
    """A reference such as `#/$defs/Node`. Keywords beside it, as 2020-12 allows, stand in `extra`."""

    name: str = ""
    ref: str = "#"
    description: str | None = None


@attrs.frozen(repr=False, slots=False)
class RawSchema:
    """A schema as plain JSON, for shapes that no other node models: `true`, `{}`, `oneOf`, several types at once."""

    name: str = ""
    schema: JSON = attrs.field(default=True, converter=plain, eq=canonical)

    def __repr__(self) -> str:
        return compact_repr(self)

    @property
    def description(self) -> str | None:
        """The schema's `description`, if it has one."""
        found: str | None = self._get("description", None)
        return found

    @property
    def default(self) -> JSON | Missing:
        """The schema's `default`, or `MISSING`."""
        return self._get("default", MISSING)

    def _get(self, keyword: str, otherwise: Any) -> Any:
        return self.schema.get(keyword, otherwise) if isinstance(self.schema, dict) else otherwise


Schema: TypeAlias = (
    StringSchema
    | NumberSchema
    | IntegerSchema
    | BooleanSchema
    | NullSchema
    | ArraySchema
    | ObjectSchema
    | EnumSchema
    | AnyOfSchema
    | RefSchema
    | RawSchema
)
"""Every kind of node."""

KINDS: Final = frozenset(get_args(Schema))
"""The classes of nodes."""
