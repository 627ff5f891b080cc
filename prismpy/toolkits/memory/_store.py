"""A store of memories over SQL. What the two databases say differently stands in their `Dialect`s."""

import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Final, Protocol

import attrs

from prismpy.errors import StoreError, UnknownIdError
from prismpy.search import Embed, fingerprint, vectors_of, words_of
from prismpy.storage import Clock

from ._values import Change, Fact, Found, Kept, Memory, Search


class Session(Protocol):
    """A connection during a transaction."""

    def execute(self, statement: str, parameters: dict[str, Any], /) -> Any:
        """Run a statement with parameters named `:name`; return a cursor."""
        ...


class Databank(Protocol):
    """What `Database` and `PostgresDatabase` of `storage` both are."""

    def read(self, statement: str, parameters: dict[str, Any], /) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        ...

    def write(self) -> AbstractContextManager[Session]:
        """Lend a session for one transaction."""
        ...

    def close(self) -> None:
        """Close what is open."""
        ...


@attrs.frozen
class Dialect:
    """How one of the databases says things about a memory `m`."""

    words: str
    """Expression that makes `:words`, with spaces between, what is stored."""

    with_words: str
    """Ends a query for the memories that have some of `:words`, up to `AND`."""

    best_first: str
    """How those are ordered."""

    query: Callable[[Sequence[str]], str]
    """What `:words` is in a query."""

    has_tags: str
    """Condition: it has all of `:tags`, a list in JSON."""

    similarity: str
    """Expression for the cosine of its embedding and `:vector`."""

    vector: Callable[[Sequence[float]], Any]
    """A vector as a parameter."""


_CANDIDATES: Final = 100
"""By words and by meaning each; the best of both are the result."""

_BATCH: Final = 100
"""Texts whose meaning is asked for at once."""

_MEMORY: Final = "SELECT m.id, m.content, m.type, m.category, m.tags, m.created, m.updated"
_FITS: Final = (
    "(:type = '' OR m.type = :type) AND (:category = '' OR m.category = :category) AND (:tags = '[]' OR HAS_TAGS)"
)
_INSERT: Final = """
    INSERT INTO memories
        (id, content, type, category, tags, created, updated, fingerprint, words, embedding, dimensions)
    VALUES
        (:id, :content, :type, :category, :tags, :created, :updated, :fingerprint, WORDS, :vector, :dimensions)
    ON CONFLICT (fingerprint) DO NOTHING
"""
_UPDATE: Final = """
    UPDATE memories SET
        content = :content, type = :type, category = :category, tags = :tags, updated = :updated,
        fingerprint = :fingerprint, words = WORDS
    WHERE id = :id
"""
_SET_VECTOR: Final = "UPDATE memories SET embedding = :vector, dimensions = :dimensions WHERE id = :id"


class SQLMemories:
    """
    A `MemoryStore` in an SQL database.

    Args:
        database: Where.

        dialect: How it says things.

        embed: Gives the meaning of texts; None to search by words only.

        least_similarity: Memories whose cosine with the query is smaller do not fit by meaning.

        clock: Tells the time, in UTC.
    """

    def __init__(
        self,
        database: Databank,
        dialect: Dialect,
        *,
        embed: Embed | None,
        least_similarity: float,
        clock: Clock,
    ) -> None:
        self._database = database
        self._dialect = dialect
        self._embed = embed
        self._least_similarity = least_similarity
        self._clock = clock

    def add(self, facts: Sequence[Fact]) -> tuple[Kept, ...]:
        """Remember facts; see `MemoryStore.add`."""
        vectors = self._vectors([fact.content for fact in facts])
        now = self._now()
        with self._database.write() as session:
            return tuple(self._keep(session, fact, vector, now) for fact, vector in zip(facts, vectors, strict=True))

    def search(self, search: Search) -> tuple[Found, ...]:
        """Find memories; see `MemoryStore.search`."""
        if not search.query:
            return tuple(Found(memory, ()) for memory in self._latest(search))
        return _merge({"words": self._by_words(search), "meaning": self._by_meaning(search)})[: search.limit]

    def update(self, id: str, change: Change) -> Memory:
        """Change a memory; see `MemoryStore.update`."""
        vectors = self._vectors([change.content] if change.content else [])
        with self._database.write() as session:
            old = self._get(session, id)
            new = attrs.evolve(old, fact=change.apply(old.fact), updated=self._now())
            same = self._saying(session, new.fact)
            if same is not None and same.id != id:
                msg = f"memory {same.id!r} says the same already; {id!r} was left as it is; delete one of them instead"
                raise StoreError(msg)
            session.execute(_UPDATE.replace("WORDS", self._dialect.words), self._row(new))
            for vector in vectors:
                session.execute(_SET_VECTOR, {"id": id, **self._meaning(vector)})
            return new

    def delete(self, id: str) -> Memory:
        """Forget a memory; see `MemoryStore.delete`."""
        with self._database.write() as session:
            memory = self._get(session, id)
            session.execute("DELETE FROM memories WHERE id = :id", {"id": id})
            return memory

    def reindex(self) -> int:
        """
        Ask the embedding function anew about all memories, as is needed after it changed; return how many there are.

        Raises:
            StoreError: if the place to keep them fails.
        """
        rows = self._database.read("SELECT id, content FROM memories", {})
        for start in range(0, len(rows), _BATCH):
            some = rows[start : start + _BATCH]
            vectors = self._vectors([content for _, content in some])
            with self._database.write() as session:
                for (id, _), vector in zip(some, vectors, strict=True):
                    session.execute(_SET_VECTOR, {"id": id, **self._meaning(vector)})
        return len(rows)

    def close(self) -> None:
        """Close the database; the next use opens it again."""
        self._database.close()

    # --- writing ----------------------------------------------------------------

    def _keep(self, session: Session, fact: Fact, vector: Sequence[float] | None, now: str) -> Kept:
        memory = Memory(f"m{secrets.token_hex(6)}", fact, now, now)
        statement = _INSERT.replace("WORDS", self._dialect.words)
        if session.execute(statement, {**self._row(memory), **self._meaning(vector)}).rowcount:
            return Kept(memory, is_new=True)
        same = self._saying(session, fact)
        assert same is not None  # noqa: S101  # which is why the statement did nothing
        return Kept(same, is_new=False)

    def _get(self, session: Session, id: str) -> Memory:
        row = session.execute(_MEMORY + " FROM memories m WHERE m.id = :id", {"id": id.replace("\0", "")}).fetchone()
        if row is None:
            msg = f"there is no memory {id[:80]!r}; search_memory tells the ids"
            raise UnknownIdError(msg, id=id)
        return _memory(row)

    def _saying(self, session: Session, fact: Fact) -> Memory | None:
        """Return the memory that says the same."""
        wanted = {"fingerprint": fingerprint(fact.content)}
        row = session.execute(_MEMORY + " FROM memories m WHERE m.fingerprint = :fingerprint", wanted).fetchone()
        return None if row is None else _memory(row)

    def _row(self, memory: Memory) -> dict[str, Any]:
        fact = memory.fact
        words = words_of(" ".join((fact.content, fact.category, *fact.tags)))
        return {
            "id": memory.id,
            **attrs.asdict(fact),
            "tags": json.dumps(fact.tags, ensure_ascii=False),
            "created": memory.created,
            "updated": memory.updated,
            "fingerprint": fingerprint(fact.content),
            "words": " ".join(words),
        }

    def _meaning(self, vector: Sequence[float] | None) -> dict[str, Any]:
        if vector is None:
            return {"vector": None, "dimensions": 0}
        return {"vector": self._dialect.vector(vector), "dimensions": len(vector)}

    def _vectors(self, texts: Sequence[str]) -> Sequence[Sequence[float] | None]:
        return [None] * len(texts) if self._embed is None else vectors_of(self._embed, texts)

    def _now(self) -> str:
        return self._clock().isoformat()

    # --- searching --------------------------------------------------------------

    def _latest(self, search: Search) -> list[Memory]:
        query = f"{_MEMORY} FROM memories m WHERE {self._fits()} ORDER BY m.number DESC LIMIT :limit"
        return [_memory(row) for row in self._database.read(query, self._wanted(search, limit=search.limit))]

    def _by_words(self, search: Search) -> list[Memory]:
        words = words_of(search.query)
        query = (
            f"{_MEMORY} {self._dialect.with_words} AND {self._fits()} "
            f"ORDER BY {self._dialect.best_first}, m.number DESC LIMIT :limit"
        )
        wanted = self._wanted(search, words=self._dialect.query(words))
        return [_memory(row) for row in self._database.read(query, wanted)] if words else []

    def _by_meaning(self, search: Search) -> list[Memory]:
        if self._embed is None:
            return []
        query = (
            f"{_MEMORY}, {self._dialect.similarity} AS likeness FROM memories m "
            f"WHERE m.dimensions = :dimensions AND {self._fits()} ORDER BY likeness DESC, m.number DESC LIMIT :limit"
        )
        wanted = self._wanted(search, **self._meaning(vectors_of(self._embed, [search.query])[0]))
        rows = self._database.read(query, wanted)
        return [_memory(row) for *row, likeness in rows if likeness >= self._least_similarity]

    def _fits(self) -> str:
        return _FITS.replace("HAS_TAGS", self._dialect.has_tags)

    def _wanted(self, search: Search, limit: int = _CANDIDATES, **more: Any) -> dict[str, Any]:
        tags = json.dumps(search.tags, ensure_ascii=False)
        return {"type": search.type, "category": search.category, "tags": tags, "limit": limit, **more}


def _memory(row: Sequence[Any]) -> Memory:
    id, content, type, category, tags, created, updated = row
    return Memory(id, Fact(content, type, category, json.loads(tags)), created, updated)


def _merge(ranked: Mapping[str, Sequence[Memory]]) -> tuple[Found, ...]:
    """
    Merge rankings into one; what stands high in several stands highest.

    Source: Cormack, Clarke, Büttcher, "Reciprocal Rank Fusion" (2009), which found 60 to be a good constant.
    """
    memories = {memory.id: memory for ranking in ranked.values() for memory in ranking}
    scores = dict.fromkeys(memories, 0.0)
    by: dict[str, tuple[str, ...]] = dict.fromkeys(memories, ())
    for name, ranking in ranked.items():
        for rank, memory in enumerate(ranking):
            scores[memory.id] += 1 / (60 + rank)
            by[memory.id] += (name,)
    best_first = sorted(scores, key=scores.__getitem__, reverse=True)
    return tuple(Found(memories[id], by[id]) for id in best_first)
