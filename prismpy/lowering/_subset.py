"""What a provider can say of JSON Schema, as values. The tables of them are in `_subsets`."""

from typing import Literal, TypeAlias

import attrs

from prismpy.schema import JSON, JSON_TYPES

from ._names import Names

Opening: TypeAlias = Literal["entries", "stay", "told"]
"""What becomes of properties that nobody declared: a list of entries, as declared, or words."""

Tuples: TypeAlias = Literal["object", "stay", "told"]
"""What becomes of a list of fixed places: an object with a name for each, as declared, or words."""


@attrs.frozen
class Limits:
    """How large one schema may be. None stands for no limit that is documented."""

    levels: int | None = None
    """Objects and lists within each other, the root among them."""

    properties: int | None = None
    """Properties of all objects together."""

    text: int | None = None
    """Characters of the names of properties and definitions, and of options, together."""

    options: int | None = None
    """Options of all enums together."""

    long_enum: int | None = None
    """Options from which on an enum of texts counts as long."""

    long_enum_text: int | None = None
    """Characters of the options of a long enum."""


@attrs.frozen
class Request:
    """How much strictness one request may hold. None stands for no limit that is documented."""

    tools: int | None = None
    """Strict tools."""

    optional: int | None = None
    """Optional properties of all strict tools together."""

    unions: int | None = None
    """Schemas with `anyOf` or several types, in all strict tools together."""

    @property
    def told(self) -> str:
        """The limits in words."""
        counts = {"strict tools": self.tools, "optional properties": self.optional, "unions": self.unions}
        known = [f"{most} {what}" for what, most in counts.items() if most is not None]
        return f"a request holds {', '.join(known)}"

    def holds(self, tools: int, optional: int, unions: int) -> bool:
        """Tell whether so much fits into one request."""
        pairs = ((tools, self.tools), (optional, self.optional), (unions, self.unions))
        return all(most is None or found <= most for found, most in pairs)


@attrs.frozen(kw_only=True)
class Subset:
    """
    One provider's subset of JSON Schema.

    Keywords that give a schema its shape (`type`, `enum`, `properties`, `required`,
    `items`, `anyOf`) every provider has; the fields say where they differ.
    """

    keywords: frozenset[str] = frozenset({"description"})
    """Keywords that constrain or annotate and may stay."""

    formats: frozenset[str] = frozenset()
    """Values of `format` that may stay."""

    types: frozenset[str] = JSON_TYPES
    """Words that `type` may have."""

    type_lists: bool = True
    """Whether `type` may be a list of words."""

    enum_types: frozenset[str] = JSON_TYPES - {"array", "object"}
    """Types that the options of an enum may have."""

    empty_options: bool = True
    """Whether the empty text may be an option."""

    null_keyword: bool = False
    """Whether null is said by OpenAPI's `nullable`, not among the types."""

    lone_unions: bool = False
    """Whether nothing may stand beside `anyOf`."""

    all_required: bool = False
    """Whether every property must be required, so that an optional one has to take null."""

    closed: bool = True
    """Whether `additionalProperties: false` must be said of every object."""

    open_objects: Opening = "entries"
    """How properties are said that nobody declared."""

    empty_objects: bool = True
    """Whether an object within may have no properties at all."""

    tuples: Tuples = "object"
    """How a list of fixed places is said."""

    any_value: bool = False
    """Whether a schema may name no type, so that what cannot be said stays a value with words; else it is JSON text."""

    recursion: bool = False
    """Whether a schema may refer to itself. References that lead elsewhere are always replaced by what they lead to."""

    most_min_items: int | None = None
    """Largest `minItems`; None for no limit."""

    property_names: Names | None = None
    """Which names properties may have, at every level."""

    limits: Limits = Limits()
    """How large a schema may be."""

    enforced: bool = True
    """Whether the provider may hold a model to it, so that words in the place of a keyword are a loss."""

    @property
    def closing(self) -> dict[str, JSON]:
        """What a closed object says for being closed."""
        return {"additionalProperties": False} if self.closed or self.open_objects == "stay" else {}


@attrs.frozen
class Root:
    """What a provider demands of the outermost schema, strict or not."""

    without: frozenset[str] = frozenset()
    """Keywords that must not stand there."""

    property_names: Names | None = None
    """Which names the properties there may have."""
