"""What each provider gets, and what it is refused."""

from typing import Any

import pytest

from prismpy import DefinitionError, LoweringError, Tool, UnknownProviderError, known_providers
from prismpy.lowering import dialect

PARAMETERS: Any = {
    "type": "object",
    "properties": {"city": {"type": "string", "description": "Where"}},
    "required": ["city"],
    "additionalProperties": False,
}


def weather() -> Tool:
    return Tool.as_("weather").for_("Get the weather").with_string_parameter("city", "Where")


WIRE = {
    "openai": {
        "type": "function",
        "function": {"name": "weather", "description": "Get the weather", "parameters": PARAMETERS},
    },
    "openai-responses": {
        "type": "function",
        "name": "weather",
        "description": "Get the weather",
        "parameters": PARAMETERS,
        "strict": False,
    },
    "anthropic": {"name": "weather", "description": "Get the weather", "input_schema": PARAMETERS},
    "bedrock": {"toolSpec": {"name": "weather", "description": "Get the weather", "inputSchema": {"json": PARAMETERS}}},
    "gemini": {
        "name": "weather",
        "description": "Get the weather",
        "parameters": {"type": "object", "properties": PARAMETERS["properties"], "required": ["city"]},
    },
    "gemini-json-schema": {"name": "weather", "description": "Get the weather", "parametersJsonSchema": PARAMETERS},
    "mistral": {
        "type": "function",
        "function": {"name": "weather", "description": "Get the weather", "parameters": PARAMETERS},
    },
    "ollama": {
        "type": "function",
        "function": {
            "name": "weather",
            "description": "Get the weather",
            "parameters": {"type": "object", "properties": PARAMETERS["properties"], "required": ["city"]},
        },
    },
    "mcp": {"name": "weather", "description": "Get the weather", "inputSchema": PARAMETERS},
    "json-schema": PARAMETERS,
}
WIRE |= {f"{name}-compatible": WIRE[name] for name in ("openai", "openai-responses")}


def test_every_provider_is_pinned_here() -> None:
    """The table below is whole."""
    assert set(WIRE) == set(known_providers())


@pytest.mark.parametrize("provider", sorted(WIRE))
def test_each_provider_gets_its_shape(provider: str) -> None:
    """The whole tool is as the provider's types declare it."""
    assert weather().to(provider) == WIRE[provider]


def test_an_empty_description_is_left_out() -> None:
    """No provider needs an empty text."""
    assert Tool.as_("t").to("anthropic") == {
        "name": "t",
        "input_schema": {"type": "object", "properties": {}, "additionalProperties": False},
    }


def test_options_go_to_their_provider_only() -> None:
    """Each option stands where the provider documents it."""
    tool = weather().with_provider_options("anthropic", cache_control={"type": "ephemeral"})

    assert tool.to("anthropic") == {**WIRE["anthropic"], "cache_control": {"type": "ephemeral"}}
    assert tool.to("openai") == WIRE["openai"]


def test_an_undocumented_option_is_refused() -> None:
    """The error lists what is documented."""
    with pytest.raises(LoweringError) as caught:
        weather().with_provider_options("openai-responses", cache_control={}).to("openai-responses")

    assert str(caught.value) == (
        "tool 'weather': openai-responses documents no tool option 'cache_control'; "
        "it documents allowed_callers, async, defer_loading, namespace, output_schema, strict"
    )
    assert (caught.value.tool, caught.value.provider) == ("weather", "openai-responses")


@pytest.mark.parametrize(
    ("name", "sent"),
    [("get weather", "get_weather"), ("stock.find", "stock_find"), ("ü", "_"), ("x" * 65, "x" * 64), ("a\n", "a_")],
)
def test_a_name_that_a_provider_refuses_is_sanitised(name: str, sent: str) -> None:
    """Letters, digits, _ and -, at most 64; a protocol without a rule takes any name."""
    tool = weather().as_(name)

    assert tool.to("openai")["function"]["name"] == sent
    assert tool.to("mcp")["name"] == name


def test_an_unknown_provider_is_answered_with_the_known() -> None:
    """The error lists all names."""
    with pytest.raises(UnknownProviderError) as caught:
        weather().to("opnai")

    assert str(caught.value) == (
        "unknown provider 'opnai'; known are anthropic, bedrock, gemini, gemini-json-schema, json-schema, mcp, mistral, "
        "ollama, openai, openai-compatible, openai-responses, openai-responses-compatible"
    )
    assert caught.value.known == known_providers()


@pytest.mark.parametrize("provider", sorted(WIRE))
def test_every_row_names_its_source(provider: str) -> None:
    """No fact without its origin."""
    assert dialect(provider).source


def test_mcp_gets_properties_that_are_objects() -> None:
    """The protocol takes no `true` and `false` there; what they mean is said otherwise."""
    tool = Tool.as_("t").with_raw_parameter("any", "", True).with_raw_parameter("none", "", False, required=False)

    assert tool.to("mcp")["inputSchema"]["properties"] == {"any": {}, "none": {"not": {}}}
    assert tool.to("json-schema")["properties"] == {"any": True, "none": False}
    assert Tool.from_schema("t", "", {"type": "object"}).to("mcp")["inputSchema"] == {"type": "object"}


def test_what_is_explained_is_what_is_sent() -> None:
    """With the tool's own choice, the choice that costs nothing, and the name that the provider is told."""
    made = Tool.as_("look.up").for_("Look up").with_string_parameter("word", "A word", max_length=9)
    own = Tool.as_("t").with_string_parameter("word", required=False).with_provider_options("openai", strict=True)

    assert [made.lower("openai", strict=choice).strict for choice in (True, False, "auto")] == [True, False, False]
    assert str(made.explain("openai", strict="auto")) == (
        'openai, plain: 1 change\n  name: tool-name: "look.up" -> "look_up"'
    )
    assert own.lower("openai").schema == own.to("openai")["function"]["parameters"]
    assert str(own.explain("openai")) == (
        'openai, strict: 1 change\n  $.properties.word: all-required: "optional" -> "required, null if left out"'
    )
    with pytest.raises(LoweringError, match="openai documents no tool option 'made_up'"):
        own.with_provider_options("openai", made_up=1).explain("openai")


def test_a_choice_that_is_none_is_refused() -> None:
    """A misspelled word would choose something."""
    wrong: Any = "yes"

    with pytest.raises(DefinitionError, match=r"^strict is 'yes'; pass True, False or 'auto'$"):
        weather().to("openai", strict=wrong)
    with pytest.raises(DefinitionError, match=r"^on_loss is 'yes'; pass 'describe' or 'raise'$"):
        weather().lower("openai", on_loss=wrong)
