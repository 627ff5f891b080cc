"""From a call to a handler that is ready to run, or to the result that refuses it."""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, partial
from typing import Any

import attrs

from prismpy.errors import DefinitionError, Problem
from prismpy.messages import RunContext, ToolCall, ToolResult
from prismpy.schema import JSON, compile_schema, emit, nearest
from prismpy.tools import Binding, ToolSpec
from prismpy.types import ConversionError, inside

from ._arguments import parse_arguments
from ._conclude import failure, refuse


@attrs.frozen(slots=False)
class Runnable:
    """A complete tool with what running it many times needs only once."""

    spec: ToolSpec

    @cached_property
    def binding(self) -> Binding:
        """The way to the handler."""
        if self.spec.binding is None:
            msg = f"tool {self.spec.name!r} has no handler, so it cannot be run; give it one with using()"
            raise DefinitionError(msg, tool=self.spec.name)
        return self.spec.binding

    @cached_property
    def problems(self) -> Callable[[JSON], tuple[Problem, ...]]:
        """Holds an arguments object against the declared parameters."""
        return compile_schema(emit(self.spec.parameters))

    @cached_property
    def names(self) -> frozenset[str]:
        """The arguments that the handler takes by name."""
        return frozenset(self.binding.names)


@attrs.frozen
class Ready:
    """A call whose arguments are right and converted."""

    call: ToolCall
    spec: ToolSpec
    arguments: Mapping[str, JSON]
    """As the model sent them."""

    invoke: Callable[[], Any]
    """Runs the handler; what it returns may be an awaitable."""


def prepare(tools: Mapping[str, Runnable], call: ToolCall, provided: Iterable[Any] = ()) -> Ready | ToolResult:
    """Judge a call: find its tool, read, check and convert its arguments."""
    tool = tools.get(call.name)
    if tool is None:
        return failure(call, _unknown(call.name, list(tools)))
    arguments = parse_arguments(call.arguments)
    if isinstance(arguments, Problem):
        return refuse(call, tool.spec, [arguments])
    problems = tool.problems(arguments) or _untaken(tool, arguments)
    if problems:
        return refuse(call, tool.spec, problems)
    try:
        positional, named = bind(tool.binding, arguments, inject(tool.spec, tool.binding, RunContext(call, provided)))
    except ConversionError as error:
        return refuse(call, tool.spec, [Problem(error.path, "convert", error.message)])
    handler = tool.spec.handler
    assert handler is not None  # noqa: S101  # a tool with a binding has one
    return Ready(call, tool.spec, arguments, partial(handler, *positional, **named))


def _unknown(name: str, known: list[str]) -> str:
    listed = f"available are {', '.join(known)}" if known else "no tools are available"
    return f"there is no tool {name!r}{nearest(name, known)}; {listed}"


def _untaken(tool: Runnable, arguments: Mapping[str, JSON]) -> tuple[Problem, ...]:
    """Find arguments that an open schema lets through, but the handler does not take."""
    if tool.binding.takes_any or tool.names >= arguments.keys():
        return ()
    known = sorted(tool.names)
    untaken = [name for name in arguments if name not in tool.names]
    return tuple(Problem(name, "unknown", f"unknown{nearest(name, known)}", known) for name in untaken)


def bind(
    binding: Binding, arguments: Mapping[str, JSON], injected: Mapping[str, Any]
) -> tuple[list[Any], dict[str, Any]]:
    """
    Convert arguments and lay them out as the handler takes them.

    Returns:
        What goes by place, and what goes by name. Defaults that a call could change are copies.

    Raises:
        ConversionError: naming the path of a value that is none of the annotated type.
    """
    named = dict(injected)
    for name, value in arguments.items():
        load = binding.loads.get(name)
        with inside(name):
            named[binding.names.get(name, name)] = value if load is None else load(value)
    for name, default in binding.fills.items():
        if name not in arguments:
            named[binding.names.get(name, name)] = default.fill()
    return [named.pop(name) for name in binding.positional if name in named], named


def inject(spec: ToolSpec, binding: Binding, context: RunContext) -> dict[str, Any]:
    """
    Find what the app fills in: the run context itself, or the first provided object of the wanted class.

    Raises:
        DefinitionError: naming a parameter that nothing was provided for.
    """
    filled = {}
    for name, kind in binding.injected.items():
        fitting = [each for each in (context, *context.provided) if isinstance(each, kind)]
        if fitting:
            filled[name] = fitting[0]
        elif name not in binding.dispensable:
            msg = f"tool {spec.name!r}: nothing was provided for parameter {name!r}; pass a {kind.__name__} in provide"
            raise DefinitionError(msg, tool=spec.name)
    return filled
