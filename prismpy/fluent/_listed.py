"""Tools as others list them: an MCP client, and the requests of providers."""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

import attrs

from prismpy.lowering import dialect
from prismpy.schema import JSON
from prismpy.types import attribute

_SCHEMA_NAMES: Final = ("inputSchema", "input_schema")
"""
On the wire and in `mcp` 1, and in `mcp` 2 and Anthropic's requests.

Source: mcp 1.30 and 2.3, `types.Tool`; anthropic 2.14.0, types/tool_param.py (read 2026-11).
"""


@attrs.frozen
class Listed:
    """What a listing says of one tool."""

    name: str
    description: str
    parameters: JSON
    options: Mapping[str, JSON] = attrs.field(factory=dict)
    """What MCP says beside that, such as annotations, so that it goes out to MCP again."""


def as_listed(source: Any) -> Listed | None:
    """Read a tool as MCP lists it, as an object or as JSON, or as a provider's request holds it; None for others."""
    function = _function_of(source) if isinstance(source, Mapping) else None
    if function is not None:
        name, schema = function.get("name"), function.get("parameters") or {}
        get: Any = function.get
    else:
        get = source.get if isinstance(source, Mapping) else partial(attribute, source)
        name, schema = get("name", None), next((found for key in _SCHEMA_NAMES if _is(found := get(key, None))), None)
    if not isinstance(name, str) or not _is(schema):
        return None
    known = dialect("mcp").options if isinstance(source, Mapping) and "inputSchema" in source else ()
    options = {key: source[key] for key in sorted(known) if source.get(key) is not None}
    return Listed(name, get("description", None) or "", dict(schema), options)


def _is(schema: Any) -> bool:
    return isinstance(schema, Mapping)


def _function_of(source: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """
    Return what OpenAI's requests say of a function: below `function`, or in the tool itself.

    Source: openai 3.57.0, types/chat/chat_completion_function_tool_param.py, types/responses/function_tool_param.py,
    types/shared_params/function_definition.py: without `parameters` it has none (read 2026-11).
    """
    if source.get("type") != "function":
        return None
    inner = source.get("function", source)
    return inner if isinstance(inner, Mapping) else None
