"""
What the options of tools may hold, as a table, and which do not go together.

Which provider documents which option stands in `_dialects`. Read in 2026-11.

Sources: anthropic 2.14.0 `types/tool_param.py` and `types/cache_control_ephemeral_param.py`; Anthropic docs "Define
tools" (`input_examples` must be valid, else 400), "Prompt caching" (four breakpoints a request), "Tool search tool" (no
`cache_control` beside `defer_loading`, else 400), "Programmatic tool calling" (not with `strict`); openai 3.57.0
`types/responses/function_tool_param.py`; Model Context Protocol, schema/2025-11-25/schema.ts, interfaces Tool,
ToolAnnotations, ToolExecution, Icon.
"""

from collections.abc import Mapping
from typing import Final, Literal

import attrs

from prismpy.schema import JSON

NAMESPACE: Final = "namespace"
"""The option that puts a tool into a group, and the type of the element that a group is."""


@attrs.frozen
class Rules:
    """What one provider documents about its options."""

    values: Mapping[str, JSON] = attrs.field(factory=dict)
    """Option to the JSON Schema of its values."""

    apart: tuple[tuple[str, str], ...] = ()
    """Options of which a tool may have one only."""

    most: Mapping[str, int] = attrs.field(factory=dict)
    """Option to the number of tools of a request that may have it."""

    strictly: Mapping[str, JSON] = attrs.field(factory=dict)
    """Option to the JSON Schema of those values that go with the strict mode; all do where it has none."""

    examples: str = ""
    """The option that holds arguments as examples."""

    output: str = ""
    """The option that holds the JSON Schema of what the tool returns, which goes there by itself."""

    output_kind: Literal["object", "json text"] = "object"
    """What results that schema may be about: objects only, or whatever is sent as JSON text, which bare text is not."""

    group: str = ""
    """The option that names and describes a group, where tools are told in groups."""


_FLAG: Final = {"type": "boolean"}
_FLAG_OR_NULL: Final = {"type": ["boolean", "null"]}
_OBJECT: Final = {"type": "object"}
_TEXT: Final = {"type": "string"}

RULES: Final[Mapping[str, Rules]] = {
    "openai-responses": Rules(
        values={
            "allowed_callers": {
                "type": ["array", "null"],
                "items": {"enum": ["direct", "programmatic"]},
                "minItems": 1,
            },
            "async": _FLAG,
            "defer_loading": _FLAG,
            "output_schema": {"type": ["object", "null"]},
        },
        output="output_schema",
        output_kind="json text",
        group=NAMESPACE,
    ),
    "anthropic": Rules(
        values={
            # versions of the code execution tool are dates, of which there are more every few months
            "allowed_callers": {
                "type": "array",
                "items": {"type": "string", "pattern": "^(direct|code_execution_[0-9]{8})$"},
                "minItems": 1,
            },
            "cache_control": {
                "type": ["object", "null"],
                "properties": {"type": {"const": "ephemeral"}, "ttl": {"enum": ["5m", "1h"]}},
                "required": ["type"],
                "additionalProperties": False,
            },
            "defer_loading": _FLAG,
            "eager_input_streaming": _FLAG_OR_NULL,
            "input_examples": {"type": "array", "items": _OBJECT},
        },
        apart=(("cache_control", "defer_loading"),),
        most={"cache_control": 4},
        strictly={"allowed_callers": {"type": "array", "items": {"const": "direct"}}},
        examples="input_examples",
    ),
    "mcp": Rules(
        values={
            "_meta": _OBJECT,
            "annotations": {
                "type": "object",
                "properties": {
                    "title": _TEXT,
                    "readOnlyHint": _FLAG,
                    "destructiveHint": _FLAG,
                    "idempotentHint": _FLAG,
                    "openWorldHint": _FLAG,
                },
            },
            "execution": {
                "type": "object",
                "properties": {"taskSupport": {"enum": ["forbidden", "optional", "required"]}},
            },
            "icons": {"type": "array", "items": {"type": "object", "properties": {"src": _TEXT}, "required": ["src"]}},
            "outputSchema": {"type": "object", "properties": {"type": {"const": "object"}}, "required": ["type"]},
            "title": _TEXT,
        },
        output="outputSchema",
    ),
}
"""Provider name to its rules; those that document no options have none."""

_NONE: Final = Rules()


def rules_of(provider: str) -> Rules:
    """Return the rules of a provider."""
    return RULES.get(provider, _NONE)
