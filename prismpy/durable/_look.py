"""Looks at runs: how they stand, what they told. Nothing here changes anything."""

import time
from typing import Final

import attrs

from prismpy.errors import DurableError

from ._dbos import Client
from ._records import Records, Row, RunEvent
from ._standing import ENDED, DurableRun, Word, standing, word_of
from ._workflow import RUN

_BUSY: Final = frozenset({"queued", "running"})


@attrs.frozen(eq=False)
class Look:
    """What can be seen of runs; an id that there is no run of is a `DurableError` everywhere."""

    records: Records
    client: Client

    def row(self, id: str) -> Row:
        """Return what the records have of a run."""
        row = self.records.row(id)
        if row is None:
            raise _unknown(id)
        return row

    def run(self, id: str) -> DurableRun:
        """Return a run as it stands."""
        return standing(self.row(id), *self.client.statuses(workflow_ids=[id]))

    def runs(self, limit: int) -> tuple[DurableRun, ...]:
        """Return the newest runs, newest first."""
        return tuple(standing(self.row(status.id), status) for status in self.client.statuses(name=RUN, limit=limit))

    def idle(self) -> bool:
        """Tell whether no run is in a queue or under way."""
        open = self.client.statuses(name=RUN, status=["ENQUEUED", "DELAYED", "PENDING"])
        return all(self.records.stage(status.id) == "waiting" for status in open)

    def has_come(self, id: str, deadline: float) -> bool:
        """Tell whether a run has come to something, without loading it."""
        word = self.word(id)
        if word in _BUSY and time.monotonic() > deadline:
            msg = f"run {id!r} is {word} still; wait longer, or look whether its worker is at work"
            raise TimeoutError(msg)
        return word not in _BUSY

    def word(self, id: str) -> Word:
        """Say in a word how a run stands, without loading it."""
        stage = self.records.stage(id)
        if stage is None:
            raise _unknown(id)
        return word_of(stage, *self.client.statuses(workflow_ids=[id]))

    def position(self, id: str, event: str | None) -> int:
        """Return where an event of a run stands, so that what is behind it can be read; -1 for None."""
        self.word(id)
        if event is None:
            return -1
        position = self.records.position_of(id, event)
        if position is None:
            msg = f"run {id!r} has no event {event!r}; hand in the id of one that was read, or nothing for all"
            raise DurableError(msg, run=id)
        return position

    def more(self, id: str, position: int, follow: bool) -> tuple[int, bool, tuple[RunEvent, ...]]:
        """Return where the reading stands, whether it is over, and what is new."""
        over = not follow or self.word(id) in ENDED  # looked at first, so that nothing is missed
        found = self.records.events(id, position)
        return found[-1][0] if found else position, over, tuple(event for _, event in found)


def _unknown(id: str) -> DurableError:
    return DurableError(f"there is no run {id!r}; list the runs to see their ids", run=id)
