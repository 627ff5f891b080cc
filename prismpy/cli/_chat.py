"""Talking to a model that has the tools of a target: words as they come, each call with its result."""

import json
import sys
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import attrs

from prismpy.agent import Agent
from prismpy.errors import ProviderError
from prismpy.events import (
    ArtifactEvent,
    ErrorEvent,
    Event,
    ProviderToolEvent,
    TextCompleteEvent,
    TextDeltaEvent,
    ThinkingCompleteEvent,
    ThinkingEvent,
    ToolCallEvent,
    ToolResultEvent,
)
from prismpy.execution import Approve, Hooks
from prismpy.messages import Message, ToolCall, ToolResult
from prismpy.providers import model as model_named
from prismpy.schema import cut
from prismpy.testing import ScriptedModel

from ._call import size_of
from ._contents import Contents
from ._output import Output
from ._usage import UsageError

_SCRIPTED = "scripted:"
_LONG = 300
"""Characters of arguments and results that are shown."""


def model_of(name: str) -> Any:
    """
    Return a model by name; `scripted:FILE` is one that answers what a JSON file says, offline.

    Raises:
        UsageError: if the file cannot be read.

        PrismError: if no such model is known, or there is no API key.
    """
    if not name.startswith(_SCRIPTED):
        return model_named(name)
    file = Path(name.removeprefix(_SCRIPTED))
    try:
        script = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        msg = f'{file} is no script: {error}; write a JSON list of answers, such as ["Hello."]'
        raise UsageError(msg) from error
    return ScriptedModel.from_json(script if isinstance(script, list) else [script])


def agent_of(contents: Contents, model: str, system: str, max_steps: int) -> Agent:
    """
    Give a model the tools of a target.

    Raises:
        PrismError: if two tools have the same name, or as `model_of` does.
    """
    tools = [made.spec for made in contents.tools]
    return Agent("chat", model_of(model), system, tools=tools, max_steps=max_steps)


def asked(words: str | None, out: Output) -> Iterator[str]:
    """Yield what a user says: the words given, or line by line what is typed, until the end of input."""
    if words is not None:
        yield words
        return
    while True:
        if sys.stdin.isatty():
            out.piece("> ")
        line = sys.stdin.readline()
        if not line:
            return
        if line.strip():
            yield line.strip()


def talk(agent: Agent, prompts: Iterable[str], approve: Approve, out: Output) -> bool:
    """
    Ask a model one thing after the other, in one conversation, and show what happens.

    Ctrl-C ends the answer under way, not the conversation.

    Returns:
        Whether all was answered.
    """
    messages: tuple[Message, ...] = ()
    fine = True
    for prompt in prompts:
        show = Show(out)
        run = agent.stream(prompt, messages=messages, approve=approve, hooks=show.hooks)
        try:
            if not show.all(iter(run)):
                fine = False
                continue
        except KeyboardInterrupt:
            out.note("stopped")
        messages = run.state.messages
        for pending in run.response.pending:
            out.note(f"{pending.call.name} is answered elsewhere; this chat goes on without it")
    return fine


@attrs.define
class Show:
    """Shows the events of one run."""

    out: Output
    clock: Callable[[], float] = time.perf_counter
    _times: dict[str, float] = attrs.field(factory=dict, init=False)
    """Call id to when its handler began, later to how long it took; none of a call that was refused."""

    @property
    def hooks(self) -> Hooks:
        """What must hear of the calls, to say how long handlers took; a wait for approval is none of their time."""
        return Hooks(before=self._begun, after=self._ended)

    def _begun(self, call: ToolCall) -> None:
        self._times[call.id] = self.clock()

    def _ended(self, result: ToolResult) -> None:
        if (begun := self._times.get(result.call.id)) is not None:
            self._times[result.call.id] = self.clock() - begun

    def all(self, events: Generator[Event]) -> bool:
        """Show what happens, which drives the run; return whether the model did not fail."""
        try:
            with closing(events):
                for event in events:
                    self.one(event)
        except ProviderError as error:
            self.out.error(f"prismpy: {error}")
            return False
        return True

    def one(self, event: Event) -> None:
        """Show one event; those of which people need not know are left out."""
        match event:
            case TextDeltaEvent(delta=delta):
                self.out.piece(delta)
            case TextCompleteEvent() | ThinkingCompleteEvent():
                self.out.piece("\n")
            case ThinkingEvent(delta=delta):
                self.out.piece(delta, "dim italic")
            case ToolCallEvent(call=call):
                self.out.note(f"-> {call.name} {_shown(call.decoded)}", "cyan")
            case ToolResultEvent(result=result):
                seconds = self._times.pop(result.call.id, None)
                took = "" if seconds is None else f" ({seconds:.1f} s)"
                mark, style = ("!!", "red") if result.is_error else ("<-", "green")
                self.out.note(f"{mark} {result.call.name}{took} {cut(result.text, _LONG)}", style)
            case ArtifactEvent(artifact=artifact):
                size = size_of(artifact)
                told = "which is no base64" if size is None else f"{size} bytes"
                self.out.note(f"<- an artifact of type {artifact.mime_type}, {told}", "green")
            case ProviderToolEvent(tool_type=kind, status=status):
                self.out.note(f"** {kind} {status}", "magenta")
            case ErrorEvent(message=message, recoverable=True):
                self.out.note(f"trying again: {message}", "yellow")
            case _:
                pass


def _shown(value: Any) -> str:
    return cut(json.dumps(value, ensure_ascii=False), _LONG)
