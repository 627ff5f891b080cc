"""Which tools of many a provider is told of at once, and which only when they are searched for."""

from collections.abc import Iterable

import attrs

from prismpy.schema import JSON
from prismpy.tools import ToolSpec

from ._dialects import Dialect

_DEFER = "defer_loading"
"""The option of a tool that its provider finds by its own search; both that have one call it so."""


@attrs.frozen
class Telling:
    """What a provider is told of tools, and when."""

    specs: tuple[ToolSpec, ...]
    """Those that it is told of some time."""

    held: frozenset[str] = frozenset()
    """Names of those that it is told of when they were found."""

    search: JSON = None
    """Its own tool that finds the others; None where it has none, or need not have."""


def telling(specs: Iterable[ToolSpec], target: Dialect, searcher: str | None, *, here: bool) -> Telling:
    """
    Decide which tools are told when.

    Args:
        specs: All of them.

        target: The provider.

        searcher: Name of the one that searches the deferred ones; None: they are told like the others.

        here: Whether to use it even where the provider has a search of its own.
    """
    specs = tuple(specs)
    deferred = frozenset(spec.name for spec in specs if spec.deferred)
    if searcher is None:
        return Telling(specs)
    others = tuple(spec for spec in specs if spec.name != searcher)
    if target.lists_all:
        return Telling(others)
    if target.search is None or here:
        return Telling(specs, deferred)
    marked = tuple(_marked(spec, target) if spec.deferred else spec for spec in others)
    return Telling(marked, search=dict(target.search))


def _marked(spec: ToolSpec, target: Dialect) -> ToolSpec:
    options = {_DEFER: True, **spec.provider_options.get(target.name, {})}
    return attrs.evolve(spec, provider_options={**spec.provider_options, target.name: options})
