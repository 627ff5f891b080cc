"""What the options of tools may hold, and what they have to do with each other and with the schema."""

from collections.abc import Callable
from typing import Any

import anthropic.types
import openai.types.responses
import openai.types.shared_params
import pytest
from jsonschema import Draft202012Validator

from prismpy import LoweringError, ObjectSchema, StringSchema, Tool, Toolbox, dialect, parse, tool
from tests.lowering.test_bodies import sdk_schema

EPHEMERAL = {"type": "ephemeral"}
POINT = {"type": "default"}


def weather(provider: str = "anthropic", **options: Any) -> Tool:
    return (
        Tool.as_("weather")
        .for_("Get the weather")
        .with_string_parameter("city", "Where")
        .with_integer_parameter("days", "How far ahead", required=False)
        .with_provider_options(provider, **options)
    )


def refusal(made: Tool, provider: str = "anthropic", **options: Any) -> str:
    with pytest.raises(LoweringError) as caught:
        made.to(provider, **options)
    assert (caught.value.tool, caught.value.provider) == ("weather", provider)
    return str(caught.value)


# --- values -------------------------------------------------------------------


GOOD: list[tuple[str, str, Any]] = [
    ("anthropic", "cache_control", {"type": "ephemeral", "ttl": "5m"}),
    ("anthropic", "cache_control", None),
    ("anthropic", "allowed_callers", ["direct", "code_execution_20260521"]),
    ("anthropic", "eager_input_streaming", None),
    ("anthropic", "defer_loading", True),
    ("anthropic", "input_examples", [{"city": "Oslo"}, {"city": "Oslo", "days": 2}]),
    ("openai-responses", "allowed_callers", ["direct", "programmatic"]),
    ("openai-responses", "allowed_callers", None),
    ("openai-responses", "async", True),
    ("openai-responses", "output_schema", {"type": "string"}),
    ("openai-responses", "output_schema", None),
    ("bedrock", "cachePoint", {"type": "default"}),
    ("bedrock", "cachePoint", {"type": "default", "ttl": "1h"}),
    ("gemini", "behavior", "NON_BLOCKING"),
    ("gemini", "response", {"type": "OBJECT", "properties": {"a": {"type": "STRING", "enum": ["b"]}}}),
    ("gemini", "responseJsonSchema", {"type": "object", "properties": {"a": {"const": 1}}}),
    ("gemini-json-schema", "behavior", "BLOCKING"),
    ("gemini-json-schema", "responseJsonSchema", {"type": "array", "prefixItems": [True]}),
    ("mcp", "annotations", {"readOnlyHint": True, "ours": 1}),
    ("mcp", "icons", [{"src": "https://example.org/icon.png"}]),
    ("mcp", "outputSchema", {"type": "object"}),
]

BAD: list[tuple[str, str, Any, str]] = [
    ("anthropic", "cache_control", {"type": "ephemeral", "ttl": "2h"}, 'ttl: expected "1h" | "5m", got "2h"'),
    ("anthropic", "cache_control", {}, "type"),
    ("anthropic", "cache_control", True, "expected"),
    ("anthropic", "allowed_callers", [], "expected"),
    ("anthropic", "allowed_callers", ["code_execution"], "[0]"),
    ("anthropic", "defer_loading", "yes", "expected boolean"),
    ("anthropic", "input_examples", ["Oslo"], "[0]"),
    ("anthropic", "strict", "yes", "expected"),
    ("openai-responses", "allowed_callers", ["code_execution_20260521"], "[0]"),
    ("openai-responses", "output_schema", "string", "expected"),
    ("bedrock", "cachePoint", {"type": "ephemeral"}, 'type: expected "default", got "ephemeral"'),
    ("bedrock", "cachePoint", {"type": "default", "ttl": "2h"}, 'ttl: expected "1h" | "5m", got "2h"'),
    ("bedrock", "cachePoint", {}, "type"),
    ("bedrock", "cachePoint", True, "expected"),
    ("gemini", "behavior", "LATER", 'expected "BLOCKING" | "NON_BLOCKING" | "UNSPECIFIED"'),
    ("gemini", "response", {"type": "object", "properties": {"a": {"const": 1}}}, "properties.a"),
    ("gemini", "response", {"type": "text"}, "type"),
    ("gemini-json-schema", "behavior", True, "expected"),
    ("mcp", "annotations", {"readOnlyHint": "yes"}, "readOnlyHint"),
    ("mcp", "outputSchema", {"type": "string"}, "type"),
    ("mcp", "icons", [{}], "src"),
]


@pytest.mark.parametrize(("provider", "option", "value"), GOOD)
def test_a_value_that_a_provider_takes_is_sent(provider: str, option: str, value: Any) -> None:
    """As it was given, in the tool or behind it."""
    told = Toolbox([weather(provider, **{option: value})]).to(provider)

    assert told[-1][option] == value


@pytest.mark.parametrize(("provider", "option", "value", "complaint"), BAD)
def test_any_other_value_is_refused(provider: str, option: str, value: Any, complaint: str) -> None:
    """The error says where, what was expected and what came."""
    said = refusal(weather(provider, **{option: value}), provider)

    assert said.startswith(f"tool 'weather': {provider} does not take this {option}: ")
    assert complaint in said


def bedrock_tool() -> Any:
    """Write the service model of Bedrock as JSON Schema; botocore's own validator looks at a part of it only."""
    session = pytest.importorskip("botocore.session", reason="the extra `dev` brings it").get_session()
    model = session.get_service_model("bedrock-runtime")

    def said(shape: Any) -> Any:
        if shape.type_name != "structure":
            return {"enum": list(shape.enum)} if getattr(shape, "enum", None) else {}
        return {
            "type": "object",
            "properties": {name: said(member) for name, member in shape.members.items()},
            "required": shape.required_members,
            "additionalProperties": False,
        }

    kinds = said(model.shape_for("Tool"))["properties"]
    spec = kinds.pop("toolSpec")["properties"]
    del kinds["systemTool"]  # a tool of the provider's
    return {"properties": {**spec, **kinds}}


def function_declaration() -> Any:
    types = pytest.importorskip("google.genai.types", reason="the extra `dev` brings it")
    return types.FunctionDeclaration.model_json_schema(by_alias=True)


SDK_TYPES: dict[str, Callable[[], Any]] = {
    "openai": lambda: sdk_schema(openai.types.shared_params.FunctionDefinition),
    "anthropic": lambda: sdk_schema(anthropic.types.ToolParam),
    "openai-responses": lambda: sdk_schema(openai.types.responses.FunctionToolParam),
    "bedrock": bedrock_tool,
    "gemini": function_declaration,
    "gemini-json-schema": function_declaration,
}


@pytest.mark.parametrize("provider", SDK_TYPES)
def test_the_options_are_those_of_the_sdk(provider: str) -> None:
    """What may be set for a provider are the keys of its SDK's type, but for those that prismpy sets itself."""
    own = {"type", "name", "description", "parameters", "parametersJsonSchema", "input_schema", "inputSchema", "strict"}

    assert dialect(provider).options == set(SDK_TYPES[provider]()["properties"]) - own


@pytest.mark.parametrize("provider", [name for name in SDK_TYPES if name != "openai"])
@pytest.mark.filterwarnings("ignore")  # of SDKs about themselves
def test_the_sdks_say_the_same(provider: str) -> None:
    """What is taken and refused here, the types of the installed SDK take and refuse."""
    known = SDK_TYPES[provider]()

    def takes(option: str, value: Any) -> bool:
        one = {**known["properties"][option], "$defs": known.get("$defs", {})}
        return Draft202012Validator(one).is_valid(value)

    good = [takes(option, value) for name, option, value in GOOD if name == provider]
    # the types name no least number of callers
    bad = [takes(option, value) for name, option, value, _ in BAD if name == provider and value != []]
    assert (set(good), set(bad)) == ({True}, {False})


# --- with each other ----------------------------------------------------------


def test_a_deferred_tool_cannot_be_cached() -> None:
    """Anthropic answers both together with an error."""
    said = refusal(weather(cache_control=EPHEMERAL, defer_loading=True))

    assert said == "tool 'weather': anthropic takes cache_control or defer_loading, not both; leave one out"
    assert weather(cache_control=EPHEMERAL, defer_loading=False).to("anthropic")["defer_loading"] is False
    assert weather(cache_control=None, defer_loading=True).to("anthropic")["cache_control"] is None


def test_a_tool_that_code_may_call_cannot_be_strict() -> None:
    """Strictness by choice is refused, `auto` chooses against it."""
    called = weather(allowed_callers=["code_execution_20260521"])

    assert refusal(called, strict=True) == (
        "tool 'weather': anthropic takes this allowed_callers or strict, not both; leave one out"
    )
    assert "strict" not in called.to("anthropic", strict="auto")
    assert weather(allowed_callers=["direct"]).to("anthropic", strict=True)["strict"] is True


def test_four_tools_of_a_request_may_be_cached() -> None:
    """A fifth is refused, with all their names."""
    tools = [weather(cache_control=EPHEMERAL).as_(f"t{i}") for i in range(5)]
    rest = [weather(cache_control=None).as_("t5"), weather().as_("t6")]

    assert len(Toolbox([*tools[:4], *rest]).to("anthropic")) == 6
    with pytest.raises(LoweringError) as caught:
        Toolbox([*tools, *rest]).to("anthropic")
    assert str(caught.value) == (
        "anthropic takes cache_control on 4 tools of a request, 5 have it: t0, t1, t2, t3, t4; remove it from some"
    )
    assert caught.value.tool == "t4"
    assert len(Toolbox([*tools, *rest]).to("openai")) == 7


def test_a_cache_point_stands_behind_its_tool() -> None:
    """As an element of its own, which a single tool has no place for; with tools that are found later, too."""
    cached, other = weather("bedrock", cachePoint=POINT).deferred(), weather("bedrock").as_("other")
    box = Toolbox([cached, other])
    offer = box.offer("bedrock", strict=True)
    spec = {name: offer.tool(name) for name in ("weather", "other", "search_tools")}

    assert Toolbox([weather("bedrock", cachePoint=POINT), other]).to("bedrock", strict=True) == [
        spec["weather"],
        {"cachePoint": POINT},
        spec["other"],
    ]
    assert spec["weather"].keys() == {"toolSpec"}
    assert spec["weather"]["toolSpec"].keys() == {"name", "description", "inputSchema", "strict"}
    assert offer.opened(["weather"]) == (spec["other"], spec["search_tools"], spec["weather"], {"cachePoint": POINT})
    assert refusal(weather("bedrock", cachePoint=POINT), "bedrock") == (
        "tool 'weather': bedrock takes cachePoint as an element of its own behind the tool; "
        "export both with Toolbox([...]).to('bedrock')"
    )


def test_options_of_a_provider_go_to_no_other() -> None:
    """A mark for Anthropic's cache is none for that of Bedrock, which has its own word and is told so."""
    assert Toolbox([weather(cache_control=EPHEMERAL)]).to("bedrock") == Toolbox([weather()]).to("bedrock")
    assert refusal(weather("bedrock", cache_control=EPHEMERAL), "bedrock") == (
        "tool 'weather': bedrock documents no tool option 'cache_control'; it documents cachePoint, strict"
    )


@pytest.mark.parametrize(
    ("provider", "option", "mark"), [("anthropic", "cache_control", EPHEMERAL), ("bedrock", "cachePoint", POINT)]
)
def test_no_longer_time_follows_a_shorter_one(provider: str, option: str, mark: Any) -> None:
    """A cache that holds for an hour comes before those that hold for five minutes, which is meant where nothing is said."""
    short, said = (
        weather(provider, **{option: mark}).as_("short"),
        weather(provider, **{option: {**mark, "ttl": "5m"}}).as_("said"),
    )
    long = weather(provider, **{option: {**mark, "ttl": "1h"}})

    assert len(Toolbox([long, short, weather().as_("none"), said]).offer(provider).lowered) == 4
    with pytest.raises(LoweringError) as caught:
        Toolbox([short, said, long]).to(provider)
    assert str(caught.value) == (
        f"tool 'weather': its {option} holds for 1h, longer than that of 'said' before it, which {provider} does not take; "
        "offer it first, or give both one ttl"
    )


def test_examples_do_not_go_with_the_search_of_the_provider() -> None:
    """Its page says so; the search here can be had with them, and a tool alone is refused as well."""
    taught, later = weather(input_examples=[{"city": "Oslo"}]), weather().as_("later").deferred()

    with pytest.raises(LoweringError) as caught:
        Toolbox([taught, later]).to("anthropic")
    assert str(caught.value) == (
        "tool 'weather': anthropic does not take input_examples in a request where tools have defer_loading, as 'later' "
        "has; leave the examples out, or search here: Toolbox(..., search_here=True)"
    )
    assert [one["name"] for one in Toolbox([taught, later], search_here=True).to("anthropic")] == [
        "weather",
        "search_tools",
    ]
    assert refusal(weather(input_examples=[{"city": "Oslo"}], defer_loading=True)) == (
        "tool 'weather': anthropic takes input_examples or defer_loading, not both; leave one out"
    )


def test_a_response_is_described_in_one_way() -> None:
    """Gemini takes its own words or JSON Schema for it."""
    described = weather("gemini", response={"type": "STRING"}, responseJsonSchema={"type": "string"})

    assert refusal(described, "gemini") == (
        "tool 'weather': gemini takes response or responseJsonSchema, not both; leave one out"
    )


def test_a_tool_may_choose_strictness_itself() -> None:
    """Its own option goes before what is asked of all."""
    box = Toolbox(
        [weather(strict=True), weather(strict="auto").as_("b"), weather(strict=False).as_("c"), weather().as_("d")]
    )

    assert [one.get("strict") for one in box.to("anthropic")] == [True, True, None, None]
    assert [one.get("strict") for one in box.to("anthropic", strict=True)] == [True, True, None, True]
    assert "documents no tool option 'strict'" in refusal(weather("mcp", strict=True), "mcp")


# --- with the schema ----------------------------------------------------------


def test_examples_are_said_in_the_words_of_the_lowered_schema() -> None:
    """Strictly, a map becomes a list of entries, in examples too; plainly they go as they are."""

    @tool
    def label(tags: dict[str, int]) -> str:
        """Label things."""
        return ""

    label.with_provider_options("anthropic", input_examples=[{"tags": {"a": 1}}])

    assert label.to("anthropic")["input_examples"] == [{"tags": {"a": 1}}]
    assert label.to("anthropic", strict=True)["input_examples"] == [{"tags": [{"name": "a", "value": 1}]}]


def test_an_example_that_does_not_fit_is_refused() -> None:
    """Anthropic would answer the whole request with an error."""
    assert refusal(weather(input_examples=[{"city": "Oslo"}, {"city": 3}])).startswith(
        "tool 'weather': input_examples[1] does not fit the parameters: city: expected string"
    )


RESULTS: list[tuple[Any, Any, Any]] = [
    (int, {"type": "integer"}, None),
    (list[str], {"type": "array", "items": {"type": "string"}}, None),
    (int | None, {"type": ["integer", "null"]}, None),
    (str, None, None),
    (int | str, None, None),
    (str | None, None, None),
    (list[int] | dict[str, int], {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "object", "additionalProperties": {"type": "integer"}}]}, None),
    (dict[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}, {"type": "object", "additionalProperties": {"type": "integer"}}),
    (Any, None, None),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "responses", "mcp"), RESULTS)
def test_what_a_tool_returns_goes_where_there_is_a_place_for_it(kind: Any, responses: Any, mcp: Any) -> None:
    """MCP takes schemas of objects; Responses those of what is sent as JSON text, which bare text is not."""

    def call() -> Any: ...

    call.__annotations__["return"] = kind
    made = tool(call)

    assert (made.to("openai-responses").get("output_schema"), made.to("mcp").get("outputSchema")) == (responses, mcp)
    assert made.to("openai") == {
        "type": "function",
        "function": {"name": "call", "parameters": {"type": "object", "properties": {}, "additionalProperties": False}},
    }


def test_a_result_that_is_referred_to_is_looked_up() -> None:
    """A definition that may be text is not sent, one that may not is."""

    def returning(definition: Any) -> Tool:
        made = parse({"$ref": "#/$defs/D", "$defs": {"D": definition}})
        return Tool.as_("t").using(lambda: 1).with_output(made)

    sent = {"$ref": "#/$defs/D", "$defs": {"D": {"oneOf": [{"type": "null"}, {"type": "integer"}]}}}
    assert returning({"oneOf": [{"type": "null"}, {"type": "integer"}]}).to("openai-responses")["output_schema"] == sent
    assert "output_schema" not in returning({"type": ["string", "null"]}).to("openai-responses")
    assert "output_schema" not in returning({"$ref": "#/$defs/D"}).to("openai-responses")


def test_what_is_told_otherwise_wins() -> None:
    """An option replaces the schema that would go by itself, and a result that may be cut is no JSON."""
    made = Tool.as_("t").using(lambda: {"a": "b"}).with_output(ObjectSchema(properties=[StringSchema("a")]))
    schema = {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False}

    assert (made.to("openai-responses")["output_schema"], made.to("mcp")["outputSchema"]) == (schema, schema)
    made.with_provider_options("openai-responses", output_schema=None)
    assert made.to("openai-responses")["output_schema"] is None
    cut = Tool.as_("t").using(lambda: {"a": "b"}).with_output(ObjectSchema()).with_result_limit(100)
    assert "output_schema" not in cut.to("openai-responses")
