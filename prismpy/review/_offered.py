"""Tools as a provider is offered them, and those that it does not take."""

from collections.abc import Iterable, Mapping
from typing import Final

import attrs

from prismpy.errors import LoweringError
from prismpy.lowering import Change, Lowered, export, has_strict_mode, offer
from prismpy.schema import JSON
from prismpy.tools import ToolSpec

TOGETHER: Final = ""
"""Stands in the place of a tool's name for what a provider does not take of all tools together."""


@attrs.frozen
class Offered:
    """What a provider is offered of some tools."""

    provider: str
    """Name of the provider."""

    tools: Mapping[str, JSON]
    """Declared name to the tool as it is exported, in the order given."""

    request: tuple[JSON, ...]
    """What goes into the request's `tools`."""

    lowered: Mapping[str, Lowered]
    """Declared name to the parameters in the provider's words."""

    changes: Mapping[str, tuple[Change, ...]]
    """Declared name to what differs from what was declared, the name included."""

    refused: Mapping[str, str]
    """Declared name to why the provider does not take the tool; `TOGETHER` to why not all of them in one request."""


def offered(specs: Iterable[ToolSpec], provider: str, *, strict: bool = False) -> Offered:
    """
    Offer tools to a provider, without those that it does not take.

    Args:
        specs: Complete tools, of distinct names.

        provider: A name in the table of dialects.

        strict: Whether to use the provider's strict mode, if it has one.

    Raises:
        UnknownProviderError: if the provider is none.

        DefinitionError: if two tools have one name.
    """
    strict = strict and has_strict_mode(provider)
    taken: list[ToolSpec] = []
    refused: dict[str, str] = {}
    for spec in specs:
        try:
            export(spec, provider, strict=strict)
        except LoweringError as error:
            refused[spec.name] = str(error)
        else:
            taken.append(spec)
    try:
        made = offer(taken, provider, strict=strict)
    except LoweringError as error:
        return Offered(provider, {}, (), {}, {}, refused | {TOGETHER: str(error)})
    changes: dict[str, tuple[Change, ...]] = {spec.name: () for spec in taken}
    for change in made.changes:
        changes[change.tool] += (attrs.evolve(change, tool=""),)
    tools = {spec.name: made.tool(spec.name) for spec in taken}
    return Offered(provider, tools, made.tools, made.lowered, changes, refused)
