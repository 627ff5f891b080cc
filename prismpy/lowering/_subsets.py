"""
The tables: what each provider can say of JSON Schema.

A fact that the provider does not document is taken the conservative way. All
were read in 2026-11, from the places named beside them.
"""

from typing import Final

from prismpy.schema import JSON_TYPES

from ._names import Names
from ._subset import Limits, Request, Root, Subset

OPENAI: Final = Subset(
    keywords=frozenset(
        {"description", "pattern", "format", "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}
        | {"minItems", "maxItems"}
    ),
    formats=frozenset({"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}),
    all_required=True,
    recursion=True,
    limits=Limits(levels=10, properties=5000, text=120_000, options=1000, long_enum=250, long_enum_text=15_000),
)
"""
OpenAI's strict mode.

Source: OpenAI guide "Structured model outputs", section "Supported schemas", and reports of refusals that it does not
mention: `oneOf`, `default`, keywords beside `$ref`, schemas without a type. Every object and list counts as a level,
since the guide does not say what does.
"""

MINIMAL: Final = Subset(all_required=True, limits=Limits(levels=5, properties=100, text=15_000, options=500))
"""
What every strict mode knows, for endpoints that take OpenAI's requests and document no subset of their own.

Source: Azure OpenAI, "Structured outputs", sections on limits and unsupported keywords, which are the oldest and
narrowest; mistralai 3.7.0 `models/function.py` has `strict`, and no page says what it takes.
"""

ANTHROPIC: Final = Subset(
    keywords=frozenset({"description", "format", "minItems"}),
    formats=frozenset({"date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"}),
    most_min_items=1,
)
"""
Anthropic's strict mode, and that of Bedrock.

Source: Anthropic docs "Structured outputs", section "JSON Schema limitations", and anthropic 2.14.0
`lib/_parse/_transform.py`; Amazon Bedrock User Guide, "Structured outputs", section "Supported JSON Schema features".
"""

ANTHROPIC_REQUEST: Final = Request(tools=20, optional=24, unions=16)
"""Source: Anthropic docs "Structured outputs", section "Schema complexity limits"."""

_GEMINI_NAMES: Final = Names("a-zA-Z0-9_", most=64, first="a-zA-Z_")
"""Source: google-genai 3.6.1, `types.FunctionDeclaration.parameters`."""

GEMINI: Final = Subset(
    keywords=frozenset(
        {"description", "title", "format", "pattern", "minLength", "maxLength", "minimum", "maximum"}
        | {"minItems", "maxItems"}
    ),
    formats=frozenset({"date-time"}),
    types=JSON_TYPES - {"null"},
    type_lists=False,
    enum_types=frozenset({"string"}),
    empty_options=False,
    null_keyword=True,
    lone_unions=True,
    closed=False,
    empty_objects=False,
    property_names=_GEMINI_NAMES,
)
"""
The OpenAPI subset that Gemini's `parameters` takes.

Source: google-genai 3.6.1, `types.Schema`; reports of refusals: other formats of texts (google-gemini/gemini-cli#3178),
options that are no texts (microsoft/azure-devops-mcp#145) or empty (Smana/runlore#40), `additionalProperties`
(Laisky/one-api#60), keywords beside `anyOf` (google/adk-python#55), lists of types
(taylorwilsdon/google_workspace_mcp#1099), inner objects without properties (browser-use/browser-use#3786).
"""

GEMINI_JSON: Final = Subset(
    keywords=frozenset({"description", "title", "format", "minimum", "maximum", "minItems", "maxItems"}),
    formats=frozenset({"date-time", "date", "time"}),
    enum_types=frozenset({"string", "integer", "number"}),
    closed=False,
    open_objects="stay",
    tuples="stay",
    property_names=_GEMINI_NAMES,
)
"""
The JSON Schema that Gemini's `parametersJsonSchema` takes. What it does not know it ignores, and the model never sees.

Source: google-genai 3.6.1, `types.GenerateContentConfig.response_json_schema`; Gemini API docs "Structured outputs",
section "JSON Schema support". A reference to itself may stand in optional properties only, so it is unrolled.
"""

OLLAMA: Final = Subset(
    closed=False,
    open_objects="told",
    tuples="told",
    any_value=True,
    enforced=False,
)
"""
What Ollama hands on to a model; it drops whatever else a schema says.

Source: ollama 0.6.3 (Python), `_types.Tool`, and ollama, `api/types.go`, `ToolProperty`.
"""

OPENAI_ROOT: Final = Root(without=frozenset({"oneOf", "anyOf", "allOf", "enum", "const", "not"}))
"""Source: reports of refusals, strict or not: langchain-ai/langchainjs#9804, goruck/home-generative-agent#545."""

ANTHROPIC_ROOT: Final = Root(
    without=frozenset({"oneOf", "anyOf", "allOf"}), property_names=Names("a-zA-Z0-9_.-", most=64)
)
"""
Source: reports of refusals, strict or not: anthropics/claude-code#10606 and #5319 for the keywords;
beautyfree/appstore-connect-mcp#2, and for Bedrock aws-solutions-library-samples' document processing accelerator,
issue 709, for the names, which are looked at in the outermost properties only.
"""
