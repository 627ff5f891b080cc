"""What the app lays down for the calls it has run."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, Final, TypeAlias, TypedDict, TypeVar

import attrs

from prismpy.lowering import Offer
from prismpy.messages import Decision, Progress, ToolCall

from ._budget import NO_BUDGET, Budget
from ._hooks import Hooks

Given = TypeVar("Given", bound=Mapping[str, Any])

Approve: TypeAlias = Callable[[ToolCall], bool | Decision | Awaitable[bool | Decision]]
"""Decides whether a call of a tool that requires approval may run. The call has the arguments as they would be run."""

OnProgress: TypeAlias = Callable[[Progress], Any]
"""Is told what a generator handler yields; may be async."""


@attrs.frozen
class Terms:
    """What holds for all calls of a run."""

    approve: Approve | None = None
    """Asked before each call of a tool that requires approval; without it such a call is refused."""

    provided: tuple[Any, ...] = attrs.field(default=(), converter=tuple[Any, ...])
    """What injected parameters are filled from."""

    on_progress: OnProgress | None = None
    """Told what generator handlers yield."""

    max_concurrency: int | None = None
    """How many calls of a group may run at once; None for no limit."""

    hooks: Hooks | None = None
    """Told about the calls."""

    supplied: Mapping[str, Any] = attrs.field(factory=dict)
    """Call id to what was answered outside."""

    decisions: Mapping[str, bool | Decision] = attrs.field(factory=dict)
    """Call id to what was decided before the run; these go before `approve`."""

    reads_on: bool = False
    """Whether the model has a tool to read on in what was cut of a result."""

    offer: Offer | None = None
    """What calls come in the words of; None where they are in the declared form already."""

    told: Offer | None = None
    """What the model was told, by whose names and shapes it is spoken to; None for the declared ones."""

    budget: Budget = NO_BUDGET
    """How often the model got tools wrong so far."""

    idempotency_key: str = ""
    """See `RunContext.idempotency_key`."""

    def name_of(self, tool: str) -> str:
        """Return what the model calls a tool, by its declared name."""
        return tool if self.told is None else self.told.wire_name(tool)

    def heard_by(self, hooks: Hooks | None) -> "Terms":
        """Return the same terms with other hooks."""
        return self if hooks is self.hooks else attrs.evolve(self, hooks=hooks)


class RunOptions(TypedDict, total=False):
    """What `run` and `arun` take by name."""

    approve: Approve | Mapping[str, bool | Decision] | None
    """
    Asked before each call of a tool that requires approval; without it such a call is refused. It answers with a bool,
    or with a `Decision` that gives a reason or other arguments. It may be async. Or what was decided before the run, by
    the id that the call has in its result.
    """

    provide: Iterable[Any]
    """Objects for the parameters that are marked as `Injected`; each gets the first of its class."""

    on_progress: OnProgress | None
    """
    Told each value that a generator handler yields, as it comes, in an async run on the event loop. It may be async.
    An exception of it fails the call.
    """

    hooks: Hooks | None
    """Called around each call."""

    supplied: Mapping[str, Any]
    """
    What was answered outside for calls of external tools, by the id that the call has in its result. An answer is taken
    as what a handler returned; an exception among them as what a handler raised.
    """

    budget: Budget
    """
    How often the model got tools wrong so far in this run, for tools that limit that; `Budget.of` counts it from the
    results of the turns so far.
    """

    idempotency_key: str
    """What handlers find as `RunContext.idempotency_key`; for a single call, such as a durable run makes them."""

    offer: Offer | None
    """
    What the provider was sent, so that calls come in its words: they are decoded first, and everything else, results
    included, has them in the declared form. What the model reads of tools is in its words, as with `told`.
    """

    told: Offer | None
    """
    What the provider was sent, where calls are in the declared form already: what the model reads of tools, such as the
    names that there are, is in its words.
    """


NO_TERMS: Final = Terms()
"""For a run about which the app says nothing."""


def known_options(options: Given, known: type[Given], of: str) -> Given:
    """
    Return options that were given by name.

    Args:
        options: As they were given.

        known: The `TypedDict` that has them all.

        of: The function that they were given to, for the message.

    Raises:
        TypeError: for one that is not known.
    """
    unknown = options.keys() - known.__annotations__.keys()
    if unknown:
        msg = f"{of}() got an unexpected option {min(unknown)!r}; known are {', '.join(known.__annotations__)}"
        raise TypeError(msg)
    return options


def terms_of(options: RunOptions, max_concurrency: int | None = None, *, reads_on: bool = False) -> Terms:
    """
    Return what the app lays down by the options of one run.

    Args:
        options: As they were given.

        max_concurrency: How many calls of concurrent tools may run at once; None for no limit.

        reads_on: Whether there is a tool by which a model reads on in results that were cut.

    Raises:
        TypeError: for an option that is not known.
    """
    if not options and max_concurrency is None and not reads_on:
        return NO_TERMS
    known_options(options, RunOptions, "run")
    approve = options.get("approve")
    asked, decisions = (None, approve) if isinstance(approve, Mapping) else (approve, {})
    return Terms(
        approve=asked,
        provided=options.get("provide", ()),
        on_progress=options.get("on_progress"),
        max_concurrency=max_concurrency,
        hooks=options.get("hooks"),
        supplied=options.get("supplied", {}),
        decisions=decisions,
        reads_on=reads_on,
        offer=options.get("offer"),
        told=options.get("told") or options.get("offer"),
        budget=options.get("budget", NO_BUDGET),
        idempotency_key=options.get("idempotency_key", ""),
    )
