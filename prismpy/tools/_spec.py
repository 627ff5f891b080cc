"""Everything prismpy knows about one tool, as a value. Who fills it in: `_complete` and the fluent shell."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import attrs

from prismpy.schema import ObjectSchema
from prismpy.types import Load

Handler: TypeAlias = Callable[..., Any]
"""What runs a tool: takes the arguments by name, returns the result or an awaitable of it."""

FailureHandler: TypeAlias = Callable[[Exception, Mapping[str, Any]], Any]
"""Takes the exception of a handler and the arguments of the call; returns text (or a `ToolOutput`) for the model."""


@attrs.frozen
class Binding:
    """How arguments, named as in the schema, reach the handler."""

    names: Mapping[str, str] = attrs.field(factory=dict, hash=False)
    """Name in the schema to name in the signature, for every parameter that the handler takes."""

    loads: Mapping[str, Load] = attrs.field(factory=dict, hash=False)
    """Name in the schema to the conversion, for the parameters that need one."""

    fills: Mapping[str, Any] = attrs.field(factory=dict, hash=False)
    """Name in the schema to a default that is copied afresh for each call that leaves the parameter out."""

    positional: tuple[str, ...] = ()
    """Names in the signature, in order, of the parameters that cannot be passed by name."""

    takes_any: bool = False
    """Whether the handler has `**kwargs`, and so takes names that are not listed here."""


@attrs.frozen
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

    parameters: ObjectSchema = attrs.field(factory=ObjectSchema)
    """The arguments object: declared parameters in a draft, all of them once complete."""

    handler: Handler | None = None
    """None for a tool that is only described, or run elsewhere."""

    infers: bool | None = None
    """Whether parameters that are not declared are read off the handler; None: only if none is declared at all."""

    binding: Binding | None = None
    """Known once complete; None in drafts, and where there is no handler."""

    omitted: Mapping[str, str] = attrs.field(factory=dict, hash=False)
    """Parameters of the handler that stay at their default since they have no JSON form, and why."""

    concurrent: bool = False
    """Whether calls may run beside neighbouring concurrent ones."""

    timeout: float | None = None
    """Seconds a call may take, more than 0; None for no limit."""

    requires_approval: bool = False
    """Whether a call runs only after somebody agreed to it."""

    handles_errors: bool = True
    """Whether an exception of the handler becomes a result; if not, it is raised."""

    on_failure: FailureHandler | None = None
    """Words a failure for the model; None for the standard wording."""

    provider_options: Mapping[str, Mapping[str, Any]] = attrs.field(factory=dict, hash=False)
    """Provider name to the options sent with the tool, in the provider's own words."""
