"""
What both drivers of the loop do in the same way.

They differ in how they ask the model and run tools, and in nothing else.
"""

import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import attrs

from prismpy.codecs import Ask, Reply
from prismpy.errors import HookError, ProtocolError, ProviderError
from prismpy.events import Event, StreamEvent
from prismpy.execution import Budget, RunOptions
from prismpy.loop import AskModel, Done, RunState, RunTools, Told, unfinished
from prismpy.messages import Decision, Message, Pending, ToolCall, ToolResult, ToolResultMessage
from prismpy.schema import changed, cut

from ._brief import Brief


@attrs.frozen(kw_only=True)
class Terms:
    """What the app lays down for a run."""

    options: RunOptions = attrs.field(factory=RunOptions)
    """For running tools."""

    stop_when: Callable[[RunState], bool] | None = None
    """Looked at after each step with tools; ends the run when it says so."""

    streamed: bool = True
    """Whether the model is asked to stream."""

    on_done: Callable[[RunState], None] | None = None
    """Gets the state of a run that is done."""

    clock: Callable[[], float] = time.time
    """Seconds since 1970."""

    id: str = attrs.field(factory=lambda: uuid.uuid4().hex)
    """Of the run; its events are `<id>-0`, `<id>-1` and so on."""

    told: int = 0
    """How many events the run has told before, where it goes on."""


class Moves:
    """The moves of one run: it holds the state, stamps events, and knows what to do with what came."""

    def __init__(self, brief: Brief, state: RunState, terms: Terms) -> None:
        self.state = state
        self.brief = brief
        self.terms = terms
        self.told = terms.told
        """How many events the run has told."""
        self.under_way: tuple[ToolCall, ...] = ()
        """The calls that were begun last."""
        self.output: Any = None
        """The answer as a value, where a form was demanded."""
        self.problem = ""
        """What is wrong with it; "" if nothing is."""
        self._said: list[Message] = []
        """The conversation in the model's words, as far as it has been asked; a state only adds to it."""
        turns = [message for message in state.new_messages if isinstance(message, ToolResultMessage)]
        self._budget = Budget.of(turn.results for turn in turns)
        self._answers = 0
        """How many there are once the model has answered what it was asked last."""
        self.broken_at = ""
        """Id of the first event about the exception that ended the run."""
        self._begun = terms.clock()

    def _id(self) -> str:
        """Return the id of the next event."""
        return f"{self.terms.id}-{self.told}"

    def _stamped(self, events: Iterable[Event]) -> Iterator[Event]:
        for event in events:
            id = self._id()
            self.told += 1
            yield changed(event, id=id, timestamp=int(self.terms.clock()))

    def taken(self, told: Told) -> Iterator[Event]:
        self.state, events = told
        return self._stamped(events)

    def started(self) -> Iterator[Event]:
        return self._stamped(self.state.started(self.brief.model.model_name, self.brief.model.provider))

    def asked(self) -> Iterator[Event]:
        return self.taken(self.state.asked())

    def ask(self, todo: AskModel) -> Ask:
        self._said += self.brief.in_its_words(self.state.messages[len(self._said) :])
        self._answers = len(self.state.steps) + 1
        return self.brief.ask(self._said, todo.tool_choice)

    def answered(self) -> None:
        """Refuse a model that ended without an answer, which would be asked for ever."""
        if len(self.state.steps) < self._answers:
            provider = self.brief.model.provider
            msg = f"{provider}: the model ended without an answer; the last thing that it yields must be a Reply"
            raise ProviderError(msg, provider=provider, code="no_answer")

    def came(self, item: Event | Reply) -> Iterator[Event]:
        """Take what a model yields: an event, or at last the answer."""
        if not isinstance(item, Reply):
            if not isinstance(item, StreamEvent):
                msg = (
                    f"{self.brief.model.provider}: the model yields {cut(repr(item), 80)}; events are due, and a Reply"
                )
                raise ProtocolError(msg)
            return self._stamped([self.brief.told(item)])
        if item.failure is not None:
            failure = item.failure
            raise ProviderError(
                f"{self.brief.model.provider}: {failure.message}",
                provider=self.brief.model.provider,
                code=failure.code,
                reply=item,
            ) from failure.cause
        reply = self.brief.understood(item)
        if self.brief.output is not None and not reply.message.calls and reply.finish_reason != "pause":
            self.output, self.problem = self.brief.output.read(reply.message.text)
        seconds = self.terms.clock() - self._begun
        return self.taken(self.state.with_reply(reply, seconds=seconds, problem=self.problem))

    def options(self, todo: RunTools) -> RunOptions:
        """Return the app's options, with what came from outside for these calls."""
        options: RunOptions = {**self.terms.options, "budget": self._budget, "told": self.brief.offer}
        if todo.supplied:
            options["supplied"] = {**options.get("supplied", {}), **todo.supplied}
        if todo.decisions:
            options["approve"] = _approve(todo, options.get("approve"))
        return options

    def pending(self, todo: RunTools) -> Sequence[Pending]:
        """List the calls that cannot be run before something comes from outside."""
        if not any(call.name in self.brief.waits for call in todo.calls):
            return ()
        options = self.options(todo)
        asks = callable(options.get("approve"))
        options["approve"] = todo.decisions
        pending = self.brief.toolbox.waiting(todo.calls, **options)
        external = {spec.name for spec in self.brief.toolbox if spec.external}
        return [each for each in pending if each.needs == "answer" or not asks or each.call.name in external]

    def concluded(self, results: Sequence[ToolResult]) -> Iterator[Event]:
        direct = [result.call.id for result in (*self.state.results, *results) if self._is_direct(result)]
        yield from self.taken(self.state.with_results(results, answer=direct[0] if direct else None))
        if isinstance(turn := self.state.messages[-1], ToolResultMessage):
            self._budget = self._budget.after(turn.results)
        stop_when = self.terms.stop_when
        if stop_when is not None and isinstance(self.state.todo, AskModel) and stop_when(self.state):
            yield from self.taken(self.state.stopped("the app ended the run", "condition"))

    def _is_direct(self, result: ToolResult) -> bool:
        name, toolbox = result.call.name, self.brief.toolbox
        return not result.is_error and name in toolbox and toolbox[name].return_direct

    def over(self) -> None:
        """Hand on what a run came to, if nothing is due any more."""
        if self.terms.on_done is not None and isinstance(self.state.todo, Done):
            self.terms.on_done(self.state)

    def broken(self, error: Exception) -> Iterator[Event]:
        """Leave a valid conversation behind an exception, and tell how it ended."""
        self.broken_at = self._id()
        if isinstance(error, HookError) and isinstance(self.state.todo, RunTools):
            yield from self.concluded(error.results)
        if isinstance(self.state.todo, AskModel):
            code, details = "", None
            if isinstance(error, ProviderError):
                code, details = error.code, {"status": error.status, "retry_after": error.retry_after}
            yield from self._stamped(self.state.failed(code or type(error).__name__, str(error), details))
        elif isinstance(self.state.todo, RunTools):
            yield from self.taken(self.state.stopped("another call of the same turn ended the run"))

    def abandoned(self) -> None:
        """Leave a valid conversation where nobody listens any more."""
        if isinstance(self.state.todo, RunTools):
            begun = [call for call in self.state.todo.calls if call in self.under_way]
            self.state, _ = self.state.with_results(unfinished(call, "the run was cancelled") for call in begun)
            self.state, _ = self.state.stopped("the run was cancelled")


def _approve(todo: RunTools, otherwise: Any) -> Any:
    if otherwise is None:
        return todo.decisions

    def approve(call: ToolCall) -> bool | Decision:
        return todo.decisions[call.id] if call.id in todo.decisions else otherwise(call)

    return approve
