"""How a run stands, put together from the records and from what the engine knows."""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

import attrs

from prismpy.loop import RunState
from prismpy.messages import Pending

from ._dbos import Status
from ._records import Row, Stage

Word: TypeAlias = Literal["queued", "running", "waiting", "done", "failed", "cancelled"]

_WORDS: Final[Mapping[str, Word]] = {
    "ENQUEUED": "queued",
    "DELAYED": "queued",
    "CANCELLED": "cancelled",
    "ERROR": "failed",
    "MAX_RECOVERY_ATTEMPTS_EXCEEDED": "failed",
}
"""The engine's word to ours; of others the records know more. Source: dbos 3.4.0, `_sys_db.py` (2026-11)."""

ENDED: Final = frozenset({"done", "failed", "cancelled"})


@attrs.frozen
class DurableRun:
    """A run, as it stood when it was looked at."""

    id: str
    agent: str
    status: Word
    pending: tuple[Pending, ...]
    """What it waits for."""

    error: str
    """Why it failed; "" otherwise."""

    worker: str
    """The process that drives it, or drove it last; "" for none yet."""

    created: float
    """Seconds since 1970."""

    updated: float
    state: RunState = attrs.field(repr=False)
    """Where it last waited or ended; before that, as it began."""


def word_of(stage: Stage, status: Status) -> Word:
    """Say in a word how a run stands; it has ended when the engine has it, too, and can be gone on with only then."""
    if stage in ENDED and status.word == "PENDING":
        return "running"
    return _WORDS.get(status.word, stage)


def standing(row: Row, status: Status) -> DurableRun:
    """Say how a run stands."""
    word = word_of(row.stage, status)
    return DurableRun(
        status.id,
        row.agent,
        word,
        row.state.waiting if word == "waiting" else (),
        row.error if word != "failed" else row.error or status.error,
        status.worker,
        status.created,
        status.updated,
        row.state,
    )
