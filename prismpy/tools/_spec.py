"""Everything prismpy knows about one tool, as a value. Who fills it in: `_complete` and the fluent shell."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import attrs

from prismpy.schema import ObjectSchema, Schema, compiles
from prismpy.types import Load

if TYPE_CHECKING:  # takes a third of the import time; most programs have no need of it
    from concurrent.futures import Executor

Handler: TypeAlias = Callable[..., Any]
"""What runs a tool: takes the arguments by name, returns the result or an awaitable of it."""

FailureHandler: TypeAlias = Callable[[Exception, Mapping[str, Any]], Any]
"""Takes the exception of a handler and the arguments of the call; returns text (or a `ToolOutput`) for the model."""


@attrs.frozen
class Fill:
    """What stands in for a parameter that a call leaves out."""

    value: Any = None
    """The default as it was written."""

    make: Callable[[], Any] | None = attrs.field(default=None, eq=False)
    """Makes it for one call, where that may change it; None where all calls may have the same."""

    def fill(self) -> Any:
        """Return a value for one call."""
        return self.value if self.make is None else self.make()


@attrs.frozen
class Binding:
    """How arguments, named as in the schema, reach the handler."""

    names: Mapping[str, str] = attrs.field(factory=dict, hash=False)
    """Name in the schema to name in the signature, for every parameter that a model may fill."""

    closed: frozenset[str] = frozenset()
    """Names that no model may fill, even where the handler takes any: what is bound, provided or left out."""

    loads: Mapping[str, Load] = attrs.field(factory=dict, eq=False)
    """Name in the schema to the conversion, for the parameters that need one; they follow from schema and handler."""

    fills: Mapping[str, Fill] = attrs.field(factory=dict, hash=False)
    """Name in the schema to what stands in for a parameter that a call leaves out and the handler needs."""

    positional: tuple[str, ...] = ()
    """Names in the signature, in order, of the parameters that cannot be passed by name."""

    injected: Mapping[str, type] = attrs.field(factory=dict, hash=False)
    """Name in the signature to the class of what the app fills in."""

    dispensable: frozenset[str] = frozenset()
    """Those of them that the handler can do without."""

    provisional: bool = False
    """Whether an annotation could not be evaluated; a class may yet be defined below the handler."""

    takes_any: bool = False
    """Whether the handler has `**kwargs`, and so takes names that are not listed here."""

    rest: Load | None = attrs.field(default=None, eq=False)
    """Converts what comes under names that the schema does not list; None where both are the same."""


CrashPolicy: TypeAlias = Literal["at_least_once", "at_most_once", "exactly_once"]
"""How often a call may take effect in a durable run whose process was killed in the middle of it."""

CRASH_POLICIES: Final[tuple[CrashPolicy, ...]] = ("at_least_once", "at_most_once", "exactly_once")


Syntax: TypeAlias = Literal["lark", "regex"]
"""What grammars may be written in. Source: openai 3.57.0, types/shared_params/custom_tool_input_format.py (2026-11)."""

SYNTAXES: Final[tuple[Syntax, ...]] = ("lark", "regex")


@attrs.frozen
class FreeText:
    """How a model writes the one text that a tool takes, where its provider knows such tools."""

    grammar: str = ""
    """What the text must obey; "" for any text."""

    syntax: Syntax = "lark"
    """What the grammar is written in."""

    @property
    def pattern(self) -> str | None:
        """The grammar as a `pattern`; None if it is none, or not one that Python can compile."""
        pattern = f"^(?:{self.grammar})$"
        return pattern if self.grammar and self.syntax == "regex" and compiles(pattern) else None


@attrs.frozen(slots=False)
class ToolSpec:
    """
    A tool as a value.

    A draft, as the builder holds it, may lack what only a look at the handler
    tells; `complete` adds that.
    """

    name: str = ""
    """As the model sees it, unless a provider demands another spelling."""

    description: str = ""
    """For the model: what the tool does, and when to use it."""

    parameters: ObjectSchema = ObjectSchema()
    """The arguments object: declared parameters in a draft, all of them once complete."""

    handler: Handler | None = None
    """None for a tool that is only described, or answered elsewhere."""

    infers: bool | None = None
    """Whether parameters that are not declared are read off the handler; None: only if none is declared at all."""

    binding: Binding | None = None
    """Known once complete; None in drafts, and where there is no handler."""

    omitted: Mapping[str, str] = attrs.field(factory=dict, hash=False)
    """Parameters of the handler that stay at their default since they have no JSON form, and why."""

    notes: tuple[str, ...] = ()
    """What reading the handler could not settle, one sentence each: types that are unknown or partly left out."""

    output: Schema | None = None
    """What the handler returns, as declared or by its annotation; None where that says nothing."""

    free_text: FreeText | None = None
    """How a model writes the only argument where its provider takes text; None for arguments in JSON everywhere."""

    concurrent: bool = False
    """Whether calls may run beside neighbouring concurrent ones."""

    timeout: float | None = None
    """Seconds a call may take, more than 0; None for no limit."""

    executor: "Executor | None" = None
    """Where the handler runs; None for the thread that runs the tool, or a worker thread of the event loop."""

    checks_output: bool = False
    """Whether `output` was declared, and a result that does not fit it is a failure."""

    result_limit: int | None = None
    """Characters that the model may read of a result, more than 0; None for no limit."""

    requires_approval: bool = False
    """Whether a call runs only after somebody agreed to it."""

    max_retries: int | None = None
    """How many turns in a row a model may try again after it got the tool wrong, from 0 up; None for no limit."""

    external: bool = False
    """Whether calls are answered outside of the run, by the app or its client; the handler only describes the tool."""

    deferred: bool = False
    """Whether a model is told of the tool only when it has searched for it."""

    return_direct: bool = False
    """Whether a result that is no failure ends the run and is its answer, with no further word of the model."""

    crash_policy: CrashPolicy = "at_least_once"
    """What becomes, in a durable run, of a call that had begun when the process was killed."""

    handles_errors: bool = True
    """Whether an exception of the handler becomes a result; if not, it is raised."""

    on_failure: FailureHandler | None = None
    """Words a failure for the model; None for the standard wording."""

    provider_options: Mapping[str, Mapping[str, Any]] = attrs.field(factory=dict, hash=False)
    """Provider name to the options sent with the tool, in the provider's own words."""
