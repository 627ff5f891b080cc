"""Thousands of real tools and calls: the schemas stay as they are, and exactly the valid calls are run."""

import copy
import json
from collections import Counter
from functools import cache
from typing import Any

import anyio
import pytest

from prismpy import Tool, Toolbox, ToolCall
from prismpy.schema import canonical
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


def test_exactly_the_valid_calls_are_run() -> None:
    """A call is an error if and only if its arguments do not fit the schema."""
    ran = [(call["valid"], not runnable_tools()[call["tool"]].run(call["arguments"]).is_error) for call in calls()]

    assert Counter(ran) == Counter({(True, True): 6077, (False, False): 183})


def test_every_refusal_names_a_problem() -> None:
    """A refused call says what is wrong, as data and as text, and its handler is not called."""
    refused = [call for call in calls() if not call["valid"]]
    results = [runnable_tools()[call["tool"]].run(call["arguments"]) for call in refused]

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
