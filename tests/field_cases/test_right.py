"""What the prose of the read field cases demands beyond their `expect`. Each test is named by the id of its case."""

import decimal
from collections.abc import Callable
from types import ModuleType
from typing import Any

import anyio
import attrs
import pytest

from prismpy import (
    AssistantMessage,
    CallPart,
    Tool,
    Toolbox,
    ToolCall,
    ToolResultEvent,
    ToolResultMessage,
    UserMessage,
    tool,
)
from prismpy.codecs import AnthropicCodec, Ask, ChatCodec
from prismpy.lowering import strict_providers
from tests.shared import needs_shared

from .cases import CASES, Case
from .made import Made, make, outcomes

pytestmark = needs_shared

MadeOf = Callable[[str], Made]


@pytest.fixture
def made_of(module_of: Callable[[Case], ModuleType]) -> MadeOf:
    """Return a function that makes the tools of a case, by its id."""
    return lambda id_: make(CASES[id_], module_of)


def texts(made: Made, *forms: Any) -> set[str]:
    return {result.text for result in outcomes(made.tool, *forms)}


# --- providers ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("provider", strict_providers())
def test_fc_provider_13_nothing_is_required_of_no_parameters(made_of: MadeOf, provider: str) -> None:
    """A strict tool without parameters says so in full."""
    assert made_of("fc-provider-13").tool.lower(provider, strict=True).schema == {
        "type": "object",
        "properties": {},
        "required": [],
        "additionalProperties": False,
    }


def test_fc_provider_15_the_single_value_is_told(made_of: MadeOf) -> None:
    """As the only option of a text, in words for what can be no option."""
    assert made_of("fc-provider-15").tool.to("gemini")["parameters"]["properties"] == {
        "s": {"type": "string", "enum": ["a"]},
        "b": {"type": "boolean", "description": "exactly true"},
        "i": {"type": "integer", "description": "exactly 3"},
        "f": {"type": "number", "description": "exactly 1.5"},
    }


def test_fc_provider_17_what_is_referred_to_stands_in_place(made_of: MadeOf) -> None:
    """The description beside a reference stays, and an object of any names is a list of entries."""
    parameters = made_of("fc-provider-17").tool.to("gemini")["parameters"]

    assert parameters["properties"]["cfg"]["description"] == "settings"
    assert parameters["properties"]["cfg"]["required"] == ["k"]
    assert parameters["properties"]["more"]["items"] == parameters["properties"]["hdr"]


# --- schemas ------------------------------------------------------------------------------------------------------


def test_fc_schema_08_postponed_annotations_change_nothing(module_of: Callable[[Case], ModuleType]) -> None:
    """The schema is the one without the future import, and a model arrives as what it is."""
    case = CASES["fc-schema-08"]
    code = case.input["code"].replace("from __future__ import annotations\n", "")
    plain = make(attrs.evolve(case, id="fc-schema-08-plain", input={**case.input, "code": code}), module_of)
    postponed = make(case, module_of)

    assert postponed.schema == plain.schema
    assert texts(postponed, {"amount": 1, "coin": {"code": "X"}, "mode": "cash"}) == {"X"}


def test_fc_schema_10_not_required_is_not_nullable(made_of: MadeOf) -> None:
    """A key that may be left out keeps its plain type."""
    assert made_of("fc-schema-10").properties == {
        "job": {
            "type": "object",
            "properties": {"queue": {"type": "integer"}, "label": {"type": "string"}},
            "required": ["queue"],
            "additionalProperties": False,
        }
    }


def test_fc_schema_12_members_are_offered_by_value(made_of: MadeOf) -> None:
    """An enum of strings is a choice of its values."""
    assert made_of("fc-schema-12").properties == {"size": {"type": "string", "enum": ["s", "l"]}}


def test_fc_schema_13_mixed_choices_have_all_their_types(made_of: MadeOf) -> None:
    """A choice of several types says all of them."""
    assert made_of("fc-schema-13").properties == {
        "v": {"type": ["string", "integer", "null"], "enum": ["auto", 0, None]}
    }


def test_fc_schema_17_bare_containers_say_what_they_are(made_of: MadeOf) -> None:
    """A bare list takes any items, and says so; a bare dict takes any entries."""
    assert made_of("fc-schema-17").properties == {
        "names": {"type": "array", "items": {}},
        "meta": {"type": "object", "default": {}},
    }


def test_fc_schema_18_defaults_are_said_in_json(made_of: MadeOf) -> None:
    """A default is said in its JSON form, and not at all where it has none."""
    properties = made_of("fc-schema-18").properties

    assert {name: node["default"] for name, node in properties.items() if "default" in node} == {
        "at": "2024-01-02T00:00:00",
        "root": "/t",
        "seen": [3],
    }


def test_fc_schema_21_what_a_partial_binds_is_not_offered(made_of: MadeOf) -> None:
    """A model cannot set what was bound."""
    assert list(made_of("fc-schema-21").properties) == ["left"]


def test_fc_provider_05_an_enum_keeps_its_description(made_of: MadeOf) -> None:
    """The description stands beside the choices."""
    assert made_of("fc-provider-05").properties == {
        "role": {"type": "string", "enum": ["admin", "user"], "description": "The role to give."}
    }


@pytest.mark.parametrize(
    "id_", ["fc-provider-03", "fc-provider-06", "fc-provider-10", "fc-provider-17", "fc-provider-21"]
)
def test_fc_provider_schemas_go_out_as_they_came(id_: str) -> None:
    """Plain export changes nothing in a schema that was written by hand."""
    schema = CASES[id_].input["schema"]

    assert Tool.from_schema("t", "", schema).to("json-schema") == schema


def test_fc_provider_07_branches_keep_their_tags(made_of: MadeOf) -> None:
    """A tagged union offers every branch with its tag."""
    branches = made_of("fc-provider-07").properties["steps"]["items"]["anyOf"]

    assert [branch["properties"]["op"].get("const") for branch in branches] == ["buy", "sell"]


def test_fc_provider_10_a_decimal_takes_no_detour() -> None:
    """A Decimal is what was sent, from a number and from text."""
    got: list[decimal.Decimal] = []

    def pay(amount: decimal.Decimal) -> None:
        got.append(amount)

    for amount in (12.5, "12.30", 0.1):
        assert not tool(pay).run({"amount": amount}).is_error
    assert [str(amount) for amount in got] == ["12.5", "12.30", "0.1"]


# --- arguments ----------------------------------------------------------------------------------------------------


def test_fc_args_03_the_first_error_is_told(made_of: MadeOf) -> None:
    """Text that is no list is reported as that, not as broken JSON."""
    problems = made_of("fc-args-03").tool.run({"nums": "1, 2"}).problems

    assert [(problem.path, problem.rule, problem.expected, problem.found) for problem in problems] == [
        ("nums", "type", "array", '"1, 2"')
    ]


@pytest.mark.parametrize("text", ["[]", '"value"', "123", "true", "null"])
def test_fc_args_08_what_is_no_object_is_said(text: str, made_of: MadeOf) -> None:
    """The model is told which tool, what came, and what must come."""
    said = made_of("fc-args-08").tool.run(text).text

    assert said.startswith("echo was not called")
    assert f"the arguments must be a JSON object, got {text}" in said


def test_fc_args_14_the_default_stays_in_the_schema(made_of: MadeOf) -> None:
    """However often a handler changed its default, the schema says the original."""
    made = made_of("fc-args-14")
    for word in ("a", "b"):
        made.tool.run({"word": word})

    assert made.properties["pile"] == {"type": "array", "items": {"type": "string"}, "default": []}


def test_fc_args_15_a_model_is_not_flattened(made_of: MadeOf) -> None:
    """The parameter wraps the model, also where both have one name; what fits neither is refused."""
    made = made_of("fc-args-15")

    assert texts(made, {"box": {}}) == {"{}"}
    assert made.tool.run({"box": {"c": 1}}).is_error


@pytest.mark.parametrize("arguments", ["", " ", None, "{}"])
def test_fc_args_06_history_says_an_empty_object(arguments: str | None) -> None:
    """However a model wrote that there are no arguments: an object for Anthropic, its text for OpenAI."""
    ask = Ask("m", [UserMessage("hi"), AssistantMessage([CallPart(ToolCall("a", "ping", arguments))])])

    assert AnthropicCodec().request(ask)["messages"][1]["content"][0]["input"] == {}
    assert ChatCodec().request(ask)["messages"][1]["tool_calls"][0]["function"]["arguments"] == "{}"


# --- failures and results -----------------------------------------------------------------------------------------


def test_fc_dispatch_12_a_failure_stops_nobody_else(made_of: MadeOf) -> None:
    """A failed tool is marked, and the next call runs."""
    box = Toolbox([made_of("fc-dispatch-12").tool, tool(lambda: "ok", name="other")])
    results = box.run([ToolCall("a", "boom"), ToolCall("b", "other")])

    assert [(result.is_error, result.text) for result in results] == [
        (True, "boom failed: ValueError: no stock"),
        (False, "ok"),
    ]


def test_fc_dispatch_12_without_error_handling_it_is_raised(made_of: MadeOf) -> None:
    """Where handling is off, the original exception leaves the run, sync and async."""
    made = made_of("fc-dispatch-12").tool.without_error_handling()

    with pytest.raises(ValueError, match="no stock"):
        made.run()
    with pytest.raises(ValueError, match="no stock"):
        anyio.run(made.arun)


def test_fc_dispatch_12_who_reads_along_is_told(made_of: MadeOf) -> None:
    """The event of the result says that it failed and why, and Anthropic reads the same."""
    call = ToolCall("a", "boom", {})
    (result,) = Toolbox([made_of("fc-dispatch-12").tool]).run([call])
    told = ToolResultEvent(result, "m").to_dict()
    history = [AssistantMessage([CallPart(call)]), ToolResultMessage([result])]

    assert (told["success"], told["error"]) == (False, "boom failed: ValueError: no stock")
    assert AnthropicCodec().request(Ask("m", history))["messages"][1]["content"] == [
        {
            "type": "tool_result",
            "tool_use_id": "a",
            "content": "boom failed: ValueError: no stock",
            "is_error": True,
        }
    ]


def test_fc_result_03_nothing_is_an_answer(made_of: MadeOf) -> None:
    """None is the JSON null, and an empty text stays one; both calls are answered."""
    made = made_of("fc-result-03")
    results = Toolbox(made.tools.values()).run([ToolCall("1", "n"), ToolCall("2", "s")])

    assert [(result.call.id, result.text, result.is_error) for result in results] == [
        ("1", "null", False),
        ("2", "", False),
    ]


def test_fc_result_04_the_rest_of_the_text_is_kept(made_of: MadeOf) -> None:
    """Only the lone surrogate is replaced."""
    assert texts(made_of("fc-result-04"), {}) == {"a?b"}
