"""
Runs that survive a crash and spread over machines, on DBOS: SQLite for one machine, PostgreSQL for several.

The loop is the same as everywhere. Here its model and its tools are put into
durable steps, so that a run that was killed goes on where it was.
"""

from ._dbos import QueueLimits
from ._ledger import CallRecord
from ._records import RunEvent
from ._runs import DurableRuns
from ._standing import DurableRun

__all__ = ["CallRecord", "DurableRun", "DurableRuns", "QueueLimits", "RunEvent"]
