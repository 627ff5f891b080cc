"""The engine, as a run sees it."""

import asyncio
from collections.abc import Callable
from typing import Any, Final

from ._awaited import Awaited
from ._course import Place, steady
from ._dbos import POLL, Client, package

_DAY: Final = 86_400.0


class Host:
    """
    The engine; see `_course.Host`.

    Args:
        client: Of the engine.

        queue_of: Tool name to the name of the queue of its calls.

        workflow: Name of the workflow of a call.
    """

    def __init__(self, client: Client, queue_of: Callable[[str], str], workflow: str) -> None:
        self._client = client
        self._queue_of = queue_of
        self._workflow = workflow
        self._awaited = Awaited(client.ended, POLL)

    def reserve(self) -> Place:
        """Take the next step's place."""
        place: Place = package().DBOS.reserve_step()
        return place

    async def receive(self, topic: str) -> Any:
        """Wait for a message."""
        while True:
            message = await package().DBOS.recv_async(topic, timeout_seconds=_DAY)
            if message is not None:
                return message

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await package().DBOS.sleep_async(seconds)

    def stops(self, error: BaseException) -> bool:
        """Tell whether this is how the engine says that a run is no longer to be driven here."""
        kinds = package().error  # which of them comes depends on whether the run was in a step
        return isinstance(error, kinds.DBOSWorkflowCancelledError | kinds.DBOSWorkflowConflictIDError)

    def is_cancelled(self, id: str) -> bool:
        """Ask the database whether a run is cancelled."""
        return [status.word for status in self._client.statuses(workflow_ids=[id])] == ["CANCELLED"]

    async def elsewhere(self, tool: str, id: str, order: str) -> str:
        """Put a call into the queue of its tool, and wait for what it comes to."""
        run = run_id()
        try:
            await steady(self._client.call, self._workflow, self._queue_of(tool), id, order)
            await self._awaited.end_of(id)
        except asyncio.CancelledError:
            if await asyncio.to_thread(self.is_cancelled, run):  # else this process only stops driving the run
                await asyncio.to_thread(self._client.cancel, id, "")
            raise
        return str(await asyncio.to_thread(self._client.outcome, id))


def run_id() -> str:
    """Return the id of the workflow that is under way here."""
    return str(package().DBOS.workflow_id)
