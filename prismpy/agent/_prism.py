"""
The loop, spelled the way Prism users spell it.

Source of names: Prism, `src/Text/PendingRequest.php` and `src/Structured/PendingRequest.php` (read 2026-11).
"""

from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from typing import Any, Self

from prismpy.codecs import ToolChoice
from prismpy.errors import DefinitionError
from prismpy.events import sse
from prismpy.messages import Content, Message, ProviderTool, SystemMessage, UserMessage

from ._agent import Agent
from ._options import AgentOptions
from ._response import Response
from ._run import Run


class PendingRequest:
    """What will be asked; each method adds to it and returns it."""

    def __init__(self) -> None:
        self._model: Any = None
        self._system: list[str] = []
        self._prompt: UserMessage | None = None
        self._messages: tuple[Message, ...] = ()
        self._tools: list[Any] = []
        self._provider_tools: list[ProviderTool] = []
        self._max_steps = 1
        self._options = AgentOptions()

    def using(self, provider: Any, model: str | None = None) -> Self:
        """
        Choose the model.

        Args:
            provider: Its name, such as `anthropic`, or a model as a value.

            model: As the provider calls it.
        """
        self._model = provider if model is None else f"{provider}:{model}"
        return self

    def with_system_prompt(self, text: str) -> Self:
        """Tell the model what to be; several are put together."""
        self._system.append(text)
        return self

    def with_prompt(self, prompt: str, content: Iterable[Content] = ()) -> Self:
        """Say what the user asks, with pictures and files beside it."""
        self._prompt = UserMessage((prompt, *content))
        return self

    def with_messages(self, messages: Iterable[Message]) -> Self:
        """Say what was said before; system messages among it are put before the system prompt."""
        given = tuple(messages)
        self._system[:0] = [message.text for message in given if isinstance(message, SystemMessage)]
        self._messages = tuple(message for message in given if not isinstance(message, SystemMessage))
        return self

    def with_tools(self, tools: Iterable[Any]) -> Self:
        """Add tools: anything `Tool.make` takes."""
        self._tools += tools
        return self

    def with_provider_tools(self, tools: Iterable[ProviderTool]) -> Self:
        """Add tools that the provider runs."""
        self._provider_tools += tools
        return self

    def with_max_steps(self, steps: int) -> Self:
        """Allow the model to be asked several times; once, if nothing is said."""
        self._max_steps = steps
        return self

    def with_tool_choice(self, choice: ToolChoice) -> Self:
        """Say whether a tool must be called first: `auto`, `any`, `none` or a name."""
        self._options["tool_choice"] = choice
        return self

    def with_max_tokens(self, tokens: int) -> Self:
        """Limit what the model may write in one step."""
        self._options["max_tokens"] = tokens
        return self

    def using_temperature(self, temperature: float) -> Self:
        """Choose how freely the model picks its words."""
        self._options["temperature"] = temperature
        return self

    def with_provider_options(self, options: Mapping[str, Any]) -> Self:
        """Add keys to the requests, in the provider's words."""
        self._options["options"] = {**self._options.get("options", {}), **options}
        return self

    def with_schema(self, schema: Any) -> Self:
        """Demand a form of the answer: a JSON Schema, a class with fields, or any annotation."""
        self._options["output"] = schema
        return self

    # --- ask

    def as_text(self) -> Response:
        """
        Ask, and wait for the answer.

        Raises:
            As `Agent.run` does.
        """
        asked, before = self._said()
        with self._agent() as agent:
            return agent.run(asked, messages=before)

    async def aas_text(self) -> Response:
        """Ask without blocking the event loop; otherwise like `as_text`."""
        asked, before = self._said()
        async with self._agent() as agent:
            return await agent.arun(asked, messages=before)

    def as_structured(self) -> Response:
        """
        Ask for an answer of the demanded form; it is in `response.output`.

        Raises:
            DefinitionError: if no form was demanded.

            OutputError: if the model does not keep to it.
        """
        if self._options.get("output") is None:
            msg = "as_structured() needs a form of the answer; give it with with_schema()"
            raise DefinitionError(msg)
        return self.as_text()

    def as_stream(self) -> Run:
        """Ask, and tell what happens; see `Agent.stream`."""
        asked, before = self._said()
        agent = self._agent()
        return agent.stream(asked, messages=before).within(agent)

    def as_event_stream(self) -> Iterator[str]:
        """Ask, and yield Prism's server-sent events as text."""
        return map(sse, self.as_stream())

    async def as_async_event_stream(self) -> AsyncIterator[str]:
        """Ask, and yield Prism's server-sent events as text, from async code."""
        # so that the run ends when this is closed, in the same task
        async with self.as_stream() as run:
            async for event in run:
                yield sse(event)

    def _agent(self) -> Agent:
        if self._model is None:
            msg = "no model was chosen; choose one with using('anthropic', 'claude-sonnet-4-5')"
            raise DefinitionError(msg)
        return Agent(
            "prism",
            self._model,
            "\n\n".join(self._system),
            tools=self._tools,
            provider_tools=self._provider_tools,
            max_steps=self._max_steps,
            **self._options,
        )

    def _said(self) -> tuple[UserMessage, tuple[Message, ...]]:
        """Return what is asked and what was said before; of messages alone, the last one is asked."""
        if self._prompt is not None:
            return self._prompt, self._messages
        match self._messages:
            case (*before, UserMessage() as last):
                return last, tuple(before)
            case _:
                msg = "nothing was asked; say it with with_prompt(), or end with_messages() with a UserMessage"
                raise DefinitionError(msg)


class Prism:
    """Where Prism users begin."""

    @staticmethod
    def text() -> PendingRequest:
        """Begin to ask for text."""
        return PendingRequest()

    @staticmethod
    def structured() -> PendingRequest:
        """Begin to ask for an answer of a demanded form."""
        return PendingRequest()
