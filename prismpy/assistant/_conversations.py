"""
Conversations in SQLite: the state of the last run of each, and every event with a number.

A page that lost its connection asks for the events after the last one it has
seen. Pictures and files lie in the artifact store; here is only where.
"""

import json
import secrets
import time
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import attrs

from prismpy.errors import PrismError, StoreError, UnknownIdError
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

_LENGTHS: Final = "lengths"
"""Where a delta that was put together has the lengths of its parts; whoever has seen some of them gets the rest."""


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
        self._database = Database(path, "conversations", _MIGRATIONS, prepare=_unhurried)
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
        """
        Return the state of the last run; None where there was none.

        Raises:
            StoreError: if it was changed and cannot be read any more.
        """
        [(text,)] = self._database.read("SELECT state FROM conversations WHERE id = ?", (id,)) or [(None,)]
        try:
            return None if text is None else RunState.from_dict(json.loads(text))
        except (PrismError, ValueError, TypeError) as error:
            msg = f"this conversation is damaged and cannot go on ({error}); it can be read still, so begin another"
            raise StoreError(msg) from error

    def keep(self, id: str, state: RunState | None, *, running: bool) -> None:
        """
        Keep the state of a run.

        Args:
            id: Of the conversation.

            state: None leaves what is there.

            running: Whether the run goes on.
        """
        with self._database.write() as session:
            self._keep(session, id, state, running=running)

    def _keep(self, session: Any, id: str, state: RunState | None, *, running: bool) -> None:
        session.execute(
            "UPDATE conversations SET state = coalesce(?, state), running = ?, updated = ? WHERE id = ?",
            (None if state is None else json.dumps(state.to_dict()), running, self._clock(), id),
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
            return _tell(session, id, events)

    def ask(self, id: str, words: str, state: RunState) -> tuple[Told, ...]:
        """
        Add what a user says, with the state of the run that it begins.

        Args:
            id: Of the conversation.

            words: The first ones are the title of the conversation.

            state: Of a run that nobody has driven yet.
        """
        with self._database.write() as session:
            session.execute("UPDATE conversations SET title = ? WHERE id = ? AND title = ''", (_shortened(words), id))
            self._keep(session, id, state, running=True)
            return _tell(session, id, [("user_message", {"text": words})])

    def events(self, id: str, after: int = 0) -> tuple[Told, ...]:
        """Return the events after a number, in order; one that is damaged tells so."""
        return tuple(_rest(told, after) for told in self._stored(id, after))

    def _stored(self, id: str, after: int) -> Iterable[Told]:
        rows = self._database.read(
            "SELECT number, type, data FROM conversation_events WHERE conversation = ? AND number > ? ORDER BY number",
            (id, after),
        )
        return (_told(*row) for row in rows)

    def tidy(self, id: str) -> None:
        """
        Put neighbouring deltas of the last run together, once it is of the past.

        Each has the number of its last part, and can be had from any part on.
        """
        newest = "SELECT coalesce(max(number), 0) FROM conversation_events WHERE conversation = ? AND type = ?"
        [(begun,)] = self._database.read(newest, (id, "user_message"))
        with self._database.write() as session:
            for _, parts in groupby(self._stored(id, begun), _piece):
                *others, last = parts
                if others:
                    _replace(session, id, others, last)

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


def _unhurried(connection: Any) -> None:
    """Let the system choose when a write reaches the disk: a killed process loses nothing, a power cut some seconds."""
    connection.execute("PRAGMA synchronous = NORMAL")


def _tell(session: Any, id: str, events: Iterable[tuple[str, JSON]]) -> tuple[Told, ...]:
    newest = "SELECT coalesce(max(number), 0) FROM conversation_events WHERE conversation = ?"
    [(last,)] = session.execute(newest, (id,)).fetchall()
    told = tuple(Told(number, type, data) for number, (type, data) in enumerate(events, last + 1))
    session.executemany(
        "INSERT INTO conversation_events VALUES (?, ?, ?, ?)",
        [(id, each.number, each.type, json.dumps(each.data)) for each in told],
    )
    return told


def _told(number: int, type: str, data: str) -> Told:
    try:
        return Told(number, type, json.loads(data))
    except (ValueError, TypeError):
        words = f"Event {number} of this conversation is damaged; it is left out."
        return Told(number, "error", {"error_type": "damaged", "message": words})


def _rest(told: Told, after: int) -> Told:
    """Return what whoever knows all up to a number does not know of an event yet."""
    if not isinstance(told.data, dict) or _LENGTHS not in told.data:
        return told
    data = dict(told.data)
    lengths = data.pop(_LENGTHS)
    seen = max(len(lengths) - (told.number - after), 0)
    return attrs.evolve(told, data={**data, "delta": data["delta"][sum(lengths[:seen]) :]})


def _piece(told: Told) -> Hashable:
    """Return what neighbouring deltas of one piece have in common; something of its own for all others."""
    if not isinstance(told.data, dict) or "delta" not in told.data or _LENGTHS in told.data:
        return told.number
    same = {key: value for key, value in told.data.items() if key not in {"id", "timestamp", "delta"}}
    return told.type, json.dumps(same, sort_keys=True)


def _replace(session: Any, id: str, others: Sequence[Told], last: Told) -> None:
    deltas = [each.data["delta"] for each in (*others, last)]
    data = {**last.data, "delta": "".join(deltas), _LENGTHS: list(map(len, deltas))}
    session.execute(
        "DELETE FROM conversation_events WHERE conversation = ? AND number BETWEEN ? AND ?",
        (id, others[0].number, others[-1].number),
    )
    session.execute(
        "UPDATE conversation_events SET data = ? WHERE conversation = ? AND number = ?",
        (json.dumps(data), id, last.number),
    )
