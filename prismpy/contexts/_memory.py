"""What was said before, as a source of context."""

from collections.abc import Iterable, Sequence

from prismpy.errors import DefinitionError
from prismpy.messages import AssistantMessage, Message, UserMessage

from ._source import DEFAULT_TOP_K, ContextBlock, own_words


class HistoryMemory:
    """
    The last exchanges of an agent, over all of its runs.

    After each run the agent hands it the new messages. For the next prompt, or
    the model's next search, it gives back what was said: the latest last, as in
    a conversation. Tool calls and results are not kept.

    Args:
        name: Under which a model finds it.

        max_exchanges: How many questions with their answers are kept, more than 0.

        active: Whether the model may look things up in it.

        passive: Whether it is put into each prompt.

    Raises:
        DefinitionError: for a number of exchanges that is not more than 0.
    """

    description = "What was said earlier in this conversation."

    def __init__(
        self, name: str = "history", *, max_exchanges: int = 20, active: bool = False, passive: bool = True
    ) -> None:
        if max_exchanges < 1:
            msg = f"max_exchanges is {max_exchanges!r}; pass a number more than 0"
            raise DefinitionError(msg)
        self.name, self.active, self.passive = name, active, passive
        self._max_exchanges = max_exchanges
        self._exchanges: list[tuple[str, str]] = []

    def remember(self, messages: Iterable[Message]) -> None:
        """
        Keep what was said.

        Args:
            messages: Of one run: what the user said, and all that followed.
        """
        asked, answered = "", ""
        for message in messages:
            if isinstance(message, UserMessage):
                asked, answered = f"{asked}\n{own_words(message)}".strip(), ""
            elif isinstance(message, AssistantMessage):
                answered = message.text or answered
        self._exchanges = [*self._exchanges, (asked, answered)][-self._max_exchanges :]

    def get_blocks(self, query: str, top_k: int = DEFAULT_TOP_K) -> Sequence[ContextBlock]:  # noqa: ARG002  # all sources have it
        """Return the last exchanges, the latest last, whatever the query."""
        kept = self._exchanges[-top_k:] if top_k else self._exchanges
        return [ContextBlock(f"User: {asked}\nAssistant: {answered}") for asked, answered in kept]
