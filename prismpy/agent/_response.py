"""What a run came to."""

from typing import Any

import attrs

from prismpy.loop import Done, Limit, RunState, Step, Wait
from prismpy.messages import (
    Artifact,
    AssistantMessage,
    Citation,
    FinishReason,
    Message,
    Pending,
    ToolCall,
    ToolResult,
    ToolResultMessage,
    Usage,
)


@attrs.frozen(eq=False)
class Response:
    """
    A run that is done, or that waits for something from outside.

    Source of names: Prism, `src/Text/Response.php` (read 2026-11).
    """

    state: RunState
    """The whole run as a value; what `resume` takes."""

    output: Any = None
    """The answer as a value, where a form was demanded."""

    @property
    def text(self) -> str:
        """
        The model's last words.

        Empty where its last turn has none, never those of an earlier turn. Of a run that a `return_direct` tool ended:
        what that tool answered.
        """
        match self.state.messages[-1:], self.state.done:
            case [AssistantMessage() as turn], _:
                return turn.text
            case [ToolResultMessage(results=results)], Done(answer=str() as id):
                return next(result.text for result in results if result.call.id == id)
            case _:
                return ""

    @property
    def messages(self) -> tuple[Message, ...]:
        """The conversation, with what it began with; go on with it by handing it to the next run."""
        return self.state.messages

    @property
    def steps(self) -> tuple[Step, ...]:
        """One entry for each answer of the model."""
        return self.state.steps

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        """All calls of this run, in order."""
        turns = (message for message in self.state.new_messages if isinstance(message, AssistantMessage))
        return tuple(call for turn in turns for call in turn.calls)

    @property
    def tool_results(self) -> tuple[ToolResult, ...]:
        """All results of this run, in the order of the calls."""
        answers = (message for message in self.state.new_messages if isinstance(message, ToolResultMessage))
        return tuple(result for answer in answers for result in answer.results)

    @property
    def artifacts(self) -> tuple[Artifact, ...]:
        """Everything that tools made for the app."""
        return tuple(artifact for result in self.tool_results for artifact in result.artifacts)

    @property
    def citations(self) -> tuple[Citation, ...]:
        """Everything that the model cited."""
        return self.state.citations

    @property
    def usage(self) -> Usage:
        """What all steps cost."""
        return self.state.usage

    @property
    def finish_reason(self) -> FinishReason:
        """Why the run ended; `tool_calls` while it waits."""
        match self.state.todo:
            case Done(finish_reason=reason):
                return reason
            case Wait():
                return "tool_calls"
            case _:
                return "unknown"

    @property
    def limit(self) -> Limit | None:
        """The limit that ended the run; None where it came to its own end."""
        return None if self.state.done is None else self.state.done.limit

    @property
    def pending(self) -> tuple[Pending, ...]:
        """The calls that wait for a decision or an answer."""
        return self.state.waiting
