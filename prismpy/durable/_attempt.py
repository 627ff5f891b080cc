"""One attempt at a call, inside its step: claim it, run the handler as its policy says, write down the end."""

from collections.abc import Mapping
from typing import Any

from prismpy.errors import HookError, StateError
from prismpy.execution import RunOptions
from prismpy.fluent import Toolbox
from prismpy.messages import ToolOutput, ToolResult

from ._course import Services, in_words, steady, told_error
from ._ledger import Entry, held, settle
from ._policy import State, given_up, step_of
from ._sql import Run, runner


async def attempt(services: Services, toolbox: Toolbox, entry: Entry, options: RunOptions) -> dict[str, Any]:
    """
    Bring a call to its end, or take the end that it came to before.

    Returns:
        `{"result": ...}` with the result as JSON, and the words of a hook that failed under `hook`; or
        `{"raised": ...}` with what the handler of a tool without error handling raised.
    """
    claim = await steady(services.ledger.claim, entry)
    match step_of(entry.policy, claim):
        case "keep":
            return dict(await steady(services.contents.unpacked, claim.result))
        case "give up":
            return await _settled(services, entry, {"result": given_up(entry.call, entry.policy).to_dict()}, "unknown")
        case _ if entry.policy == "exactly_once":
            return await _in_transaction(services, toolbox, entry, options)
        case _:
            outcome = await _outcome(toolbox, entry, options)
            return await _settled(services, entry, _final(entry, outcome))


async def _outcome(toolbox: Toolbox, entry: Entry, options: RunOptions) -> dict[str, Any]:
    given = RunOptions(**options)
    given["idempotency_key"] = entry.key
    try:
        (result,) = await toolbox.arun([entry.call], **given)
        return {"result": result.to_dict()}
    except HookError as error:
        return {"result": error.results[0].to_dict(), "hook": str(error)}
    except Exception as error:  # noqa: BLE001  # kept as a value, raised on the other side
        return {"raised": told_error(error)}


def _final(entry: Entry, outcome: dict[str, Any]) -> dict[str, Any]:
    """Make a result of what was raised where the call is not to run again; elsewhere it may, when the run goes on."""
    if "raised" not in outcome or entry.policy != "at_most_once":
        return outcome
    text = f"{entry.call.name} failed: {in_words(outcome['raised'])}; it is not run again"
    return {"result": ToolResult(entry.call, ToolOutput(text), text, is_error=True).to_dict()}


async def _settled(
    services: Services, entry: Entry, outcome: dict[str, Any], state: State | None = None
) -> dict[str, Any]:
    """Write down what a call came to, and return it."""
    if "raised" in outcome:
        await steady(services.ledger.failed, entry)
        return outcome
    outcome, packed = await steady(_packed, services, entry, outcome)
    await steady(services.ledger.settle, entry, state or _state(outcome), packed)
    return outcome


def _packed(
    services: Services, entry: Entry, outcome: dict[str, Any], run: Run | None = None
) -> tuple[dict[str, Any], str]:
    """
    Pack the result of a call, in a transaction or in one of its own; what is too long is told instead.

    What a hook said is no part of it: a run that is resumed after it takes the result and goes on.
    """
    try:
        return outcome, services.contents.packed({"result": outcome["result"]}, run)
    except StateError as error:
        text = f"{entry.call.name} ran, and its result cannot be kept: {error}"
        outcome = {"result": ToolResult(entry.call, ToolOutput(text), text, is_error=True).to_dict()}
        return outcome, services.contents.packed(outcome, run)


def _state(outcome: Mapping[str, Any]) -> State:
    return "failed" if outcome["result"]["is_error"] else "done"


async def _in_transaction(services: Services, toolbox: Toolbox, entry: Entry, options: RunOptions) -> dict[str, Any]:
    """Run a handler that writes through the connection it is handed, and keep its result in the same transaction."""
    connection = await steady(services.ledger.sql.engine.connect)
    outcome: dict[str, Any] | None = None
    committed = False
    try:
        if await steady(held, connection, entry):
            given = RunOptions(**options)
            given["provide"] = (*options.get("provide", ()), connection)
            outcome = await _outcome(toolbox, entry, given)
            if "raised" not in outcome and not outcome["result"]["is_error"]:
                outcome = await steady(_kept, services, connection, entry, outcome)
                committed = True
    finally:
        # a handler that was given up may hold on to the connection, and must not write into somebody else's transaction
        await steady(_released, connection, committed)
    if outcome is None:  # another process was faster
        claim = await steady(services.ledger.claim, entry)
        return dict(await steady(services.contents.unpacked, claim.result))
    return outcome if committed else await _settled(services, entry, outcome)


def _kept(services: Services, connection: Any, entry: Entry, outcome: dict[str, Any]) -> dict[str, Any]:
    run = runner(connection)
    outcome, packed = _packed(services, entry, outcome, run)
    settle(run, entry, _state(outcome), packed)
    connection.commit()
    return outcome


def _released(connection: Any, committed: bool) -> None:
    if not committed:
        connection.rollback()
        connection.invalidate()
    connection.close()
