"""Thousands of real tools and calls: the schemas stay as they are, and exactly the valid calls are run."""

import copy
import json
from collections import Counter
from functools import cache
from typing import Any

import anyio
import pytest
from jsonschema import Draft202012Validator

from prismpy import Tool, Toolbox, ToolCall
from prismpy.execution._coerce import coerce
from prismpy.schema import canonical, place_of
from tests.shared import corpus_tools, needs_shared, read_rows, tool_rows

pytestmark = needs_shared


@cache
def runnable_tools() -> dict[str, Tool]:
    """Return the tools of the corpus with a handler that takes anything, by id."""
    return {id_: copy.copy(tool).using(lambda **_: "ok") for id_, tool in corpus_tools().items()}


def calls() -> tuple[Any, ...]:
    return read_rows("corpora/calls.jsonl")


@pytest.mark.parametrize("tools", [corpus_tools, runnable_tools], ids=["described", "runnable"])
def test_schemas_come_out_as_they_went_in(tools: Any) -> None:
    """A tool made of a JSON Schema has that schema, whether or not it has a handler."""
    changed = [
        row["id"]
        for row in tool_rows()
        if canonical(tools()[row["id"]].to("json-schema")) != canonical(row["parameters"])
    ]

    assert len(tool_rows()) == 3995
    assert changed == []


def test_exactly_the_valid_calls_are_run_as_they_are() -> None:
    """A call runs without repairs if and only if its arguments fit the schema; a third of the others can be repaired."""
    results = [(call["valid"], runnable_tools()[call["tool"]].run(call["arguments"])) for call in calls()]
    ran = Counter((valid, not result.is_error, bool(result.repairs)) for valid, result in results)

    assert ran == Counter({(True, True, False): 6077, (False, False, False): 125, (False, True, True): 58})


def test_what_was_repaired_is_valid() -> None:
    """The repaired arguments of a call that runs are what its schema accepts, by the reference."""
    repaired = [
        (schema, arguments)
        for call in calls()
        if not call["valid"] and not runnable_tools()[call["tool"]].run(call["arguments"]).is_error
        for schema in [corpus_tools()[call["tool"]].to("json-schema")]
        for arguments, _ in [coerce(place_of(schema), call["arguments"])]
    ]

    assert len(repaired) == 58
    assert [one for one in repaired if not Draft202012Validator(one[0]).is_valid(one[1])] == []


def test_every_refusal_names_a_problem() -> None:
    """A refused call says what is wrong, as data and as text, and its handler is not called."""
    ran = [(call, runnable_tools()[call["tool"]].run(call["arguments"])) for call in calls() if not call["valid"]]
    refused = [call for call, result in ran if result.is_error]
    results = [result for _, result in ran if result.is_error]

    assert [result for result in results if not result.problems] == []
    assert [result for result in results for problem in result.problems if str(problem) not in result.text] == []
    assert {result.text.splitlines()[0] for result in results} == {
        f"{runnable_tools()[call['tool']].spec.name} was not called; its arguments are wrong:" for call in refused
    }


def test_handlers_get_the_arguments_as_they_were_sent() -> None:
    """What is valid reaches the handler with its value and its type, from JSON text too; only defaults are added."""
    got: list[dict[str, Any]] = []
    tools = {id_: copy.copy(tool).using(lambda **kwargs: got.append(kwargs)) for id_, tool in corpus_tools().items()}
    sent = [call for call in calls() if call["valid"]]
    for call in sent:
        tools[call["tool"]].run(json.dumps(call["arguments"]))
    received = [
        {name: value for name, value in arguments.items() if name in call["arguments"]}
        for call, arguments in zip(sent, got, strict=True)
    ]

    assert [canonical(arguments) for arguments in received] == [canonical(call["arguments"]) for call in sent]


def test_async_gives_the_same() -> None:
    """The calls of one turn have the same results, sync and async."""
    some = calls()[:: len(calls()) // 200]
    tools = {call["id"]: copy.copy(runnable_tools()[call["tool"]]).as_(call["id"]) for call in some}
    turn = [ToolCall(call["id"], call["id"], call["arguments"]) for call in some]
    box = Toolbox(tools.values())

    assert box.run(turn) == anyio.run(box.arun, turn)
