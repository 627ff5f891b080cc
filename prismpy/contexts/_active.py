"""The two tools by which a model searches active sources."""

from collections.abc import Iterable
from typing import Any

from prismpy.errors import ToolError
from prismpy.fluent import Tool, tool
from prismpy.schema import nearest

from ._source import DEFAULT_TOP_K, ContextSource


def active_tools(sources: Iterable[ContextSource]) -> tuple[Tool, ...]:
    """Return `list_context_sources` and `retrieve_context` for the active ones; nothing if none is active."""
    active = {source.name: source for source in sources if source.active}
    if not active:
        return ()

    def list_context_sources() -> dict[str, Any]:
        """List the sources that retrieve_context can search."""
        return {"sources": [{"name": source.name, "description": source.description} for source in active.values()]}

    def retrieve_context(source: str, query: str, top_k: int = DEFAULT_TOP_K) -> dict[str, Any]:
        """
        Find passages in a source of context.

        Args:
            source: A name from list_context_sources.
            query: Words to look for.
            top_k: How many passages at most; 0 for all that fit.
        """
        if source not in active:
            msg = f"there is no source {source!r}{nearest(source, list(active))}; available are {', '.join(active)}"
            raise ToolError(msg)
        blocks = active[source].get_blocks(query, max(top_k, 0))
        return {"source": source, "query": query, "blocks": [block.to_dict() for block in blocks]}

    return tool(list_context_sources), tool(retrieve_context)
