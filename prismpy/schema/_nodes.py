"""
The schema IR: one frozen class per kind of node, with Prism's names and argument order.

Every JSON Schema has exactly one node form and every node one JSON form. What
a class has no field for stands in `extra`, as plain JSON under its keyword, so
nothing is lost. None in a field means: the keyword is absent.

A node knows the name of the property it describes. In a nameless place (items
of an array, branches of a union) the name is dropped, since JSON has no room
for it there.

Sources: Prism, `src/Schema/*.php` (read 2026-11); JSON Schema 2020-12 Core and
Validation, for the keywords.
"""

import math
import re
import warnings
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Final, Literal, TypeAlias, TypeVar, get_args

import attrs

from prismpy.errors import DefinitionError

from ._json import JSON, MISSING, Missing, canonical, cut, json_type, plain

Kind: TypeAlias = Literal[
    "text", "regex", "count", "number", "positive", "flag", "names", "schema", "schemas", "named", "closed", "json"
]
"""What a keyword holds; `_emit` and `_parse` write and read each kind in one place."""


@attrs.frozen
class Keyword:
    """The JSON Schema keyword behind a field."""

    name: str
    kind: Kind


KEYWORDS: Final = {
    "ref": Keyword("$ref", "text"),
    "description": Keyword("description", "text"),
    "min_length": Keyword("minLength", "count"),
    "max_length": Keyword("maxLength", "count"),
    "pattern": Keyword("pattern", "regex"),
    "format": Keyword("format", "text"),
    "multiple_of": Keyword("multipleOf", "positive"),
    "maximum": Keyword("maximum", "number"),
    "exclusive_maximum": Keyword("exclusiveMaximum", "number"),
    "minimum": Keyword("minimum", "number"),
    "exclusive_minimum": Keyword("exclusiveMinimum", "number"),
    "items": Keyword("items", "schema"),
    "min_items": Keyword("minItems", "count"),
    "max_items": Keyword("maxItems", "count"),
    "unique_items": Keyword("uniqueItems", "flag"),
    "properties": Keyword("properties", "named"),
    "required_fields": Keyword("required", "names"),
    "allow_additional_properties": Keyword("additionalProperties", "closed"),
    "schemas": Keyword("anyOf", "schemas"),
    "default": Keyword("default", "json"),
    "examples": Keyword("examples", "json"),
}
"""Field name to keyword, in the order in which `emit` writes them."""


def fits(kind: Kind, value: JSON) -> bool:
    """Tell whether a JSON value is what a keyword of this kind may hold; subschemas are looked at only from outside."""
    match kind:
        case "text":
            return isinstance(value, str)
        case "regex":
            return isinstance(value, str) and compiles(value)
        case "count":
            return isinstance(value, int) and not isinstance(value, bool) and value >= 0
        case "number":
            return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        case "positive":
            return fits("number", value) and value > 0
        case "flag":
            return isinstance(value, bool)
        case "names":
            return (
                isinstance(value, list | tuple)
                and all(isinstance(n, str) for n in value)
                and len(set(value)) == len(value)
            )
        case "schema" | "closed":
            return isinstance(value, dict | bool)
        case "schemas":
            return isinstance(value, list) and len(value) > 0 and all(fits("schema", v) for v in value)
        case "named":
            return isinstance(value, dict) and all(fits("schema", v) for v in value.values())
        case "json":
            return True


def compiles(pattern: str) -> bool:
    """Tell whether Python's `re` understands a pattern; JSON Schema's own dialect is ECMA-262's."""
    try:
        with warnings.catch_warnings(action="ignore"):  # of syntax that may mean something else one day
            re.compile(pattern)
    except (re.error, OverflowError, RecursionError):
        return False
    return True


_WORDS = {
    "text": "a string",
    "regex": "a regular expression that Python can compile",
    "count": "a whole number from 0 up",
    "number": "a finite number",
    "positive": "a number above 0",
    "flag": "a bool",
    "names": "a sequence of distinct strings",
}
"""The kinds that a constructor checks, in words; types and converters see to the others."""


def _refuse(node: Any, keyword: str, found: Any, advice: str) -> DefinitionError:
    msg = f"{type(node).__name__} {node.name!r}: {keyword} is {cut(repr(found))}; {advice}"
    return DefinitionError(msg, path=f"$.{keyword}")


def _plain_or_missing(value: JSON | Missing) -> JSON | Missing:
    return value if value is MISSING or value is None or type(value) in (str, int, bool) else plain(value)


N = TypeVar("N")


def changed(node: N, **changes: Any) -> N:
    """
    Return a copy of a node with fields changed, which the caller knows to be right: nothing is checked.

    attrs.evolve runs every converter and check; a function's parameters alone would spend half their time in it. So
    do copies of slots, which nodes therefore have none of.
    """
    copy = object.__new__(type(node))
    copy.__dict__.update(node.__dict__, **changes)
    return copy


def _node(value: Any) -> "Schema":
    if type(value) not in KEYWORDS_OF and not isinstance(value, RawSchema):
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
    return None if nodes is None else tuple(_node(node) for node in nodes)


def _names_or_none(names: Iterable[str] | None) -> tuple[str, ...] | None:
    if isinstance(names, str):
        msg = f"required fields are {names!r}; pass a list of names"
        raise DefinitionError(msg, path="$.required")
    return None if names is None else tuple(names)


def _plain_options(options: Iterable[JSON]) -> tuple[JSON, ...]:
    return tuple(plain(option) for option in options)


def compact_repr(value: Any) -> str:
    """Show an attrs value by the fields that say something: set, and not at their default."""
    fields = sorted(attrs.fields(type(value)), key=lambda field: field.kw_only)
    pairs = [(field, getattr(value, field.name)) for field in fields]
    silent: tuple[Any, ...] = (None, "", MISSING, (), {})
    shown = [f"{field.name}={item!r}" for field, item in pairs if item is not field.default and item not in silent]
    return f"{type(value).__name__}({', '.join(shown)})"


@attrs.frozen(repr=False, slots=False)
class SchemaNode:
    """What all nodes but `RawSchema` share. Not a node itself: see `Schema` for the closed union."""

    TYPE: ClassVar[str] = ""
    """The word that `type` has in JSON; "" for nodes without one of their own."""

    default: JSON | Missing = attrs.field(default=MISSING, converter=_plain_or_missing, eq=canonical, kw_only=True)
    """Value taken when the property is left out, as JSON; `MISSING` where there is none."""

    examples: JSON | Missing = attrs.field(default=MISSING, converter=_plain_or_missing, eq=canonical, kw_only=True)
    """List of example values, as JSON; `MISSING` where there are none."""

    extra: Mapping[str, JSON] = attrs.field(factory=dict, converter=plain, eq=canonical, kw_only=True)
    """Keywords without a field of their own, as plain JSON: `title`, `const`, `oneOf`, `$defs`, `x-...`."""

    def __attrs_post_init__(self) -> None:
        self._normalise()
        for attribute, keyword in CHECKED_OF[type(self)]:
            value = getattr(self, attribute)
            if value is not None and not fits(keyword.kind, value):
                raise _refuse(self, keyword.name, value, f"it must be {_WORDS[keyword.kind]}")
        if "type" in self.extra and self.TYPE:
            raise _refuse(self, "type", self.extra["type"], "the class of the node says it; use another class")
        for attribute, keyword in KEYWORDS_OF[type(self)] if self.extra else ():
            if keyword.name in self.extra and fits(keyword.kind, self.extra[keyword.name]):
                raise _refuse(self, keyword.name, self.extra[keyword.name], f"pass it as {attribute}, not in extra")

    def _normalise(self) -> None:
        """Bring fields that say the same thing in two ways into one form."""

    def __repr__(self) -> str:
        return compact_repr(self)


@attrs.frozen(repr=False, slots=False)
class NamedNode(SchemaNode):
    """A node whose arguments start with its name and description, as most do in Prism."""

    name: str = ""
    """Name of the property that the node describes; "" in nameless places."""

    description: str | None = None
    """Text for the model."""


@attrs.frozen(repr=False, slots=False)
class StringSchema(NamedNode):
    """A string."""

    TYPE: ClassVar[str] = "string"

    nullable: bool = False
    min_length: int | None = attrs.field(default=None, kw_only=True)
    max_length: int | None = attrs.field(default=None, kw_only=True)
    pattern: str | None = attrs.field(default=None, kw_only=True)
    format: str | None = attrs.field(default=None, kw_only=True)


@attrs.frozen(repr=False, slots=False)
class NumberSchema(NamedNode):
    """A number, whole or not."""

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
                raise _refuse(self, "properties", node.name, "that name is declared twice; rename or remove one")
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
            raise _refuse(self, "enum", [], "no value could be right; name at least one option")
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
            raise _refuse(self, "anyOf", [], "no value could be right; name at least one schema")
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


def annotated(
    node: Schema, name: str = "", description: str | None = None, default: JSON | Missing = MISSING
) -> Schema:
    """
    Return a node under a name, and with a description and a default where they are given.

    Args:
        node: Any node. What it says itself gives way.

        name: Name of the property; "" for a nameless node.

        description: Text for the model; None keeps the node's own.

        default: JSON; `MISSING` keeps the node's own.
    """
    if not description and default is MISSING and name == node.name:
        return node
    if isinstance(node, RawSchema):
        said: dict[str, JSON] = {"description": description} if description else {}
        said |= {} if default is MISSING else {"default": default}
        keywords = node.schema if isinstance(node.schema, dict) else {} if node.schema else {"not": {}}
        return RawSchema(name, {**keywords, **said} if said else node.schema)
    described = description or node.description
    if default is MISSING:
        return changed(node, name=name, description=described)
    return changed(node, name=name, description=described, default=_plain_or_missing(default))


def _keywords_of(kind: type[SchemaNode]) -> tuple[tuple[str, Keyword], ...]:
    fields = attrs.fields_dict(kind)
    return tuple((attribute, keyword) for attribute, keyword in KEYWORDS.items() if attribute in fields)


KEYWORDS_OF: Final = {kind: _keywords_of(kind) for kind in get_args(Schema) if kind is not RawSchema}
"""Node class to its fields that stand for keywords."""

CHECKED_OF: Final = {
    kind: tuple((attribute, keyword) for attribute, keyword in pairs if keyword.kind in _WORDS)
    for kind, pairs in KEYWORDS_OF.items()
}
"""Node class to those of them that its constructor checks."""
