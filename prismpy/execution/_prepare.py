"""From a call to a handler that is ready to run, or to the result that refuses it."""

from collections.abc import Mapping
from typing import Any

import attrs

from prismpy.errors import DefinitionError, Problem
from prismpy.messages import RunContext, ToolCall, ToolResult
from prismpy.schema import JSON, UnreadableError, copied, decode, describe, holds, nearest
from prismpy.tools import Binding, ToolSpec
from prismpy.types import ConversionError, Load, inside

from ._arguments import parse_arguments
from ._budget import is_last
from ._coerce import coerce
from ._failure import failure, listing
from ._plan import Plan, Runnable
from ._ready import Ready
from ._terms import Terms


def prepare(tool: Runnable, call: ToolCall, terms: Terms) -> Ready | ToolResult:
    """Judge a call of a tool: read, check, repair and convert its arguments."""
    plan = tool.plan
    arguments: JSON = None
    repairs: tuple[str, ...] = ()
    if type(call.arguments) is str:  # as nearly always
        try:  # noqa: SIM105  # suppress takes a quarter of a microsecond
            arguments = decode(call.arguments)
        except UnreadableError:
            pass
    if type(arguments) is not dict:
        parsed = parse_arguments(call.arguments)
        if isinstance(parsed, Problem):
            return refuse(call, tool, (parsed,), terms)
        arguments, repairs = parsed
    if repairs and terms.told is not None and call.name in terms.told.lowered:  # it could not read them as they came
        arguments = terms.told.lowered[call.name].decode(arguments)
    if not holds(plan.accepts, arguments):
        repaired, said = coerce(tool.place, arguments)
        if said and holds(plan.accepts, repaired):
            arguments, repairs = repaired, repairs + said
        elif problems := plan.problems(arguments):
            return refuse(call, tool, problems, terms)
    if plan.lets_through and (problems := _untaken(plan, arguments)):
        return refuse(call, tool, problems, terms)
    given = copied(arguments) if plan.holds_containers else arguments  # the handler may change what it gets
    if plan.is_plain and _is_loaded(plan, given):
        return Ready(call, tool.spec, plan.handler, arguments, repairs, (), given)
    try:
        named = bind(plan, given)
    except ConversionError as error:
        return refuse(call, tool, (Problem(error.path, "convert", error.message),), terms)
    if plan.binding.injected and not tool.spec.external:  # nothing of the app is handed out
        named |= inject(tool.spec, plan.binding, RunContext(_own(call), terms.provided, terms.idempotency_key))
    positional = [named.pop(name) for name in plan.positional if name in named] if plan.positional else ()
    return Ready(call, tool.spec, plan.handler, arguments, repairs, positional, named)


def _own(call: ToolCall) -> ToolCall:
    """Return the call as sent, with arguments that may be changed."""
    return attrs.evolve(call, arguments=copied(call.arguments))


def refuse(call: ToolCall, tool: Runnable, problems: tuple[Problem, ...], terms: Terms) -> ToolResult:
    """Make the result of a call whose arguments are wrong: every problem, and the shape that was expected."""
    name = terms.name_of(tool.spec.name)
    lines = [f"{name} was not called; its arguments are wrong:"]
    lines += [f"- {problem}" for problem in listing(problems)]
    lines.append(f"Expected: {_shape(tool, terms)}")
    if not is_last(tool.spec, terms.budget):
        return failure(call, "\n".join(lines), problems, retry="open")
    lines.append(f"This was the last try; go on without {name}.")
    return failure(call, "\n".join(lines), problems, retry="spent")


def _shape(tool: Runnable, terms: Terms) -> str:
    """Say what was expected in the words in which the model was told the tool."""
    lowered = None if terms.told is None else terms.told.lowered.get(tool.spec.name)
    return tool.shape if lowered is None or not lowered.translates else describe(lowered.schema)


def _untaken(plan: Plan, arguments: Mapping[str, JSON]) -> tuple[Problem, ...]:
    """Find arguments that an open schema lets through, but the handler does not take, or a model must not give."""
    names, closed = plan.binding.names, plan.binding.closed
    known = sorted(names)
    untaken = [name for name in arguments if (name in closed if plan.binding.takes_any else name not in names)]
    return tuple(Problem(name, "unknown", f"unknown{nearest(name, known)}", known) for name in untaken)


def _is_loaded(plan: Plan, arguments: Mapping[str, JSON]) -> bool:
    """Tell whether every value is of the annotated class already, as numbers and booleans mostly are."""
    for name, _, load in plan.loads:  # noqa: SIM110  # all() takes twice as long
        if name in arguments and type(arguments[name]) is not load:
            return False
    return True


def bind(plan: Plan, arguments: Mapping[str, JSON]) -> dict[str, Any]:
    """
    Convert arguments and name them as the handler does, with what stands in for those that are left out.

    Raises:
        ConversionError: naming the path of a value that is none of the annotated type.
    """
    renames = plan.renames
    named = {renames.get(name, name): value for name, value in arguments.items()} if renames else dict(arguments)
    for name, own, load in plan.loads:
        if name in arguments:
            named[own] = _loaded(load, name, arguments[name])
    if plan.binding.rest is not None:
        others = [name for name in arguments if name not in plan.known]
        named |= {name: _loaded(plan.binding.rest, name, arguments[name]) for name in others}
    for name, own, default in plan.fills:
        if name not in arguments:
            named[own] = default.fill()
    return named


def _loaded(load: Load, name: str, value: JSON) -> Any:
    try:
        return load(value)
    except ConversionError:
        with inside(name):
            raise
    except OverflowError as error:  # an integer beyond every float
        msg = "the number is too large"
        raise ConversionError(msg, name) from error


def check(tools: Mapping[str, Runnable], calls: tuple[ToolCall, ...], provided: tuple[Any, ...]) -> None:
    """
    Find what the developer did wrong before anything runs.

    Raises:
        DefinitionError: if a tool that is called cannot be run, or nothing was provided for a parameter of it.
    """
    for call in calls:
        tool = tools.get(call.name)
        if tool is not None and tool.plan.binding.injected and not tool.spec.external:
            inject(tool.spec, tool.plan.binding, RunContext(call, provided))


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
