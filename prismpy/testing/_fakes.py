"""Results without running tools."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import attrs

from prismpy.errors import DefinitionError
from prismpy.fluent import Tool, Toolbox


def faked(tools: Iterable[Any], results: Mapping[str, Any]) -> Toolbox:
    """
    Put fakes in the places of tools.

    Only the handler is replaced: arguments are read, checked, repaired and
    converted as always, so a call that would be refused is refused.

    Args:
        tools: Anything `Tool.make` takes, mixed, or a `Toolbox`.

        results: Name of a tool to what it returns: a value, an exception to raise, or a function of the arguments by
            name. Tools that are not named here are run.

    Raises:
        DefinitionError: if no tool has one of the names.
    """
    specs = [Tool.make(each).spec for each in tools]
    unknown = results.keys() - {spec.name for spec in specs}
    if unknown:
        msg = f"no tool is called {min(unknown)!r}; there are {', '.join(spec.name for spec in specs)}"
        raise DefinitionError(msg)
    return Toolbox(
        attrs.evolve(spec, handler=_handler(results[spec.name]), external=False) if spec.name in results else spec
        for spec in specs
    )


def _handler(result: Any) -> Callable[..., Any]:
    def answer(*positional: Any, **named: Any) -> Any:
        if isinstance(result, Exception):
            raise result
        return result(*positional, **named) if callable(result) else result

    return answer
