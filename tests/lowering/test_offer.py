"""A whole toolbox in a provider's words, and calls in and out of them."""

import json
from typing import Any

import pytest
from hypothesis import given

from prismpy import Change, DefinitionError, LoweringError, Tool, Toolbox, ToolCall, tool
from prismpy.lowering import Lowered, Offer, offer
from tests.lowering.forms import answers
from tests.strategies import json_values


def label(tags: dict[str, int], note: str = "none") -> str:
    """Label things."""
    return f"{tags} {note}"


def find(query: str) -> str:
    """Find something."""
    return f"found {query}"


def box() -> Toolbox:
    return Toolbox([tool(label), tool(find, name="stock.find")])


STRICT = box().offer("openai", strict=True)


def test_an_offer_is_everything_that_is_sent() -> None:
    """Tools in the order given, each under a name that fits."""
    assert STRICT.provider == "openai"
    assert [one["function"]["name"] for one in STRICT.tools] == ["label", "stock_find"]
    assert list(STRICT.tools) == box().to("openai", strict=True)
    assert [one["function"]["strict"] for one in STRICT.tools] == [True, True]
    assert {name: low.schema for name, low in STRICT.lowered.items()} == {
        "label": STRICT.tools[0]["function"]["parameters"],
        "stock.find": STRICT.tools[1]["function"]["parameters"],
    }


def test_changes_name_their_tool() -> None:
    """They are those of each tool's schema, and new names."""
    assert [(change.tool, change.rule, change.path) for change in STRICT.changes] == [
        ("label", "entries", "$.properties.tags"),
        ("label", "unsupported-keyword", "$.properties.note.default"),
        ("label", "all-required", "$.properties.note"),
        ("stock.find", "tool-name", "name"),
    ]
    assert STRICT.changes[-1] == Change("tool-name", "name", "stock.find", "stock_find", tool="stock.find")
    assert str(STRICT).splitlines()[::4] == [
        "openai, 2 tools: 4 changes",
        '  stock.find: name: tool-name: "stock.find" -> "stock_find"',
    ]
    assert str(Toolbox([tool(find)]).offer("mcp")) == "mcp, 1 tools: nothing changes"


def test_what_was_offered_can_be_edited() -> None:
    """The next look at it gives the same."""
    STRICT.tools[0].clear()

    assert list(STRICT.tools[0]) == ["type", "function"]
    with pytest.raises(TypeError):
        STRICT.lowered["x"] = STRICT.lowered["label"]  # type: ignore[index]  # that is the point


SENT = {"tags": [{"name": "a", "value": 1}], "note": None}


@pytest.mark.parametrize(
    ("call", "decoded"),
    [
        (ToolCall("1", "label", SENT), ToolCall("1", "label", {"tags": {"a": 1}})),
        (ToolCall("1", "label", json.dumps(SENT)), ToolCall("1", "label", {"tags": {"a": 1}})),
        (ToolCall("1", "label", json.dumps(SENT).encode()), ToolCall("1", "label", {"tags": {"a": 1}})),
        (ToolCall("1", "stock_find", '{"query": "x"}'), ToolCall("1", "stock.find", '{"query": "x"}')),
        (ToolCall("1", "stock.find", {"query": "x"}), ToolCall("1", "stock.find", {"query": "x"})),
        (ToolCall("1", "label", " "), ToolCall("1", "label", {})),
        (ToolCall("1", "label", None), ToolCall("1", "label", {})),
        (ToolCall("1", "label", "{"), ToolCall("1", "label", "{")),
        (ToolCall("1", "label", b"\xff"), ToolCall("1", "label", b"\xff")),
        (ToolCall("1", "label", "[]"), ToolCall("1", "label", "[]")),
        (ToolCall("1", "label", '{"note": "a", "note": "b"}'), ToolCall("1", "label", '{"note": "a", "note": "b"}')),
        (ToolCall("1", "stock_find", "{"), ToolCall("1", "stock.find", "{")),
        (ToolCall("1", "lable", SENT), ToolCall("1", "lable", SENT)),
    ],
)
def test_calls_are_decoded(call: ToolCall, decoded: ToolCall) -> None:
    """Names and arguments; what cannot be read, and what is unknown, is left for the executor to report."""
    assert STRICT.decode(call) == decoded


@pytest.mark.parametrize(
    ("call", "encoded"),
    [
        (ToolCall("1", "label", {"tags": {"a": 1}}), ToolCall("1", "label", SENT)),
        (ToolCall("1", "label", '{"tags": {"a": 1}}'), ToolCall("1", "label", SENT)),
        (ToolCall("1", "stock.find", {"query": "x"}), ToolCall("1", "stock_find", {"query": "x"})),
        (ToolCall("1", "lable", {}), ToolCall("1", "lable", {})),
        (ToolCall("1", "label", {"tags": 3}), ToolCall("1", "label", {"tags": 3, "note": None})),
    ],
)
def test_calls_are_encoded(call: ToolCall, encoded: ToolCall) -> None:
    """So that a history can be sent again."""
    assert STRICT.encode(call) == encoded


def test_what_was_not_lowered_stays_text() -> None:
    """Where the schema is as declared, arguments are sent and read as they are."""
    plain = box().offer("openai")

    assert plain.decode(ToolCall("1", "stock_find", '{"query":1e0}')) == ToolCall("1", "stock.find", '{"query":1e0}')


@given(json_values())
def test_no_call_breaks_an_offer(value: Any) -> None:
    """Whatever the arguments are."""
    for arguments in (value, json.dumps(value), {"tags": value}, {"note": value, "tags": [value]}):
        for translate in (STRICT.decode, STRICT.encode):
            translated = translate(ToolCall("1", "label", arguments))

            assert (translated.id, translated.name) == ("1", "label")
            assert answers(
                lambda given, translate=translate: translate(ToolCall("1", "label", given)).arguments, arguments
            )


def test_strictness_is_chosen_for_each_tool() -> None:
    """`auto` is strict where a tool loses nothing."""
    lossy = Tool.as_("lossy").with_string_parameter("x", "Text", max_length=3)
    offered = Toolbox([find, lossy]).offer("openai", strict="auto")

    assert {name: low.strict for name, low in offered.lowered.items()} == {"find": True, "lossy": False}
    with pytest.raises(LoweringError, match="tool 'lossy': openai cannot say"):
        Toolbox([find, lossy]).offer("openai", strict=True, on_loss="raise")


def test_two_tools_of_one_name_are_refused() -> None:
    """Nobody could tell whose call it is."""
    with pytest.raises(DefinitionError, match="two tools are called 'find'"):
        offer([tool(find).spec, tool(find).spec], "openai")


def test_offers_are_values_that_type_checkers_know() -> None:
    """An offer is what `Toolbox.offer` returns."""
    assert isinstance(STRICT, Offer)
    assert all(isinstance(low, Lowered) for low in STRICT.lowered.values())
