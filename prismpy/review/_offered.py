"""Tools as a provider is offered them, and those that it does not take."""

from collections.abc import Iterable, Mapping
from typing import Final

import attrs

from prismpy.errors import LoweringError
from prismpy.lowering import Lowered, export, has_strict_mode, offer
from prismpy.schema import JSON
from prismpy.tools import ToolSpec

TOGETHER: Final = ""
"""Stands in the place of a tool's name for what a provider does not take of all tools together."""


@attrs.frozen
class Offered:
    """What a provider is offered of some tools."""

    tools: Mapping[str, JSON]
    """Declared name to the tool as it is exported, in the order given."""

    request: tuple[JSON, ...]
    """What goes into the request's `tools`."""

    lowered: Mapping[str, Lowered]
    """Declared name to the parameters in the provider's words."""

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
        return Offered({}, (), {}, refused | {TOGETHER: str(error)})
    return Offered({spec.name: made.tool(spec.name) for spec in taken}, made.tools, made.lowered, refused)
