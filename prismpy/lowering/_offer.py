"""A whole toolbox in one provider's words: what is sent, and the way there and back for calls."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

import attrs

from prismpy.messages import ToolCall
from prismpy.schema import JSON, UnreadableError, decode, plain
from prismpy.tools import ToolSpec, distinct

from ._changes import Change, counted
from ._deferral import telling
from ._dialects import Dialect, dialect
from ._export import Strict, chosen, elements, named
from ._limits import strictness
from ._lower import Lowered, OnLoss, lower, not_strict, refuse_loss
from ._options import check_together, grouped


@attrs.frozen(eq=False)
class Offer:
    """
    Tools as one provider is offered them. `str()` of it lists the changes.

    What was sent is what a reply is read by, so keep the offer of a request for
    the calls that come back.
    """

    provider: str
    """Name of the provider."""

    lowered: Mapping[str, Lowered] = attrs.field(converter=MappingProxyType[str, Lowered])
    """Declared name of each tool to its parameters in the provider's words, in the order given."""

    changes: tuple[Change, ...]
    """What differs from what was declared, tool by tool."""

    _wire: Mapping[str, str] = attrs.field(repr=False)
    """Declared name to the name that the provider is told."""

    _declared: Mapping[str, str] = attrs.field(repr=False)
    """Name that the provider is told to the declared one."""

    _elements: Mapping[str, tuple[JSON, ...]] = attrs.field(repr=False)
    """Declared name to the tool as the provider is told it, and what stands behind it for its options."""

    deferred: frozenset[str] = frozenset()
    """Declared names of the tools that the provider is not told of before they are found."""

    _search: JSON = attrs.field(default=None, repr=False)

    @property
    def tools(self) -> tuple[JSON, ...]:
        """
        What goes into the request's `tools`, in the order given, deferred ones aside; new containers at each look.

        Tools that share a namespace are in one element, where the first of them stands. A cache point of Bedrock is an
        element of its own, behind its tool. Where the provider searches deferred tools itself, they are here, and
        behind all its search.
        """
        return self.opened(())

    def opened(self, names: Iterable[str]) -> tuple[JSON, ...]:
        """
        Return what goes into the request's `tools` when deferred ones were found.

        Args:
            names: Their declared names, in the order in which they were found; any others mean nothing.

        Returns:
            The found ones behind the others, so that what was sent before stays the beginning of what is sent.
        """
        told = self._elements
        shown = [name for name in told if name not in self.deferred]
        found = [name for name in dict.fromkeys(names) if name in self.deferred]
        searches = [] if self._search is None else [self._search]
        each = (element for name in (*shown, *found) for element in told[name])
        return grouped(map(plain, (*each, *searches)))

    def tool(self, name: str) -> JSON:
        """
        Return one tool as the provider is told it, by its declared name; new containers at each look.

        Raises:
            KeyError: if none is called that.
        """
        return self.elements(name)[0]

    def elements(self, name: str) -> tuple[JSON, ...]:
        """
        Return one tool as the provider is told it, and behind it what its options make elements of their own.

        Raises:
            KeyError: if none is called that.
        """
        return tuple(map(plain, self._elements[name]))

    def wire_name(self, name: str) -> str:
        """Return what the provider is told for a declared name; the name itself, where no tool is called that."""
        return self._wire.get(name, name)

    def declared_name(self, name: str) -> str:
        """Return the declared name for what the provider is told; the name itself, where no tool was called that."""
        return self._declared.get(name, name)

    def decode(self, call: ToolCall) -> ToolCall:
        """
        Translate a call as the provider sends it into the declared form.

        Args:
            call: With the arguments as text or decoded.

        Returns:
            The call under the declared name, its arguments decoded where something was lowered. Never fails: a name
            that is unknown, and text that is no JSON object, are left alone for the executor to report.
        """
        name = self.declared_name(call.name)
        return self._translated(call, name, name, Lowered.decode)

    def encode(self, call: ToolCall) -> ToolCall:
        """
        Translate a call in the declared form into the provider's, as for a history that is sent again.

        Returns:
            The call under the provider's name, its arguments as the lowered schema takes them. What does not fit the
            declared schema is left alone.
        """
        return self._translated(call, self.wire_name(call.name), call.name, Lowered.encode)

    def _translated(
        self, call: ToolCall, name: str, declared: str, translate: Callable[[Lowered, JSON], JSON]
    ) -> ToolCall:
        lowered = self.lowered.get(declared)
        if lowered is not None and lowered.takes_text and translate is Lowered.decode:
            text = call.arguments.decode("utf-8", "replace") if isinstance(call.arguments, bytes) else call.arguments
            return attrs.evolve(call, name=name, arguments=lowered.decode(text))
        arguments = _read(call.arguments) if lowered is not None and lowered.translates else None
        if lowered is not None and arguments is not None:
            return attrs.evolve(call, name=name, arguments=translate(lowered, arguments))
        return call if name == call.name else attrs.evolve(call, name=name)

    def __str__(self) -> str:
        head = f"{self.provider}, {len(self.lowered)} tools: {counted(self.changes)}"
        return "\n".join([head, *(f"  {change}" for change in self.changes)])


def _read(arguments: str | bytes | Mapping[str, JSON] | None) -> JSON:
    """Return arguments as an object; None if they are none."""
    if arguments is None or isinstance(arguments, Mapping):
        return dict(arguments or {})
    if not isinstance(arguments, str | bytes):  # as a careless codec may hand on
        return None
    try:
        text = arguments.decode("utf-8") if isinstance(arguments, bytes) else arguments
        value = decode(text) if text.strip() else {}
    except (UnreadableError, UnicodeDecodeError):
        return None
    return value if isinstance(value, dict) else None


def offer(
    specs: Iterable[ToolSpec],
    provider: str,
    *,
    strict: Strict = False,
    on_loss: OnLoss = "describe",
    searcher: str | None = None,
    search_here: bool = False,
) -> Offer:
    """
    Say tools together in a provider's words.

    Args:
        specs: Complete tools, of distinct names.

        provider: A name in the table of dialects.

        strict: Whether to compile the parameters to the provider's strict subset; `auto`: of each tool that loses
            nothing by it.

        on_loss: What to do about what that subset cannot say.

        searcher: Name of the tool that searches deferred ones; None: they are told like the others.

        search_here: Whether to use it even where the provider has a search of its own.

    Raises:
        UnknownProviderError: if the provider is none.

        LoweringError: if the provider documents no option or value that was set for it, takes an option on fewer tools
            of a request, has no strict mode, or loss is refused and there is some.

        DefinitionError: if two tools have one name.
    """
    target = dialect(provider)
    told = telling(specs, target, searcher, here=search_here)
    tools = told.specs
    wire = named(target, list(distinct(tools)))
    lowered = _chosen_together(tools, target, strict, on_loss)
    check_together(tools, target)
    return Offer(
        provider,
        lowered,
        tuple(change for spec in tools for change in _changes(spec.name, wire[spec.name], lowered[spec.name])),
        wire,
        {new: name for name, new in wire.items()},
        {spec.name: elements(spec, target, lowered[spec.name], wire[spec.name]) for spec in tools},
        told.held,
        told.search,
    )


def _chosen_together(
    specs: tuple[ToolSpec, ...], target: Dialect, strict: Strict, on_loss: OnLoss
) -> dict[str, Lowered]:
    """Lower tools, and let only so many of them be strict as one request may hold, the first ones."""
    found: dict[str, Lowered] = {}
    tools, optional, unions = 0, 0, 0
    for spec in specs:
        lowered = chosen(spec, target, strict, on_loss)
        if lowered.strict:
            own = strictness(lowered.schema)
            more = tools + 1, optional + own[0], unions + own[1]
            if target.request.holds(*more):
                tools, optional, unions = more
            else:
                lowered = lower(spec, target.name, on_loss=on_loss)
                lowered = not_strict(lowered, "request-limit", target.request.told, lossy=strict is True)
        if on_loss == "raise":
            refuse_loss(spec.name, lowered)
        found[spec.name] = lowered
    return found


def _changes(name: str, wire: str, lowered: Lowered) -> list[Change]:
    renamed = [] if name == wire else [Change("tool-name", "name", name, wire)]
    return [attrs.evolve(change, tool=name) for change in (*renamed, *lowered.changes)]
