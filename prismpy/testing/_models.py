"""Models that answer what a test says, and remember what they were asked."""

from collections.abc import AsyncGenerator, Callable, Generator, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

import attrs

from prismpy.codecs import Ask, Reply, tell
from prismpy.errors import DefinitionError
from prismpy.events import Event, TextDeltaEvent, ThinkingEvent, ToolCallDeltaEvent
from prismpy.messages import AssistantMessage, CallPart, TextPart, ToolCall, Usage

Scripted: TypeAlias = str | ToolCall | Reply | Exception | Iterable[str | ToolCall]
"""One answer: words, a call, both in order, a whole reply, or what is raised instead."""

_PIECE = 5
"""Characters of a delta."""


def reply_of(scripted: Scripted, id: str = "") -> Reply:
    """
    Make a reply of what a script says.

    Args:
        scripted: Words, a call, both in order, or a whole reply. An exception is raised.

        id: Of the reply; calls without an id are named after it.

    Raises:
        Exception: the one that is scripted.

        DefinitionError: if it is none of these.
    """
    match scripted:
        case Reply():
            return scripted
        case Exception():
            raise scripted
        case str() | ToolCall():
            said: Iterable[str | ToolCall] = [scripted]
        case _:
            said = _several(scripted)
    parts = [_part(each, f"{id}_{place}") for place, each in enumerate(said)]
    calls = any(isinstance(part, CallPart) for part in parts)
    return Reply(AssistantMessage(parts), "tool_calls" if calls else "stop", None, Usage(10, 5), id, "scripted")


def _several(scripted: Any) -> tuple[str | ToolCall, ...]:
    several = tuple(scripted) if isinstance(scripted, Iterable) and not isinstance(scripted, Mapping) else (scripted,)
    if not all(isinstance(each, str | ToolCall) for each in several):
        msg = (
            f"{scripted!r} is no scripted answer; write words, a ToolCall, a list of these, a Reply or an exception "
            "(ScriptedModel.from_json reads JSON)"
        )
        raise DefinitionError(msg)
    return several


def _part(said: str | ToolCall, id: str) -> TextPart | CallPart:
    if isinstance(said, str):
        return TextPart(said)
    return CallPart(said if said.id else attrs.evolve(said, id=id))


@attrs.define(eq=False)
class FunctionModel:
    """
    A model that answers what a function says.

    It streams as real ones do, in small pieces, and keeps what it was asked.
    """

    function: Callable[[Ask], Scripted]
    """Takes each question; returns one answer."""

    provider: str = "scripted"
    model_name: str = "scripted"
    dialect: str = "scripted"
    tool_dialect: str = "json-schema"
    """What tools are exported to, as in `tool.to(...)`."""

    asked: list[Ask] = attrs.field(init=False, factory=list)
    """The questions so far, in order."""

    def ask(self, ask: Ask) -> Reply:
        """Answer whole."""
        self.asked.append(ask)
        return reply_of(self.function(ask), f"reply_{len(self.asked)}")

    async def aask(self, ask: Ask) -> Reply:
        """Answer whole."""
        return self.ask(ask)

    def stream(self, ask: Ask) -> Generator[Event | Reply]:
        """Answer in pieces."""
        reply = self.ask(ask)
        for event in tell(reply):
            yield from _pieces(event)
        yield reply

    async def astream(self, ask: Ask) -> AsyncGenerator[Event | Reply]:
        """Answer in pieces."""
        for item in self.stream(ask):
            yield item


def _pieces(event: Event) -> Iterator[Event]:
    """Cut a delta into several."""
    if not isinstance(event, TextDeltaEvent | ThinkingEvent | ToolCallDeltaEvent):
        yield event
        return
    for start in range(0, len(event.delta), _PIECE):
        yield attrs.evolve(event, delta=event.delta[start : start + _PIECE])


class ScriptedModel(FunctionModel):
    """
    A model that gives its answers in order, one a question.

    Args:
        answers: See `Scripted`.

        options: Fields of `FunctionModel`, such as `tool_dialect`.

    Raises:
        DefinitionError: when it is asked once more than there are answers.
    """

    def __init__(self, answers: Iterable[Scripted], **options: Any) -> None:
        if isinstance(answers, str):
            msg = f"a script is a list of answers, not {answers!r} alone; write [{answers!r}]"
            raise DefinitionError(msg)
        self._rest = list(answers)
        super().__init__(self._next, **options)

    def _next(self, _: Ask) -> Scripted:
        if not self._rest:
            msg = f"the script has no answer left for question {len(self.asked)}; add one, or look why it was asked"
            raise DefinitionError(msg)
        return self._rest.pop(0)

    @classmethod
    def from_json(cls, script: Iterable[Any], **options: Any) -> "ScriptedModel":
        """
        Read a script from JSON.

        Args:
            script: Answers, each a string, a call `{"tool": name, "arguments": {...}}`, or a list of these.

            options: As for the class.

        Raises:
            DefinitionError: naming the answer that is none.
        """
        return cls([_scripted(answer, place) for place, answer in enumerate(script)], **options)


def _scripted(answer: Any, place: int) -> Scripted:
    match answer:
        case str():
            return answer
        case list():
            return [each for said in answer if isinstance(each := _scripted(said, place), str | ToolCall)]
        case {"tool": str() as name} if answer.keys() <= {"tool", "arguments", "id"}:
            return ToolCall(answer.get("id", ""), name, answer.get("arguments", {}))
        case _:
            msg = f"answer {place} of the script is {answer!r}; write words, a call with 'tool', or a list of these"
            raise DefinitionError(msg)
