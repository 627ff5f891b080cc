"""
What the options of tools may hold, as a table, and which do not go together.

Which provider documents which option stands in `_dialects`. Read in 2026-11.

Sources: anthropic 2.14.0 `types/tool_param.py` and `types/cache_control_ephemeral_param.py`; Anthropic docs "Define
tools" (`input_examples` must be valid, else 400), "Prompt caching" (four breakpoints a request), "Tool search tool" (no
`cache_control` beside `defer_loading`, else 400; not compatible with examples), "Programmatic tool calling" (not with
`strict`); openai 3.57.0 `types/responses/function_tool_param.py`; botocore 1.44.8, bedrock-runtime 2023-09-30, Tool,
CachePointBlock; Amazon Bedrock User Guide, "Prompt caching" (four checkpoints a request); refusals of a longer `ttl`
behind a shorter one (Portkey-AI/gateway#1762, strands-agents/harness-sdk#3758); google-genai 3.6.1,
types.FunctionDeclaration, types.Behavior (for the Live API only), types.Schema; Model Context Protocol,
schema/2025-11-25/schema.ts, interfaces Tool, ToolAnnotations, ToolExecution, Icon.
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

    apart_together: Mapping[tuple[str, str], str] = attrs.field(factory=dict)
    """Options of which the tools of a request may have one only, to what to do about it."""

    most: Mapping[str, int] = attrs.field(factory=dict)
    """Option to the number of tools of a request that may have it."""

    lasting: Mapping[str, str] = attrs.field(factory=dict)
    """Option to the key of its value that says how long it holds; in a request no longer time follows a shorter one."""

    behind: str = ""
    """The option that is no part of a tool but an element of its own behind it."""

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
_TEXTS: Final = {"type": "array", "items": _TEXT}
_COUNT: Final = {"type": "integer", "minimum": 0}
_NUMBER: Final = {"type": "number"}

TIMES: Final = ("1h", "5m")
"""How long a cache holds, the longest first."""

USUAL_TIME: Final = "5m"
"""How long it holds where nothing is said."""

_GEMINI_TYPES: Final = ("string", "number", "integer", "boolean", "array", "object", "null")
_INNER: Final = {"$ref": "#/$defs/Schema"}
_GEMINI_SCHEMA: Final = {
    "type": "object",
    "properties": {
        "type": {"enum": [*_GEMINI_TYPES, *map(str.upper, _GEMINI_TYPES)]},
        "anyOf": {"type": "array", "items": _INNER},
        "items": _INNER,
        "properties": {"type": "object", "additionalProperties": _INNER},
        **dict.fromkeys(("enum", "propertyOrdering", "required"), _TEXTS),
        **dict.fromkeys(("description", "format", "pattern", "title"), _TEXT),
        **dict.fromkeys(("minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"), _COUNT),
        **dict.fromkeys(("minimum", "maximum"), _NUMBER),
        **dict.fromkeys(("default", "example"), True),
        "nullable": _FLAG,
    },
    "additionalProperties": False,
}
"""The keywords of `types.Schema`, without those that the API has refused."""

GEMINI_OPTIONS: Final = Rules(
    values={
        "behavior": {"enum": ["BLOCKING", "NON_BLOCKING", "UNSPECIFIED"]},
        # not from what the tool returns: in which form that is sent, is up to whoever sends it
        "response": {**_INNER, "$defs": {"Schema": _GEMINI_SCHEMA}},
        "responseJsonSchema": _OBJECT,
    },
    apart=(("response", "responseJsonSchema"),),
)

RESPONSES_OPTIONS: Final = Rules(
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
)

ANTHROPIC_OPTIONS: Final = Rules(
    values={
        # versions of the code execution tool are dates, of which there are more every few months
        "allowed_callers": {
            "type": "array",
            "items": {"type": "string", "pattern": "^(direct|code_execution_[0-9]{8})$"},
            "minItems": 1,
        },
        "cache_control": {
            "type": ["object", "null"],
            "properties": {"type": {"const": "ephemeral"}, "ttl": {"enum": [*TIMES]}},
            "required": ["type"],
            "additionalProperties": False,
        },
        "defer_loading": _FLAG,
        "eager_input_streaming": _FLAG_OR_NULL,
        "input_examples": {"type": "array", "items": _OBJECT},
    },
    apart=(("cache_control", "defer_loading"),),
    apart_together={
        ("input_examples", "defer_loading"): "leave the examples out, or search here: Toolbox(..., search_here=True)"
    },
    most={"cache_control": 4},
    lasting={"cache_control": "ttl"},
    strictly={"allowed_callers": {"type": "array", "items": {"const": "direct"}}},
    examples="input_examples",
)

BEDROCK_OPTIONS: Final = Rules(
    values={
        "cachePoint": {
            "type": "object",
            "properties": {"type": {"const": "default"}, "ttl": {"enum": [*TIMES]}},
            "required": ["type"],
            "additionalProperties": False,
        },
    },
    most={"cachePoint": 4},
    lasting={"cachePoint": "ttl"},
    behind="cachePoint",
)

MCP_OPTIONS: Final = Rules(
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
)
