"""A look at tools as a whole: what each finds, for which providers, and what each costs there."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

import attrs

from prismpy.lowering import known_providers
from prismpy.tools import ToolSpec

from ._finding import Finding, merged
from ._offered import TOGETHER, Offered, offered
from ._size import Size, size_of
from ._words import about_descriptions


@attrs.frozen
class Review:
    """What a look at tools came to. `str()` of it lists the findings, one a line."""

    findings: tuple[Finding, ...]
    """In the order of the tools; equal ones for several providers are one."""

    sizes: tuple[Size, ...]
    """Of each tool for each provider that takes it."""

    def __str__(self) -> str:
        return "\n".join(map(str, self.findings)) if self.findings else "nothing found"


def review(specs: Iterable[ToolSpec], providers: Iterable[str] = (), *, strict: bool = False) -> Review:
    """
    Look at tools before a model does.

    Args:
        specs: Complete tools; they may have names in common, which is found then.

        providers: Names in the table of dialects; none for all.

        strict: Whether to look at the strict mode of those that have one.

    Raises:
        UnknownProviderError: if a provider is none.
    """
    specs = tuple(specs)
    distinct = {spec.name: spec for spec in reversed(specs)}
    asked = tuple(dict.fromkeys(providers)) or known_providers()
    offers = {provider: offered(distinct.values(), provider, strict=strict) for provider in asked}
    findings = [*_shared_names(specs), *_refused_together(offers)]
    sizes: list[Size] = []
    for name, spec in reversed(distinct.items()):
        findings += [*about_descriptions(spec), *_about_types(spec)]
        for provider, offer in offers.items():
            findings += _at(name, provider, offer)
            sizes += [size_of(name, provider, offer.tools[name])] if name in offer.tools else []
    return Review(merged(findings), tuple(sizes))


def _shared_names(specs: Iterable[ToolSpec]) -> Iterator[Finding]:
    for name, count in Counter(spec.name for spec in specs).items():
        if count > 1:
            yield Finding("duplicate-name", name, "", f"{count} tools are called so; rename all but one with as_()")


def _refused_together(offers: Mapping[str, Offered]) -> Iterator[Finding]:
    for provider, offer in offers.items():
        if TOGETHER in offer.refused:
            yield Finding("refused", "", "", offer.refused[TOGETHER], (provider,))


def _about_types(spec: ToolSpec) -> Iterator[Finding]:
    for note in spec.notes:
        yield Finding("unknown-type", spec.name, "", note)
    for name, reason in spec.omitted.items():
        yield Finding("left-out", spec.name, "", f"parameter {name!r} is left out: {reason}")


def _at(name: str, provider: str, offer: Offered) -> Iterator[Finding]:
    """Find what one provider refuses or loses of a tool."""
    if name in offer.refused:
        yield Finding("refused", name, "", offer.refused[name].removeprefix(f"tool {name!r}: "), (provider,))
        return
    for change in offer.changes.get(name, ()):
        if change.lossy:
            yield Finding("lost", name, change.path, str(change).removeprefix(f"{change.path}: "), (provider,))
