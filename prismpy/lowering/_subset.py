"""
What strict modes can say of JSON Schema, as a table.

A fact that the provider does not document is taken the conservative way. Read in 2026-11.

Sources: OpenAI guide "Structured model outputs", section "Supported schemas", and reports of refusals that it does
not mention (`oneOf`, `default`, keywords beside `$ref`, schemas without a type); Anthropic docs "Structured outputs",
sections "JSON Schema limitations" and "Schema complexity limits", and anthropic 2.14.0 `lib/_parse/_transform.py`.
"""

from typing import Final

import attrs


@attrs.frozen
class Subset:
    """One provider's strict subset of JSON Schema."""

    keywords: frozenset[str]
    """Keywords that constrain or annotate and may stay; those that give a schema its shape are handled apart."""

    formats: frozenset[str]
    """Values of `format` that may stay."""

    all_required: bool
    """Whether every property must be required, so that an optional one has to take null."""

    recursion: bool
    """Whether a schema may refer to itself."""

    most_min_items: int | None = None
    """Largest `minItems`; None for no limit."""


_OPENAI: Final = Subset(
    keywords=frozenset(
        {"description", "pattern", "format", "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}
        | {"minItems", "maxItems"}
    ),
    formats=frozenset({"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}),
    all_required=True,
    recursion=True,
)

SUBSETS: Final = {
    "openai": _OPENAI,
    "openai-responses": _OPENAI,
    "anthropic": Subset(
        keywords=frozenset({"description", "format", "minItems"}),
        formats=frozenset(
            {"date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"}
        ),
        all_required=False,
        recursion=False,
        most_min_items=1,
    ),
}
"""Provider name to its strict subset; the others have none."""
