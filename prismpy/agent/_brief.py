"""What stays the same over all questions of a run, and how a question is made of it."""

import operator
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs

from prismpy.codecs import Ask, Reply, ToolChoice, to_answer
from prismpy.errors import DefinitionError
from prismpy.events import Event, ToolCallDeltaEvent
from prismpy.fluent import Toolbox, by_told_names
from prismpy.loop import with_calls
from prismpy.lowering import Offer
from prismpy.messages import (
    AssistantMessage,
    CallPart,
    Message,
    Part,
    ProviderTool,
    ProviderToolPart,
    SystemMessage,
    ToolResultMessage,
)
from prismpy.providers import Model
from prismpy.schema import JSON, nearest

from ._output import Output


@attrs.frozen(kw_only=True)
class Settings:
    """How a model answers; see `Ask` for what is sent."""

    max_tokens: int | None = None
    temperature: float | None = None
    parallel_calls: bool | None = None
    options: Mapping[str, Any] = attrs.field(factory=dict, hash=False)


@attrs.frozen(eq=False)
class Brief:
    """A model, what it is told to be, and what it may use."""

    model: Model
    toolbox: Toolbox
    offer: Offer
    """The toolbox in the model's words."""

    system: str = ""
    provider_tools: tuple[ProviderTool, ...] = ()
    output: Output | None = None
    settings: Settings = Settings()

    _tools: tuple[JSON, ...] = attrs.field(
        init=False, repr=False, default=attrs.Factory(lambda brief: brief._once(), takes_self=True)
    )
    """What each request says of the tools; made once."""

    waits: frozenset[str] = attrs.field(
        init=False, repr=False, default=attrs.Factory(lambda brief: _waits(brief.toolbox), takes_self=True)
    )
    """Names of tools whose calls may have to wait for something from outside."""

    def _once(self) -> tuple[JSON, ...]:
        """Leave out the provider's search for deferred tools where the app has named that provider tool itself."""
        named = {tool.type for tool in self.provider_tools}
        return tuple(tool for tool in self.offer.tools if tool.get("type") not in named)

    def possible(self, choice: ToolChoice) -> ToolChoice:
        """
        Return a choice of tools.

        Raises:
            DefinitionError: if there is no such tool, or none at all where one must be called.
        """
        theirs = [(tool.name, tool.type, tool.options.get("server_label")) for tool in self.provider_tools]
        known = [*(spec.name for spec in self.toolbox), *(name for names in theirs for name in names if name)]
        if choice in {"auto", "none", *known} or (choice == "any" and known):
            return choice
        msg = f"tool_choice is {choice!r}, but there are no tools; add some, or leave it out"
        if known:
            near = nearest(choice, known)
            msg = f"tool_choice is {choice!r}, but no tool is called that{near}; there are {', '.join(known)}"
        raise DefinitionError(msg)

    def ask(self, messages: Sequence[Message], tool_choice: ToolChoice) -> Ask:
        """Make the next question of a conversation that is `in_its_words`."""
        said = (SystemMessage(self.system),) if self.system else ()
        settings = self.settings
        return Ask(
            self.model.model_name,
            (*said, *messages),
            self._told(messages),
            self.provider_tools,
            self.offer.wire_name(tool_choice),
            None if self.output is None else self.output.form,
            settings.max_tokens,
            settings.temperature,
            settings.parallel_calls,
            settings.options,
        )

    def _told(self, messages: Iterable[Message]) -> tuple[JSON, ...]:
        """Say which tools the model may call now: deferred ones when it has found them."""
        if not self.offer.deferred:
            return self._tools
        turns = [message for message in messages if isinstance(message, ToolResultMessage)]
        return self.offer.opened(self.toolbox.opened(result for turn in turns for result in turn.results))

    def in_its_words(self, messages: Iterable[Message]) -> tuple[Message, ...]:
        """Write the calls of turns of another wire format, and names of found tools, as this provider takes them."""
        return tuple(map(self._in_its_words, messages))

    def _in_its_words(self, message: Message) -> Message:
        if isinstance(message, ToolResultMessage):
            return self._by_its_names(message)
        if not isinstance(message, AssistantMessage) or message.dialect == self.model.dialect:
            return message
        calls = message.calls
        encoded = tuple(map(self.offer.encode, calls))
        return message if all(map(operator.is_, encoded, calls)) else with_calls(message, encoded)

    def _by_its_names(self, message: ToolResultMessage) -> ToolResultMessage:
        told = tuple(by_told_names(result, self.offer) for result in message.results)
        return message if all(map(operator.is_, told, message.results)) else attrs.evolve(message, results=told)

    def understood(self, reply: Reply) -> Reply:
        """Translate an answer: calls as the tools declare them, among them what a tool answers for the provider."""
        turn = reply.message
        if turn.calls:
            turn = with_calls(turn, map(self.offer.decode, turn.calls))
        if any(isinstance(part, ProviderToolPart) for part in turn.parts):
            turn = attrs.evolve(turn, parts=map(self._left_to_us, turn.parts))
        return reply if turn is reply.message else attrs.evolve(reply, message=turn)

    def _left_to_us(self, part: Part) -> Part:
        asked = to_answer(part) if isinstance(part, ProviderToolPart) else None
        return part if asked is None or asked.name not in self.toolbox else CallPart(asked, part.raw)

    def told(self, event: Event) -> Event:
        """Name a tool in an event as it is declared."""
        if (
            isinstance(event, ToolCallDeltaEvent)
            and (name := self.offer.declared_name(event.tool_name)) != event.tool_name
        ):
            return attrs.evolve(event, tool_name=name)
        return event


def _waits(toolbox: Toolbox) -> frozenset[str]:
    return frozenset(spec.name for spec in toolbox if spec.external or spec.requires_approval)
