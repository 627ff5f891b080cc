"""The loop of a run as a value, and what makes a conversation valid. Who drives it: `agent`."""

from ._history import faults, repaired, unanswered, with_calls
from ._limits import Limit, Limits
from ._state import AskModel, Done, RunState, RunTools, Step, Todo, Told, Wait

__all__ = [
    "AskModel",
    "Done",
    "Limit",
    "Limits",
    "RunState",
    "RunTools",
    "Step",
    "Todo",
    "Told",
    "Wait",
    "faults",
    "repaired",
    "unanswered",
    "with_calls",
]
