"""Tools of ours that answer provider tools, or take their places where the provider at hand does not have them."""

import re
from collections.abc import Container, Iterable, Mapping
from typing import Any, Final

import attrs

from prismpy.codecs import answers_to
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


@attrs.frozen
class Placed:
    """Who does what for one provider."""

    sent: tuple[ProviderTool, ...]
    """The provider tools that it is told of."""

    added: tuple[Any, ...]
    """Tools of ours that take the places of others."""

    answering: frozenset[str]
    """Names of tools that are not told themselves: they answer what a provider tool leaves to the app."""


def placed(dialect: str, wanted: Iterable[ProviderTool], fallbacks: Mapping[str, Any], ours: Container[str]) -> Placed:
    """
    Say who does what.

    Args:
        dialect: The wire format of the model.

        wanted: What the app wants.

        fallbacks: Type of a provider tool to what stands in for it. One that nothing stands in for is sent, whatever
            the provider says.

        ours: Names of the tools of the app. One with the name of a provider tool answers it, and stands in for it.
    """
    kinds = _TYPES.get(dialect, ".*")
    tools = tuple(wanted)
    missing = [tool for tool in tools if not re.fullmatch(kinds, tool.type)]
    named = {tool.type for tool in tools if answers_to(tool) in ours}
    sent = tuple(tool for tool in tools if tool not in missing or tool.type not in {*named, *fallbacks})
    return Placed(
        sent,
        tuple(fallbacks[tool.type] for tool in missing if tool.type in fallbacks and tool.type not in named),
        frozenset(answers_to(tool) for tool in sent if tool.type in named),
    )
