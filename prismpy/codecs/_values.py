"""
What goes into a codec and what comes out, and the two shapes that every codec has.

A codec maps these values to one provider's JSON and back. It does no I/O and
knows no SDK.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol, TypeAlias

import attrs

from prismpy.events import Event
from prismpy.messages import AssistantMessage, FinishReason, Message, ProviderTool, Stored, Usage
from prismpy.schema import JSON

ToolChoice: TypeAlias = Literal["auto", "any", "none"] | str  # noqa: PYI051  # the words are documented by being here
"""Whether the model may, must or must not call a tool, or the name of the one it must call."""


@attrs.frozen
class OutputForm:
    """The shape that an answer must have, where it is no prose."""

    name: str
    """For the provider; letters, digits, `_` and `-`."""

    schema: Mapping[str, Any] = attrs.field(hash=False)
    """JSON Schema of an object, as the provider takes it."""

    strict: bool = False
    """Whether the schema is in the provider's strict subset."""

    description: str = ""
    """For the model."""


@attrs.frozen
class Ask:
    """One question to a model: the conversation so far, and what it may use to answer."""

    model: str
    """The provider's name for it."""

    messages: tuple[Message, ...] = attrs.field(converter=tuple[Message, ...])
    """
    Oldest first, every call with its result. Calls of a turn that another wire format sent are already written as this
    provider takes them.
    """

    tools: tuple[Mapping[str, Any], ...] = attrs.field(default=(), converter=tuple[Mapping[str, Any], ...], hash=False)
    """As this provider takes them."""

    provider_tools: tuple[ProviderTool, ...] = attrs.field(default=(), converter=tuple[ProviderTool, ...])
    """Tools that the provider runs."""

    tool_choice: ToolChoice = "auto"
    """Sent only where there are tools."""

    output: OutputForm | None = None
    """What the answer must look like; None for prose."""

    max_tokens: int | None = None
    """How many the model may write; None for the provider's own limit, or the codec's where it demands one."""

    temperature: float | None = None
    """None for the provider's own."""

    parallel_calls: bool | None = None
    """Whether the model may call several tools in one turn; None for the provider's own rule."""

    options: Mapping[str, Any] = attrs.field(factory=dict, hash=False)
    """Further keys of the request, in the provider's words; they win over what the codec writes."""


@attrs.frozen
class Failure(Stored):
    """What a provider says went wrong inside an answer whose HTTP status is 200."""

    code: str
    """Its own word; `cut_off` where a stream ended before it was complete."""

    message: str
    """Its own sentence, or ours."""

    raw: Mapping[str, Any] = attrs.field(factory=dict, hash=False, repr=False)
    """As it was sent."""

    cause: BaseException | None = attrs.field(default=None, eq=False, repr=False, metadata={"is_stored": False})
    """What was raised where the answer broke off; None where the provider said it, or the answer was stored."""


@attrs.frozen
class Reply(Stored):
    """A model's turn, and what its provider says about it."""

    message: AssistantMessage
    """The turn. Calls have the names and arguments that the provider sent."""

    finish_reason: FinishReason = "unknown"
    """Why it ended."""

    raw_finish_reason: str | None = None
    """The provider's word for that."""

    usage: Usage = Usage()
    """What it cost."""

    id: str = ""
    """The provider's id of the answer."""

    model: str = ""
    """What answered, as the provider calls it."""

    failure: Failure | None = None
    """What went wrong in the middle; the message then holds what came before."""


class Fold(Protocol):
    """Puts the pieces of one streamed answer together."""

    def feed(self, piece: Mapping[str, Any]) -> Sequence[Event]:
        """
        Take the next piece, as decoded JSON, and tell what it means; unknown pieces mean nothing.

        An empty piece stands for the mark by which some providers say that the stream is complete.
        """
        ...

    def finish(self) -> tuple[Sequence[Event], Reply]:
        """
        End, whether or not the stream was complete.

        Returns:
            The events that close what is open, and the whole answer, as if it had come unstreamed.
        """
        ...


class Codec(Protocol):
    """One wire format: what to send, and how to read what comes."""

    @property
    def dialect(self) -> str:
        """Name of the format in `AssistantMessage.dialect`."""
        ...

    def request(self, ask: Ask, *, stream: bool = False) -> dict[str, JSON]:
        """
        Write the body of a request.

        Raises:
            DefinitionError: if something is asked that this format cannot say.
        """
        ...

    def reply(self, body: Any) -> Reply:
        """
        Read a whole answer.

        Raises:
            ProviderError: if it is none.
        """
        ...

    def fold(self) -> Fold:
        """Begin to read a streamed answer."""
        ...
