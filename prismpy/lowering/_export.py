"""From one complete tool to what a provider takes."""

from collections.abc import Iterable
from typing import Literal, TypeAlias

import attrs

from prismpy.errors import DefinitionError, LoweringError
from prismpy.schema import JSON, plain
from prismpy.tools import ToolSpec

from ._changes import Change
from ._dialects import Dialect, dialect
from ._lower import Lowered, OnLoss, has_strict_mode, lower
from ._options import behind, checked_options, goes_strictly, in_group, sent_options

Strict: TypeAlias = bool | Literal["auto"]
"""Whether to use a provider's strict mode; `auto`: wherever there is one and nothing is lost by it."""


def export(spec: ToolSpec, provider: str, *, strict: Strict = False, on_loss: OnLoss = "describe") -> dict[str, JSON]:
    """
    Write a tool as a provider takes it.

    Args:
        spec: A complete tool.

        provider: A name in the table of dialects.

        strict: Whether to compile the parameters to the provider's strict subset; else they are as declared. The
            tool's own option `strict` goes before it.

        on_loss: What to do about what that subset cannot say.

    Returns:
        New containers: one element of the request's `tools`, or for `json-schema` the parameters alone. A name that
        the provider does not take is sanitised; among several tools, `offer` keeps such names apart.

    Raises:
        UnknownProviderError: if the provider is none.

        DefinitionError: if `strict` or `on_loss` is none of its choices.

        LoweringError: if the provider documents no such option or value, has no strict mode, or loss is refused and
            there is some; or if an option is an element of its own behind the tool, which only `offer` can give.
    """
    target = dialect(provider)
    tool, *more = elements(spec, target, chosen(spec, target, strict, on_loss), named(target, [spec.name])[spec.name])
    if more:
        option = f"{provider} takes {target.rules.behind} as an element of its own behind the tool"
        msg = f"tool {spec.name!r}: {option}; export both with Toolbox([...]).to({provider!r})"
        raise LoweringError(msg, tool=spec.name, provider=provider)
    exported: dict[str, JSON] = plain(tool)
    return exported


def lower_as_sent(spec: ToolSpec, provider: str, *, strict: Strict = False, on_loss: OnLoss = "describe") -> Lowered:
    """
    Compile the parameters of a tool as `export` does, by the same arguments.

    Raises:
        As `export` does, but for options that are elements of their own.
    """
    return chosen(spec, dialect(provider), strict, on_loss)


def explain(spec: ToolSpec, provider: str, *, strict: Strict = False) -> Lowered:
    """
    Tell what a provider is told otherwise than declared: the name and the parameters.

    Raises:
        As `lower_as_sent` does.
    """
    lowered = lower_as_sent(spec, provider, strict=strict)
    new = named(dialect(provider), [spec.name])[spec.name]
    renamed = () if new == spec.name else (Change("tool-name", "name", spec.name, new),)
    return attrs.evolve(lowered, changes=(*renamed, *lowered.changes))


def named(target: Dialect, names: Iterable[str]) -> dict[str, str]:
    """Return what a provider is told for each of some names."""
    return {name: name for name in names} if target.names is None else target.names.fit(names)


def chosen(spec: ToolSpec, target: Dialect, strict: Strict, on_loss: OnLoss) -> Lowered:
    """
    Lower a tool, strictly where that was chosen, for the tool alone before all others, or costs nothing.

    Raises:
        DefinitionError: for a choice that is none.

        LoweringError: as `export` does.
    """
    _one_of("strict", strict, (True, False, "auto"))
    _one_of("on_loss", on_loss, ("describe", "raise"))
    options = checked_options(spec, target)
    strict = options.get("strict", strict)
    if strict == "auto":
        strict = (
            has_strict_mode(target.name)
            and goes_strictly(options, target)
            and not lower(spec, target.name, strict=True).is_lossy
        )
    return lower(spec, target.name, strict=strict, on_loss=on_loss)


def _one_of(name: str, value: object, known: tuple[object, ...]) -> None:
    if value not in known:
        msg = f"{name} is {value!r}; pass {', '.join(map(repr, known[:-1]))} or {known[-1]!r}"
        raise DefinitionError(msg)


def elements(spec: ToolSpec, target: Dialect, lowered: Lowered, name: str) -> tuple[JSON, ...]:
    """
    Build what a tool is in a request, from its lowered parameters and the provider's options.

    Returns:
        The tool, under the name that the provider is told, and behind it what its options make elements of their own.
    """
    options = sent_options(spec, target, lowered)
    wrap = target.wrap if target.wrap_text is None or not lowered.takes_text else target.wrap_text
    tool = in_group(wrap(attrs.evolve(spec, name=name), lowered.schema, options), spec, target)
    return (tool, *behind(spec, target))
