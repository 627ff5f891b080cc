"""What becomes of a call, by its crash policy and by what the ledger says of earlier attempts. No I/O here."""

from typing import Final, Literal, TypeAlias

import attrs

from prismpy.messages import ToolCall, ToolOutput, ToolResult
from prismpy.tools import CrashPolicy

State: TypeAlias = Literal["begun", "done", "failed", "unknown"]
"""
Of a call: `begun` and not ended, as far as anybody knows; `done` and `failed` with a result that is no error, or is
one; `unknown`, since nobody knows how it ended, and nobody will run it again.
"""

MOST_ATTEMPTS: Final = 5
"""How often a call is begun that never ends, since each time its process does."""

Step: TypeAlias = Literal["run", "keep", "give up"]
"""Run the handler; take the result that was kept; tell the model that it is not known, or that it never ends."""


@attrs.frozen
class Claim:
    """What the ledger says when an attempt at a call begins."""

    state: State
    attempts: int
    """This one among them."""

    result: str | None = None
    """Packed, where there is one."""


def step_of(policy: CrashPolicy, claim: Claim) -> Step:
    """Say what to do with a call now."""
    if claim.result is not None:
        return "keep"
    if claim.state == "unknown" or (policy == "at_most_once" and claim.attempts > 1):
        return "give up"
    return "give up" if claim.attempts > MOST_ATTEMPTS else "run"


def given_up(call: ToolCall, policy: CrashPolicy) -> ToolResult:
    """Make the result of a call that is not run again."""
    why = (
        "whether it took effect is not known: the program was ended while it ran. It is not run again; find out by "
        "other means before you call it once more"
        if policy == "at_most_once"
        else f"it was begun {MOST_ATTEMPTS} times, and each time the program was ended while it ran; go on without it"
    )
    text = f"{call.name}: {why}"
    return ToolResult(call, ToolOutput(text), text, is_error=True)
