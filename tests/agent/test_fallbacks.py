"""Tools of ours in the places of provider tools."""

import pytest

from prismpy import Agent, ProviderTool, ToolCall, tool
from prismpy.testing import ScriptedModel

DATED, PLAIN = ProviderTool("web_search_20250305", "web_search"), ProviderTool("web_search")


@tool
def web_search(query: str) -> str:
    """Search."""
    return f"found {query}"


@pytest.mark.parametrize(
    ("dialect", "sent"),
    [("anthropic", (DATED,)), ("openai-responses", (PLAIN,)), ("openai", ()), ("scripted", (DATED, PLAIN))],
)
def test_a_tool_stands_in_where_the_provider_has_none(dialect: str, sent: tuple[ProviderTool, ...]) -> None:
    """Where the provider has it, the provider's is used."""
    fallbacks = {DATED.type: tool(str.upper, name="dated"), PLAIN.type: tool(str.upper, name="plain")}
    model = ScriptedModel(["done"], dialect=dialect)

    Agent("demo", model, provider_tools=[DATED, PLAIN], fallbacks=fallbacks).run("hi")

    assert model.asked[0].provider_tools == sent
    assert len(model.asked[0].tools) == 2 - len(sent)


def test_the_tool_that_stands_in_is_run() -> None:
    """As any other."""
    model = ScriptedModel([ToolCall("", "web_search", {"query": "x"}), "done"], dialect="openai")

    response = Agent("demo", model, provider_tools=[DATED], fallbacks={DATED.type: web_search}).run("hi")

    assert [result.text for result in response.tool_results] == ["found x"]


def test_a_tool_without_a_stand_in_is_sent() -> None:
    """The provider knows better than a table."""
    model = ScriptedModel(["done"], dialect="openai")

    Agent("demo", model, provider_tools=[DATED]).run("hi")

    assert model.asked[0].provider_tools == (DATED,)
