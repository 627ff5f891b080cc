"""
A run as a value: what has been said, what is due next.

    AskModel -- with_reply --> RunTools | Done | AskModel
    RunTools -- with_results --> RunTools (the rest) | AskModel | Done
    RunTools -- waiting_for --> Wait -- with_answers --> RunTools

Every transition returns the next state and what it tells. None of them reads a
clock, calls a model or runs a tool; drivers do. A state can be stored whenever
no transition is under way.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import attrs

from prismpy.codecs import Reply, ToolChoice
from prismpy.errors import ProtocolError
from prismpy.events import (
    ArtifactEvent,
    ErrorEvent,
    Event,
    StepFinishEvent,
    StepStartEvent,
    StreamEndEvent,
    StreamStartEvent,
    ToolApprovalRequestEvent,
    ToolCallEvent,
    ToolResultEvent,
)
from prismpy.messages import (
    AssistantMessage,
    Citation,
    FinishReason,
    Message,
    Pending,
    Stored,
    TextPart,
    ToolCall,
    ToolResult,
    ToolResultMessage,
    Usage,
    UserMessage,
    changed,
    unique_ids,
)

from ._history import repaired, unanswered, with_calls
from ._limits import Limit, Limits
from ._values import Answer, AskModel, Done, RunTools, Step, Todo, Wait

Told: TypeAlias = tuple["RunState", tuple[Event, ...]]
"""The next state, and what happened on the way to it."""


@attrs.frozen(slots=False)  # changed at every step, which is cheap so
class RunState(Stored):
    """One run, from a conversation that ends with the user's words to the model's last ones."""

    messages: tuple[Message, ...]
    """The conversation, with all that this run added; valid whenever nothing is pending."""

    limits: Limits = Limits()
    tool_choice: ToolChoice = "auto"
    """For the first step; a forced choice is released after it."""

    before: int = 0
    """How many messages there were when the run began."""

    steps: tuple[Step, ...] = ()
    pending: tuple[ToolCall, ...] = ()
    """Calls of the last turn that have no result yet."""

    results: tuple[ToolResult, ...] = ()
    """Results of the last turn, while others are pending."""

    waiting: tuple[Pending, ...] = ()
    answers: tuple[Answer, ...] = ()
    """What came from outside for pending calls; the later one holds."""

    retries: int = 0
    """How often the model was asked again for an answer of the right form."""

    is_step_open: bool = False
    """Whether the last step was told to begin and not yet to end."""

    done: Done | None = None

    @classmethod
    def of(cls, messages: Iterable[Message], limits: Limits = Limits(), tool_choice: ToolChoice = "auto") -> "RunState":  # noqa: B008  # frozen
        """
        Begin a run.

        Args:
            messages: The conversation, which ends with the user's words; repaired where providers would refuse it.

            limits: What ends the run even where the model would go on.

            tool_choice: For the first step: `auto`, `any`, `none` or the name of a tool.
        """
        history = repaired(messages)
        return cls(history, limits, tool_choice, len(history))

    @property
    def todo(self) -> Todo:
        """What is due."""
        if self.done is not None:
            return self.done
        if self.waiting:
            return Wait(self.waiting)
        if self.pending:
            return RunTools(
                self.pending,
                {answer.id: answer.decision for answer in self.answers if answer.decision is not None},
                {answer.id: answer.supplied for answer in self.answers if answer.decision is None},
            )
        return AskModel(self._choice())

    def _choice(self) -> ToolChoice:
        if self._is_last and self.limits.max_steps > 1:
            return "none"
        return self.tool_choice if not self.steps or self.tool_choice == "none" else "auto"

    @property
    def _is_last(self) -> bool:
        """Whether the step that is due, or under way, is the last one."""
        return len(self.steps) + 1 >= self.limits.max_steps

    @property
    def usage(self) -> Usage:
        """What all steps cost."""
        return sum((step.usage for step in self.steps), Usage())

    @property
    def new_messages(self) -> tuple[Message, ...]:
        """What this run added to the conversation."""
        return self.messages[self.before :]

    @property
    def message_id(self) -> str:
        """Id of the model's last turn, which events of its calls name."""
        return self.steps[-1].id if self.steps else ""

    def started(self, model: str, provider: str) -> tuple[Event, ...]:
        """Tell that the run begins, or goes on after a wait."""
        return (StreamStartEvent(model, provider),)

    def asked(self) -> Told:
        """Tell that the model is being asked."""
        self._expect(AskModel)
        told = () if self.is_step_open else (StepStartEvent(),)  # open still where an answer broke off
        return changed(self, is_step_open=True), told

    def failed(self, code: str, message: str, metadata: Mapping[str, Any] | None = None) -> tuple[Event, ...]:
        """
        Tell that the provider failed. The model is due still; ask again, now or later.

        Args:
            code: One word for what failed, such as `rate_limit`.

            message: For people.

            metadata: What else is known, as JSON.
        """
        self._expect(AskModel)
        return (ErrorEvent(code, message, metadata=metadata), StreamEndEvent("error", self.usage))

    def with_reply(self, reply: Reply, *, seconds: float = 0.0, problem: str = "") -> Told:
        """
        Take the model's answer.

        Args:
            reply: Whole, its calls with the names and arguments that the tools declare.

            seconds: Since the run began.

            problem: For the model: why the answer does not have the demanded form; "" where it has. It is asked again
                as often as the limits allow.

        Raises:
            ProtocolError: if the model is not due, or the answer broke off.
        """
        asked = self._expect(AskModel)
        if reply.failure is not None:
            msg = f"the answer broke off ({reply.failure.code}); raise it, or ask again"
            raise ProtocolError(msg)
        calls = unique_ids(reply.message.calls)  # providers repeat ids, and leave them out
        message = reply.message if calls == reply.message.calls else with_calls(reply.message, calls)
        state = changed(
            self,
            messages=(*self.messages, message),
            steps=(*self.steps, Step.of(reply, len(self.messages))),
            pending=calls,
        )
        told: tuple[Event, ...] = tuple(ToolCallEvent(call, reply.id) for call in calls)
        limit = state._limit(seconds)
        if calls and (why := state._forbidden(asked, limit)):
            return state._closed(told, why, limit)
        if calls:
            return state._over_calls(told)
        if reply.finish_reason == "pause" and limit is None:
            return state._step_over(told)
        if problem and limit is None and self.retries < self.limits.max_output_retries:
            return state._again(problem)._step_over(told)
        cut_short = limit if reply.finish_reason == "pause" or asked.tool_choice != self.tool_choice == "auto" else None
        return state._ended(told, reply.finish_reason, cut_short)

    def _again(self, problem: str) -> "RunState":
        asked = UserMessage(f"The answer does not have the demanded form: {problem}. Answer again, in that form only.")
        return changed(self, messages=(*self.messages, asked), retries=self.retries + 1)

    def _step_over(self, told: tuple[Event, ...]) -> Told:
        if not self.is_step_open:
            return self, told
        return changed(self, is_step_open=False), (*told, StepFinishEvent(self.steps[-1].usage))

    def _limit(self, seconds: float) -> Limit | None:
        """Return the limit that the run has reached, the calls of its last turn aside."""
        limits = self.limits
        if len(self.steps) >= limits.max_steps:
            return "steps"
        if limits.max_tokens is not None and self.usage.total_tokens >= limits.max_tokens:
            return "tokens"
        if limits.max_seconds is not None and seconds >= limits.max_seconds:
            return "time"
        return None

    def _forbidden(self, asked: AskModel, limit: Limit | None) -> str:
        """Say why none of the calls of the last turn may run; "" where they may."""
        if self.steps[-1].finish_reason == "length":
            return "the answer was cut off at the limit of its length"
        if asked.tool_choice == "none":
            return "no tools were offered in this step"
        # with a single step the results are all that the caller gets
        return f"the run has reached its limit of {limit}" if limit and self.limits.max_steps > 1 else ""

    def _over_calls(self, told: tuple[Event, ...]) -> Told:
        """Refuse the calls beyond the limit of calls; the others stay pending."""
        if self.limits.max_calls is None:
            return self, told
        left = max(self.limits.max_calls - self._calls_in(self.new_messages[:-1]), 0)
        refused = [unanswered(call, "the run has reached its limit of calls") for call in self.pending[left:]]
        if not refused:
            return self, told
        state, events = self.with_results(refused)
        return state, (*told, *events)

    @staticmethod
    def _calls_in(messages: Sequence[Message]) -> int:
        return sum(len(message.calls) for message in messages if isinstance(message, AssistantMessage))

    def with_results(self, results: Iterable[ToolResult], *, answer: str | None = None) -> Told:
        """
        Take results of pending calls, of some or of all.

        Args:
            results: Each with the call it answers.

            answer: Id of the call whose result is the answer of the run: it ends once all results are there.

        Raises:
            ProtocolError: if nothing is pending, or a result answers no pending call.
        """
        self._expect(RunTools)
        came = tuple(results)
        open_ids = [call.id for call in self.pending]
        for result in came:
            if result.call.id not in open_ids:
                msg = f"result for call {result.call.id!r}, but pending are {', '.join(map(repr, open_ids))}"
                raise ProtocolError(msg)
            open_ids.remove(result.call.id)
        told = tuple(event for result in came for event in _result_events(result, self.message_id))
        pending = tuple(call for call in self.pending if call.id in open_ids)
        state = changed(self, pending=pending, results=(*self.results, *came))
        if pending:
            return state, told
        state = state._with_result_message()
        limit = state._limit(0.0) or state._called_out()
        if answer is not None:
            return state._ended(told, "stop", answer=answer)
        if limit is not None:
            return state._ended(told, state.steps[-1].finish_reason, limit)
        return state._step_over(told)

    def _called_out(self) -> Limit | None:
        limit = self.limits.max_calls
        return "calls" if limit is not None and self._calls_in(self.new_messages) > limit else None

    def _with_result_message(self) -> "RunState":
        """Put the results, in the order of the calls, behind the turn they answer."""
        turn = self.messages[-1]
        order = {call.id: place for place, call in enumerate(turn.calls)} if isinstance(turn, AssistantMessage) else {}
        results = sorted(self.results, key=lambda result: order[result.call.id])
        return changed(
            self,
            messages=(*self.messages, ToolResultMessage(results)),
            pending=(),
            results=(),
            waiting=(),
            answers=(),
        )

    def waiting_for(self, pending: Sequence[Pending]) -> Told:
        """
        Pause until somebody outside has answered.

        Raises:
            ProtocolError: if no calls are due.
        """
        self._expect(RunTools)
        asked = tuple(
            ToolApprovalRequestEvent(each.call, self.message_id, each.call.digest)
            for each in pending
            if each.needs == "approval"
        )
        state, told = changed(self, waiting=tuple(pending))._step_over(asked)
        return state, (*told, StreamEndEvent("tool_calls", self.usage))

    def with_answers(self, answers: Mapping[str, Any]) -> "RunState":
        """
        Take what came from outside.

        Args:
            answers: Call id to a bool or `Decision`, for a call that waits for approval, or to what an external tool
                returned. Those that are missing are asked for again.

        Raises:
            ProtocolError: if the run does not wait, or an answer is for a call that does not.
        """
        waiting = {each.call.id: each for each in self._expect(Wait).pending}
        for id in answers:
            if id not in waiting:
                msg = f"answer for call {id!r}, but those that wait are {', '.join(map(repr, waiting))}"
                raise ProtocolError(msg)
        came = tuple(Answer.of(waiting[id], given) for id, given in answers.items())
        return changed(self, waiting=(), answers=(*self.answers, *came))

    def stopped(self, why: str, limit: Limit | None = None) -> Told:
        """
        End the run here and now, whatever is due.

        Args:
            why: For the model: why calls that are pending were not run.

            limit: What ended it, if it is one of the limits.
        """
        if self.done is not None:
            return self, ()
        if self.pending:
            return self._closed((), why, limit)
        return self._ended((), "other", limit)

    def _closed(self, told: tuple[Event, ...], why: str, limit: Limit | None) -> Told:
        """End the run, with a result for each pending call that says why it was not run."""
        refused = [unanswered(call, why) for call in self.pending]
        told += tuple(event for result in refused for event in _result_events(result, self.message_id))
        state = changed(self, results=(*self.results, *refused), pending=())._with_result_message()
        reason = state.steps[-1].finish_reason
        return state._ended(told, reason if limit or reason == "length" else "other", limit)

    def _ended(
        self, told: tuple[Event, ...], reason: FinishReason, limit: Limit | None = None, answer: str | None = None
    ) -> Told:
        state, told = self._step_over(told) if self.steps else (self, told)
        end = StreamEndEvent(reason, self.usage, self.citations or None)
        return changed(state, done=Done(reason, limit, answer)), (*told, end)

    @property
    def citations(self) -> tuple[Citation, ...]:
        """Everything that the model cited in this run."""
        turns = [message for message in self.new_messages if isinstance(message, AssistantMessage)]
        texts = [part for turn in turns for part in turn.parts if isinstance(part, TextPart)]
        return tuple(citation for text in texts for citation in text.citations)

    def _expect(self, kind: type[Any]) -> Any:
        todo = self.todo
        if not isinstance(todo, kind):
            msg = f"{kind.__name__} is not due, but {type(todo).__name__} is; look at `todo` first"
            raise ProtocolError(msg)
        return todo


def _result_events(result: ToolResult, message_id: str) -> tuple[Event, ...]:
    call = result.call
    made = [ArtifactEvent(artifact, call.id, call.name, message_id) for artifact in result.artifacts]
    return (ToolResultEvent(result, message_id), *made)
