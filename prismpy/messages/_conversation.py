"""
A conversation as values: what the user, the model and the tools said, oldest first.

A model's turn keeps, beside what everybody can read, what its provider sent,
untouched: providers demand it back as it was. Another provider gets the readable half.

Source of names: Prism, `src/ValueObjects/Messages/*.php` and `Usage.php` (read 2026-11).
"""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Literal, TypeAlias

import attrs

from ._artifact import Artifact
from ._calls import ToolCall
from ._content import Content, Text, pieces
from ._results import ToolResult
from ._stored import Stored

FinishReason: TypeAlias = Literal[
    "stop", "length", "content_filter", "tool_calls", "pause", "refusal", "error", "other", "unknown"
]
"""Why a model stopped. `pause`: the provider wants its turn sent back to go on; `length`: it was cut off."""


@attrs.frozen
class Usage(Stored):
    """Tokens that were paid for; zero where the provider says nothing."""

    prompt_tokens: int = 0
    """Read afresh, without those of `cache_read_input_tokens` and `cache_write_input_tokens`."""

    completion_tokens: int = 0
    """Written, `thought_tokens` among them."""

    cache_write_input_tokens: int = 0
    """Read, and kept by the provider for later requests."""

    cache_read_input_tokens: int = 0
    """Read from what the provider had kept."""

    thought_tokens: int = 0
    """Written where it is not the answer."""

    raw: Mapping[str, Any] = attrs.field(factory=dict, eq=False, repr=False)
    """As the provider sent it."""

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.cache_write_input_tokens + other.cache_write_input_tokens,
            self.cache_read_input_tokens + other.cache_read_input_tokens,
            self.thought_tokens + other.thought_tokens,
        )

    @property
    def total_tokens(self) -> int:
        """All tokens, read and written."""
        return (
            self.prompt_tokens + self.completion_tokens + self.cache_write_input_tokens + self.cache_read_input_tokens
        )


@attrs.frozen
class Citation(Stored):
    """Where a model has something from."""

    source_type: str
    """`url`, `document` or `chunk`."""

    source: str
    """The URL, or the document's number or id."""

    source_text: str | None = None
    """The passage that is cited."""

    source_title: str | None = None

    source_position_type: str | None = None
    """What the two indexes count: `character`, `page`, `block` …"""

    source_start_index: int | None = None
    source_end_index: int | None = None

    additional_content: Mapping[str, Any] = attrs.field(factory=dict, hash=False)
    """What else the provider says, as it sent it."""


@attrs.frozen
class TextPart(Stored):
    """Words of the model."""

    kind: ClassVar = "text"

    text: str
    citations: tuple[Citation, ...] = ()
    raw: Mapping[str, Any] | None = attrs.field(default=None, hash=False, repr=False)
    """What the provider sent; the same in every part."""


@attrs.frozen
class ThinkingPart(Stored):
    """What the model thought, as far as it is shown; its provider's signature is in `raw`."""

    kind: ClassVar = "thinking"

    text: str
    raw: Mapping[str, Any] | None = attrs.field(default=None, hash=False, repr=False)


@attrs.frozen
class RefusalPart(Stored):
    """The model's words for why it will not answer."""

    kind: ClassVar = "refusal"

    text: str
    raw: Mapping[str, Any] | None = attrs.field(default=None, hash=False, repr=False)


@attrs.frozen
class CallPart(Stored):
    """The model's wish to run one of our tools."""

    kind: ClassVar = "call"

    call: ToolCall
    raw: Mapping[str, Any] | None = attrs.field(default=None, hash=False, repr=False)


@attrs.frozen
class ProviderToolPart(Stored):
    """Activity of a tool that the provider runs: a search, its result."""

    kind: ClassVar = "provider_tool"

    type: str
    """As the provider calls it, such as `web_search_call` or `web_search_tool_result`."""

    id: str = ""
    """Of the activity; a result bears the id of what it answers."""

    status: str = "completed"
    """`in_progress`, `completed`, `failed` …"""

    data: Mapping[str, Any] = attrs.field(factory=dict, hash=False)
    """What an app may show of it: `{"query": ...}`."""

    artifacts: tuple[Artifact, ...] = ()
    """Pictures and files that it made."""

    raw: Mapping[str, Any] | None = attrs.field(default=None, hash=False, repr=False)


Part: TypeAlias = TextPart | ThinkingPart | RefusalPart | CallPart | ProviderToolPart
"""One piece of what a model said."""


@attrs.frozen
class SystemMessage(Stored):
    """What the app tells the model to be."""

    kind: ClassVar = "system"

    text: str


def _content(said: "str | Content | Iterable[str | Content]") -> tuple[Content, ...]:
    return pieces(said)


@attrs.frozen
class UserMessage(Stored):
    """What a user says: text, pictures and files in order. A string will do for text alone."""

    kind: ClassVar = "user"

    content: tuple[Content, ...] = attrs.field(converter=_content)

    @property
    def text(self) -> str:
        """The words alone."""
        return "".join(piece.text for piece in self.content if isinstance(piece, Text))


@attrs.frozen
class AssistantMessage(Stored):
    """A model's turn."""

    kind: ClassVar = "assistant"

    parts: tuple[Part, ...] = attrs.field(default=(), converter=tuple[Part, ...])
    """In the order in which the provider sent them."""

    dialect: str = ""
    """The wire format whose `raw` the parts hold; "" for a turn that no provider sent."""

    extra: Mapping[str, Any] = attrs.field(factory=dict, hash=False, repr=False)
    """What belongs to the turn as a whole and must go back to its provider: `{"container": ...}`."""

    @property
    def text(self) -> str:
        """All words, joined."""
        return "".join(part.text for part in self.parts if isinstance(part, TextPart))

    @property
    def thinking(self) -> str:
        """All thoughts that are shown, joined."""
        return "".join(part.text for part in self.parts if isinstance(part, ThinkingPart))

    @property
    def refusal(self) -> str:
        """Why the model refused; "" where it did not."""
        return "".join(part.text for part in self.parts if isinstance(part, RefusalPart))

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The calls of our tools, in order."""
        return tuple(part.call for part in self.parts if isinstance(part, CallPart))


@attrs.frozen
class ToolResultMessage(Stored):
    """The answers to the calls of the turn before, in the order of the calls."""

    kind: ClassVar = "tool_result"

    results: tuple[ToolResult, ...] = attrs.field(converter=tuple[ToolResult, ...])


Message: TypeAlias = SystemMessage | UserMessage | AssistantMessage | ToolResultMessage
"""One entry of a conversation."""


@attrs.frozen
class ProviderTool(Stored):
    """A tool that the provider runs itself, passed through as it is."""

    type: str
    """As the provider's API calls it, such as `web_search_20250305`."""

    name: str | None = None
    """The provider's name for it, where it takes one."""

    options: Mapping[str, Any] = attrs.field(factory=dict, converter=dict, hash=False)
    """Further keys of the request, in the provider's words."""
