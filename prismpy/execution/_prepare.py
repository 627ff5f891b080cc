"""From a call to a handler that is ready to run, or to the result that refuses it."""

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

import attrs

from prismpy.errors import DefinitionError, Problem
from prismpy.lowering import Offer
from prismpy.messages import RunContext, ToolCall, ToolResult
from prismpy.schema import (
    JSON,
    Place,
    accepting,
    compile_schema,
    copied,
    describe,
    emit,
    explaining,
    holds,
    nearest,
    place_of,
)
from prismpy.tools import Binding, Fill, Handler, ToolSpec
from prismpy.types import ConversionError, Load, inside

from ._arguments import parse_arguments
from ._coerce import coerce
from ._conclude import failure, listing


@attrs.frozen
class Plan:
    """How calls of a tool go, worked out once."""

    handler: Handler
    is_async: bool
    """Whether calling the handler returns at once with something to await."""

    is_steps: bool
    """Whether what it returns is a generator."""

    is_special: bool
    """Whether a call takes other than calling the handler: a limit, an executor, steps, an answer from outside."""

    output_problems: Callable[[JSON], tuple[Problem, ...]] | None
    """Tells what is wrong with a result; None where nothing was declared."""

    accepts: Callable[[JSON], bool]
    """Tells at once that an arguments object is right; if not, `problems` has the last word."""

    problems: Callable[[JSON], tuple[Problem, ...]]
    """Tells what is wrong with an arguments object."""

    lets_through: bool
    """Whether the schema lets arguments through that the handler cannot take, or a model must not give."""

    holds_containers: bool
    """Whether there may be lists or objects among the arguments, which a handler could change."""

    is_plain: bool
    """Whether there is nothing to fill in, to rename or to pass by place."""

    binding: Binding
    positional: tuple[str, ...]
    """Names in the signature of what goes by place."""

    renames: Mapping[str, str]
    """Name in the schema to name in the signature, where they differ."""

    loads: tuple[tuple[str, str, Load], ...]
    """Name in the schema, name in the signature and conversion."""

    fills: tuple[tuple[str, str, Fill], ...]
    """Name in the schema, name in the signature and what stands in."""


@attrs.frozen(slots=False)
class Runnable:
    """A complete tool with what running it many times needs only once."""

    spec: ToolSpec

    @cached_property
    def schema(self) -> JSON:
        """The declared parameters as JSON Schema."""
        return emit(self.spec.parameters)

    @cached_property
    def place(self) -> Place:
        """The declared parameters as what may stand where."""
        return place_of(self.schema)

    @cached_property
    def shape(self) -> str:
        """The declared parameters in one line, for a model that got them wrong."""
        return describe(self.schema)

    @cached_property
    def plan(self) -> Plan:
        """How calls go; it is made when the first one comes."""
        handler, binding = self.spec.handler, self.spec.binding
        if handler is None or binding is None:
            if not self.spec.external:
                msg = f"tool {self.spec.name!r} has no handler, so it cannot be run; give it one with using()"
                raise DefinitionError(msg, tool=self.spec.name)
            handler, binding = dict, Binding(takes_any=True)  # never called; whoever answers takes what the schema does
        if self.spec.executor is not None and (is_async(handler) or is_steps(handler)):
            msg = f"tool {self.spec.name!r}: its handler is async or a generator, which no executor can run"
            raise DefinitionError(msg, tool=self.spec.name)
        closed = self.schema.get("additionalProperties") is False and "patternProperties" not in self.schema
        known = self.schema.get("properties", {}).keys()
        problems = explaining(self.schema)
        renames = {name: own for name, own in binding.names.items() if name != own}
        return Plan(
            handler=handler,
            is_async=is_async(handler),
            is_steps=is_steps(handler),
            is_special=_is_special(self.spec),
            output_problems=_output_problems(self.spec),
            accepts=accepting(self.schema) or (lambda arguments: not problems(arguments)),
            problems=problems,
            lets_through=bool(binding.closed) if binding.takes_any else not (closed and binding.names.keys() >= known),
            holds_containers=not closed or any(self.place.property(name).kinds & CONTAINERS for name in known),
            is_plain=not (renames or binding.fills or binding.positional or binding.injected),
            binding=binding,
            positional=binding.positional,
            renames=renames,
            loads=tuple((name, renames.get(name, name), load) for name, load in binding.loads.items()),
            fills=tuple((name, renames.get(name, name), fill) for name, fill in binding.fills.items()),
        )


CONTAINERS: Final = frozenset({"array", "object"})


def _is_special(spec: ToolSpec) -> bool:
    limits = (spec.timeout, spec.executor, spec.result_limit)
    flags = (spec.checks_output, spec.external, is_steps(spec.handler))
    return any(limit is not None for limit in limits) or any(flags)


def _output_problems(spec: ToolSpec) -> Callable[[JSON], tuple[Problem, ...]] | None:
    return compile_schema(emit(spec.output)) if spec.checks_output and spec.output is not None else None


def is_async(function: Any) -> bool:
    """Tell whether what a function, or an object that can be called, returns at once is to be awaited or iterated."""
    return _is(function, inspect.iscoroutinefunction) or _is(function, inspect.isasyncgenfunction)


def is_steps(function: Any) -> bool:
    """Tell whether a function, or an object that can be called, is a generator, async or not."""
    return _is(function, inspect.isgeneratorfunction) or _is(function, inspect.isasyncgenfunction)


def _is(function: Any, kind: Callable[[Any], bool]) -> bool:
    method = getattr(type(function), "__call__", None)  # noqa: B004  # the method is looked at, not whether it is there
    return kind(function) or kind(method)


@attrs.define(eq=False)  # freezing it would cost each call a tenth of its time
class Ready:
    """A call whose arguments are right and converted."""

    call: ToolCall
    spec: ToolSpec
    handler: Handler
    arguments: Mapping[str, JSON]
    """As the model sent them, after repairs."""

    repairs: tuple[str, ...]
    """What was repaired, one sentence each."""

    positional: Sequence[Any]
    """What the handler gets by place."""

    named: Mapping[str, Any]
    """What it gets by name; it shares no container with `arguments`."""

    is_over: bool = False
    """Whether the call was given up or has ended, so that nothing it yields is told any more."""

    def invoke(self) -> Any:
        """Run the handler; what it returns may be an awaitable."""
        return self.handler(*self.positional, **self.named)


def prepare(
    tool: Runnable, call: ToolCall, provided: Iterable[Any] = (), offer: Offer | None = None
) -> Ready | ToolResult:
    """Judge a call of a tool: read, check, repair and convert its arguments."""
    plan = tool.plan
    parsed = parse_arguments(call.arguments)
    if isinstance(parsed, Problem):
        return refuse(call, tool, (parsed,))
    arguments, repairs = parsed
    if repairs and offer is not None and call.name in offer.lowered:  # it could not read them as they came
        arguments = offer.lowered[call.name].decode(arguments)
    if not holds(plan.accepts, arguments):
        repaired, said = coerce(tool.place, arguments)
        if said and holds(plan.accepts, repaired):
            arguments, repairs = repaired, repairs + said
        elif problems := plan.problems(arguments):
            return refuse(call, tool, problems)
    if plan.lets_through and (problems := _untaken(plan, arguments)):
        return refuse(call, tool, problems)
    given = copied(arguments) if plan.holds_containers else arguments  # the handler may change what it gets
    if plan.is_plain and _is_loaded(plan, given):
        return Ready(call, tool.spec, plan.handler, arguments, repairs, (), given)
    try:
        named = bind(plan, given)
    except ConversionError as error:
        return refuse(call, tool, (Problem(error.path, "convert", error.message),))
    if plan.binding.injected and not tool.spec.external:  # nothing of the app is handed out
        named |= inject(tool.spec, plan.binding, RunContext(_own(call), provided))
    positional = [named.pop(name) for name in plan.positional if name in named] if plan.positional else ()
    return Ready(call, tool.spec, plan.handler, arguments, repairs, positional, named)


def _own(call: ToolCall) -> ToolCall:
    """Return the call as sent, with arguments that may be changed."""
    return attrs.evolve(call, arguments=copied(call.arguments))


def refuse(call: ToolCall, tool: Runnable, problems: tuple[Problem, ...]) -> ToolResult:
    """Make the result of a call whose arguments are wrong: every problem, and the shape that was expected."""
    lines = [f"{tool.spec.name} was not called; its arguments are wrong:"]
    lines += [f"- {problem}" for problem in listing(problems)]
    return failure(call, "\n".join([*lines, f"Expected: {tool.shape}"]), problems)


def refuse_unknown(call: ToolCall, known: Iterable[str]) -> ToolResult:
    """Make the result of a call of a tool that is not there: the near names, and all names."""
    known = list(known)
    listed = f"available are {', '.join(known)}" if known else "no tools are available"
    return failure(call, f"there is no tool {call.name!r}{nearest(str(call.name), known)}; {listed}")


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
            try:
                named[own] = load(arguments[name])
            except ConversionError:
                with inside(name):
                    raise
            except OverflowError as error:  # an integer beyond every float
                msg = "the number is too large"
                raise ConversionError(msg, name) from error
    for name, own, default in plan.fills:
        if name not in arguments:
            named[own] = default.fill()
    return named


def check(tools: Mapping[str, Runnable], calls: Iterable[ToolCall], provided: tuple[Any, ...]) -> None:
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
