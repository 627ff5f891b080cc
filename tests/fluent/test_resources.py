"""Tools that hold something open while their toolbox is in use."""

from collections.abc import Callable
from typing import Any

import pytest

from prismpy import DefinitionError, ProtocolError, Tool, Toolbox, ToolCall, tool

pytestmark = pytest.mark.anyio

Log = list[str]


class Sync(Tool):
    """A tool that is a context manager."""

    def __init__(self, log: Log, name: str, *, fails: str = "") -> None:
        self.log, self.label, self.fails = log, name, fails
        self.as_(name)

    def note(self, what: str) -> None:
        self.log.append(f"{what} {self.label}")
        if self.fails == what:
            raise LookupError(f"{what} {self.label}")

    def __call__(self) -> str:
        return " ".join(self.log)

    def __enter__(self) -> None:
        self.note("enter")

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self.note("exit" if error is None else f"exit after {error}")


class Async(Sync):
    """A tool that is an async context manager as well."""

    async def __aenter__(self) -> None:
        self.note("aenter")

    async def __aexit__(self, kind: object, error: object, trace: object) -> None:
        self.note("aexit" if error is None else f"aexit after {error}")


class AsyncOnly:
    """A handler that is opened by async code only."""

    def __init__(self, log: Log) -> None:
        self.log = log

    async def __call__(self) -> str:
        return "ran"

    async def __aenter__(self) -> None:
        self.log.append("aenter only")

    async def __aexit__(self, kind: object, error: object, trace: object) -> None:
        self.log.append("aexit only")


def test_tools_are_open_within_the_block() -> None:
    """Entered in order, left in reverse; the toolbox runs them meanwhile, and can be opened again."""
    log: Log = []
    box = Toolbox([Sync(log, "a"), tool(lambda: "plain", name="plain"), Async(log, "b")])
    with box as opened:
        (result,) = opened.run([ToolCall("1", "a")])
    with box:
        log.append("again")

    assert result.text == "enter a enter b"
    assert log == ["enter a", "enter b", "exit b", "exit a", "enter a", "enter b", "again", "exit b", "exit a"]


async def test_async_code_opens_them_in_the_async_way() -> None:
    """Where they have one; handlers are opened as tools are."""
    log: Log = []
    async with Toolbox([Sync(log, "a"), Async(log, "b"), Tool.as_("only").using(AsyncOnly(log))]) as box:
        (result,) = await box.arun([ToolCall("1", "only")])

    assert result.text == "ran"
    assert log == ["enter a", "aenter b", "aenter only", "aexit only", "aexit b", "exit a"]


def test_what_only_async_code_can_open_is_refused_before_anything_is_opened() -> None:
    """With advice."""
    log: Log = []

    with pytest.raises(DefinitionError, match="AsyncOnly is opened by async code only; write `async with`"):
        Toolbox([Sync(log, "a"), Tool.as_("only").using(AsyncOnly(log))]).__enter__()
    assert log == []


def test_one_object_is_opened_once() -> None:
    """A handler that two tools share, and a tool that is its own handler."""
    log: Log = []
    shared = Sync(log, "shared")
    with Toolbox([shared, Tool.as_("other").using(shared)]):
        pass

    assert log == ["enter shared", "exit shared"]


async def enter_sync(box: Toolbox, body: Callable[[], None]) -> None:
    with box:
        body()


async def enter_async(box: Toolbox, body: Callable[[], None]) -> None:
    async with box:
        body()


@pytest.mark.parametrize("enter", [enter_sync, enter_async])
async def test_one_that_cannot_be_opened_closes_those_before(enter: Any) -> None:
    """Its error is raised, and the toolbox is as before."""
    log: Log = []
    box = Toolbox([Sync(log, "a"), Sync(log, "b", fails="enter"), Sync(log, "c")])

    for _ in range(2):
        with pytest.raises(LookupError, match="enter b"):
            await enter(box, lambda: pytest.fail("open"))
    assert log == ["enter a", "enter b", "exit after enter b a"] * 2


@pytest.mark.parametrize("enter", [enter_sync, enter_async])
async def test_all_are_closed_whatever_happens(enter: Any) -> None:
    """Each hears of the error of the block, or of the one left before it; none is lost."""
    log: Log = []
    box = Toolbox([Sync(log, "a"), Sync(log, "b", fails="exit after oops")])

    def body() -> None:
        raise ValueError("oops")

    with pytest.raises(LookupError) as caught:
        await enter(box, body)
    assert log == ["enter a", "enter b", "exit after oops b", "exit after exit after oops b a"]
    assert isinstance(caught.value.__context__, ValueError)


@pytest.mark.parametrize("enter", [enter_sync, enter_async])
async def test_a_toolbox_is_open_once(enter: Any) -> None:
    """Who opens it again would open connections twice."""
    box = Toolbox([Sync([], "a")])

    with box, pytest.raises(ProtocolError, match="the toolbox is open already"):
        await enter(box, lambda: None)


@pytest.mark.parametrize("enter", [enter_sync, enter_async])
async def test_a_toolbox_without_resources_can_be_entered_too(enter: Any) -> None:
    """So that it does not matter which tools are in it."""
    box = Toolbox([tool(lambda: 1, name="t")])
    texts: list[str] = []

    await enter(box, lambda: texts.extend(result.text for result in box.run([ToolCall("1", "t")])))

    assert texts == ["1"]
