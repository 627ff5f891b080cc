"""From contents to what goes into a provider's request."""

from prismpy.errors import DefinitionError
from prismpy.lowering import Change, has_strict_mode, strict_providers
from prismpy.review import Offered, offered
from prismpy.schema import JSON

from ._contents import Contents, Made
from ._targets import Refused
from ._usage import UsageError


def export_all(contents: Contents, provider: str, *, strict: bool = False) -> tuple[JSON, tuple[Refused, ...]]:
    """
    Write the tools of a target as a provider takes them.

    Args:
        contents: What the target holds.

        provider: A known name.

        strict: Whether to use its strict mode.

    Returns:
        What goes into the request's `tools`, a list; for `json-schema` an object, name to schema. And the tools that
        the provider cannot take.

    Raises:
        DefinitionError: if two tools have the same name.

        UsageError: if it shall be strict, and the provider has no such mode.
    """
    if strict and not has_strict_mode(provider):
        msg = f"{provider} has no strict mode; {', '.join(strict_providers())} have one"
        raise UsageError(msg)
    check_names(contents)
    told = offered([made.spec for made in contents.tools], provider, strict=strict)
    return dict(told.tools) if provider == "json-schema" else list(told.request), unfit(contents, told)


def changes_of(
    contents: Contents, provider: str, *, strict: bool
) -> tuple[dict[str, tuple[str, tuple[Change, ...]]], tuple[Refused, ...]]:
    """
    Tell what a provider is told otherwise than declared.

    Args:
        contents: What the target holds.

        provider: A known name.

        strict: Whether to use its strict mode, if it has one.

    Returns:
        Name of each tool to the way that it is told, such as `openai, strict`, and the changes. And the tools that the
        provider cannot take.

    Raises:
        DefinitionError: if two tools have the same name.
    """
    check_names(contents)
    told = offered([made.spec for made in contents.tools], provider, strict=strict)
    ways = {name: f"{provider}, {'strict' if low.strict else 'plain'}" for name, low in told.lowered.items()}
    return {name: (way, told.changes[name]) for name, way in ways.items()}, unfit(contents, told)


def unfit(contents: Contents, told: Offered) -> tuple[Refused, ...]:
    """Name the tools that a provider does not take, and why."""
    places = {made.spec.name: made.location for made in contents.tools}
    return tuple(Refused(name, reason, places.get(name)) for name, reason in told.refused.items())


def check_names(contents: Contents) -> None:
    """
    Make sure that the tools of a target have distinct names.

    Raises:
        DefinitionError: naming the places of two that have not.
    """
    first: dict[str, Made] = {}
    for made in contents.tools:
        other = first.setdefault(made.spec.name, made)
        if other is not made:
            places = f"{other.location or other.name} and {made.location or made.name}"
            msg = f"two tools are called {made.spec.name!r} ({places}); rename one with as_(), or export them apart"
            raise DefinitionError(msg, tool=made.spec.name)
