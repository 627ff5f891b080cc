"""Tools of ours in the places of provider tools that the provider at hand does not have."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from prismpy.messages import ProviderTool

_TYPES: Final = {
    "anthropic": r"[a-z_]+_\d{8}|mcp_toolset",
    "openai-responses": r"(?!.*_\d{8}$).*",
    "openai": r"(?!)",
}
"""
Wire format to what the types of its provider tools look like.

Source: anthropic 2.14.0, `types/tool_union_param.py`: types are dated; openai 3.57.0, `types/responses/tool_param.py`:
none is; `types/chat/chat_completion_tool_union_param.py`: there are none (read 2026-11).
"""


def placed(
    dialect: str, wanted: Iterable[ProviderTool], fallbacks: Mapping[str, Any]
) -> tuple[tuple[ProviderTool, ...], tuple[Any, ...]]:
    """
    Tell provider tools that are sent from those that a tool of ours stands in for.

    Args:
        dialect: The wire format of the model.

        wanted: What the app wants.

        fallbacks: Type of a provider tool to what stands in for it. One without is sent, whatever the provider says.

    Returns:
        The provider tools to send, and the tools of ours.
    """
    kinds = _TYPES.get(dialect, ".*")
    tools = tuple(wanted)
    missing = [tool for tool in tools if tool.type in fallbacks and not re.fullmatch(kinds, tool.type)]
    return tuple(tool for tool in tools if tool not in missing), tuple(fallbacks[tool.type] for tool in missing)
