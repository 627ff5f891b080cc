"""The four tools: each describes itself in `__init__`, and asks the store in `__call__`."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from prismpy.errors import Retry
from prismpy.fluent import Tool
from prismpy.schema import ArraySchema, EnumSchema, ObjectSchema, StringSchema

from ._values import Change, Fact, Memory, MemoryStore, Search

TYPES: Final = ("fact", "preference", "goal", "event", "person", "instruction")
"""What kinds of memories there are, unless an app says otherwise; the first is the default."""

_LONGEST: Final = 4000
_CONTENT: Final = "One statement that can be understood by itself, such as 'The user prefers dark mode'"
_TYPE: Final = "What kind of memory it is"
_CATEGORY: Final = "What it is about, in a word, such as 'work'"
_TAG: Final = StringSchema("tag", max_length=80)


class StoreMemory(Tool):
    """
    The tool `store_memory`: remember one fact or several.

    Args:
        store: Where.

        types: The kinds of memories there are; the first is the default.
    """

    def __init__(self, store: MemoryStore, types: Sequence[str] = TYPES) -> None:
        self.store = store
        self.types = types
        fact = ObjectSchema(
            "fact",
            properties=(
                StringSchema("content", _CONTENT, min_length=1, max_length=_LONGEST),
                EnumSchema("type", _TYPE, types, default=types[0]),
                StringSchema("category", _CATEGORY, max_length=80),
                ArraySchema("tags", "Words to find it by", _TAG, max_items=20),
            ),
            required_fields=("content",),
        )
        (
            self.as_("store_memory")
            .for_("Remember facts about the user for later conversations. What is known already is skipped.")
            .with_string_parameter("content", _CONTENT, min_length=1, max_length=_LONGEST)
            .with_enum_parameter("type", _TYPE, types, default=types[0])
            .with_string_parameter("category", _CATEGORY, required=False, max_length=80)
            .with_array_parameter("tags", "Words to find it by", _TAG, required=False, max_items=20)
            .with_array_parameter("also", "Further facts to remember", fact, required=False, max_items=50)
            .using(self)
        )

    def __call__(
        self,
        content: str,
        type: str = "",
        category: str = "",
        tags: Sequence[str] = (),
        also: Sequence[Mapping[str, Any]] = (),
    ) -> dict[str, Any]:
        """Remember all the facts, or none."""
        first = Fact(content, type or self.types[0], category, tags)
        kept = self.store.add([first, *(Fact(**{"type": self.types[0], **fact}) for fact in also)])
        return {
            "stored": [_told(one.memory) for one in kept if one.is_new],
            "skipped": [
                {**_told(one.memory), "reason": "this was known already, and was not stored again"}
                for one in kept
                if not one.is_new
            ],
        }


class SearchMemory(Tool):
    """
    The tool `search_memory`: find what is remembered.

    Args:
        store: Where.

        types: The kinds of memories there are.
    """

    def __init__(self, store: MemoryStore, types: Sequence[str] = TYPES) -> None:
        self.store = store
        (
            self.as_("search_memory")
            .for_("Find what was remembered about the user. Without a query the latest memories are listed.")
            .with_string_parameter("query", "Words or a question", default="", max_length=_LONGEST)
            .with_enum_parameter("type", "Only memories of this type", types, required=False)
            .with_string_parameter("category", "Only memories of this category", required=False, max_length=80)
            .with_array_parameter("tags", "Only memories with all of these tags", _TAG, required=False, max_items=20)
            .with_integer_parameter("limit", "At most so many memories", minimum=1, maximum=50, default=10)
            .concurrent()
            .using(self)
        )

    def __call__(
        self, query: str = "", type: str = "", category: str = "", tags: Sequence[str] = (), limit: int = 10
    ) -> dict[str, Any]:
        """Find memories, the best first."""
        found = self.store.search(Search(query, type, category, tags, limit))
        return {"memories": [_told(one.memory) for one in found]}


class UpdateMemory(Tool):
    """
    The tool `update_memory`: correct what is remembered.

    Args:
        store: Where.

        types: The kinds of memories there are.
    """

    def __init__(self, store: MemoryStore, types: Sequence[str] = TYPES) -> None:
        self.store = store
        (
            self.as_("update_memory")
            .for_("Correct a memory. What is left out stays as it is.")
            .with_string_parameter("id", "As search_memory gives it")
            .with_string_parameter("content", _CONTENT, required=False, min_length=1, max_length=_LONGEST)
            .with_enum_parameter("type", _TYPE, types, required=False)
            .with_string_parameter("category", "'' for no category", required=False, max_length=80)
            .with_array_parameter("tags", "Instead of all it has", _TAG, required=False, max_items=20)
            .using(self)
        )

    def __call__(
        self,
        id: str,
        content: str | None = None,
        type: str | None = None,
        category: str | None = None,
        tags: Sequence[str] | None = None,
    ) -> dict[str, Any]:
        """Change what is given."""
        change = Change(content, type, category, tags)
        if change == Change():
            msg = "nothing was changed; give content, type, category or tags"
            raise Retry(msg)
        return {"updated": _told(self.store.update(id, change))}


class DeleteMemory(Tool):
    """
    The tool `delete_memory`: forget.

    Args:
        store: Where.
    """

    def __init__(self, store: MemoryStore) -> None:
        self.store = store
        (
            self.as_("delete_memory")
            .for_("Forget a memory for good.")
            .with_string_parameter("id", "As search_memory gives it")
            .using(self)
        )

    def __call__(self, id: str) -> dict[str, Any]:
        """Forget, and tell what was forgotten."""
        return {"deleted": _told(self.store.delete(id))}


class MemoryTools:
    """
    The tools of memory, for a `Toolbox`.

    Args:
        store: Where memories are kept; see `open_memories`.

        types: The kinds of memories there are; the first is the default.
    """

    def __init__(self, store: MemoryStore, *, types: Sequence[str] = TYPES) -> None:
        self._tools = (
            StoreMemory(store, types),
            SearchMemory(store, types),
            UpdateMemory(store, types),
            DeleteMemory(store),
        )

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools)


def _told(memory: Memory) -> dict[str, Any]:
    """Tell about a memory what a model needs."""
    fact = memory.fact
    told = {"id": memory.id, "content": fact.content, "type": fact.type, "category": fact.category}
    return {
        name: value for name, value in {**told, "tags": list(fact.tags), "updated": memory.updated}.items() if value
    }
