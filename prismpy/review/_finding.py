"""One thing that a look at tools found."""

from collections.abc import Iterable
from typing import Final

import attrs

RULES: Final = {
    "refused": "it can be no tool, or a provider does not take it",
    "lost": "a provider is told something in words only, and does not enforce it",
    "missing-description": "the tool, or a property in its parameters, has no description",
    "vague-description": "a description has no word beyond the name and what fits anything",
    "unknown-type": "the type of a parameter is unknown, or in part without JSON form",
    "left-out": "a parameter of the handler has no JSON form, and stays at its default",
    "duplicate-name": "several tools have the same name",
    "added": "it is not in the snapshot",
    "removed": "it is in the snapshot only",
    "changed": "it is otherwise in the snapshot",
}
"""Rule to what it finds; the last three compare with a snapshot."""


@attrs.frozen
class Finding:
    """Something about a tool that should be looked at. `str()` of it is one line."""

    rule: str
    """What kind of thing it is, as in `RULES`."""

    tool: str
    """Name of the tool; "" where it is about all together."""

    path: str
    """Where in the declared schema, as a JSON Path; "" where it is about the tool as a whole."""

    message: str
    """What is the matter, in one line."""

    providers: tuple[str, ...] = ()
    """The providers it is about; () where it does not depend on them."""

    def __str__(self) -> str:
        where = ": ".join(part for part in (self.tool, self.path) if part)
        whose = f" ({', '.join(self.providers)})" if self.providers else ""
        return f"{where}: {self.rule}: {self.message}{whose}" if where else f"{self.rule}: {self.message}{whose}"


def merged(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Say once what is found for several providers; the first of equal findings keeps its place."""
    providers: dict[Finding, dict[str, None]] = {}
    for one in findings:
        providers.setdefault(attrs.evolve(one, providers=()), {}).update(dict.fromkeys(one.providers))
    return tuple(attrs.evolve(one, providers=tuple(names)) for one, names in providers.items())
