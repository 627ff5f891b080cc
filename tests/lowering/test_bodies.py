"""
Exported tools are what the providers' own types say: small ones for every builder method, and a corpus of real ones.

The judges are the request schemas of OpenAI's API description, the parameter
types of the installed SDKs as JSON Schema, and the shape in MCP's
specification. All refuse keys that they do not know.
"""

import copy
import functools
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import anthropic.types
import openai.types.chat
import openai.types.responses
import openai.types.shared_params
import pytest
from jsonschema import Draft202012Validator

from prismpy import (
    ArraySchema,
    DefinitionError,
    IntegerSchema,
    NumberSchema,
    ObjectSchema,
    StringSchema,
    Tool,
    Toolbox,
    UnknownProviderError,
    known_providers,
)
from prismpy.lowering import dialect
from prismpy.schema import canonical
from tests.openapi import openai_body
from tests.sdk_types import closed, sdk_schema
from tests.shared import corpus_tools, needs_shared, read_rows, tool_of, tool_rows

# --- the judges -----------------------------------------------------------------------------------------------------


def anthropic_tool() -> dict[str, Any]:
    schema = sdk_schema(anthropic.types.ToolParam)
    # the type's other branch, dict[str, object], is for people; the API asks for a root of type "object"
    schema["properties"]["input_schema"] = {"$ref": "#/$defs/InputSchemaTyped"}
    return schema


_SCHEMA_OF_AN_OBJECT = {
    "type": "object",
    "properties": {
        "$schema": {"type": "string"},
        "type": {"const": "object"},
        "properties": {"type": "object", "additionalProperties": {"type": "object"}},
        "required": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["type"],
}

MCP_TOOL: dict[str, Any] = closed(
    {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "title": {"type": "string"},
            "description": {"type": "string"},
            "inputSchema": {**_SCHEMA_OF_AN_OBJECT, "additionalProperties": True},
            "outputSchema": {**_SCHEMA_OF_AN_OBJECT, "additionalProperties": True},
            "execution": {
                "type": "object",
                "properties": {"taskSupport": {"enum": ["forbidden", "optional", "required"]}},
            },
            "annotations": {
                "type": "object",
                "properties": {
                    "title": {"type": "string"},
                    "readOnlyHint": {"type": "boolean"},
                    "destructiveHint": {"type": "boolean"},
                    "idempotentHint": {"type": "boolean"},
                    "openWorldHint": {"type": "boolean"},
                },
            },
            "icons": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "src": {"type": "string"},
                        "mimeType": {"type": "string"},
                        "sizes": {"type": "array", "items": {"type": "string"}},
                        "theme": {"enum": ["light", "dark"]},
                    },
                    "required": ["src"],
                },
            },
            "_meta": {"type": "object"},
        },
        "required": ["name", "inputSchema"],
    }
)
"""
A tool in `tools/list`.

Source: Model Context Protocol, schema/2025-11-25/schema.ts, interfaces Tool,
BaseMetadata, Icons, Icon, ToolExecution, ToolAnnotations (read 2026-11).
"""


def chat_body(tools: list[Any]) -> dict[str, Any]:
    return {"model": "gpt-5", "messages": [{"role": "user", "content": "Hello"}], "tools": tools}


def responses_body(tools: list[Any]) -> dict[str, Any]:
    return {"model": "gpt-5", "input": "Hello", "tools": tools}


def messages_body(tools: list[Any]) -> dict[str, Any]:
    return {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "Hello"}], "tools": tools}


def bare(tools: list[Any]) -> Any:
    return tools[0]


ResponsesTool = (
    openai.types.responses.FunctionToolParam
    | openai.types.responses.CustomToolParam
    | openai.types.responses.NamespaceToolParam
)
"""The tools that we run, of all that a request to Responses may have."""

Judge = tuple[str, Callable[[], dict[str, Any]], Callable[[list[Any]], Any]]

JUDGES: dict[str, Judge] = {
    "openai chat request": ("openai", lambda: openai_body("CreateChatCompletionRequest"), chat_body),
    "openai responses request": ("openai-responses", lambda: openai_body("CreateResponse"), responses_body),
    "openai chat SDK": ("openai", lambda: sdk_schema(openai.types.chat.ChatCompletionToolUnionParam), bare),
    "openai responses SDK": ("openai-responses", lambda: sdk_schema(ResponsesTool), bare),
    "anthropic SDK": ("anthropic", anthropic_tool, bare),
    "anthropic SDK request": ("anthropic", lambda: sdk_schema(anthropic.types.MessageCreateParams), messages_body),
    "mcp specification": ("mcp", lambda: MCP_TOOL, bare),
}
"""Name of a judge to its provider, its schema, and what it judges: a request with tools, or one tool."""

RECORDED = {"openai chat request", "openai responses request"}
"""The judges that are read from the data beside the checkout."""

judges = pytest.mark.parametrize(
    "judge", [pytest.param(name, marks=needs_shared if name in RECORDED else ()) for name in JUDGES]
)


@functools.cache
def validator(judge: str) -> Draft202012Validator:
    return Draft202012Validator(JUDGES[judge][1]())


def complaints(judge: str, tools: list[Any]) -> list[str]:
    """Return what a judge has against tools: in one request where it judges those, else one by one."""
    wrap = JUDGES[judge][2]
    judged = [[tool] for tool in tools] if wrap is bare else [tools[i : i + 100] for i in range(0, len(tools), 100)]
    return [error.message for some in judged for error in validator(judge).iter_errors(wrap(some))]


# --- small tools ----------------------------------------------------------------------------------------------------


def start() -> Tool:
    return Tool.as_("small").for_("Does little").using(lambda **_: "ok")


SMALL = {
    "as_": Tool.as_("small"),
    "for_": Tool.as_("small").for_("Does little"),
    "using": start(),
    "failed": start().failed(lambda error, arguments: "sorry"),
    "with_error_handling": start().with_error_handling(),
    "without_error_handling": start().without_error_handling(),
    "concurrent": start().concurrent(),
    "with_timeout": start().with_timeout(3),
    "with_executor": start().with_executor(ThreadPoolExecutor()),
    "with_output": start().with_output(StringSchema()),
    "with_result_limit": start().with_result_limit(100),
    "requires_approval": start().requires_approval(),
    "deferred": start().deferred(),
    "with_retries": start().with_retries(2),
    "with_crash_policy": start().with_crash_policy("at_most_once"),
    "external": Tool.as_("small").for_("Does little").external(),
    "return_direct": start().return_direct(),
    "with_parameter": start().with_parameter(StringSchema("p", nullable=True)),
    "with_string_parameter": start().with_string_parameter("p", "Text", min_length=1, max_length=9, pattern="^a", format="date"),
    "with_integer_parameter": start().with_integer_parameter("p", "Whole", minimum=1, maximum=9, multiple_of=2),
    "with_number_parameter": start().with_number_parameter("p", "Number", exclusive_minimum=0.5, exclusive_maximum=2),
    "with_boolean_parameter": start().with_boolean_parameter("p", "Flag", default=False, examples=[True]),
    "with_enum_parameter": start().with_enum_parameter("p", "Choice", ["a", 1, 1.5, True], nullable=True),
    "with_array_parameter": start().with_array_parameter("p", "List", IntegerSchema(), min_items=1, max_items=2, unique_items=True),
    "with_object_parameter": start().with_object_parameter("p", "Object", [StringSchema("a", "A"), NumberSchema("b")], ["a"]),
    "with_any_of_parameter": start().with_any_of_parameter("p", "Any of", [StringSchema(), ArraySchema(items=StringSchema())]),
    "with_raw_parameter": start().with_raw_parameter("p", "Raw", {"oneOf": [{"const": 1}, {"type": ["string", "null"]}]}),
    "with_raw_parameter, a bool": start().with_raw_parameter("p", "", True),
    "takes_free_text": start().with_string_parameter("p", "Text", min_length=1).takes_free_text(),
    "takes_free_text, with a grammar": start().with_string_parameter("p").takes_free_text('start: "a"').with_provider_options("openai-responses", defer_loading=True),
    "with_provider_options, namespace": start().with_provider_options("openai-responses", namespace={"name": "crm", "description": "Customers"}),
    "with_provider_options": Tool.as_("small").for_("Does little")
    .with_provider_options("openai-responses", defer_loading=True, allowed_callers=["direct"], output_schema={"type": "string"})
    .with_provider_options(
        "anthropic",
        allowed_callers=["direct"],
        cache_control={"type": "ephemeral", "ttl": "1h"},
        defer_loading=False,
        eager_input_streaming=True,
        input_examples=[{}],
    )
    .with_provider_options(
        "mcp",
        _meta={"a": 1},
        annotations={"readOnlyHint": True},
        execution={"taskSupport": "optional"},
        icons=[{"src": "https://example.org/icon.png", "sizes": ["any"]}],
        outputSchema={"type": "object"},
        title="Small",
    ),
}  # fmt: skip
"""Builder method, and what is particular, to a tool described with it."""

NO_BUILDER = {"from_function", "from_schema", "make", "run", "arun", "spec", "lower", "explain", "to"}
"""Public names of `Tool` that describe nothing."""


def test_small_tools_cover_the_builder() -> None:
    """There is a small tool for every method of the chain."""
    assert {name.partition(",")[0] for name in SMALL} == {n for n in dir(Tool) if not n.startswith("_")} - NO_BUILDER


@pytest.mark.parametrize(
    "judge",
    ["anthropic SDK request", pytest.param("openai responses request", marks=needs_shared)],
)
def test_deferred_tools_and_their_search_are_taken(judge: str) -> None:
    """In one request: a tool that is told at once, one that is not, and the provider's search."""
    tools = Toolbox([start(), start().as_("later").deferred()]).to(JUDGES[judge][0])

    assert len(tools) == 3
    assert complaints(judge, tools) == []


@judges
@pytest.mark.parametrize("method", SMALL)
def test_small_tools_are_what_the_provider_takes(method: str, judge: str) -> None:
    """Whatever a tool was described with, its export is valid, alone and in a request."""
    exported = SMALL[method].to(JUDGES[judge][0])

    assert complaints(judge, [exported]) == []


@judges
def test_a_toolbox_fits_one_request(judge: str) -> None:
    """Tools of all kinds go out together."""
    provider = JUDGES[judge][0]
    tools = [tool.to(provider) for name, tool in SMALL.items() if not name.endswith("a bool")]

    assert complaints(judge, tools) == []


# --- whole tools ----------------------------------------------------------------------------------------------------

BOOKING = (
    Tool.as_("book_table")
    .for_("Book a table in a restaurant")
    .with_string_parameter("name", "Who comes", min_length=1)
    .with_integer_parameter("guests", "How many", minimum=1, maximum=12)
    .with_enum_parameter("room", "Where to sit", ["inside", "garden"], default="inside")
    .with_array_parameter("wishes", "Special wishes", StringSchema("wish", "A wish"), required=False, max_items=3)
    .with_object_parameter(
        "contact",
        "How to reach them",
        [StringSchema("mail", "E-mail", format="email"), StringSchema("phone")],
        ["mail"],
    )
    .with_any_of_parameter("when", "When", [StringSchema("time", format="date-time"), NumberSchema("epoch")])
    .with_number_parameter("deposit", "In euros", required=False, nullable=True, exclusive_minimum=0)
    .with_boolean_parameter("quiet", "", required=False)
    .with_parameter(ObjectSchema("extra", "Anything else", None, allow_additional_properties=True), required=False)
)

PARAMETERS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "description": "Who comes", "minLength": 1},
        "guests": {"type": "integer", "description": "How many", "maximum": 12, "minimum": 1},
        "room": {
            "type": "string",
            "enum": ["inside", "garden"],
            "description": "Where to sit",
            "default": "inside",
        },
        "wishes": {
            "type": "array",
            "description": "Special wishes",
            "items": {"type": "string", "description": "A wish"},
            "maxItems": 3,
        },
        "contact": {
            "type": "object",
            "description": "How to reach them",
            "properties": {
                "mail": {"type": "string", "description": "E-mail", "format": "email"},
                "phone": {"type": "string"},
            },
            "required": ["mail"],
            "additionalProperties": False,
        },
        "when": {
            "description": "When",
            "anyOf": [{"type": "string", "format": "date-time"}, {"type": "number"}],
        },
        "deposit": {"type": ["number", "null"], "description": "In euros", "exclusiveMinimum": 0},
        "quiet": {"type": "boolean"},
        "extra": {"type": "object", "description": "Anything else", "additionalProperties": True},
    },
    "required": ["name", "guests", "contact", "when"],
    "additionalProperties": False,
}

EMPTY = {"type": "object", "properties": {}, "additionalProperties": False}

PLACES = {"type": "string", "enum": ["inside", "garden"], "description": 'Where to sit. by default "inside"'}
REQUIRED = ["name", "guests", "contact", "when"]
CONTACT = {
    "type": "object",
    "properties": {
        "mail": {"type": "string", "description": "E-mail. in the format email"},
        "phone": {"type": "string"},
    },
    "required": ["mail"],
}

GEMINI: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 1, "description": "Who comes"},
        "guests": {"type": "integer", "maximum": 12, "minimum": 1, "description": "How many"},
        "room": PLACES,
        "wishes": PARAMETERS["properties"]["wishes"],
        "contact": {**CONTACT, "description": "How to reach them"},
        "when": {
            "anyOf": [
                {"type": "string", "format": "date-time", "description": "When"},
                {"type": "number", "description": "When"},
            ]
        },
        "deposit": {"type": "number", "description": "In euros. more than 0", "nullable": True},
        "quiet": {"type": "boolean"},
        "extra": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "name": {"type": "string"},
                    "value": {"type": "string", "description": "The value, as JSON text"},
                },
                "required": ["name", "value"],
            },
            "description": "Anything else. One entry for each name",
        },
    },
    "required": REQUIRED,
}

GEMINI_JSON: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "description": "Who comes. at least 1 characters"},
        "guests": {"type": "integer", "maximum": 12, "minimum": 1, "description": "How many"},
        "room": PLACES,
        "wishes": PARAMETERS["properties"]["wishes"],
        "contact": {**CONTACT, "additionalProperties": False, "description": "How to reach them"},
        "when": PARAMETERS["properties"]["when"],
        "deposit": {"type": ["number", "null"], "description": "In euros. more than 0"},
        "quiet": {"type": "boolean"},
        "extra": {"type": "object", "additionalProperties": True, "description": "Anything else"},
    },
    "required": REQUIRED,
    "additionalProperties": False,
}

OLLAMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "description": "Who comes. at least 1 characters"},
        "guests": {"type": "integer", "description": "How many. at most 12; at least 1"},
        "room": PLACES,
        "wishes": {
            "type": "array",
            "description": "Special wishes. at most 3 items",
            "items": {"type": "string", "description": "A wish"},
        },
        "contact": {**CONTACT, "description": "How to reach them"},
        "when": {
            "description": "When",
            "anyOf": [{"type": "string", "description": "in the format date-time"}, {"type": "number"}],
        },
        "deposit": {"type": ["number", "null"], "description": "In euros. more than 0"},
        "quiet": {"type": "boolean"},
        "extra": {"type": "object", "description": "Anything else"},
    },
    "required": REQUIRED,
}

WHOLE: dict[str, tuple[Any, Any]] = {
    "openai": (
        {
            "type": "function",
            "function": {
                "name": "book_table",
                "description": "Book a table in a restaurant",
                "parameters": PARAMETERS,
            },
        },
        {"type": "function", "function": {"name": "now", "parameters": EMPTY}},
    ),
    "openai-responses": (
        {
            "type": "function",
            "name": "book_table",
            "description": "Book a table in a restaurant",
            "parameters": PARAMETERS,
            "strict": False,
        },
        {"type": "function", "name": "now", "parameters": EMPTY, "strict": False},
    ),
    "anthropic": (
        {"name": "book_table", "description": "Book a table in a restaurant", "input_schema": PARAMETERS},
        {"name": "now", "input_schema": EMPTY},
    ),
    "mcp": (
        {"name": "book_table", "description": "Book a table in a restaurant", "inputSchema": PARAMETERS},
        {"name": "now", "inputSchema": EMPTY},
    ),
    "bedrock": (
        {
            "toolSpec": {
                "name": "book_table",
                "description": "Book a table in a restaurant",
                "inputSchema": {"json": PARAMETERS},
            }
        },
        {"toolSpec": {"name": "now", "inputSchema": {"json": EMPTY}}},
    ),
    "gemini": (
        {"name": "book_table", "description": "Book a table in a restaurant", "parameters": GEMINI},
        {"name": "now", "parameters": {"type": "object", "properties": {}, "required": []}},
    ),
    "gemini-json-schema": (
        {"name": "book_table", "description": "Book a table in a restaurant", "parametersJsonSchema": GEMINI_JSON},
        {"name": "now", "parametersJsonSchema": {**EMPTY, "required": []}},
    ),
    "mistral": (
        {
            "type": "function",
            "function": {
                "name": "book_table",
                "description": "Book a table in a restaurant",
                "parameters": PARAMETERS,
            },
        },
        {"type": "function", "function": {"name": "now", "parameters": EMPTY}},
    ),
    "ollama": (
        {
            "type": "function",
            "function": {
                "name": "book_table",
                "description": "Book a table in a restaurant",
                "parameters": OLLAMA,
            },
        },
        {
            "type": "function",
            "function": {"name": "now", "parameters": {"type": "object", "properties": {}, "required": []}},
        },
    ),
    "json-schema": (PARAMETERS, EMPTY),
}
"""Provider to the export of `BOOKING`, and of a tool with a name and nothing else."""

WHOLE |= {f"{name}-compatible": WHOLE[name] for name in ("openai", "openai-responses")}


def test_every_provider_is_pinned() -> None:
    """The expected exports are those of all providers."""
    assert sorted(WHOLE) == list(known_providers())


@pytest.mark.parametrize("provider", WHOLE)
def test_a_whole_tool(provider: str) -> None:
    """This is the export, key by key, in this order where it is as declared."""
    full, empty = WHOLE[provider]

    assert (BOOKING.to(provider), Tool.as_("now").to(provider)) == (full, empty)
    if dialect(provider).plain is None:
        assert repr(BOOKING.to(provider)) == repr(full)


@pytest.mark.parametrize(
    ("provider", "expected"),
    [
        (
            "openai-responses",
            {
                "type": "function",
                "name": "small",
                "description": "Does little",
                "parameters": EMPTY,
                "strict": False,
                "defer_loading": True,
                "allowed_callers": ["direct"],
                "output_schema": {"type": "string"},
            },
        ),
        (
            "anthropic",
            {
                "name": "small",
                "description": "Does little",
                "input_schema": EMPTY,
                "allowed_callers": ["direct"],
                "cache_control": {"type": "ephemeral", "ttl": "1h"},
                "defer_loading": False,
                "eager_input_streaming": True,
                "input_examples": [{}],
            },
        ),
        (
            "mcp",
            {
                "name": "small",
                "description": "Does little",
                "inputSchema": EMPTY,
                "_meta": {"a": 1},
                "annotations": {"readOnlyHint": True},
                "execution": {"taskSupport": "optional"},
                "icons": [{"src": "https://example.org/icon.png", "sizes": ["any"]}],
                "outputSchema": {"type": "object"},
                "title": "Small",
            },
        ),
        (
            "openai",
            {"type": "function", "function": {"name": "small", "description": "Does little", "parameters": EMPTY}},
        ),
        ("json-schema", EMPTY),
    ],
)
def test_provider_options_go_to_their_provider(provider: str, expected: dict[str, Any]) -> None:
    """Each provider gets the options that were set for it, and no others."""
    assert SMALL["with_provider_options"].to(provider) == expected


def test_an_unknown_provider_is_named_with_the_known() -> None:
    """Whoever mistypes a provider reads which there are."""
    with pytest.raises(UnknownProviderError) as caught:
        BOOKING.to("opnai")

    assert str(caught.value) == (
        "unknown provider 'opnai'; known are anthropic, bedrock, gemini, gemini-json-schema, json-schema, mcp, mistral, "
        "ollama, openai, openai-compatible, openai-responses, openai-responses-compatible"
    )


# --- the judges are judged ------------------------------------------------------------------------------------------


@judges
@pytest.mark.parametrize("mistake", ["an unknown key", "no name", "parameters that are no schema"])
def test_a_judge_refuses_mistakes(judge: str, mistake: str) -> None:
    """What the provider would refuse is refused here."""
    provider = JUDGES[judge][0]
    tool = BOOKING.to(provider)
    inner = tool.get("function", tool)
    parameters = {"openai": "parameters", "openai-responses": "parameters", "anthropic": "input_schema"}
    match mistake:
        case "an unknown key":
            inner["made_up"] = 1
        case "no name":
            del inner["name"]
        case _:
            inner[parameters.get(provider, "inputSchema")] = "string"

    assert complaints(judge, [tool]) != []


# --- real tools -----------------------------------------------------------------------------------------------------

NAME = re.compile("[a-zA-Z0-9_-]{1,64}")
"""Source: openai 3.57.0, FunctionDefinition.name; Anthropic API reference, Messages, tools.name (read 2026-11)."""


def takes(provider: str, name: str) -> bool:
    return provider in {"mcp", "json-schema"} or NAME.fullmatch(name) is not None


@needs_shared
@pytest.mark.parametrize("judge", JUDGES)
def test_real_tools_are_what_the_provider_takes(judge: str) -> None:
    """Real tools export validly; names that the provider does not take are sanitised."""
    provider = JUDGES[judge][0]
    exported = [tool.to(provider) for tool in corpus_tools().values()]
    names = [one.get("function", one)["name"] for one in exported]
    renamed = sum(row["name"] != name for row, name in zip(tool_rows(), names, strict=True))

    assert (len(exported), renamed) == (3995, 0 if provider == "mcp" else 884)
    assert all(takes(provider, name) for name in names)
    assert complaints(judge, exported) == []


@needs_shared
def test_what_is_no_schema_is_refused_by_its_path() -> None:
    """The two rows of the corpus with a made-up type are refused, each with the place of the mistake."""
    found = {}
    for row in read_rows("corpora/tool_schemas.jsonl"):
        if not row["metaschema_valid"]:
            with pytest.raises(DefinitionError) as caught:
                tool_of(row)
            found[caught.value.tool] = caught.value.path

    assert found == {
        "validateUserInput": "$.properties.isComplete.type",
        "getActiveDataEntries": "$.properties.value.type",
    }


@needs_shared
def test_mcp_tools_go_out_as_they_came() -> None:
    """A tool from an MCP server, with all its options, is exported to MCP as the server sent it."""
    rows = [row for row in tool_rows() if row["source"] == "mcp"]
    tools = [copy.copy(corpus_tools()[row["id"]]).with_provider_options("mcp", **row.get("mcp", {})) for row in rows]
    sent = [
        {"name": row["name"], "description": row["description"], "inputSchema": row["parameters"], **row.get("mcp", {})}
        for row in rows
    ]

    assert len(rows) == 1472
    assert canonical([tool.to("mcp") for tool in tools]) == canonical(sent)
