"""From a question to the body of a chat completion."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from prismpy.errors import DefinitionError
from prismpy.schema import JSON

from ._chat_messages import write_messages
from ._chat_quirks import ChatQuirks
from ._provider_tools import provider_tool
from ._values import Ask, OutputForm

_ABOUT_TOOLS: Final = ("tools", "tool_choice", "parallel_tool_calls")
"""Keys that are refused where there are no tools."""


def write(ask: Ask, quirks: ChatQuirks, *, stream: bool) -> dict[str, JSON]:
    """
    Write a body.

    Source: OpenAI API reference "Create chat completion" (read 2026-11).

    Raises:
        DefinitionError: for a picture or a file that chat completions cannot carry, or a tool that takes free text
            where the server knows none.
    """
    about_tools = _tools(ask, quirks)
    free = _free_text(about_tools["tools"], quirks)
    body: dict[str, JSON] = {"model": ask.model, "messages": write_messages(ask.messages, quirks, free), **about_tools}
    if ask.output is not None:
        body |= _output(ask.output, body["messages"], quirks)
    if ask.max_tokens is not None:
        body[quirks.max_tokens] = ask.max_tokens
    if ask.temperature is not None:
        body["temperature"] = ask.temperature
    if stream:
        body["stream"] = True
        body |= {"stream_options": {"include_usage": True}} if quirks.stream_usage else {}
    body |= ask.options
    return body if body.get("tools") else {key: value for key, value in body.items() if key not in _ABOUT_TOOLS}


def _tools(ask: Ask, quirks: ChatQuirks) -> dict[str, JSON]:
    tools = [*ask.tools, *map(provider_tool, ask.provider_tools)]
    about: dict[str, JSON] = {"tools": tools}
    if ask.tool_choice != "auto":
        about["tool_choice"] = _choice(ask.tool_choice, tools, quirks)
    if ask.parallel_calls is not None:
        about["parallel_tool_calls"] = ask.parallel_calls
    return about


def _free_text(tools: Iterable[Mapping[str, Any]], quirks: ChatQuirks) -> frozenset[str]:
    """Return the names of the tools that take free text."""
    names = frozenset(tool["custom"]["name"] for tool in tools if tool.get("type") == "custom" and "custom" in tool)
    if names and not quirks.custom_tools:
        msg = f"tool {min(names)!r}: this server knows no tools that take free text; leave takes_free_text() out"
        raise DefinitionError(msg, tool=min(names))
    return names


def _choice(word: str, tools: list[Mapping[str, Any]], quirks: ChatQuirks) -> JSON:
    if word in {"any", "none"}:
        return quirks.any_tool if word == "any" else word
    is_custom = any((tool.get("custom") or {}).get("name") == word for tool in tools)
    kind = "custom" if is_custom else "function"
    return {"type": kind, kind: {"name": word}}


def _output(form: OutputForm, messages: list[JSON], quirks: ChatQuirks) -> dict[str, JSON]:
    """Ask for an answer in a form; servers that know no schema are told it at the end."""
    if not quirks.json_schema:
        told = f"Answer with one JSON object that fits this JSON Schema:\n{json.dumps(form.schema)}"
        messages.append({"role": "system", "content": f"{form.description}\n{told}" if form.description else told})
        return {"response_format": {"type": "json_object"}}
    said = {"description": form.description} if form.description else {}
    schema = {"name": form.name, "schema": dict(form.schema), "strict": form.strict, **said}
    return {"response_format": {"type": "json_schema", "json_schema": schema}}
