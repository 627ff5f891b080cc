"""What is due in a run, what is known of each answer of the model, and what comes from outside."""

from collections.abc import Mapping
from typing import Any, TypeAlias

import attrs

from prismpy.codecs import Reply, ToolChoice
from prismpy.errors import ProtocolError, ToolError
from prismpy.messages import Decision, FinishReason, Pending, Stored, ToolCall, ToolOutput, Usage

from ._limits import Limit


@attrs.frozen
class AskModel:
    """The model is due."""

    tool_choice: ToolChoice
    """`none` in the last step, which is for words."""


@attrs.frozen
class RunTools:
    """Calls are due, in order."""

    calls: tuple[ToolCall, ...]
    decisions: Mapping[str, Decision] = attrs.field(factory=dict, hash=False)
    """Call id to what was decided about a call that requires approval."""

    supplied: Mapping[str, Any] = attrs.field(factory=dict, hash=False)
    """Call id to what an external tool returned."""


@attrs.frozen
class Wait:
    """Something from outside is due; the state can be stored until then."""

    pending: tuple[Pending, ...]


@attrs.frozen
class Done(Stored):
    """Nothing is due."""

    finish_reason: FinishReason
    limit: Limit | None = None
    """What ended the run, where the model would have gone on."""

    answer: str | None = None
    """Id of the call whose result is the answer, where a tool had the last word."""


Todo: TypeAlias = AskModel | RunTools | Wait | Done
"""What is due next."""


@attrs.frozen
class Step(Stored):
    """What is known of one answer of the model beside its message."""

    finish_reason: FinishReason
    raw_finish_reason: str | None
    usage: Usage
    id: str
    model: str
    index: int
    """Where its message is among the messages of the run."""

    @classmethod
    def of(cls, reply: Reply, index: int) -> "Step":
        """Take down what is known of an answer."""
        return cls(reply.finish_reason, reply.raw_finish_reason, reply.usage, reply.id, reply.model, index)


@attrs.frozen
class Answer(Stored):
    """What came from outside for a pending call."""

    id: str
    """Of the call."""

    decision: Decision | None = None
    """Whether it may run, where somebody was asked."""

    output: ToolOutput | None = None
    """What an external tool returned."""

    error: str | None = None
    """For the model: why it returned nothing."""

    @classmethod
    def of(cls, pending: Pending, given: Any) -> "Answer":
        """
        Take what an app gives for a call that waits.

        Raises:
            ProtocolError: if a decision is due and it is none.
        """
        id = pending.call.id
        if pending.needs == "approval":
            if not isinstance(given, bool | Decision):
                msg = f"call {id!r} waits for approval, got {type(given).__name__}; answer with a bool or a Decision"
                raise ProtocolError(msg)
            return cls(id, given if isinstance(given, Decision) else Decision(given))
        if isinstance(given, Exception):
            return cls(id, error=str(given) or type(given).__name__)
        return cls(id, output=given if isinstance(given, ToolOutput) else ToolOutput(given))

    @property
    def supplied(self) -> Any:
        """What the executor takes in the place of what a handler does."""
        return ToolError(self.error) if self.error is not None else self.output
