"""Sources of context: passages that are put into a prompt, or that a model looks up."""

from ._active import active_tools
from ._found import EmbeddingSource, KeywordSource
from ._memory import HistoryMemory
from ._source import DEFAULT_TOP_K, ContextBlock, ContextSource, Remembers, checked, own_words, section

__all__ = [
    "DEFAULT_TOP_K",
    "ContextBlock",
    "ContextSource",
    "EmbeddingSource",
    "HistoryMemory",
    "KeywordSource",
    "Remembers",
    "active_tools",
    "checked",
    "own_words",
    "section",
]
