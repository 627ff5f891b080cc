"""What tools hold open: for as long as their runs are driven, and on the event loop that drives them."""

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import anyio
import pytest

from prismpy import Agent, AssistantMessage, Tool, ToolCall
from prismpy.codecs import Ask
from prismpy.durable import DurableRuns
from prismpy.durable._held import Held
from prismpy.testing import FunctionModel

from .conftest import NewDatabase


class Session:
    """A handler that is opened by async code only."""

    def __init__(self, opening: Callable[[], None] = lambda: None, waits: threading.Event | None = None) -> None:
        self.log: list[str] = []
        self.loop: Any = None
        self.begun = threading.Event()
        self._opening = opening
        self._waits = waits

    async def __aenter__(self) -> None:
        self.loop = asyncio.get_running_loop()
        await asyncio.to_thread(self._opening)
        self.log.append("opened")

    async def __call__(self) -> str:
        self.log.append("called" if asyncio.get_running_loop() is self.loop else "called on another loop")
        self.begun.set()
        try:
            while self._waits is not None and not self._waits.is_set():
                await anyio.sleep(0.01)
        except asyncio.CancelledError:
            self.log.append("stopped")
            raise
        return "answer"

    async def __aexit__(self, *_: object) -> None:
        self.log.append("closed")


def agent(session: Session) -> Agent:
    def answer(ask: Ask) -> Any:
        return (
            "done" if any(isinstance(message, AssistantMessage) for message in ask.messages) else ToolCall("c", "ask")
        )

    return Agent("asker", FunctionModel(answer), tools=[Tool.as_("ask").for_("Ask").using(session)])


def test_a_worker_holds_open_what_only_async_code_can_open(new_sqlite: NewDatabase) -> None:
    """On the event loop that calls it."""
    session = Session()
    with DurableRuns(new_sqlite(), [agent(session)]) as runs:
        runs.start("asker", "Go", id="run")

        assert [result.text for result in runs.result("run", timeout=60).tool_results] == ["answer"]
    assert session.log == ["opened", "called", "closed"]


def test_a_run_waits_until_its_tools_are_open() -> None:
    """The engine may have taken it from its queue before."""
    session = Session()

    async def workflow(order: Any) -> str:
        session.log.append("driven")
        return str(order)

    async def main() -> str:
        loop, held = asyncio.get_running_loop(), Held([agent(session)])
        run = asyncio.ensure_future(held.around(workflow)("early"))
        await asyncio.sleep(0)  # it comes as far as it can
        await asyncio.to_thread(held.open, loop)
        result = await run
        await asyncio.to_thread(held.close)
        return result

    assert asyncio.run(main()) == "early"
    assert session.log == ["opened", "driven", "closed"]


def test_a_run_is_stopped_before_its_tools_are_closed(new_sqlite: NewDatabase) -> None:
    """So that no call fails for that; the next process makes it again."""
    url, session = new_sqlite(), Session(waits=threading.Event())
    with DurableRuns(url, [agent(session)]) as runs:
        runs.start("asker", "Go", id="run")
        assert session.begun.wait(60)

    assert session.log == ["opened", "called", "stopped", "closed"]
    with DurableRuns(url, [agent(Session())]) as runs:
        runs.work()
        assert [result.text for result in runs.result("run", timeout=60).tool_results] == ["answer"]


def test_no_run_is_begun_when_tools_are_closed() -> None:
    """The engine may have taken one from its queue right before; it stays to be driven."""
    session, begun = Session(), []

    async def workflow(order: Any) -> str:
        begun.append(order)
        return "done"

    async def main() -> None:
        loop, held = asyncio.get_running_loop(), Held([agent(session)])
        await asyncio.to_thread(held.open, loop)
        await asyncio.to_thread(held.close)
        with pytest.raises(asyncio.CancelledError):
            await held.around(workflow)("late")

    asyncio.run(main())

    assert (session.log, begun) == (["opened", "closed"], [])


def test_an_agent_that_cannot_be_opened_is_told_at_once(new_sqlite: NewDatabase) -> None:
    """Those before it are closed again, and the process may try anew."""

    def fail() -> None:
        raise OSError("no network")

    url, first = new_sqlite(), Session()
    broken = Agent("broken", FunctionModel(lambda ask: "hi"), tools=[Tool.as_("ask").for_("Ask").using(Session(fail))])
    with DurableRuns(url, [agent(first), broken]) as runs, pytest.raises(OSError, match="no network"):
        runs.work()
    assert first.log == ["opened", "closed"]

    second = Session()
    with DurableRuns(url, [agent(second)]) as runs:
        runs.work()
    assert second.log == ["opened", "closed"]
