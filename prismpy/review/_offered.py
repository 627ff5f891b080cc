"""Tools as a provider is offered them, and those that it does not take."""

from collections.abc import Iterable, Mapping
from typing import Final

import attrs

from prismpy.errors import LoweringError
from prismpy.lowering import Change, Lowered, Offer, has_strict_mode, offer
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
    """Declared name to the tool as it is exported, in the order given; a list where options stand behind it."""

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
    specs, strict = tuple(specs), strict and has_strict_mode(provider)
    try:
        return _taken(offer(specs, provider, strict=strict))
    except LoweringError as error:
        refused = {spec.name: why for spec in specs if (why := _refusal(spec, provider, strict))}
        if not refused:
            return Offered(provider, {}, (), {}, {}, {TOGETHER: str(error)})
    rest = offered([spec for spec in specs if spec.name not in refused], provider, strict=strict)
    return attrs.evolve(rest, refused={**refused, **rest.refused})


def _refusal(spec: ToolSpec, provider: str, strict: bool) -> str:
    try:
        offer([spec], provider, strict=strict)
    except LoweringError as error:
        return str(error)
    return ""


def _taken(made: Offer) -> Offered:
    changes: dict[str, list[Change]] = {name: [] for name in made.lowered}
    for change in made.changes:
        changes[change.tool].append(attrs.evolve(change, tool=""))
    tools = {name: _one_or_all(made.elements(name)) for name in made.lowered}
    told = {name: tuple(found) for name, found in changes.items()}
    return Offered(made.provider, tools, made.tools, made.lowered, told, {})


def _one_or_all(elements: tuple[JSON, ...]) -> JSON:
    return elements[0] if len(elements) == 1 else list(elements)
