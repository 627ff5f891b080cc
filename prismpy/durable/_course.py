"""
One run on its way through the engine: its steps, its clock, its events.

Everything that a run asks for here comes back the same when it is replayed: the
clock shows when the last step ended, calls are numbered as they are made, and
events that were kept already are not kept again.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol, TypeVar

import attrs

from prismpy.events import Event
from prismpy.messages import ToolCall
from prismpy.tools import CrashPolicy

from ._contents import Contents
from ._ledger import Entry, Ledger
from ._records import Records

T = TypeVar("T")

Work = Callable[[], Awaitable[dict[str, Any]]]
"""Does what a step is for, and returns JSON."""


class Place(Protocol):
    """A step's place in the order of a run, taken before it begins."""

    @property
    def step_id(self) -> int:
        """Its number in the engine's records."""
        ...

    async def run_async(self, options: Any, function: Callable[[], Awaitable[str]]) -> str:
        """Run the step, or return what it came to before."""
        ...


class Host(Protocol):
    """The engine, as a run sees it."""

    def reserve(self) -> Place:
        """Take the next place."""
        ...

    async def receive(self, topic: str) -> Any:
        """Wait for a message, however long it takes."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait; a replay waits for the rest only."""
        ...

    def stops(self, error: BaseException) -> bool:
        """Tell whether this is how the engine says that a run is no longer to be driven here."""
        ...

    def is_cancelled(self, id: str) -> bool:
        """Ask the database whether a run is cancelled."""
        ...

    async def elsewhere(self, tool: str, id: str, order: str) -> str:
        """Have a call made by whoever takes it off the queue of its tool, and return what it came to, packed."""
        ...


@attrs.frozen(eq=False)
class Services:
    """What all runs of a process share."""

    records: Records
    ledger: Ledger
    contents: Contents
    host: Host
    retries: int = 2
    """How often a model that fails is asked again."""

    queued: frozenset[str] = frozenset()
    """Names of the tools whose calls go through a queue."""


class Course:
    """
    A run under way.

    Args:
        id: Of the run.

        agent: Name of its agent.

        services: Of the process.

        began: When it was started, in seconds since 1970.

        resumed: How often it was gone on with after it had been stopped.
    """

    def __init__(self, id: str, agent: str, services: Services, began: float, resumed: int) -> None:
        self.id = id
        self.agent = agent
        self.services = services
        self.now = began
        self.step = 0
        """The engine's step that was begun last."""
        self._resumed = resumed
        self._number = 0
        self._told: list[Event] = []
        self._known: set[str] | None = None
        self._position = 0

    def clock(self) -> float:
        """Return the time, as far as the run knows it."""
        return self.now

    # --- steps

    def entry(self, call: ToolCall, policy: CrashPolicy) -> Entry:
        """Give a call its number."""
        self._number += 1
        return Entry(self.id, self._number - 1, call, policy)

    def reserve(self) -> Place:
        """Take the next step's place."""
        return self.services.host.reserve()

    async def run(self, place: Place, name: str, work: Work) -> dict[str, Any]:
        """
        Run a step, or return what it came to before.

        Args:
            place: Reserved for it.

            name: Told in the engine's records; a replay that comes here with another one is refused.

            work: What the step does.

        Returns:
            What `work` returned.
        """
        self.step = max(self.step, place.step_id)
        contents = self.services.contents

        async def recorded() -> str:
            value = await work()
            return await steady(contents.packed, {"at": time.time(), **value})

        packed = await place.run_async({"name": name, "preemptible": True}, recorded)
        value = await steady(contents.unpacked, packed)
        self.now = max(self.now, value["at"])
        return dict(value)

    # --- events

    def tell(self, event: Event) -> None:
        """Take an event; it is kept before the next step begins."""
        self._told.append(event)

    def breaks(self, first: str) -> None:
        """Set what is told of a failure, from an event on, apart: it is no part of the run that goes on after it."""
        place = next((n for n, event in enumerate(self._told) if event.id == first), len(self._told))
        self._told[place:] = [
            attrs.evolve(event, id=f"{event.id}-failed-{self._resumed}") for event in self._told[place:]
        ]

    async def flush(self) -> None:
        """Keep the events that were taken."""
        records, told = self.services.records, self._told
        if self._known is None:
            self._known = await steady(records.known_events, self.id)
            self._position = len(self._known)
        fresh: Sequence[Event] = [event for event in told if event.id not in self._known]
        told.clear()
        if fresh:
            await steady(records.tell, self.id, fresh, self._position)
            self._position += len(fresh)
            self._known.update(event.id for event in fresh)


async def steady(function: Callable[..., T], *arguments: Any) -> T:
    """Call what blocks in a thread, and let it end even where nobody waits for it any more."""
    work = asyncio.ensure_future(asyncio.to_thread(function, *arguments))
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        await asyncio.wait({work})
        raise


def told_error(error: BaseException) -> dict[str, Any]:
    """Tell an exception as JSON."""
    return {"type": type(error).__name__, "message": str(error)}


def in_words(told: dict[str, Any]) -> str:
    """Say in words what was told of an exception."""
    return f"{told['type']}: {told['message']}" if told["message"] else str(told["type"])
