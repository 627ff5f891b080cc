"""Making tools of what a target holds: the ones that can be made, and why the others cannot."""

from collections.abc import Iterable
from contextlib import suppress

import attrs

from prismpy.errors import PrismError
from prismpy.fluent import Tool
from prismpy.tools import ToolSpec

from ._location import Location, location_of
from ._targets import Finding, Place, Refused, opened
from ._usage import UsageError, words


@attrs.frozen
class Made:
    """One tool of a target."""

    name: str
    """What to write behind the colon to get it alone."""

    spec: ToolSpec
    """Complete."""

    location: Location | None
    """Where its handler stands; None where unknown."""


@attrs.frozen
class Contents:
    """What a target holds."""

    tools: tuple[Made, ...]
    """In order of definition, none twice."""

    refused: tuple[Refused, ...]
    """In order of definition, none twice."""


def contents_of(target: str) -> Contents:
    """
    Make the tools of a target.

    Args:
        target: See `opened`; behind the colon there may also be the name of a tool.

    Raises:
        UsageError: see `opened` and `Place.find`.
    """
    place, path = opened(target)
    try:
        found = place.find(path)
    except UsageError:
        named = _named(place, path)
        if not named:
            raise
        return Contents(named, ())
    return _made(found)


def _made(found: Iterable[Finding]) -> Contents:
    tools: list[Made] = []
    refused: list[Refused] = []
    seen: set[int] = set()
    for one in found:
        made = _make(one)
        # a tool has its spec in common with the toolbox it is in; all ids are of things that live on
        identities = {id(getattr(one, "source", one)), id(getattr(made, "spec", one))}
        if identities & seen:
            continue
        seen |= identities
        if isinstance(made, Made):
            tools.append(made)
        else:
            refused.append(made)
    return Contents(tuple(tools), tuple(refused))


def _named(place: Place, name: str) -> tuple[Made, ...]:
    """Take what stands behind the colon as the name of a tool, since that is what `list` shows."""
    if not name or "." in name:
        return ()
    with suppress(UsageError):
        return tuple(made for made in _made(place.find("")).tools if made.spec.name == name)
    return ()


def _make(one: Finding) -> Made | Refused:
    if isinstance(one, Refused):
        return one
    try:
        spec = one.source if isinstance(one.source, ToolSpec) else Tool.make(one.source).spec
    except PrismError as error:
        return Refused(getattr(error, "tool", "") or one.name, str(error), location_of(one.source))
    except (Exception, SystemExit) as error:  # noqa: BLE001  # constructors of subclasses may raise anything
        return Refused(one.name, words(error), location_of(one.source))
    return Made(one.name, spec, location_of(spec.handler))
