"""
What Anthropic's own tools do, as an app may see it: searches, fetches, code, MCP servers, advice.

Any block that is not text, thought or call is such activity, those of tools to come included.

Source: anthropic 2.14.0, `types/beta/beta_content_block.py` and what it names; words of the events:
Prism, `src/Providers/Anthropic/Handlers/Stream.php` (read 2026-11).
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from prismpy.messages import Artifact, ProviderToolPart
from prismpy.schema import JSON

USES: Final = frozenset({"server_tool_use", "mcp_tool_use"})
"""Types of blocks that ask for something; what answers them has a `tool_use_id`."""

BEGINNINGS: Final = {
    "iVBOR": "image/png",
    "/9j/": "image/jpeg",
    "R0lGOD": "image/gif",
    "UklGR": "image/webp",
    "JVBERi": "application/pdf",
}
"""How the base64 of a file begins, by what it is. Where a viewed file is a picture, its type is not said."""


def activity(block: Mapping[str, Any], *, ended: bool = True) -> ProviderToolPart:
    """
    Read a block as something that a tool of the provider did.

    Args:
        block: As it was sent.

        ended: Whether all of it came.
    """
    kind = str(block.get("type"))
    named = block.get("name") if kind == "server_tool_use" else None
    id = block.get("id") or block.get("tool_use_id") or ""
    return ProviderToolPart(
        str(named or kind), id, _status(block, ended=ended), shown(block), tuple(artifacts(block.get("content"))), block
    )


def _status(block: Mapping[str, Any], *, ended: bool) -> str:
    if "tool_use_id" in block:  # results come whole
        return "result_received"
    return "completed" if ended else "started"


def shown(value: JSON) -> JSON:
    """Leave out what means nothing to people: what is encrypted, and the bytes of files."""
    if isinstance(value, list):
        return [shown(item) for item in value]
    if not isinstance(value, dict):
        return value
    hidden = {"data"} if value.get("type") == "base64" else set()
    return {key: shown(inner) for key, inner in value.items() if key not in hidden and not key.startswith("encrypted_")}


def artifacts(value: JSON) -> Iterator[Artifact]:
    """Find the pictures and files whose bytes are there."""
    match value:
        case list():
            for item in value:
                yield from artifacts(item)
        case {"source": {"type": "base64", "media_type": str(mime_type), "data": str(data)}}:
            yield Artifact(data, mime_type, {"title": value["title"]} if value.get("title") else {})
        case {"file_type": "image" | "pdf", "content": str(data)}:
            mime_types = [kind for beginning, kind in BEGINNINGS.items() if data.startswith(beginning)]
            yield from (Artifact(data, kind) for kind in mime_types)
        case dict():
            for inner in value.values():
                yield from artifacts(inner)
