"""An agent: a model with instructions and tools, run from words to an answer or driven phase by phase."""

from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import AsyncExitStack, ExitStack
from types import TracebackType
from typing import Any, NamedTuple, Self, Unpack

import attrs

from prismpy.codecs import Ask, Reply
from prismpy.contexts import ContextSource, Remembers, active_tools, checked, section
from prismpy.errors import DefinitionError
from prismpy.events import sse
from prismpy.execution import RunOptions, known_options
from prismpy.fluent import Toolbox
from prismpy.loop import Limits, RunState, Wait
from prismpy.messages import Message, ProviderTool, SystemMessage, ToolCall, ToolResult, UserMessage
from prismpy.providers import Model, WireModel
from prismpy.providers import model as model_named

from ._brief import Brief
from ._briefing import briefed
from ._callables import callables
from ._engine import Engine
from ._moves import Terms
from ._options import AgentOptions, run_options
from ._output import output_for
from ._prompts import Prompt, checked_template, conversation, user_message
from ._response import Response
from ._run import Run, afinished, finished


class Observation(NamedTuple):
    """What a model is about to be told."""

    system_prompt: str
    user_prompt: str
    messages: tuple[Message, ...]
    """The whole conversation, the system prompt first."""


class Agent:
    """
    A model with instructions and tools.

    In a `with` or `async with` block its toolbox is open, and a model that was
    given by name is closed at the end.

    Args:
        name: Of the agent, for messages and logs.

        model: A model, or its name such as `anthropic:claude-sonnet-4-5`; looked up when it is first asked.

        instructions: The system prompt: what the model is told to be.

        prompt_template: What is made of a prompt. Its fields, such as `{query}`, are filled with what the app hands in.

        tools: Anything `Tool.make` takes, mixed, or a `Toolbox`.

        provider_tools: Tools that the provider runs, or leaves to the app: then the tool that has the name of one, or
            else its type, answers it. Where the provider does not have it, that tool is one like others.

        contexts: Sources that are searched for each prompt, or by the model.

        max_steps: How often the model may be asked in one run.

        options: Anything else; see `AgentOptions`. Each may be given anew for one run.

    Raises:
        DefinitionError: if one of the tools is none, two have the same name, or the template cannot be filled.

    Source of names: MASFactory 1.0.4, `components/agents/agent.py` (read 2026-11).
    """

    def __init__(
        self,
        name: str,
        model: Any,
        instructions: str = "",
        prompt_template: str = "{query}",
        tools: Iterable[Any] = (),
        provider_tools: Iterable[ProviderTool] = (),
        contexts: Iterable[ContextSource] = (),
        max_steps: int = 30,
        **options: Unpack[AgentOptions],
    ) -> None:
        self.name = name
        self.instructions = instructions
        self.prompt_template = checked_template(prompt_template, name)
        self.provider_tools = tuple(provider_tools)
        self.contexts = checked(contexts, name)
        self.limits = options.get("limits", Limits(max_steps=max_steps))
        self.toolbox = _toolbox(tools, self.contexts)
        self._model = model
        self._own: WireModel | None = None
        """The model, where it was given by name, so that nobody else can close it."""
        self._options = known_options(options, AgentOptions, "Agent")

    @property
    def model(self) -> Model:
        """
        The model.

        Raises:
            DefinitionError: if it is a name that says nothing, or there is no API key.
        """
        if isinstance(self._model, str):
            self._model = self._own = model_named(self._model)
        if isinstance(self._model, type) or not hasattr(self._model, "stream"):
            msg = f"agent {self.name!r}: {self._model!r} is no model; pass one, or a name such as 'openai:gpt-4.1'"
            raise DefinitionError(msg)
        found: Model = self._model
        return found

    @property
    def tools(self) -> tuple[Callable[..., Any], ...]:
        """The tools as functions, each under the tool's name; they take and return what the handlers do."""
        return callables(self.toolbox)

    # --- whole runs

    def run(self, prompt: Prompt, *, messages: Iterable[Message] = (), **options: Unpack[AgentOptions]) -> Response:
        """
        Run until the model is done.

        Args:
            prompt: What the user says: words, pictures and files, or values for the fields of the prompt template.

            messages: The conversation before; repaired where a provider would refuse it.

            options: For this run, instead of the agent's own.

        Returns:
            What it came to. It is not done where something from outside is due (`pending`); see `resume`.

        Raises:
            ProviderError: if the provider fails.

            OutputError: if a form was demanded and the model did not keep to it.

            Exception: what a handler raised whose tool is `without_error_handling()`.
        """
        return finished(self._begun(prompt, messages, options, streamed=False))

    async def arun(
        self, prompt: Prompt, *, messages: Iterable[Message] = (), **options: Unpack[AgentOptions]
    ) -> Response:
        """Run without blocking the event loop; otherwise like `run`."""
        return await afinished(self._begun(prompt, messages, options, streamed=False))

    def stream(self, prompt: Prompt, *, messages: Iterable[Message] = (), **options: Unpack[AgentOptions]) -> Run:
        """
        Run and tell what happens.

        Returns:
            The run: iterate over it, `for` or `async for`, for its events, which drives it; then it has a `response`.
            Whoever stops early leaves a valid conversation in `run.state.messages`.

        Raises:
            As `run` does, where it is iterated.
        """
        return self._begun(prompt, messages, options)

    astream = stream

    def resume(
        self, state: RunState, answers: Mapping[str, Any] | None = None, **options: Unpack[AgentOptions]
    ) -> Response:
        """
        Go on with a run that waited, or that broke off.

        Args:
            state: `response.state`, or the same read from where it was stored.

            answers: Call id to what was decided (a bool or `Decision`) or returned, for calls in `response.pending`.

            options: As for `run`.

        Raises:
            ProtocolError: if an answer is for a call that does not wait.

            Exception: as for `run`.
        """
        return finished(self._resumed(state, answers, options, streamed=False))

    async def aresume(
        self, state: RunState, answers: Mapping[str, Any] | None = None, **options: Unpack[AgentOptions]
    ) -> Response:
        """Go on without blocking the event loop; otherwise like `resume`."""
        return await afinished(self._resumed(state, answers, options, streamed=False))

    def resume_stream(
        self, state: RunState, answers: Mapping[str, Any] | None = None, **options: Unpack[AgentOptions]
    ) -> Run:
        """Go on and tell what happens; see `resume` and `stream`."""
        return self._resumed(state, answers, options)

    def as_event_stream(
        self, prompt: Prompt, *, messages: Iterable[Message] = (), **options: Unpack[AgentOptions]
    ) -> Iterator[str]:
        """Run and yield Prism's server-sent events as text; see `stream`."""
        return map(sse, self.stream(prompt, messages=messages, **options))

    async def as_async_event_stream(
        self, prompt: Prompt, *, messages: Iterable[Message] = (), **options: Unpack[AgentOptions]
    ) -> AsyncIterator[str]:
        """Run and yield Prism's server-sent events as text, from async code; see `stream`."""
        # so that the run ends when this is closed, in the same task
        async with self.stream(prompt, messages=messages, **options) as run:
            async for event in run:
                yield sse(event)

    # --- phase by phase

    def observe(self, prompt: Prompt, *, messages: Iterable[Message] = ()) -> Observation:
        """
        Say what the model would be told: the instructions, and the prompt with what passive sources find for it.

        Args:
            prompt: As for `run`.

            messages: The conversation before.
        """
        said = self._said(prompt)
        system = (SystemMessage(self.instructions),) if self.instructions else ()
        return Observation(self.instructions, said.text, (*system, *conversation(messages, self.name), said))

    def think(self, messages: Iterable[Message], **options: Unpack[AgentOptions]) -> Reply:
        """
        Ask the model once.

        Args:
            messages: The conversation; a system prompt in it takes the place of the instructions.

            options: As for `run`.

        Returns:
            Its turn; the calls have the names and arguments that the tools declare.
        """
        brief, ask = self._phase(messages, options)
        return brief.understood(brief.model.ask(ask))

    async def athink(self, messages: Iterable[Message], **options: Unpack[AgentOptions]) -> Reply:
        """Ask the model once without blocking the event loop; otherwise like `think`."""
        brief, ask = self._phase(messages, options)
        return brief.understood(await brief.model.aask(ask))

    def act(self, calls: Iterable[ToolCall], **options: Unpack[AgentOptions]) -> tuple[ToolResult, ...]:
        """Run the calls of a turn, in order; see `Toolbox.run`."""
        return self.toolbox.run(calls, **self._acting(options))

    async def aact(self, calls: Iterable[ToolCall], **options: Unpack[AgentOptions]) -> tuple[ToolResult, ...]:
        """Run the calls of a turn without blocking the event loop; see `Toolbox.arun`."""
        return await self.toolbox.arun(calls, **self._acting(options))

    def step(self, prompt: Prompt, **options: Unpack[AgentOptions]) -> Response:
        """Observe, think and act until the model is done: another name of `run`."""
        return self.run(prompt, **options)

    # --- driven by an engine

    def begin(self, prompt: Prompt, *, messages: Iterable[Message] = (), **options: Unpack[AgentOptions]) -> RunState:
        """Return a run that has not begun: what passive sources find for the prompt is in it; see `run` and `drive`."""
        options = self._merged(options)
        limits = options.get("limits", self.limits)
        said = conversation(messages, self.name)
        return RunState.of((*said, self._said(prompt)), limits, options.get("tool_choice", "auto"))

    def drive(self, state: RunState, engine: Engine, **options: Unpack[AgentOptions]) -> Run:
        """
        Go on with a run, its model and its tools in the hands of an engine.

        Args:
            state: Not waiting; `with_answers` has put in what came from outside.

            engine: What stands around model and tools.

            options: As for `run`. The model is asked whole, not streamed.
        """
        merged = self._merged(options)
        brief = self._brief(merged, self.instructions)
        brief = attrs.evolve(brief, model=engine.model(brief.model), toolbox=engine.toolbox(brief.toolbox))
        terms = Terms(
            options=run_options(merged),
            stop_when=merged.get("stop_when"),
            streamed=False,
            clock=engine.clock,
            id=engine.id,
            told=engine.told,
        )
        return Run(brief, state, terms)

    def output_of(self, state: RunState) -> Any:
        """Return the answer of a run that is done as a value; None where no form was demanded."""
        wanted = self._options.get("output")
        return None if wanted is None else output_for(wanted, self.model.tool_dialect).read(Response(state).text)[0]

    @property
    def run_options(self) -> RunOptions:
        """Those of the agent's options that hold for running tools."""
        return run_options(self._options)

    def remember(self, state: RunState) -> None:
        """Hand a run that is done to those of the sources that remember conversations."""
        said = state.messages[state.before - 1 :]
        for source in self.contexts:
            if isinstance(source, Remembers):
                source.remember(said)

    # --- open and close

    def __enter__(self) -> Self:
        self.toolbox.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        with ExitStack() as stack:
            if self._own is not None:
                stack.callback(self._own.close)
            return self.toolbox.__exit__(kind, error, trace)

    async def __aenter__(self) -> Self:
        await self.toolbox.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        async with AsyncExitStack() as stack:
            if self._own is not None:
                stack.push_async_callback(self._own.aclose)
            return await self.toolbox.__aexit__(kind, error, trace)

    # --- inside

    def _merged(self, options: AgentOptions) -> AgentOptions:
        return {**self._options, **known_options(options, AgentOptions, "run")}

    def _said(self, prompt: Prompt) -> UserMessage:
        said = user_message(prompt, self.prompt_template, self.name)
        found = section(self.contexts, said.text)
        return UserMessage((*said.content, f"\n\n{found}")) if found else said

    def _acting(self, options: AgentOptions) -> RunOptions:
        merged = self._merged(options)
        return {"told": self._brief(merged, self.instructions).offer, **run_options(merged)}

    def _phase(self, messages: Iterable[Message], options: AgentOptions) -> tuple[Brief, Ask]:
        given = conversation(messages, self.name)
        system = [message.text for message in given if isinstance(message, SystemMessage)]
        brief = self._brief(self._merged(options), "\n\n".join(system) if system else self.instructions)
        rest = brief.in_its_words(message for message in given if not isinstance(message, SystemMessage))
        return brief, brief.ask(rest, brief.possible(options.get("tool_choice", "auto")))

    def _brief(self, options: AgentOptions, system: str) -> Brief:
        return briefed(self.model, self.toolbox, self.provider_tools, system, options)

    def _begun(self, prompt: Prompt, messages: Iterable[Message], given: AgentOptions, *, streamed: bool = True) -> Run:
        return self._under_way(self.begin(prompt, messages=messages, **given), self._merged(given), streamed)

    def _resumed(
        self, state: RunState, answers: Mapping[str, Any] | None, given: AgentOptions, *, streamed: bool = True
    ) -> Run:
        if isinstance(state.todo, Wait) or answers:
            state = state.with_answers(answers or {})
        return self._under_way(state, self._merged(given), streamed)

    def _under_way(self, state: RunState, options: AgentOptions, streamed: bool) -> Run:
        terms = Terms(
            options=run_options(options),
            stop_when=options.get("stop_when"),
            streamed=streamed,
            on_done=self.remember,
        )
        brief = self._brief(options, self.instructions)
        if not state.steps:
            brief.possible(state.tool_choice)
        return Run(brief, state, terms)

    def __repr__(self) -> str:
        return f"<Agent {self.name}: {', '.join(spec.name for spec in self.toolbox) or 'no tools'}>"


def _toolbox(tools: Iterable[Any], contexts: Iterable[ContextSource]) -> Toolbox:
    """Put the tools together with those that search active sources."""
    toolbox = tools if isinstance(tools, Toolbox) else Toolbox(tools)
    active = active_tools(contexts)
    return toolbox.with_tools(active) if active else toolbox
