"""Tools that are used together have distinct names."""

from collections.abc import Iterable

from prismpy.errors import DefinitionError

from ._spec import ToolSpec


def distinct(specs: Iterable[ToolSpec]) -> dict[str, ToolSpec]:
    """
    Return tools by their names, in order.

    Raises:
        DefinitionError: if two have the same.
    """
    found: dict[str, ToolSpec] = {}
    for spec in specs:
        if spec.name in found:
            msg = f"two tools are called {spec.name!r}; rename one with as_()"
            raise DefinitionError(msg, tool=spec.name)
        found[spec.name] = spec
    return found
