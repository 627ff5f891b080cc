"""
A call: what the model asked for, what was decided about it, and what its handler may know.

Source of names: Prism, `src/ValueObjects/ToolCall.php` (read 2026-11).
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any, Literal

import attrs

from prismpy.errors import DefinitionError
from prismpy.schema import JSON, cut, free_name, plain

from ._lean import lean
from ._stored import Stored


@lean
@attrs.frozen(slots=False, init=False)
class ToolCall(Stored):
    """A model's wish to run a tool."""

    id: str
    """The provider's id of the call; "" where it sent none."""

    name: str
    """Name of the tool, as the model wrote it."""

    arguments: str | bytes | Mapping[str, Any] | None = attrs.field(default=None, hash=False)
    """JSON text as it came, the decoded object, or None for no arguments."""

    def __init__(self, id: str, name: str, arguments: str | bytes | Mapping[str, Any] | None = None) -> None:
        fields = self.__dict__
        fields["id"] = id
        fields["name"] = name
        fields["arguments"] = arguments

    @property
    def digest(self) -> str:
        """A fingerprint of name and arguments, whatever the id: 64 hexadecimal digits, the same for equal JSON only."""
        shown = json.dumps([self.name, self.decoded], sort_keys=True, default=repr)
        return hashlib.sha256(shown.encode()).hexdigest()

    def to_dict(self) -> dict[str, JSON]:
        """
        Return `{"id", "name", "arguments"}`: the arguments as they came, object or text.

        UTF-8 becomes text, and what is no JSON becomes text that is none either.
        """
        return {"id": self.id, "name": self.name, "arguments": _storable(self.arguments)}

    @property
    def decoded(self) -> Any:
        """The arguments as JSON, however they came; text that is none stays text."""
        if not isinstance(self.arguments, str | bytes):
            return {} if self.arguments is None else self.arguments
        try:
            return json.loads(self.arguments) if self.arguments.strip() else {}
        except (ValueError, RecursionError):
            return self.arguments


def _storable(arguments: str | bytes | Mapping[str, Any] | None) -> JSON:
    if isinstance(arguments, bytes):
        return arguments.decode("utf-8", "surrogateescape")
    if arguments is None or isinstance(arguments, str):
        return arguments
    try:
        return plain(dict(arguments))
    except DefinitionError:
        return cut(repr(arguments), 10_000)


@attrs.frozen
class Decision(Stored):
    """What somebody decided about a call that requires approval."""

    agreed: bool
    """Whether the call may run."""

    reason: str = ""
    """For the model, where the call may not run."""

    arguments: Mapping[str, Any] | None = attrs.field(default=None, hash=False)
    """What to run the call with instead; None for the arguments as they are. They are checked like any others."""

    digest: str | None = None
    """`ToolCall.digest` of the call that was decided about; it holds for no other. None: for the one that was asked."""


@attrs.frozen
class Pending(Stored):
    """A call that cannot be answered before something comes from outside."""

    call: ToolCall
    """With the arguments that it would be run with; its `digest` binds a decision to them."""

    needs: Literal["approval", "answer"]
    """A decision of somebody, or what the app or its client answers in the place of a handler."""


@attrs.frozen
class RunContext:
    """
    What a handler may know about the call it answers.

    A parameter annotated with this class is filled by prismpy and left out of the schema.
    """

    call: ToolCall
    """The call, with the arguments as the model sent them."""

    provided: tuple[Any, ...] = attrs.field(default=(), converter=tuple[Any, ...], hash=False)
    """What the app gave as `provide` when it ran the tool."""

    idempotency_key: str = ""
    """
    The same for every attempt at this call in a durable run, and for no other call: hand it to services that take one,
    so that they do nothing twice. "" outside of durable runs.
    """


@attrs.frozen
class Progress:
    """What a handler that is a generator yielded, before its result."""

    call: ToolCall
    """The call it is part of."""

    value: Any = attrs.field(hash=False)
    """What was yielded, as it is."""


def unique_ids(calls: Iterable[ToolCall]) -> tuple[ToolCall, ...]:
    """
    Give every call of a batch an id of its own; the first bearer of an id keeps it.

    Providers reuse ids and leave them out; histories need them to tell results apart.
    """
    calls = tuple(calls)
    if len(calls) == 1 and calls[0].id:
        return calls
    taken = {call.id for call in calls}
    seen: set[str] = set()
    renamed = []
    for position, call in enumerate(calls):
        own = call.id if call.id and call.id not in seen else free_name(f"{call.id or 'call'}_{position}", taken)
        taken.add(own)
        seen.add(own)
        renamed.append(call if own == call.id else attrs.evolve(call, id=own))
    return tuple(renamed)
