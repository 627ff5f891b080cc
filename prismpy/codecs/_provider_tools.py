"""Provider tools in requests, which all formats write alike, and the tools of ours that answer them."""

from typing import Final

from prismpy.messages import ProviderTool
from prismpy.schema import JSON

_RENAMED: Final = {"computer_use_preview": "computer"}
"""Type of a provider's tool to the name of the tool that answers it, where they differ."""


def provider_tool(tool: ProviderTool) -> dict[str, JSON]:
    """Write a tool of the provider among the tools of a request."""
    return {"type": tool.type, **({"name": tool.name} if tool.name is not None else {}), **tool.options}


def answers_to(tool: ProviderTool) -> str:
    """Return the name that a tool of ours must have to answer what a provider's tool leaves to the app."""
    return tool.name or _RENAMED.get(tool.type, tool.type)
