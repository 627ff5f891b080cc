"""An assistant with all that is its own: a folder, its stores, the tools over them, and the agent that has them."""

import datetime
import os
from collections.abc import AsyncIterator, Callable, Generator, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any, Final

import attrs

from prismpy.agent import Agent
from prismpy.artifacts import FolderArtifacts
from prismpy.contexts import ContextBlock
from prismpy.events import Event
from prismpy.providers import model as model_named
from prismpy.schema import JSON
from prismpy.storage import disk_errors
from prismpy.toolkits import provider_web_tools

from ._conversations import Conversations
from ._offline import offline_model
from ._runs import Runs
from ._scribe import Scribe
from ._tools import toolbox_of

_MODELS: Final = {"ANTHROPIC_API_KEY": "anthropic:claude-sonnet-4-5", "OPENAI_API_KEY": "openai-responses:gpt-5-mini"}
"""Variable of the environment to the model that it opens, the first one first."""

_INSTRUCTIONS: Final = """\
You are a personal assistant. You have tools for the user's memory, calendar, tasks, pictures and the web; use them
instead of guessing, several in a row where that is needed. Store in memory what will matter in later conversations.
Say in the end what you did, briefly.\
"""

_GREETING: Final = "Memory, calendar, tasks, pictures and the web are at hand."
_IDEAS: Final = (
    "Schedule a meeting with John tomorrow and remind me to prepare",
    "Remember that I prefer dark mode",
    "What is in my calendar?",
    "Draw a lighthouse",
)


@attrs.frozen
class _Today:
    """Tells the model with each prompt which day it is: a server runs for weeks, and conversations are older still."""

    today: Callable[[], datetime.date]
    name: str = "today"
    description: str = "Which day it is."
    active: bool = False
    passive: bool = True

    def get_blocks(self, query: str, top_k: int = 1) -> Sequence[ContextBlock]:  # noqa: ARG002  # all sources have them
        return [ContextBlock(f"{self.today():%A, %d %B %Y}")]


@attrs.frozen(eq=False)
class Home:
    """One assistant."""

    folder: Path
    """Where everything of it lies."""

    agent: Agent
    conversations: Conversations
    artifacts: FolderArtifacts
    offline: bool
    """Whether the model is the scripted one that needs no key."""

    greeting: str = ""
    """What a page says before anybody has asked anything; the names of the tools if it is empty."""

    ideas: tuple[str, ...] = ()
    """What could be asked first."""

    def about(self) -> dict[str, JSON]:
        """Say what a page shows of it."""
        tools = [{"name": spec.name, "description": spec.description} for spec in self.agent.toolbox]
        return {
            "model": self.agent.model.model_name,
            "offline": self.offline,
            "tools": tools,
            "greeting": self.greeting,
            "ideas": list(self.ideas),
        }

    @classmethod
    def open(
        cls,
        folder: str | Path,
        model: Any = None,
        environment: Mapping[str, str] = os.environ,
        today: Callable[[], datetime.date] = datetime.date.today,
    ) -> "Home":
        """
        Put an assistant together.

        Args:
            folder: Where everything of it lies; made where there is none.

            model: A model or its name; None for the one that the environment has a key for, or else the offline one.

            environment: Names keys and servers.

            today: Tells the date.

        Raises:
            StoreError: if a store cannot be opened.

            DefinitionError: if the model is none, or there is no key for it.
        """
        place = Path(folder).expanduser()
        with disk_errors(f"use the folder {place}"):
            place.mkdir(parents=True, exist_ok=True)
        artifacts = FolderArtifacts(place / "artifacts")
        named = model or next((name for key, name in _MODELS.items() if environment.get(key)), None)
        chosen = offline_model(today) if named is None else model_named(named) if isinstance(named, str) else named
        web = provider_web_tools(chosen.dialect)
        agent = Agent(
            "assistant",
            chosen,
            _INSTRUCTIONS,
            tools=toolbox_of(place, artifacts, environment, fetches=all(each.name != "web_fetch" for each in web)),
            provider_tools=web,
            contexts=[_Today(today)],
        )
        conversations = Conversations(place / "conversations.db")
        return cls(place, agent, conversations, artifacts, named is None, _GREETING, _IDEAS)

    def ask(self, words: str, **options: Any) -> Generator[Event]:
        """
        Ask one thing from sync code, in a conversation of its own, which a page over the same folder shows.

        Args:
            words: The question.

            options: As for `Agent.stream`.

        Yields:
            What happens; see `Agent.stream`. Whoever stops early stops the answer.

        Raises:
            StoreError: if it cannot be written down.

            Exception: as `Agent.run` does.
        """
        run = self.agent.stream(words, **options)
        id = self.conversations.create().id
        self.conversations.ask(id, words, run.state)
        scribe = Scribe(id, run, self.conversations, self.artifacts)
        stopped = True
        try:
            with closing(iter(run)) as events:
                for event in events:
                    scribe.tell(event)
                    yield event
            stopped = False
        except Exception as error:
            stopped = False
            scribe.fail(error)
            raise
        finally:
            scribe.end(stopped=stopped)

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Runs]:
        """Open the tools, mend what was left open, and lend the runs; when left, end those under way."""
        import anyio

        async with self.agent, anyio.create_task_group() as tasks:
            runs = Runs(self.agent, self.conversations, self.artifacts, tasks)
            runs.mend()
            try:
                yield runs
            finally:
                tasks.cancel_scope.cancel()
        self.conversations.close()
