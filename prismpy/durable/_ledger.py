"""
The ledger of calls: what was called, under which policy, how often it was begun and what it came to.

A call is claimed before its handler runs, so that an attempt in another process,
after a crash or beside this one, sees it.
"""

import time
from typing import Any, Final

import attrs

from prismpy.messages import ToolCall, ToolResult
from prismpy.tools import CrashPolicy

from ._contents import Contents
from ._policy import Claim, State
from ._sql import Run, Sql, runner

_CLAIM: Final = """
    INSERT INTO prismpy_run_calls
        (run, number, call, tool, digest, policy, state, attempts, worker, result, began, ended)
    VALUES (:run, :number, :call, :tool, :digest, :policy, 'begun', 1, :worker, NULL, :now, NULL)
    ON CONFLICT (run, number) DO UPDATE SET
        attempts = prismpy_run_calls.attempts + (CASE WHEN prismpy_run_calls.result IS NULL THEN 1 ELSE 0 END),
        state = (CASE WHEN prismpy_run_calls.result IS NULL THEN 'begun' ELSE prismpy_run_calls.state END),
        worker = excluded.worker
    RETURNING state, attempts, result
"""

_SETTLE: Final = """
    UPDATE prismpy_run_calls SET state = :state, result = :result, ended = :now
    WHERE run = :run AND number = :number AND result IS NULL
"""

_ROWS: Final = """
    SELECT number, call, tool, digest, policy, state, attempts, worker, began, ended, result
    FROM prismpy_run_calls WHERE run = :run ORDER BY number
"""


@attrs.frozen
class CallRecord:
    """A call of a run as the ledger has it."""

    number: int
    """Its place among the calls of the run, from 0 up."""

    call_id: str
    """The provider's."""

    tool: str
    digest: str
    """`ToolCall.digest`: of the name and the arguments."""

    policy: CrashPolicy
    state: State
    attempts: int
    """How often it was begun, since its handler last raised where that ends a run."""

    worker: str
    """Which process began it last."""

    began: float
    """Seconds since 1970."""

    ended: float | None = None
    result: ToolResult | None = attrs.field(default=None, repr=False, hash=False)
    """What the model was told; None where the call has not come to anything yet."""


@attrs.frozen
class Entry:
    """A call on its way into the ledger."""

    run: str
    number: int
    call: ToolCall
    policy: CrashPolicy

    @property
    def key(self) -> str:
        """What services are given so that they do nothing twice."""
        return f"{self.run}:{self.number}"


@attrs.frozen(eq=False)
class Ledger:
    """All calls of all runs."""

    sql: Sql
    worker: str
    """Id of this process."""

    def claim(self, entry: Entry) -> Claim:
        """
        Begin an attempt at a call, and say what is known of it.

        One that is not to be made twice is on the disk before its handler runs, and so is the answer that asked for it.
        """
        with self.sql.write(lasting=entry.policy == "at_most_once") as run:
            row = run(
                _CLAIM,
                run=entry.run,
                number=entry.number,
                call=entry.call.id,
                tool=entry.call.name,
                digest=entry.call.digest,
                policy=entry.policy,
                worker=self.worker,
                now=time.time(),
            ).one()
        return Claim(*row)

    def settle(self, entry: Entry, state: State, result: str) -> None:
        """Write down what a call came to; what stands there already stays."""
        with self.sql.write() as run:
            settle(run, entry, state, result)

    def failed(self, entry: Entry) -> None:
        """Write down that a handler raised; the call is open still, and no attempt of it was cut short."""
        statement = """
            UPDATE prismpy_run_calls SET state = 'failed', attempts = 0
            WHERE run = :run AND number = :number AND result IS NULL
        """
        with self.sql.write() as run:
            run(statement, run=entry.run, number=entry.number)

    def calls(self, run: str, contents: Contents) -> tuple[CallRecord, ...]:
        """Return the calls of a run, in order."""
        return tuple(_record(row, contents) for row in self.sql.read(_ROWS, run=run))


def _record(row: tuple[Any, ...], contents: Contents) -> CallRecord:
    *fields, packed = row
    record = CallRecord(*fields)
    if packed is None:
        return record
    return attrs.evolve(record, result=ToolResult.from_dict(contents.unpacked(packed)["result"]))


def held(connection: Any, entry: Entry) -> bool:
    """Lock the record of a call for this transaction, and say whether the call is still open."""
    statement = "UPDATE prismpy_run_calls SET state = 'begun' WHERE run = :run AND number = :number AND result IS NULL"
    return bool(runner(connection)(statement, run=entry.run, number=entry.number).rowcount)


def settle(run: Run, entry: Entry, state: State, result: str) -> None:
    """Write down what a call came to, in a transaction."""
    run(_SETTLE, run=entry.run, number=entry.number, state=state, result=result, now=time.time())
