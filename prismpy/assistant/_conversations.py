"""
Conversations in SQLite: the state of the last run of each, and every event with a number.

A page that lost its connection asks for the events after the last one it has
seen. Pictures and files lie in the artifact store; here is only where.
"""

import json
import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import attrs

from prismpy.errors import UnknownIdError
from prismpy.loop import RunState
from prismpy.schema import JSON
from prismpy.storage import Database, Migrations

_MIGRATIONS: Final[Migrations] = (
    (
        """
        CREATE TABLE conversations (
            id TEXT PRIMARY KEY,
            title TEXT NOT NULL,
            created REAL NOT NULL,
            updated REAL NOT NULL,
            running INTEGER NOT NULL,
            state TEXT
        )
        """,
        """
        CREATE TABLE conversation_events (
            conversation TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
            number INTEGER NOT NULL,
            type TEXT NOT NULL,
            data TEXT NOT NULL,
            PRIMARY KEY (conversation, number)
        ) WITHOUT ROWID
        """,
    ),
)

_TITLE_LENGTH: Final = 60


@attrs.frozen
class Told:
    """One event, as a page gets it."""

    number: int
    """From 1 up in each conversation; numbers may be left out where deltas were put together."""

    type: str
    """Prism's word for the kind, or `user_message`."""

    data: JSON


@attrs.frozen
class Conversation:
    """What is known of a conversation beside what was said."""

    id: str
    title: str
    """The beginning of the first thing that was asked; "" until then."""

    created: float
    updated: float
    """Seconds since 1970."""

    running: bool
    """Whether a run is under way, or was when the process that drove it ended."""


class Conversations:
    """
    All conversations of an assistant. Safe to use from several threads.

    Args:
        path: Of the SQLite file; `:memory:` for one that ends with the process.

        clock: Returns seconds since 1970.
    """

    def __init__(self, path: str | Path, clock: Callable[[], float] = time.time) -> None:
        self._database = Database(path, "conversations", _MIGRATIONS)
        self._clock = clock

    def create(self) -> Conversation:
        """Begin a conversation."""
        now = self._clock()
        made = Conversation(secrets.token_urlsafe(12), "", now, now, running=False)
        with self._database.write() as session:
            session.execute(
                "INSERT INTO conversations VALUES (?, ?, ?, ?, ?, NULL)", (made.id, made.title, now, now, False)
            )
        return made

    def list(self) -> tuple[Conversation, ...]:
        """Return all, the one that was last used first."""
        return tuple(map(_conversation, self._database.read(f"{_SELECT} ORDER BY updated DESC, rowid DESC")))

    def get(self, id: str) -> Conversation:
        """
        Return one.

        Raises:
            UnknownIdError: if there is none of this id.
        """
        rows = self._database.read(f"{_SELECT} WHERE id = ?", (id,))
        if not rows:
            msg = f"there is no conversation {id!r}"
            raise UnknownIdError(msg)
        return _conversation(rows[0])

    def delete(self, id: str) -> None:
        """Forget one, and all that was said in it."""
        with self._database.write() as session:
            session.execute("DELETE FROM conversations WHERE id = ?", (id,))

    def state(self, id: str) -> RunState | None:
        """Return the state of the last run; None where there was none."""
        [(text,)] = self._database.read("SELECT state FROM conversations WHERE id = ?", (id,)) or [(None,)]
        return None if text is None else RunState.from_dict(json.loads(text))

    def keep(self, id: str, state: RunState, *, running: bool) -> None:
        """Keep the state of a run."""
        with self._database.write() as session:
            session.execute(
                "UPDATE conversations SET state = ?, running = ?, updated = ? WHERE id = ?",
                (json.dumps(state.to_dict()), running, self._clock(), id),
            )

    def tell(self, id: str, events: Iterable[tuple[str, JSON]]) -> tuple[Told, ...]:
        """
        Add events to what a page may see.

        Args:
            id: Of the conversation.

            events: Type and data of each, in order.

        Returns:
            The same, with their numbers.
        """
        with self._database.write() as session:
            [(last,)] = session.execute(
                "SELECT coalesce(max(number), 0) FROM conversation_events WHERE conversation = ?", (id,)
            ).fetchall()
            told = tuple(Told(number, type, data) for number, (type, data) in enumerate(events, last + 1))
            session.executemany(
                "INSERT INTO conversation_events VALUES (?, ?, ?, ?)",
                [(id, each.number, each.type, json.dumps(each.data)) for each in told],
            )
        return told

    def ask(self, id: str, words: str) -> tuple[Told, ...]:
        """Add what a user says; the first words are the title of the conversation."""
        with self._database.write() as session:
            session.execute("UPDATE conversations SET title = ? WHERE id = ? AND title = ''", (_shortened(words), id))
        return self.tell(id, [("user_message", {"text": words})])

    def events(self, id: str, after: int = 0) -> tuple[Told, ...]:
        """Return the events after a number, in order."""
        rows = self._database.read(
            "SELECT number, type, data FROM conversation_events WHERE conversation = ? AND number > ? ORDER BY number",
            (id, after),
        )
        return tuple(Told(number, type, json.loads(data)) for number, type, data in rows)

    def tidy(self, id: str) -> None:
        """Put neighbouring deltas together, once they are of the past; each keeps the number of its last part."""
        kept = _together(self.events(id))
        with self._database.write() as session:
            session.execute("DELETE FROM conversation_events WHERE conversation = ?", (id,))
            session.executemany(
                "INSERT INTO conversation_events VALUES (?, ?, ?, ?)",
                [(id, each.number, each.type, json.dumps(each.data)) for each in kept],
            )

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        self._database.close()


_SELECT: Final = "SELECT id, title, created, updated, running FROM conversations"


def _conversation(row: Sequence[Any]) -> Conversation:
    id, title, created, updated, running = row
    return Conversation(id, title, created, updated, running=bool(running))


def _shortened(words: str) -> str:
    line = " ".join(words.split())
    return line if len(line) <= _TITLE_LENGTH else line[: _TITLE_LENGTH - 1].rstrip() + "…"


def _together(events: Iterable[Told]) -> list[Told]:
    kept: list[Told] = []
    for event in events:
        last = kept[-1] if kept else None
        if last is not None and last.type == event.type and _piece(last.data) == _piece(event.data) is not None:
            kept[-1] = attrs.evolve(event, data={**event.data, "delta": last.data["delta"] + event.data["delta"]})
        else:
            kept.append(event)
    return kept


def _piece(data: JSON) -> JSON:
    """Return what neighbouring deltas of one piece have in common; None for what is no delta."""
    if not isinstance(data, dict) or "delta" not in data:
        return None
    return {key: value for key, value in data.items() if key not in {"id", "timestamp", "delta"}}
