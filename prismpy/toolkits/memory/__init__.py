"""Memory: facts that a model keeps, finds, corrects and forgets, in SQLite or PostgreSQL."""

from prismpy.search import Embed

from ._open import open_memories
from ._postgres import PostgresMemories
from ._sqlite import SQLiteMemories
from ._tools import TYPES, DeleteMemory, MemoryTools, SearchMemory, StoreMemory, UpdateMemory
from ._values import Change, Fact, Found, Kept, Memory, MemoryStore, Search

__all__ = [
    "TYPES",
    "Change",
    "DeleteMemory",
    "Embed",
    "Fact",
    "Found",
    "Kept",
    "Memory",
    "MemoryStore",
    "MemoryTools",
    "PostgresMemories",
    "SQLiteMemories",
    "Search",
    "SearchMemory",
    "StoreMemory",
    "UpdateMemory",
    "open_memories",
]
