"""How often a model may get a tool wrong."""

from typing import Any

import pytest

from prismpy import Budget, Decision, DefinitionError, Retry, Tool, Toolbox, ToolCall, ToolResult, tool
from tests.execution.drivers import Driver

pytestmark = pytest.mark.anyio


def book(day: str) -> str:
    """Book a table."""
    if day == "Monday":
        raise Retry(f"{day} is a holiday.")
    if day == "never":
        raise ValueError(day)
    return f"booked {day}"


RIGHT, AGAIN, WRONG, BROKEN = ({"day": "Friday"}, {"day": "Monday"}, {"day": 3}, {"day": "never"})


def limited(retries: int) -> Toolbox:
    return Toolbox([tool(book).with_retries(retries)])


async def results_of(drive: Driver, box: Toolbox, *turns: list[Any]) -> list[list[ToolResult]]:
    """Run turns of calls with these arguments, as an agent does."""
    done: list[list[ToolResult]] = []
    for turn in turns:
        calls = [ToolCall(str(i), "book", arguments) for i, arguments in enumerate(turn)]
        done.append(await drive(box, calls, budget=Budget.of(done)))
    return done


async def retries(drive: Driver, box: Toolbox, *turns: list[Any]) -> list[list[str]]:
    return [[result.retry for result in turn] for turn in await results_of(drive, box, *turns)]


async def test_the_last_try_is_told_and_the_next_call_is_refused(drive: Driver) -> None:
    """Wrong arguments and `Retry` count alike; the result says whether there is another try, in words and as data."""
    turns = await results_of(drive, limited(1), [AGAIN], [AGAIN], [RIGHT])

    assert [(turn[0].text, turn[0].is_error, turn[0].retry) for turn in turns] == [
        ("Monday is a holiday; call book again with this set right", True, "open"),
        ("Monday is a holiday; this was the last try, go on without book", True, "spent"),
        ("book was not run: it was called wrongly too often in this run; go on without it", True, "spent"),
    ]


async def test_refused_arguments_say_so_below_what_was_expected(drive: Driver) -> None:
    """The problems are told all the same."""
    ((result,),) = await results_of(drive, limited(0), [WRONG])

    assert (result.text, result.retry) == (
        "book was not called; its arguments are wrong:\n- day: expected string, got 3\nExpected: {day: string}\n"
        "This was the last try; go on without book.",
        "spent",
    )


@pytest.mark.parametrize(
    ("turns", "told"),
    [
        ([[AGAIN, WRONG, AGAIN], [WRONG]], [["open", "open", "open"], ["spent"]]),  # a turn counts once
        ([[AGAIN], [RIGHT], [AGAIN], [AGAIN]], [["open"], [""], ["open"], ["spent"]]),  # a right call clears it
        ([[AGAIN], [RIGHT, WRONG], [RIGHT]], [["open"], ["", "spent"], ["spent"]]),  # but not beside a wrong one
        ([[AGAIN], [BROKEN], [AGAIN]], [["open"], [""], ["spent"]]),  # and a failure of the handler leaves it
    ],
)
async def test_turns_in_a_row_count(turns: Any, told: Any, drive: Driver) -> None:
    """A model learns of its mistakes turn by turn."""
    assert await retries(drive, limited(1), *turns) == told


async def test_without_a_limit_there_is_always_another_try(drive: Driver) -> None:
    """As with a tool that is run without a count."""
    assert await retries(drive, Toolbox([book]), [WRONG], [WRONG], [WRONG]) == [["open"]] * 3
    assert (await drive(tool(book), WRONG)).retry == "open"


async def test_what_is_no_mistake_of_the_model_asks_for_no_other_try(drive: Driver) -> None:
    """Unknown tools, failures of handlers, refused approvals, arguments that somebody else changed."""
    guarded = tool(book, name="guarded").requires_approval()
    calls = [ToolCall("1", "boook", RIGHT), ToolCall("2", "book", BROKEN), ToolCall("3", "guarded", RIGHT)]
    results = await drive(Toolbox([book, guarded]), calls)
    edited = await drive(Toolbox([guarded]), calls[2:], approve=lambda _: Decision(True, arguments=WRONG))

    assert [result.retry for result in (*results, *edited)] == ["", "", "", ""]
    assert edited[0].problems


def test_a_spent_tool_waits_for_nobody() -> None:
    """Nobody is asked about a call that is refused anyway."""
    box = Toolbox([Tool.as_("ask").external().with_retries(0)])

    assert len(box.waiting([ToolCall("1", "ask")])) == 1
    assert box.waiting([ToolCall("1", "ask")], budget=Budget({"ask": 1})) == ()


def test_a_budget_is_stored() -> None:
    """It is a value like others, though it follows from the results."""
    budget = Budget({"book": 2})

    assert Budget.from_dict(budget.to_dict()) == budget


@pytest.mark.parametrize("retries", [-1, 1.5, None])
def test_retries_are_a_number(retries: Any) -> None:
    """From 0 up."""
    with pytest.raises(DefinitionError, match=r"with_retries\(\) got .*; pass how often, from 0 up"):
        tool(book).with_retries(retries)
