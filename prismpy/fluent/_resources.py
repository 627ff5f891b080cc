"""What tools hold open while they are in use: connections, browsers, files."""

from collections.abc import Iterable
from contextlib import AsyncExitStack, ExitStack
from types import TracebackType
from typing import Any

from prismpy.errors import DefinitionError, ProtocolError

from ._tool import Tool


def resources_of(tools: Iterable[Tool]) -> tuple[Any, ...]:
    """Return the tools, and the objects that run them, that are context managers; each once, in order."""
    holders = [holder for tool in tools for holder in (tool, tool.spec.handler)]
    found = {id(holder): holder for holder in holders if _enters(holder) or _aenters(holder)}
    return tuple(found.values())


def _enters(holder: Any) -> bool:
    return hasattr(type(holder), "__enter__") and hasattr(type(holder), "__exit__")


def _aenters(holder: Any) -> bool:
    return hasattr(type(holder), "__aenter__") and hasattr(type(holder), "__aexit__")


class Resources:
    """Context managers that are entered together, in order, and left in reverse; what they return is ignored."""

    def __init__(self, holders: tuple[Any, ...]) -> None:
        self._holders = holders
        self._stack: ExitStack | AsyncExitStack | None = None

    def enter(self) -> None:
        """
        Enter all, or none.

        Raises:
            DefinitionError: if one can be entered from async code only.

            ProtocolError: if they are entered already.
        """
        self._expect_closed()
        for holder in self._holders:
            if not _enters(holder):
                msg = f"{type(holder).__name__} is opened by async code only; write `async with` for the toolbox"
                raise DefinitionError(msg)
        with ExitStack() as stack:
            for holder in self._holders:
                stack.enter_context(holder)
            self._stack = stack.pop_all()

    async def aenter(self) -> None:
        """Enter all from async code, as async context managers where they are such; otherwise like `enter`."""
        self._expect_closed()
        async with AsyncExitStack() as stack:
            for holder in self._holders:
                if _aenters(holder):
                    await stack.enter_async_context(holder)
                else:
                    stack.enter_context(holder)
            self._stack = stack.pop_all()

    def exit(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        """Leave all; an error that one raises goes through the others, and leaves with those before as its context."""
        stack, self._stack = self._stack, None
        return stack.__exit__(kind, error, trace) if isinstance(stack, ExitStack) else None

    async def aexit(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        """Leave all from async code; otherwise like `exit`."""
        stack, self._stack = self._stack, None
        return await stack.__aexit__(kind, error, trace) if isinstance(stack, AsyncExitStack) else None

    def _expect_closed(self) -> None:
        if self._stack is not None:
            msg = "the toolbox is open already; leave it first, or make another one"
            raise ProtocolError(msg)
