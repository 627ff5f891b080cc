"""Snapshots, and what has changed since."""

import copy
import json
from typing import Any

import pytest

from prismpy import DefinitionError, Finding, Tool, UnknownProviderError
from prismpy.review import changes_since, snapshot
from tests.shared import corpus_tools, needs_shared


def weather(unit: str = "Celsius", *choices: str) -> Tool:
    return (
        Tool.as_("weather")
        .for_("Get the forecast")
        .with_string_parameter("city", "Where")
        .with_enum_parameter("unit", unit, ["c", "f", *choices], required=False)
    )


PARAMETERS = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "description": "Where"},
        "unit": {"type": "string", "enum": ["c", "f"], "description": "Celsius"},
    },
    "required": ["city"],
    "additionalProperties": False,
}
STRICTLY = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "description": "Where"},
        "unit": {"type": ["string", "null"], "enum": ["c", "f", None], "description": "Celsius"},
    },
    "required": ["city", "unit"],
    "additionalProperties": False,
}


def test_a_snapshot_says_once_what_was_declared() -> None:
    """An export repeats it by a mark; what it says otherwise is spelled out."""
    function = {"name": "<name>", "description": "<description>", "parameters": "<parameters>"}

    assert snapshot([weather().spec], ["openai", "mcp"]) == {
        "prismpy_lock": 1,
        "providers": ["mcp", "openai"],
        "tools": {
            "weather": {
                "description": "Get the forecast",
                "parameters": PARAMETERS,
                "exports": {
                    "mcp": {"name": "<name>", "description": "<description>", "inputSchema": "<parameters>"},
                    "openai": {"type": "function", "function": function},
                    "openai strict": {
                        "type": "function",
                        "function": {**function, "parameters": STRICTLY, "strict": True},
                    },
                },
            }
        },
    }


def test_the_order_of_tools_and_providers_does_not_matter() -> None:
    """So that moving code changes no snapshot."""
    specs = [weather().spec, Tool.as_("a").spec]

    assert json.dumps(snapshot(specs, ["mcp", "openai"])) == json.dumps(snapshot(specs[::-1], ["openai", "mcp"]))


def test_a_refusal_is_kept_too() -> None:
    """A tool that a provider does not take is no reason to have no snapshot."""
    tool = Tool.as_("t").with_provider_options("openai-responses", no_such=1)

    assert list(snapshot([tool.spec], ["openai-responses"])["tools"]["t"]["exports"]["openai-responses"]) == ["refused"]


def test_a_refusal_of_all_tools_together_is_kept_with_each() -> None:
    """Each would be sent if the others were not."""
    specs = [
        Tool.as_(f"t{i}").with_provider_options("anthropic", cache_control={"type": "ephemeral"}).spec for i in range(5)
    ]
    kept = [tool["exports"]["anthropic"] for tool in snapshot(specs, ["anthropic"])["tools"].values()]

    assert kept == [{"refused": kept[0]["refused"]}] * 5
    assert kept[0]["refused"].startswith("anthropic takes cache_control on 4 tools of a request")


def test_declared_results_are_kept() -> None:
    """What a handler returns is part of the interface."""
    declared = Tool.as_("t").using(lambda: 1).with_output(weather().spec.parameters)

    assert snapshot([declared.spec], ["json-schema"])["tools"]["t"]["output"] == PARAMETERS


def test_names_in_common_have_no_snapshot() -> None:
    """One of the two would be lost."""
    with pytest.raises(DefinitionError, match=r"^two tools are called 'weather'; rename one with as_\(\)$"):
        snapshot([weather().spec, weather().spec])


# --- what has changed ---------------------------------------------------------


def since(lock: Any, *tools: Tool) -> tuple[Finding, ...]:
    return changes_since(json.loads(json.dumps(lock)), [tool.spec for tool in tools])


def test_nothing_has_changed_where_nothing_has() -> None:
    """A snapshot that went through a file is what it was."""
    assert since(snapshot([weather().spec]), weather()) == ()


def test_a_change_is_told_by_its_place_in_what_was_declared() -> None:
    """The exports that follow are named only."""
    assert since(snapshot([weather().spec], ["openai", "mcp"]), weather("Kelvin too", "k")) == (
        Finding("changed", "weather", "$.parameters.properties.unit.enum", '["c", "f"] -> ["c", "f", "k"]'),
        Finding("changed", "weather", "$.parameters.properties.unit.description", '"Celsius" -> "Kelvin too"'),
        Finding("changed", "weather", "", "so did what is exported", ("openai strict",)),
    )


def test_a_change_that_no_export_shows_is_told_alone() -> None:
    """A plain export repeats what was declared."""
    other = weather().for_("Get the weather")

    assert since(snapshot([weather().spec], ["mcp"]), other) == (
        Finding("changed", "weather", "$.description", '"Get the forecast" -> "Get the weather"'),
    )


def test_tools_and_keywords_come_and_go() -> None:
    """Each is told with what it says."""
    before = snapshot([weather().spec, Tool.as_("old").spec], ["mcp"])
    after = weather().with_integer_parameter("days", minimum=1)

    assert since(before, after, Tool.as_("new")) == (
        Finding("added", "new", "", "the tool"),
        Finding("removed", "old", "", "the tool"),
        Finding("added", "weather", "$.parameters.properties.days", '{"type": "integer", "minimum": 1}'),
        Finding("changed", "weather", "$.parameters.required", '["city"] -> ["city", "days"]'),
    )


def test_what_stands_behind_a_tool_is_written_down_with_it() -> None:
    """A cache point of Bedrock is an element of its own, and part of how the tool is told."""
    cached = weather().with_provider_options("bedrock", cachePoint={"type": "default"})
    told = {"toolSpec": {"name": "<name>", "description": "<description>", "inputSchema": {"json": "<parameters>"}}}

    assert snapshot([cached.spec], ["bedrock"])["tools"]["weather"]["exports"]["bedrock"] == [
        told,
        {"cachePoint": {"type": "default"}},
    ]


def test_a_change_in_an_export_alone_is_told_by_its_place_there() -> None:
    """As after an update of this package, or where an option of a provider was set."""
    lock = snapshot([weather().spec], ["anthropic", "mcp"])
    cached = weather().with_provider_options("anthropic", cache_control={"type": "ephemeral"})
    added = '{"type": "ephemeral"}'

    assert since(lock, cached) == (
        Finding("added", "weather", "$.cache_control", added, ("anthropic", "anthropic strict")),
    )
    lock["tools"]["weather"]["exports"]["mcp"]["title"] = "Weather"
    del lock["tools"]["weather"]["exports"]["anthropic"]
    assert since(lock, weather()) == (
        Finding(
            "added",
            "weather",
            "$",
            '{"name": "<name>", "description": "<description>", "input_schema": "<paramete...',
            ("anthropic",),
        ),
        Finding("removed", "weather", "$.title", '"Weather"', ("mcp",)),
    )


def test_the_order_of_keys_is_a_change() -> None:
    """Models read it, caches compare it, and strict modes answer in it."""
    lock = snapshot([weather().spec], ["mcp"])
    properties = lock["tools"]["weather"]["parameters"]["properties"]
    lock["tools"]["weather"]["parameters"]["properties"] = dict(reversed(properties.items()))

    assert since(lock, weather()) == (
        Finding("changed", "weather", "$.parameters.properties", "the order unit, city -> city, unit"),
    )


def test_values_that_python_takes_for_equal_are_told_apart() -> None:
    """1, 1.0 and true are three values in JSON; what differs inside a list is told by its place."""

    def of(*items: Any) -> Tool:
        return Tool.from_schema("t", "", {"type": "object", "x-items": list(items)})

    assert since(snapshot([of(1, 2).spec], ["json-schema"]), of(True, 2.0)) == (
        Finding("changed", "t", "$.parameters.x-items[0]", "1 -> true"),
        Finding("changed", "t", "$.parameters.x-items[1]", "2 -> 2.0"),
    )


@pytest.mark.parametrize(
    "lock", [None, [], {}, {"prismpy_lock": 2, "providers": [], "tools": {}}, {"prismpy_lock": 1, "providers": []}]
)
def test_what_is_no_snapshot_is_refused(lock: Any) -> None:
    """Also one in a form of another time."""
    with pytest.raises(DefinitionError, match=r"^this is no snapshot in form 1: .*; write a new one$"):
        changes_since(lock, [])


def test_a_provider_that_is_no_longer_known_is_named() -> None:
    """Its exports cannot be compared."""
    with pytest.raises(UnknownProviderError, match="unknown provider 'gone'"):
        changes_since({"prismpy_lock": 1, "providers": ["gone"], "tools": {}}, [])


@needs_shared
def test_real_tools_stay_as_they_are() -> None:
    """A snapshot of real tools, read back, is without changes; and one changed word in each is found."""
    some = list({tool.spec.name: tool for tool in list(corpus_tools().values())[::40]}.values())
    lock = snapshot([tool.spec for tool in some])

    assert len(some) == 100
    assert since(lock, *some) == ()
    changed = [copy.copy(tool).for_(f"{tool.spec.description} More") for tool in some]
    assert {one.tool for one in since(lock, *changed)} == {tool.spec.name for tool in some}
