"""From contents to what goes into a provider's request."""

from prismpy.errors import DefinitionError
from prismpy.review import offered
from prismpy.schema import JSON

from ._contents import Contents, Made
from ._targets import Refused


def export_all(contents: Contents, provider: str) -> tuple[JSON, tuple[Refused, ...]]:
    """
    Write the tools of a target as a provider takes them.

    Args:
        contents: What the target holds.

        provider: A known name.

    Returns:
        What goes into the request's `tools`, a list; for `json-schema` an object, name to schema. And the tools that
        the provider cannot take.

    Raises:
        DefinitionError: if two tools have the same name.
    """
    check_names(contents)
    told = offered([made.spec for made in contents.tools], provider)
    places = {made.spec.name: made.location for made in contents.tools}
    refused = tuple(Refused(name, reason, places.get(name)) for name, reason in told.refused.items())
    return dict(told.tools) if provider == "json-schema" else list(told.request), refused


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
