"""A set of tools under distinct names: what a model is offered, and what answers its calls."""

from collections.abc import Iterable, Iterator
from typing import Any

from prismpy.errors import DefinitionError
from prismpy.execution import Approve, Runnable, Terms, arun_all, run_all
from prismpy.lowering import export
from prismpy.messages import ToolCall, ToolResult
from prismpy.schema import JSON, cut
from prismpy.tools import ToolSpec

from ._tool import Tool


class Toolbox:
    """
    Tools that are offered together. Later changes to the tools it was made of do not touch it.

    Args:
        tools: Anything `Tool.make` takes, mixed.

    Raises:
        DefinitionError: if one cannot be made a tool of, or two have the same name.
    """

    def __init__(self, tools: Iterable[Any]) -> None:
        if isinstance(tools, Tool) or not isinstance(tools, Iterable):
            msg = f"a toolbox takes a list of tools, got {cut(repr(tools))}; put it in a list"
            raise DefinitionError(msg)
        self._tools: dict[str, Runnable] = {}
        for source in tools:
            spec = Tool.make(source).spec
            if spec.name in self._tools:
                msg = f"two tools are called {spec.name!r}; rename one with as_()"
                raise DefinitionError(msg, tool=spec.name)
            self._tools[spec.name] = Runnable(spec)

    def to(self, provider: str) -> list[dict[str, JSON]]:
        """Return the tools as a provider takes them, in order; see `Tool.to`."""
        return [export(spec, provider) for spec in self]

    def run(
        self, calls: Iterable[ToolCall], *, approve: Approve | None = None, provide: Iterable[Any] = ()
    ) -> tuple[ToolResult, ...]:
        """
        Run the calls of one turn.

        Neighbouring calls of concurrent tools run together, all others one after
        the other. Async handlers run in an event loop of their own.

        Args:
            calls: In the order in which the model made them.

            approve: Asked before each call of a tool that requires approval; without it such a call is refused.

            provide: Objects for the parameters that are marked as `Injected`; each gets the first of its class.

        Returns:
            One result a call, in the order of the calls. An unknown tool is a result with `is_error`, as are wrong
            arguments. Missing and repeated ids are replaced, in `result.call` too.

        Raises:
            DefinitionError: if a tool without a handler is called, or one with an injected parameter that nothing was
                provided for.

            Exception: what a handler raised whose tool is `without_error_handling()`.
        """
        return run_all(self._tools, calls, Terms(approve, provide))

    async def arun(
        self, calls: Iterable[ToolCall], *, approve: Approve | None = None, provide: Iterable[Any] = ()
    ) -> tuple[ToolResult, ...]:
        """Run the calls of one turn without blocking the event loop; otherwise like `run`."""
        return await arun_all(self._tools, calls, Terms(approve, provide))

    def __iter__(self) -> Iterator[ToolSpec]:
        return (runnable.spec for runnable in self._tools.values())

    def __len__(self) -> int:
        return len(self._tools)

    def __contains__(self, name: object) -> bool:
        return name in self._tools

    def __getitem__(self, name: str) -> ToolSpec:
        return self._tools[name].spec

    def __repr__(self) -> str:
        return f"Toolbox({', '.join(self._tools)})"
