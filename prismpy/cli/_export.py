"""From contents to what goes into a provider's request."""

from prismpy.errors import DefinitionError, LoweringError
from prismpy.lowering import export, offer
from prismpy.schema import JSON
from prismpy.tools import ToolSpec

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
    _check_names(contents)
    taken: list[ToolSpec] = []
    refused: list[Refused] = []
    for made in contents.tools:
        try:
            export(made.spec, provider)
        except LoweringError as error:
            refused.append(Refused(made.spec.name, str(error), made.location))
        else:
            taken.append(made.spec)
    exported = offer(taken, provider).tools
    by_name = {spec.name: tool for spec, tool in zip(taken, exported, strict=True)}
    return by_name if provider == "json-schema" else list(exported), tuple(refused)


def _check_names(contents: Contents) -> None:
    first: dict[str, Made] = {}
    for made in contents.tools:
        other = first.setdefault(made.spec.name, made)
        if other is not made:
            places = f"{other.location or other.name} and {made.location or made.name}"
            msg = f"two tools are called {made.spec.name!r} ({places}); rename one with as_(), or export them apart"
            raise DefinitionError(msg, tool=made.spec.name)
