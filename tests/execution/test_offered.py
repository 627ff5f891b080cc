"""Calls in a provider's words, run as they come."""

import json
from typing import Any

import pytest

from prismpy import Decision, IntegerSchema, Retry, Tool, Toolbox, ToolCall, tool
from prismpy.execution import Budget
from tests.execution.drivers import Driver

pytestmark = pytest.mark.anyio


@tool
def label(tags: dict[str, int], note: str = "none") -> str:
    """Label things."""
    return f"{tags} {note}"


BOX = Toolbox([label, Tool.as_("stock.find").using(lambda: "found").concurrent()])
OFFER = BOX.offer("openai", strict=True)
SENT = {"tags": [{"name": "a", "value": 1}], "note": None}


async def test_calls_are_decoded_first(drive: Driver) -> None:
    """The handler and the result see them as declared."""
    results = await drive(BOX, [ToolCall("1", "stock_find"), ToolCall("2", "label", json.dumps(SENT))], offer=OFFER)

    assert [(result.call, result.text) for result in results] == [
        (ToolCall("1", "stock.find"), "found"),
        (ToolCall("2", "label", {"tags": {"a": 1}}), "{'a': 1} none"),
    ]


async def test_one_tool_takes_an_offer_too(drive: Driver) -> None:
    """`tool.run` decodes what a provider sent."""
    result = await drive(label, json.dumps(SENT), offer=OFFER)

    assert result.text == "{'a': 1} none"


@pytest.mark.parametrize("text", ["```json\n{}\n```", "wrapped twice"])
async def test_arguments_that_need_repair_are_decoded_after_it(drive: Driver, text: str) -> None:
    """A code fence and a second encoding come off first, and the result says so."""
    sent = json.dumps(SENT)
    result = await drive(label, json.dumps(sent) if text == "wrapped twice" else text.replace("{}", sent), offer=OFFER)

    assert (result.text, len(result.repairs)) == ("{'a': 1} none", 1)


async def test_what_cannot_be_decoded_is_reported(drive: Driver) -> None:
    """Broken text, unknown names and wrong arguments are results."""
    broken = [ToolCall("1", "label", "{"), ToolCall("2", "lable", {}), ToolCall("3", "label", {"tags": 3})]
    results = await drive(BOX, broken, offer=OFFER)

    assert [result.is_error for result in results] == [True, True, True]
    assert "there is no tool 'lable'; did you mean 'label'?" in results[1].text
    assert results[2].problems[0].path == "tags"
    assert (
        results[2].text.splitlines()[-1]
        == "Expected: {tags: list of {name: string, value: integer}, note: string | null}"
    )


@pytest.mark.parametrize("option", ["offer", "told"])
async def test_tools_are_named_as_the_model_knows_them(drive: Driver, option: Any) -> None:
    """In everything that it reads of them, whether its calls are decoded here or were before."""

    def odd(count: int) -> str:
        if count:
            raise ValueError(count)
        return "none"

    def later() -> object:
        return Retry("Too soon.")

    box = Toolbox(
        [
            Tool.as_("a.odd").with_integer_parameter("count").using(odd).with_retries(0),
            Tool.as_("a.later").using(later),
            Tool.as_("a.asked").using(lambda: "").requires_approval(),
            Tool.as_("a.outside").external(),
            Tool.as_("a.misfit").using(lambda: "text").with_output(IntegerSchema()),
        ]
    )
    names = {"offer": "a_{}", "told": "a.{}"}[option]
    called = [
        ("odd", {}),
        ("odd", {"count": 1}),
        ("later", {}),
        ("asked", {}),
        ("outside", {}),
        ("misfit", {}),
    ]
    calls = [ToolCall(str(i), names.format(name), arguments) for i, (name, arguments) in enumerate(called)]
    calls.append(ToolCall("x", "a_oddd", {}))
    results = await drive(box, calls, **{option: box.offer("openai")})
    spent = await drive(box, calls[:1], **{option: box.offer("openai")}, budget=Budget({"a.odd": 1}))

    assert [result.text for result in (*results, *spent)] == [
        "a_odd was not called; its arguments are wrong:\n- count: missing; expected integer\n"
        "Expected: {count: integer}\nThis was the last try; go on without a_odd.",
        "a_odd failed: ValueError: 1",
        "Too soon; call a_later again with this set right",
        "a_asked needs approval and did not get it, so it was not run",
        "a_outside is answered outside of this run, and no answer has come",
        'a_misfit failed: its result is not what it should be (expected integer, got "text")',
        "there is no tool 'a_oddd'; did you mean 'a_odd'?; available are a_odd, a_later, a_asked, a_outside, a_misfit",
        "a_odd was not run: it was called wrongly too often in this run; go on without it",
    ]


async def test_who_approves_sees_the_declared_form(drive: Driver) -> None:
    """And answers in it."""
    seen: list[ToolCall] = []

    def approve(call: ToolCall) -> Decision:
        seen.append(call)
        return Decision(True, arguments={"tags": {"b": 2}})

    asked = Tool.make(label.spec.handler).requires_approval()
    result = await drive(asked, SENT, offer=OFFER, approve=approve)

    assert [call.arguments for call in seen] == [{"tags": {"a": 1}}]
    assert result.text == "{'b': 2} none"


async def test_calls_that_run_together_are_decoded_once(drive: Driver) -> None:
    """JSON text that says JSON text is read one level only."""
    echo = Tool.as_("echo").with_raw_parameter("x", "Anything", {}).using(repr_of).concurrent()
    offered = Toolbox([echo]).offer("openai", strict=True)
    results = await drive(Toolbox([echo]), [ToolCall(i, "echo", {"x": '"[1]"'}) for i in "ab"], offer=offered)

    assert [result.text for result in results] == ["'[1]'", "'[1]'"]


def repr_of(x: object) -> str:
    return repr(x)


def test_what_waits_is_told_in_the_declared_form() -> None:
    """Whoever decides sees what would be run."""
    box = Toolbox([Tool.make(label.spec.handler).requires_approval()])

    assert [pending.call for pending in box.waiting([ToolCall("1", "label", json.dumps(SENT))], offer=OFFER)] == [
        ToolCall("1", "label", {"tags": {"a": 1}})
    ]
