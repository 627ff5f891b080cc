"""Tools as plain functions, for those who call them by hand or hand them to another framework."""

from collections.abc import Callable, Iterable
from typing import Any

from prismpy.tools import ToolSpec
from prismpy.types import attribute


def callables(specs: Iterable[ToolSpec]) -> tuple[Callable[..., Any], ...]:
    """Return the handlers of tools, under the tools' names; tools that are answered elsewhere have none."""
    return tuple(_callable(spec) for spec in specs if spec.handler is not None)


def _callable(spec: ToolSpec) -> Callable[..., Any]:
    handler = spec.handler
    assert handler is not None  # noqa: S101  # the caller looked

    if attribute(handler, "__name__") == spec.name:
        return handler

    def call(*args: Any, **kwargs: Any) -> Any:
        return handler(*args, **kwargs)

    call.__name__ = call.__qualname__ = spec.name
    call.__doc__ = spec.description
    return call
