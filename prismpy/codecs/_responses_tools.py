"""
Tools in requests to the Responses API, and calls of them that are written anew.

Source: openai 3.57.0, `types/responses/{tool,custom_tool,namespace_tool,tool_choice_*}_param.py`; OpenAI guide
"Function calling" (read 2026-11).
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, Self

import attrs

from prismpy.messages import ToolCall
from prismpy.schema import JSON

from ._calls import json_arguments
from ._provider_tools import provider_tool
from ._tell import arguments_text
from ._values import Ask

_CHOICES: Final = {"auto": "auto", "any": "required", "none": "none"}


@attrs.frozen
class Offered:
    """What calls must say that depends on how a tool is offered."""

    free_text: frozenset[str] = frozenset()
    """Names of the tools that take text as it is."""

    namespaces: Mapping[str, str] = attrs.field(factory=dict, hash=False)
    """Name of a tool to the group that it is in."""

    @classmethod
    def of(cls, tools: Iterable[Mapping[str, Any]]) -> Self:
        """Look through the tools of a request."""
        known = [*_flat(tools)]
        free = frozenset(tool["name"] for _, tool in known if tool.get("type") == "custom")
        return cls(free, {tool["name"]: group for group, tool in known if group and "name" in tool})

    def called(self, call: ToolCall) -> dict[str, JSON]:
        """Write a call."""
        text = arguments_text(call)
        group = {"namespace": self.namespaces[call.name]} if call.name in self.namespaces else {}
        said: dict[str, JSON] = {"call_id": call.id, **group, "name": call.name}
        if call.name in self.free_text:
            return {"type": "custom_tool_call", **said, "input": text}
        return {"type": "function_call", **said, "arguments": json_arguments(text)}


def _flat(tools: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield each tool, with the name of the group that it is in; "" for none."""
    for tool in tools:
        grouped = tool.get("type") == "namespace"
        yield from ((tool["name"], inner) for inner in tool.get("tools", ())) if grouped else [("", tool)]


def about_tools(ask: Ask) -> dict[str, JSON]:
    """Write which tools may be called, and how; nothing where there are none."""
    tools = [*map(dict, ask.tools), *map(provider_tool, ask.provider_tools)]
    if not tools:
        return {}
    parallel = {} if ask.parallel_calls is None else {"parallel_tool_calls": ask.parallel_calls}
    return {"tools": tools, "tool_choice": _choice(ask.tool_choice, tools), **parallel}


def _choice(word: str, tools: Iterable[Mapping[str, Any]]) -> JSON:
    """Say which tool must be called. One of the provider's goes by its name, its type or its server's label."""
    if word in _CHOICES:
        return _CHOICES[word]
    for _, tool in _flat(tools):
        if word in {tool.get("name"), tool.get("server_label")} or word == tool.get("type") != "function":
            keys = ("name", "server_label") if tool["type"] in {"function", "custom", "mcp"} else ()
            return {"type": tool["type"], **{key: tool[key] for key in keys if key in tool}}
    return {"type": "function", "name": word}
