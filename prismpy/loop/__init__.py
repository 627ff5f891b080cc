"""The loop of a run as a value, and what makes a conversation valid. Who drives it: `agent`."""

from ._history import faults, repaired, unanswered, unfinished, with_calls
from ._limits import Limit, Limits
from ._state import RunState, Told
from ._values import Answer, AskModel, Done, RunTools, Step, Todo, Wait

__all__ = [
    "Answer",
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
    "unfinished",
    "with_calls",
]
