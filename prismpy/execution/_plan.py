"""How calls of a tool go, worked out once for all of them."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Final

import attrs

from prismpy.errors import DefinitionError, Problem
from prismpy.schema import JSON, Place, accepting, compile_schema, describe, emit, explaining, place_of, upgrade
from prismpy.tools import Binding, Fill, Handler, ToolSpec, hands_on_steps, is_async, is_steps
from prismpy.types import Load


@attrs.frozen
class Plan:
    """How calls of a tool go, worked out once."""

    handler: Handler
    is_async: bool
    """Whether calling the handler returns at once with something to await."""

    is_steps: bool
    """Whether what it returns is a generator."""

    hands_on_steps: bool
    """Whether it may be one, or none, as only what stands behind a decorator is a generator."""

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

    known: frozenset[str]
    """Names that the schema lists."""

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
        """The declared parameters as JSON Schema, in the words of the newest draft."""
        return upgrade(emit(self.spec.parameters))[0]

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
            hands_on_steps=_hands_on_steps(handler),
            is_special=_is_special(self.spec),
            output_problems=_output_problems(self.spec),
            accepts=accepting(self.schema) or (lambda arguments: not problems(arguments)),
            problems=problems,
            lets_through=bool(binding.closed) if binding.takes_any else not (closed and binding.names.keys() >= known),
            holds_containers=not closed or any(self.place.property(name).kinds & CONTAINERS for name in known),
            is_plain=not (renames or binding.fills or binding.positional or binding.injected or binding.rest),
            known=frozenset(known),
            binding=binding,
            positional=binding.positional,
            renames=renames,
            loads=tuple((name, renames.get(name, name), load) for name, load in binding.loads.items()),
            fills=tuple((name, renames.get(name, name), fill) for name, fill in binding.fills.items()),
        )


CONTAINERS: Final = frozenset({"array", "object"})


def _is_special(spec: ToolSpec) -> bool:
    limits = (spec.timeout, spec.executor, spec.result_limit)
    flags = (spec.checks_output, spec.external, is_steps(spec.handler), _hands_on_steps(spec.handler))
    return any(limit is not None for limit in limits) or any(flags)


def _hands_on_steps(handler: Handler | None) -> bool:
    return not is_steps(handler) and hands_on_steps(handler)


def _output_problems(spec: ToolSpec) -> Callable[[JSON], tuple[Problem, ...]] | None:
    return compile_schema(emit(spec.output)) if spec.checks_output and spec.output is not None else None
