"""
Where Anthropic's models say they have something from.

Source: anthropic 2.14.0, `types/text_citation.py` and what it names; guide "Citations" (read 2026-11).
"""

from collections.abc import Mapping
from typing import Any, Final

from prismpy.messages import Citation

KINDS: Final[Mapping[str, tuple[str, str | None, str]]] = {
    "char_location": ("document", "character", "char_index"),
    "page_location": ("document", "page", "page_number"),
    "content_block_location": ("document", "block", "block_index"),
    "search_result_location": ("chunk", "block", "block_index"),
    "web_search_result_location": ("url", None, ""),
}
"""`type` to what is cited, what the indexes count, and what their keys end in."""

SOURCES: Final = ("url", "source", "document_index")
"""Keys that may say what is cited."""


def citation(sent: Mapping[str, Any]) -> Citation:
    """Read a citation; keys that have no place of their own are kept beside."""
    kind = str(sent.get("type"))
    source_type, counted, key = KINDS.get(kind, (kind, None, ""))
    start, end = f"start_{key}", f"end_{key}"
    source = next((sent[name] for name in SOURCES if sent.get(name) is not None), "")
    read = {*SOURCES, "cited_text", "title", "document_title", start, end}
    return Citation(
        source_type,
        str(source),
        sent.get("cited_text"),
        sent.get("title", sent.get("document_title")),
        counted,
        sent.get(start),
        sent.get(end),
        {name: value for name, value in sent.items() if name not in read},
    )
