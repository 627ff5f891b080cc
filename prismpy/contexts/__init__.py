"""Sources of context: passages that are put into a prompt, or that a model looks up."""

from ._active import active_tools
from ._source import DEFAULT_TOP_K, ContextBlock, ContextSource, checked, section

__all__ = ["DEFAULT_TOP_K", "ContextBlock", "ContextSource", "active_tools", "checked", "section"]
