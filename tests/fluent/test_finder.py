"""Many tools, of which a model is told only when it searches for them."""

import json
from typing import Any

import pytest

from prismpy import Agent, DefinitionError, Tool, Toolbox, ToolCall, ToolResult, tool
from prismpy.testing import ScriptedModel


def get_weather(city: str) -> str:
    """Tell the weather."""
    return f"Sunny in {city}"


def sendEmail(to: str, subject: str = "") -> str:
    """Send a letter to somebody, electronically."""
    return "sent"


def invoice_list(customer: int) -> list[str]:
    """List what is to be paid."""
    return []


def ping() -> str:
    """Answer."""
    return "pong"


TOOLS = [ping, get_weather, sendEmail, invoice_list]


def box(**options: Any) -> Toolbox:
    return Toolbox(TOOLS, **{"deferred": ["get_weather", "sendEmail", "invoice_list"], **options})


def names(tools: Any) -> list[str]:
    return [tool.get("name") or tool.get("function", {}).get("name") or tool["type"] for tool in tools]


def find(box_: Toolbox, query: str, **more: Any) -> ToolResult:
    (result,) = box_.run([ToolCall("f", "search_tools", {"query": query, **more})])
    return result


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("weather", ["get_weather"]),
        ("the WEATHER?", ["get_weather"]),
        ("send an email", ["sendEmail"]),
        ("e-mail subject", ["sendEmail"]),
        ("customer", ["invoice_list"]),
        ("to be paid", ["invoice_list", "sendEmail"]),
    ],
)
def test_tools_are_found_by_their_words(query: str, found: list[str]) -> None:
    """Of names, whichever way they are written, descriptions and parameters; the best first."""
    result = find(box(), query)

    assert [row["name"] for row in result.output.result] == found
    assert json.loads(result.text) == result.output.result


def test_what_is_found_is_told_with_its_description() -> None:
    """As many as asked for; and that nothing fits, where nothing does."""
    assert find(box(), "to be paid", limit=1).output.result == [
        {"name": "invoice_list", "description": "List what is to be paid."}
    ]
    assert find(box(), "zebra").text == "No tool fits 'zebra'; try other words for what it should do."
    assert find(box(), "?!").text == "No tool fits '?!'; try other words for what it should do."


def test_a_provider_without_search_is_told_of_tools_when_they_were_found() -> None:
    """At first the others and the search; then, behind them, what was found, in that order."""
    box_ = box()
    offer = box_.offer("openai")
    results = [find(box_, "to be paid"), find(box_, "weather")]

    assert names(offer.tools) == names(box_.to("openai")) == ["ping", "search_tools"]
    assert box_.opened(results) == ("invoice_list", "sendEmail", "get_weather")
    assert names(offer.opened(box_.opened(results))) == [
        "ping",
        "search_tools",
        "invoice_list",
        "sendEmail",
        "get_weather",
    ]
    assert offer.opened(["get_weather", "nobody", "get_weather", "ping"]) == (*offer.tools, offer.tool("get_weather"))


def test_a_tool_that_was_called_without_a_search_is_known_too() -> None:
    """However the model knew of it; its call is run, or refused, like any other."""
    box_ = box()
    results = box_.run([ToolCall("1", "get_weather", {}), ToolCall("2", "ping"), ToolCall("3", "nobody")])

    assert results[0].problems
    assert box_.opened(results) == ("get_weather",)
    assert box_.opened([find(box_, "zebra"), ToolResult.from_dict(find(box_, "weather").to_dict())]) == ("get_weather",)


@pytest.mark.parametrize(
    ("provider", "search"),
    [
        ("anthropic", {"type": "tool_search_tool_bm25_20251119", "name": "tool_search_tool_bm25"}),
        ("openai-responses", {"type": "tool_search"}),
    ],
)
def test_a_provider_with_search_is_told_of_all(provider: str, search: Any) -> None:
    """With a mark, and its own search behind them; what was found changes nothing."""
    offer = box().offer(provider)

    assert names(offer.tools)[:4] == ["ping", "get_weather", "sendEmail", "invoice_list"]
    assert [tool.get("defer_loading") for tool in offer.tools] == [None, True, True, True, None]
    assert offer.tools[-1] == search
    assert offer.opened(["get_weather"]) == offer.tools


def test_the_search_here_can_be_preferred() -> None:
    """For models that are older than their provider's search."""
    assert names(box(search_here=True).to("anthropic")) == ["ping", "search_tools"]


@pytest.mark.parametrize("provider", ["mcp", "json-schema"])
def test_who_lists_tools_once_lists_all(provider: str) -> None:
    """Nobody could ask again."""
    assert len(box().to(provider)) == 4


@pytest.mark.parametrize("deferred", [True, ["ping"], {"ping": 1}])
def test_tools_are_deferred_together_or_by_name(deferred: Any) -> None:
    """By the toolbox, or each by itself."""
    assert Toolbox([ping], deferred=deferred)["ping"].deferred
    assert Toolbox([Tool.make(ping).deferred()])["ping"].deferred
    assert names(Toolbox([ping], deferred=True).to("openai")) == ["search_tools"]


def test_without_deferred_tools_there_is_no_search() -> None:
    """Nor a mark."""
    assert "search_tools" not in Toolbox(TOOLS)
    assert names(Toolbox(TOOLS).to("anthropic")) == ["ping", "get_weather", "sendEmail", "invoice_list"]
    assert Toolbox(TOOLS).opened([]) == ()


def test_a_deferred_tool_must_be_there() -> None:
    """A misspelled name would defer nothing."""
    with pytest.raises(DefinitionError, match="there is no tool 'get_wether' to defer; did you mean 'get_weather'"):
        Toolbox(TOOLS, deferred=["get_wether"])


def test_a_toolbox_can_be_made_larger() -> None:
    """With the same settings; helpers are made anew, and what was cut can be read on in both."""
    long = tool(lambda: "0123456789", name="long").with_result_limit(4)
    first = Toolbox([long, get_weather], deferred=["get_weather"], search_here=True, max_concurrency=2)
    larger = first.with_tools([tool(ping).deferred()])
    (result,) = first.run([ToolCall("1", "long")])
    reading = ToolCall("2", "read_result", {"id": result.artifacts[0].id, "start": 4})

    assert list(larger._tools) == ["long", "get_weather", "ping", "read_result", "search_tools"]
    assert larger.run([reading])[0].text == "456789"
    assert {row["name"] for row in find(larger, "weather answer").output.result} == {"get_weather", "ping"}
    assert (larger._max_concurrency, larger._search_here) == (2, True)


def test_an_agent_sends_what_was_found() -> None:
    """The model searches, and is told of the tool from the next step on, also in a later run."""
    model = ScriptedModel(
        [
            ToolCall("1", "search_tools", {"query": "weather"}),
            ToolCall("2", "get_weather", {"city": "Oslo"}),
            "Sunny.",
            "Yes.",
        ],
        tool_dialect="openai",
    )
    agent = Agent("demo", model, tools=Toolbox(TOOLS, deferred=["get_weather", "sendEmail"], search_here=True))
    response = agent.run("How is the weather in Oslo?")
    agent.run("Sure?", messages=response.messages)

    told = [names(ask.tools) for ask in model.asked]
    assert response.tool_results[1].text == "Sunny in Oslo"
    assert told == [
        ["ping", "invoice_list", "search_tools"],
        *[["ping", "invoice_list", "search_tools", "get_weather"]] * 3,
    ]


def sold() -> Toolbox:
    return Toolbox([ping, tool(invoice_list, name="billing.invoice_list")], deferred=["billing.invoice_list"])


def test_a_found_tool_is_told_by_the_name_that_it_has_to_be_called_by() -> None:
    """Where the provider does not take the declared one; the result itself, and what is opened by it, keep that."""
    offer = sold().offer("openai")
    (result,) = sold().run([ToolCall("1", "search_tools", {"query": "customer"})], offer=offer)
    called = offer.opened(sold().opened([result]))[-1]["function"]["name"]

    assert json.loads(result.text) == [{"name": "billing_invoice_list", "description": "List what is to be paid."}]
    assert result.output.result == find(sold(), "customer").output.result
    assert [row["name"] for row in result.output.result] == ["billing.invoice_list"]
    assert called == "billing_invoice_list"
    assert find(sold(), "zebra").text == sold().run([find(sold(), "zebra").call], offer=offer)[0].text


def test_an_agent_tells_found_tools_by_their_names_for_the_model() -> None:
    """Also those that were found in a conversation with another model."""
    search = ToolCall("1", "search_tools", {"query": "customer"})
    first = ScriptedModel([search, "Found."], tool_dialect="gemini")
    second = ScriptedModel([ToolCall("2", "billing_invoice_list", {"customer": 1}), "Nothing."], tool_dialect="openai")
    earlier = Agent("demo", first, tools=sold()).run("What is there?")
    later = Agent("demo", second, tools=sold()).run("And for 1?", messages=earlier.messages)
    told = [result.text for ask in second.asked[:1] for m in ask.messages for result in getattr(m, "results", ())]

    assert json.loads(earlier.tool_results[0].text)[0]["name"] == "billing.invoice_list"
    assert [json.loads(text)[0]["name"] for text in told] == ["billing_invoice_list"]
    assert [result.call.name for result in later.tool_results] == ["billing.invoice_list"]
