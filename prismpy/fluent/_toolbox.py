"""A set of tools under distinct names: what a model is offered, and what answers its calls."""

from collections.abc import Collection, Iterable, Iterator
from types import TracebackType
from typing import Any, Self, Unpack

import attrs

from prismpy.errors import DefinitionError
from prismpy.execution import Kept, Runnable, RunOptions, arun_all, groups, run_all, terms_of, waiting
from prismpy.lowering import Offer, OnLoss, Strict, offer
from prismpy.messages import Pending, ToolCall, ToolResult
from prismpy.review import Review, review
from prismpy.schema import JSON, cut, nearest
from prismpy.tools import ToolSpec, distinct
from prismpy.types import attribute

from ._finder import SEARCHER, Finder, by_told_names, mentioned
from ._resources import Resources, resources_of
from ._tool import Tool


class Toolbox:
    """
    Tools that are offered together. Later changes to the tools it was made of do not touch it.

    Where the results of one are limited, `read_result` is among them, to read on in
    what was cut; the last 64 such results are kept.

    In a `with` or `async with` block, tools that are context managers, or whose
    handlers are, are open: entered in order, left in reverse.

    Deferred tools are found by the provider's own search where it has one, else by
    `search_tools`, which is then among them; `opened` says which have been found.

    Args:
        tools: Anything `Tool.make` takes, mixed.

        max_concurrency: How many calls of concurrent tools may run at once, from 1 up; None for no limit.

        deferred: Names of tools that a model is told of only when it has searched for them, or True for all of them;
            those that are `deferred()` are so anyway.

        search_here: Whether `search_tools` searches even where the provider could: older models cannot.

    Raises:
        DefinitionError: if one cannot be made a tool of, two have the same name, or a deferred one is not among them.

        StoreError: if there are deferred tools, and this Python's SQLite cannot search.
    """

    def __init__(
        self,
        tools: Iterable[Any],
        *,
        max_concurrency: int | None = None,
        deferred: bool | Iterable[str] = False,
        search_here: bool = False,
    ) -> None:
        if max_concurrency is not None and max_concurrency < 1:
            msg = f"max_concurrency is {max_concurrency!r}; pass how many calls may run at once, from 1 up"
            raise DefinitionError(msg)
        self._max_concurrency = max_concurrency
        self._search_here = search_here
        if isinstance(tools, Tool) or not isinstance(tools, Iterable):
            msg = f"a toolbox takes a list of tools, got {cut(repr(tools))}; put it in a list"
            raise DefinitionError(msg)
        made = [Tool.make(source) for source in tools]
        helpers = [helper for tool in made if (helper := _helper(tool.spec)) is not None]
        self._made = [tool for tool in made if _helper(tool.spec) is None]
        self._resources = Resources(resources_of(self._made))
        specs = list(_deferred([tool.spec for tool in self._made], deferred))
        later = [spec for spec in specs if spec.deferred]
        self._kept: Kept | None = None
        if any(spec.result_limit is not None for spec in specs):
            self._kept = next((helper for helper in helpers if isinstance(helper, Kept)), None) or Kept()
            specs.append(self._kept.reader)
        if later:
            specs.append(Finder(later).searcher)
        self._tools = {name: Runnable(spec) for name, spec in distinct(specs).items()}

    def with_tools(self, tools: Iterable[Any]) -> "Toolbox":
        """
        Return a toolbox that has more tools, behind these; see the class for what they may be.

        It has the same settings, and what was cut of results can be read on in both.
        """
        helpers = [spec for spec in self if _helper(spec) is not None]
        return Toolbox(
            [*self._made, *helpers, *tools],
            max_concurrency=self._max_concurrency,
            deferred=[spec.name for spec in self if spec.deferred],
            search_here=self._search_here,
        )

    def to(self, provider: str, *, strict: Strict = False, on_loss: OnLoss = "describe") -> list[dict[str, JSON]]:
        """Return the tools as a provider takes them, in order; see `Tool.to`, and `offer` for the way back."""
        return list(self.offer(provider, strict=strict, on_loss=on_loss).tools)

    def offer(
        self, provider: str, *, strict: Strict = False, on_loss: OnLoss = "describe", without: Collection[str] = ()
    ) -> Offer:
        """
        Say the tools in a provider's words, with the way back for the calls that come.

        Args:
            provider: As in `Tool.to`.

            strict: As in `Tool.to`; `auto` chooses for each tool.

            on_loss: As in `Tool.to`.

            without: Names of tools that the provider is not told of.

        Returns:
            What to send (`tools`), what changed (`changes`), and the translators `encode` and `decode` for calls.
            `run` takes it as the option `offer`.

        Raises:
            As `Tool.to` does.
        """
        told = [spec for spec in self if spec.name not in without]
        searcher = SEARCHER if any(spec.deferred for spec in told) else None
        return offer(told, provider, strict=strict, on_loss=on_loss, searcher=searcher, search_here=self._search_here)

    def opened(self, results: Iterable[ToolResult]) -> tuple[str, ...]:
        """
        Return the deferred tools that a model knows by now, for `Offer.opened`.

        Args:
            results: Of the conversation so far, oldest first.

        Returns:
            Names, in the order in which they were found, or called without that.
        """
        known = dict.fromkeys(mentioned(results))
        return tuple(name for name in known if name in self and self[name].deferred)

    def check(self, *providers: str, strict: bool = False) -> Review:
        """
        Look at the tools before a model does: what providers refuse or lose, what is said badly, what each costs.

        Args:
            providers: As in `to`; none for all.

            strict: Whether to look at the strict mode of those that have one.

        Returns:
            The findings, `str()` of which is one a line, and the size of each tool for each provider.

        Raises:
            UnknownProviderError: listing the known names.
        """
        return review(self, providers, strict=strict)

    def run(self, calls: Iterable[ToolCall], **options: Unpack[RunOptions]) -> tuple[ToolResult, ...]:
        """
        Run the calls of one turn.

        Neighbouring calls of concurrent tools run together, all others one after
        the other. Async handlers run in an event loop of their own.

        Args:
            calls: In the order in which the model made them.

            options: `approve`, `provide`, `on_progress`, `hooks`, `supplied`, `budget`, `offer`, `told`; see
                `RunOptions`.

        Returns:
            One result a call, in the order of the calls. An unknown tool is a result with `is_error`, as are wrong
            arguments. Missing and repeated ids are replaced, in `result.call` too.

        Raises:
            DefinitionError: if a tool without a handler is called, or one with an injected parameter that nothing was
                provided for.

            Exception: what a handler raised whose tool is `without_error_handling()`.

            HookError: if a hook failed, with the results.
        """
        terms = terms_of(options, self._max_concurrency, reads_on=self._kept is not None)
        return self._concluded(run_all(self._tools, calls, terms), terms.told)

    async def arun(self, calls: Iterable[ToolCall], **options: Unpack[RunOptions]) -> tuple[ToolResult, ...]:
        """Run the calls of one turn without blocking the event loop; otherwise like `run`."""
        terms = terms_of(options, self._max_concurrency, reads_on=self._kept is not None)
        return self._concluded(await arun_all(self._tools, calls, terms), terms.told)

    def waiting(self, calls: Iterable[ToolCall], **options: Unpack[RunOptions]) -> tuple[Pending, ...]:
        """
        List the calls of a turn that cannot be answered before something comes from outside; nothing is run.

        Args:
            calls: In the order in which the model made them.

            options: As `run` would get them. `supplied` has the answers that are there already, `approve` the
                decisions; if it is a function, it is not asked, and only calls that are answered outside wait for it.

        Returns:
            In the order of the calls: those of external tools that have no answer yet, and those that require approval
            and have none. Calls that would be refused anyway are not among them.
        """
        return waiting(self._tools, calls, terms_of(options))

    def batches(self, calls: Iterable[ToolCall]) -> Iterator[tuple[ToolCall, ...]]:
        """Cut the calls of a turn into those that `run` runs together, in order; run them so to hear of each sooner."""
        return (tuple(group) for group in groups(self._tools, calls))

    def _concluded(self, results: tuple[ToolResult, ...], told: Offer | None) -> tuple[ToolResult, ...]:
        kept = self._keeping(results)
        return kept if told is None else tuple(by_told_names(result, told) for result in kept)

    def _keeping(self, results: tuple[ToolResult, ...]) -> tuple[ToolResult, ...]:
        """Keep what was cut of results, so that it can be read on."""
        if self._kept is not None:
            self._kept.keep(results)
        return results

    def __enter__(self) -> Self:
        self._resources.enter()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        return self._resources.exit(kind, error, trace)

    async def __aenter__(self) -> Self:
        await self._resources.aenter()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        return await self._resources.aexit(kind, error, trace)

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


def _helper(spec: ToolSpec) -> Kept | Finder | None:
    """Return what stands behind a tool that a toolbox added to those it was given; None for others."""
    owner = attribute(spec.handler, "__self__")
    return owner if isinstance(owner, Kept | Finder) else None


def _deferred(specs: list[ToolSpec], names: bool | Iterable[str]) -> Iterator[ToolSpec]:
    wanted = {spec.name for spec in specs} if names is True else set(names or ())
    unknown = wanted - {spec.name for spec in specs}
    if unknown:
        name = min(unknown)
        msg = f"there is no tool {name!r} to defer{nearest(name, [spec.name for spec in specs])}"
        raise DefinitionError(msg)
    return (attrs.evolve(spec, deferred=True) if spec.name in wanted else spec for spec in specs)
