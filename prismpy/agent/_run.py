"""
A run under way, and the two drivers of the loop.

They differ in how they ask the model and run tools, and in nothing else. What
they share is `Run`: it holds the state, stamps events, and knows what to do with
what came.
"""

import time
import uuid
import weakref
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Iterable, Iterator, Sequence
from contextlib import aclosing, closing, nullcontext
from typing import Any, Self, TypeVar

import attrs

from prismpy.codecs import Ask, Reply, tell
from prismpy.errors import HookError, ProtocolError, ProviderError
from prismpy.events import Event, StreamEvent
from prismpy.execution import Budget, RunOptions
from prismpy.loop import AskModel, Done, RunState, RunTools, Told, unfinished
from prismpy.messages import Decision, Message, Pending, ToolCall, ToolResult, ToolResultMessage, changed
from prismpy.schema import cut

from ._brief import Brief
from ._response import Response

T = TypeVar("T")


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


class Run:
    """
    One run under way. Iterate over it, sync or async, for its events; then it has a `response`.

    Whoever stops early ends it: the connection is closed, and `state.messages` is a valid conversation. Sync code need
    only leave the loop. Async code does so in an `async with` block of the run, since Python closes what was iterated
    over later otherwise.
    """

    def __init__(self, brief: Brief, state: RunState, terms: Terms) -> None:
        self.state = state
        """As far as the run has come; valid whenever no event is being made."""
        self._brief = brief
        self._terms = terms
        self._said: list[Message] = []
        """The conversation in the model's words, as far as it has been asked; a state only adds to it."""
        turns = [message for message in state.new_messages if isinstance(message, ToolResultMessage)]
        self._budget = Budget.of(turn.results for turn in turns)
        self._under_way: tuple[ToolCall, ...] = ()
        """The calls that were begun last."""
        self._events = terms.told
        self._answers = 0
        """How many there are once the model has answered what it was asked last."""
        self._broken_at = ""
        self._begun = terms.clock()
        self._output: Any = None
        self._problem = ""
        self._around: Any = nullcontext()
        self._is_entered = False
        self._driver: Callable[[], Generator[Event] | None] = lambda: None
        self._async_driver: Callable[[], AsyncGenerator[Event] | None] = lambda: None

    @property
    def response(self) -> Response:
        """What the run has come to."""
        return Response(self.state, self._output)

    @property
    def told(self) -> int:
        """How many events the run has told, those before this part of it among them."""
        return self._events

    @property
    def broken_at(self) -> str:
        """Id of the first event about the exception that ended the run, told or not; "" where none did."""
        return self._broken_at

    @property
    def problem(self) -> str:
        """What is wrong with the answer, where a form was demanded; "" if nothing is."""
        return self._problem

    def within(self, context: Any) -> Self:
        """Open a context manager, sync and async as an agent is, for as long as the run goes on."""
        self._around = context
        return self

    def __iter__(self) -> Generator[Event]:
        driver = drive(self)
        self._driver = self._reference(driver)
        return driver

    def __aiter__(self) -> AsyncGenerator[Event]:
        driver = adrive(self)
        self._async_driver = self._reference(driver)
        return driver

    def _reference(self, driver: T) -> Callable[[], T | None]:
        """Hold on to a driver in a `with` block only: elsewhere Python closes it when the loop over it is left."""
        return (lambda: driver) if self._is_entered else weakref.ref(driver)

    def close(self) -> None:
        """End a run that sync code has begun to iterate over; nothing happens to one that is over."""
        if (driver := self._driver()) is not None:
            driver.close()

    async def aclose(self) -> None:
        """End a run that async code has begun to iterate over; otherwise like `close`."""
        if (driver := self._async_driver()) is not None:
            await driver.aclose()

    def __enter__(self) -> Self:
        self._is_entered = True
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        self._is_entered = True
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    # --- what both drivers do in the same way

    def _id(self) -> str:
        """Return the id of the next event."""
        return f"{self._terms.id}-{self._events}"

    def _stamped(self, events: Iterable[Event]) -> Iterator[Event]:
        for event in events:
            id = self._id()
            self._events += 1
            yield changed(event, id=id, timestamp=int(self._terms.clock()))

    def _taken(self, told: Told) -> Iterator[Event]:
        self.state, events = told
        return self._stamped(events)

    def _started(self) -> Iterator[Event]:
        return self._stamped(self.state.started(self._brief.model.model_name, self._brief.model.provider))

    def _asked(self) -> Iterator[Event]:
        return self._taken(self.state.asked())

    def _ask(self, todo: AskModel) -> Ask:
        self._said += self._brief.in_its_words(self.state.messages[len(self._said) :])
        self._answers = len(self.state.steps) + 1
        return self._brief.ask(self._said, todo.tool_choice)

    def _answered(self) -> None:
        """Refuse a model that ended without an answer, which would be asked for ever."""
        if len(self.state.steps) < self._answers:
            provider = self._brief.model.provider
            msg = f"{provider}: the model ended without an answer; the last thing that it yields must be a Reply"
            raise ProviderError(msg, provider=provider, code="no_answer")

    def _came(self, item: Event | Reply) -> Iterator[Event]:
        """Take what a model yields: an event, or at last the answer."""
        if not isinstance(item, Reply):
            if not isinstance(item, StreamEvent):
                msg = (
                    f"{self._brief.model.provider}: the model yields {cut(repr(item), 80)}; events are due, and a Reply"
                )
                raise ProtocolError(msg)
            return self._stamped([self._brief.told(item)])
        if item.failure is not None:
            failure = item.failure
            raise ProviderError(
                f"{self._brief.model.provider}: {failure.message}",
                provider=self._brief.model.provider,
                code=failure.code,
                reply=item,
            ) from failure.cause
        reply = self._brief.understood(item)
        if self._brief.output is not None and not reply.message.calls and reply.finish_reason != "pause":
            self._output, self._problem = self._brief.output.read(reply.message.text)
        seconds = self._terms.clock() - self._begun
        return self._taken(self.state.with_reply(reply, seconds=seconds, problem=self._problem))

    def _options(self, todo: RunTools) -> RunOptions:
        """Return the app's options, with what came from outside for these calls."""
        options: RunOptions = {**self._terms.options, "budget": self._budget}
        if todo.supplied:
            options["supplied"] = {**options.get("supplied", {}), **todo.supplied}
        if todo.decisions:
            options["approve"] = _approve(todo, options.get("approve"))
        return options

    def _pending(self, todo: RunTools) -> Sequence[Pending]:
        """List the calls that cannot be run before something comes from outside."""
        if not any(call.name in self._brief.waits for call in todo.calls):
            return ()
        options = self._options(todo)
        asks = callable(options.get("approve"))
        options["approve"] = todo.decisions
        pending = self._brief.toolbox.waiting(todo.calls, **options)
        external = {spec.name for spec in self._brief.toolbox if spec.external}
        return [each for each in pending if each.needs == "answer" or not asks or each.call.name in external]

    def _concluded(self, results: Sequence[ToolResult]) -> Iterator[Event]:
        direct = [result.call.id for result in (*self.state.results, *results) if self._is_direct(result)]
        yield from self._taken(self.state.with_results(results, answer=direct[0] if direct else None))
        if isinstance(turn := self.state.messages[-1], ToolResultMessage):
            self._budget = self._budget.after(turn.results)
        stop_when = self._terms.stop_when
        if stop_when is not None and isinstance(self.state.todo, AskModel) and stop_when(self.state):
            yield from self._taken(self.state.stopped("the app ended the run", "condition"))

    def _is_direct(self, result: ToolResult) -> bool:
        name, toolbox = result.call.name, self._brief.toolbox
        return not result.is_error and name in toolbox and toolbox[name].return_direct

    def _over(self) -> None:
        """Hand on what a run came to, if nothing is due any more."""
        if self._terms.on_done is not None and isinstance(self.state.todo, Done):
            self._terms.on_done(self.state)

    def _broken(self, error: Exception) -> Iterator[Event]:
        """Leave a valid conversation behind an exception, and tell how it ended."""
        self._broken_at = self._id()
        if isinstance(error, HookError) and isinstance(self.state.todo, RunTools):
            yield from self._concluded(error.results)
        if isinstance(self.state.todo, AskModel):
            code, details = "", None
            if isinstance(error, ProviderError):
                code, details = error.code, {"status": error.status, "retry_after": error.retry_after}
            yield from self._stamped(self.state.failed(code or type(error).__name__, str(error), details))
        elif isinstance(self.state.todo, RunTools):
            yield from self._taken(self.state.stopped("another call of the same turn ended the run"))

    def _abandoned(self) -> None:
        """Leave a valid conversation where nobody listens any more."""
        if isinstance(self.state.todo, RunTools):
            begun = [call for call in self.state.todo.calls if call in self._under_way]
            self.state, _ = self.state.with_results(unfinished(call, "the run was cancelled") for call in begun)
            self.state, _ = self.state.stopped("the run was cancelled")


def _approve(todo: RunTools, otherwise: Any) -> Any:
    if otherwise is None:
        return todo.decisions

    def approve(call: ToolCall) -> bool | Decision:
        return todo.decisions[call.id] if call.id in todo.decisions else otherwise(call)

    return approve


def drive(run: Run) -> Generator[Event]:
    """Drive a run from sync code. Closing the iterator closes the connection and leaves a valid conversation."""
    if run.state.done is not None:
        return
    with run._around:
        yield from run._started()
        model, toolbox = run._brief.model, run._brief.toolbox
        try:
            while True:
                match run.state.todo:
                    case AskModel() as todo:
                        yield from run._asked()
                        ask = run._ask(todo)
                        with closing(model.stream(ask) if run._terms.streamed else _whole(model.ask(ask))) as items:
                            for item in items:
                                yield from run._came(item)
                        run._answered()
                    case RunTools(calls=calls) as todo:
                        if pending := run._pending(todo):
                            yield from run._taken(run.state.waiting_for(pending))
                        else:
                            for run._under_way in toolbox.batches(calls):
                                yield from run._concluded(toolbox.run(run._under_way, **run._options(todo)))
                    case _:
                        run._over()
                        return
        except Exception as error:
            yield from run._broken(error)
            raise
        except BaseException:
            run._abandoned()
            raise


async def adrive(run: Run) -> AsyncGenerator[Event]:
    """Drive a run from async code; otherwise like `drive`."""
    if run.state.done is not None:
        return
    async with run._around:
        for event in run._started():
            yield event
        model, toolbox = run._brief.model, run._brief.toolbox
        try:
            while True:
                match run.state.todo:
                    case AskModel() as todo:
                        for event in run._asked():
                            yield event
                        ask = run._ask(todo)
                        async with aclosing(
                            model.astream(ask) if run._terms.streamed else _awhole(model.aask(ask))
                        ) as items:
                            async for item in items:
                                for event in run._came(item):
                                    yield event
                        run._answered()
                    case RunTools(calls=calls) as todo:
                        if pending := run._pending(todo):
                            for event in run._taken(run.state.waiting_for(pending)):
                                yield event
                        else:
                            for run._under_way in toolbox.batches(calls):
                                results = await toolbox.arun(run._under_way, **run._options(todo))
                                for event in run._concluded(results):
                                    yield event
                    case _:
                        run._over()
                        return
        except Exception as error:
            for event in run._broken(error):
                yield event
            raise
        except BaseException:
            run._abandoned()
            raise


def _whole(reply: Reply) -> Generator[Event | Reply]:
    yield from tell(reply)
    yield reply


async def _awhole(asking: Awaitable[Reply]) -> AsyncGenerator[Event | Reply]:
    reply = await asking
    for item in _whole(reply):
        yield item
