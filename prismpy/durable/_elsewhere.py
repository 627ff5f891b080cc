"""Calls that go through the queue of their tool, to whichever worker takes them."""

from collections.abc import Mapping
from typing import Any

from prismpy.agent import Agent
from prismpy.errors import DurableError
from prismpy.execution import Budget, RunOptions
from prismpy.messages import Decision, ToolCall

from ._attempt import attempt
from ._course import Course, Services, in_words, steady
from ._ledger import Entry


async def elsewhere(course: Course, entry: Entry, options: RunOptions) -> dict[str, Any]:
    """
    Have a call made by a worker, and wait for what it comes to.

    Returns:
        As `attempt` does.
    """
    services = course.services
    order = await steady(services.contents.packed, _order(course.agent, entry, options))
    try:
        packed = await services.host.elsewhere(entry.call.name, entry.key, order)
    except Exception as error:  # noqa: BLE001  # what the worker met, in the words of `ordered`
        return {"raised": {"type": str(error), "message": ""}}
    return dict(await steady(services.contents.unpacked, packed))


def _order(agent: str, entry: Entry, options: RunOptions) -> dict[str, Any]:
    approve = options.get("approve")
    decisions = approve if isinstance(approve, Mapping) else {}  # a function would be asked about other tools only
    return {
        "agent": agent,
        "run": entry.run,
        "number": entry.number,
        "call": entry.call.to_dict(),
        "decisions": {id: _decision(given).to_dict() for id, given in decisions.items()},
        "budget": options.get("budget", Budget()).to_dict(),
    }


def _decision(given: bool | Decision) -> Decision:
    return given if isinstance(given, Decision) else Decision(given)


async def ordered(services: Services, agent: Agent, order: dict[str, Any]) -> str:
    """
    Do what was ordered, by the agent's own options.

    Returns:
        What it came to, packed.

    Raises:
        DurableError: what the handler of a tool without error handling raised, in words; asked again, it is run again.
    """
    call = ToolCall.from_dict(order["call"])
    entry = Entry(order["run"], order["number"], call, agent.toolbox[call.name].crash_policy)
    given = agent.run_options
    given["approve"] = {id: Decision.from_dict(told) for id, told in order["decisions"].items()}
    given["budget"] = Budget.from_dict(order["budget"])
    outcome = await attempt(services, agent.toolbox, entry, given)
    if "raised" in outcome:
        raise DurableError(in_words(outcome["raised"]))
    return str(await steady(services.contents.packed, outcome))
