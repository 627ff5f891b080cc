"""What is known of runs beside the engine's own tables: how they stand, their events, the answers that came."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

import attrs

from prismpy.events import Event
from prismpy.loop import RunState

from ._contents import Contents
from ._sql import Sql

Stage: TypeAlias = Literal["running", "waiting", "done", "failed"]

_ADD: Final = """
    INSERT INTO prismpy_runs (run, agent, begun, stage, state, round, error, step)
    VALUES (:run, :agent, :begun, 'running', :state, 0, '', 0) ON CONFLICT (run) DO NOTHING
"""

_EVENT: Final = """
    INSERT INTO prismpy_run_events (run, position, id, event)
    VALUES (:run, :position, :id, :event) ON CONFLICT DO NOTHING
"""

_ANSWER: Final = """
    INSERT INTO prismpy_run_answers (run, round, call, answer)
    VALUES (:run, :round, :call, :answer) ON CONFLICT DO NOTHING
"""


@attrs.frozen
class RunEvent:
    """An event of a run, as it was kept."""

    id: str
    """Names it within all runs; what `events(after=...)` takes."""

    type: str
    """Prism's word for the kind."""

    data: Mapping[str, Any] = attrs.field(hash=False)
    """As `to_dict` told it."""


@attrs.frozen
class Row:
    """How a run stands."""

    agent: str
    begun: str
    stage: Stage
    state: RunState
    """Where it last waited or ended; before that, as it began."""

    round: int
    """How often it has waited."""

    error: str
    step: int
    """The engine's step that failed."""


@attrs.frozen(eq=False)
class Records:
    """All runs."""

    sql: Sql
    contents: Contents

    def add(self, run: Any, id: str, agent: str, state: str) -> str | None:
        """
        Write down a run that begins, in a transaction.

        Returns:
            None, or what the run of that id that is there already began with.
        """
        begun = fingerprint(agent, state)
        if run(_ADD, run=id, agent=agent, begun=begun, state=state).rowcount:
            return None
        return str(run("SELECT begun FROM prismpy_runs WHERE run = :run", run=id).scalar_one())

    def row(self, id: str) -> Row | None:
        """Return how a run stands; None where there is none."""
        statement = "SELECT agent, begun, stage, state, round, error, step FROM prismpy_runs WHERE run = :run"
        rows = self.sql.read(statement, run=id)
        if not rows:
            return None
        agent, begun, stage, state, *rest = rows[0]
        return Row(agent, begun, stage, RunState.from_dict(self.contents.unpacked(state)), *rest)

    def stage(self, id: str) -> Stage | None:
        """Return how far a run is, without loading it; None where there is none."""
        rows = self.sql.read("SELECT stage FROM prismpy_runs WHERE run = :run", run=id)
        return rows[0][0] if rows else None

    def stand(self, id: str, stage: Stage, state: RunState, *, round: int, error: str = "", step: int = 0) -> None:
        """Write down how a run stands."""
        statement = """
            UPDATE prismpy_runs SET stage = :stage, state = :state, round = :round, error = :error, step = :step
            WHERE run = :run
        """
        packed = self.contents.packed(state.to_dict())
        with self.sql.write() as run:
            run(statement, run=id, stage=stage, state=packed, round=round, error=error, step=step)

    def waits(self, id: str, state: RunState, round: int) -> None:
        """Write down that a run waits; a replay that comes by here again changes nothing."""
        packed = self.contents.packed(state.to_dict())
        statement = """
            UPDATE prismpy_runs SET stage = 'waiting', state = :state, round = :round
            WHERE run = :run AND round < :round
        """
        with self.sql.write() as run:
            run(statement, run=id, state=packed, round=round)

    def cut(self, id: str, state: RunState) -> None:
        """Write down how far a run has come that was cancelled."""
        packed = self.contents.packed(state.to_dict())
        with self.sql.write() as run:
            run("UPDATE prismpy_runs SET state = :state WHERE run = :run", run=id, state=packed)

    def goes_on(self, id: str, row: Row) -> None:
        """Write down that a run goes on where it was stopped, once more: it waits still, or it runs."""
        with self.sql.write() as run:
            due = {each.call.id for each in row.state.waiting} - self.answered(run, id, row.round)
            stage = "waiting" if due else "running"
            statement = "UPDATE prismpy_runs SET stage = :stage, error = '', resumed = resumed + 1 WHERE run = :run"
            run(statement, run=id, stage=stage)

    def running(self, run: Any, id: str) -> None:
        """Write down that a run goes on, in a transaction."""
        run("UPDATE prismpy_runs SET stage = 'running', error = '' WHERE run = :run", run=id)

    def resumed(self, id: str) -> int:
        """Return how often a run was gone on with after it had been stopped."""
        return int(self.sql.read("SELECT resumed FROM prismpy_runs WHERE run = :run", run=id)[0][0])

    # --- events

    def known_events(self, id: str) -> set[str]:
        """Return the ids of the events of a run that are kept."""
        return {row[0] for row in self.sql.read("SELECT id FROM prismpy_run_events WHERE run = :run", run=id)}

    def tell(self, id: str, events: Sequence[Event], position: int) -> None:
        """Keep events of a run, from a position on."""
        rows = [
            {"run": id, "position": position + place, "id": event.id, "event": self._told(event)}
            for place, event in enumerate(events)
        ]
        with self.sql.write() as run:
            run(_EVENT, rows)

    def _told(self, event: Event) -> str:
        return self.contents.packed({"type": event.type, "data": json.loads(json.dumps(event.to_dict(), default=str))})

    def events(self, id: str, after: int) -> list[tuple[int, RunEvent]]:
        """Return the events of a run behind a position, with their positions."""
        statement = """
            SELECT position, id, event FROM prismpy_run_events WHERE run = :run AND position > :after ORDER BY position
        """
        rows = self.sql.read(statement, run=id, after=after)
        return [(position, RunEvent(event, **self.contents.unpacked(told))) for position, event, told in rows]

    def position_of(self, id: str, event: str) -> int | None:
        """Return where an event of a run stands; None where there is none of that id."""
        statement = "SELECT position FROM prismpy_run_events WHERE run = :run AND id = :event"
        rows = self.sql.read(statement, run=id, event=event)
        return int(rows[0][0]) if rows else None

    # --- answers

    def answer(self, run: Any, id: str, round: int, answers: Mapping[str, str]) -> list[str]:
        """
        Keep answers, packed, in a transaction.

        Returns:
            The calls that somebody else has answered before; the transaction is to be undone then.
        """
        kept = {
            call: run(_ANSWER, run=id, round=round, call=call, answer=answer).rowcount
            for call, answer in answers.items()
        }
        return [call for call, count in kept.items() if not count]

    def answered(self, run: Any, id: str, round: int) -> set[str]:
        """Return the calls of a round that have been answered, in a transaction."""
        statement = "SELECT call FROM prismpy_run_answers WHERE run = :run AND round = :round"
        return {row[0] for row in run(statement, run=id, round=round)}


def fingerprint(agent: str, state: str) -> str:
    """Return what tells what a run began with: 64 hexadecimal digits."""
    return hashlib.sha256(json.dumps([agent, state]).encode()).hexdigest()
