"""Conversations in SQLite."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from prismpy import RunState, UserMessage
from prismpy.assistant import Conversation, Conversations, Told
from prismpy.errors import StoreError, UnknownIdError

BEGUN = RunState.of([UserMessage("hi")])


@pytest.fixture
def conversations() -> Conversations:
    """A store whose clock ticks once a look."""
    times = iter(range(1, 100))
    return Conversations(":memory:", lambda: float(next(times)))


def test_conversations_are_listed_the_last_used_first(conversations: Conversations) -> None:
    """The first words are the title."""
    first, second = conversations.create(), conversations.create()
    conversations.ask(first.id, "hello\nthere", BEGUN)
    conversations.ask(first.id, "again", BEGUN)

    listed = conversations.list()

    assert listed[0] == Conversation(first.id, "hello there", 1.0, 4.0, running=True)
    assert listed[1] == second
    assert conversations.get(first.id) == listed[0]


def test_a_long_title_is_cut(conversations: Conversations) -> None:
    """At sixty characters, with a sign that there is more."""
    made = conversations.create()
    conversations.ask(made.id, "word " * 30, BEGUN)

    assert conversations.get(made.id).title == ("word " * 30)[:59].rstrip() + "…"


def test_events_have_numbers_and_can_be_read_on(conversations: Conversations) -> None:
    """A reader names the last one it has seen."""
    made, other = conversations.create(), conversations.create()
    conversations.tell(other.id, [("x", {})])

    told = conversations.tell(made.id, [("a", {"x": 1}), ("b", {})])
    conversations.tell(made.id, [("c", {})])

    assert told == (Told(1, "a", {"x": 1}), Told(2, "b", {}))
    assert [each.type for each in conversations.events(made.id)] == ["a", "b", "c"]
    assert conversations.events(made.id, after=2) == (Told(3, "c", {}),)
    assert conversations.events(made.id, after=9) == ()


def test_tidying_puts_deltas_together(conversations: Conversations) -> None:
    """Neighbours of one piece only; numbers never go back, and the next event gets a new one."""
    made = conversations.create()

    def delta(text: str, message: str, number: int) -> tuple[str, dict[str, object]]:
        return "text_delta", {"id": f"e{number}", "timestamp": number, "delta": text, "message_id": message}

    conversations.tell(
        made.id, [delta("a", "m", 1), delta("b", "m", 2), ("x", {"n": 1}), ("x", {"n": 1}), delta("c", "m", 5)]
    )
    conversations.tell(made.id, [delta("d", "n", 6)])
    conversations.tidy(made.id)
    conversations.tell(made.id, [("last", {})])

    assert [(each.number, each.type, each.data.get("delta")) for each in conversations.events(made.id)] == [
        (2, "text_delta", "ab"),
        (3, "x", None),
        (4, "x", None),
        (5, "text_delta", "c"),
        (6, "text_delta", "d"),
        (7, "last", None),
    ]


@pytest.mark.parametrize("seen", range(8))
def test_whoever_saw_a_part_gets_the_rest(conversations: Conversations, seen: int) -> None:
    """However far a page had come when deltas were put together, it has all the words once."""
    made = conversations.create()
    conversations.ask(made.id, "hi", BEGUN)
    conversations.tell(
        made.id, [("text_delta", {"id": str(n), "delta": d}) for n, d in enumerate(["a", "", "bc", "d"])]
    )
    conversations.tell(made.id, [("end", {}), ("text_delta", {"id": "9", "delta": "e"})])
    before = [each for each in conversations.events(made.id) if each.number <= seen]

    conversations.tidy(made.id)
    conversations.tidy(made.id)

    told = [*before, *conversations.events(made.id, after=seen)]
    assert "".join(each.data.get("delta", "") for each in told) == "abcde"
    assert len(conversations.events(made.id)) == 4


def test_what_is_damaged_does_not_hide_the_rest(tmp_path: Path) -> None:
    """A row that is no JSON is told as such; a state that is none says that the conversation cannot go on."""
    conversations = Conversations(tmp_path / "c.db")
    made = conversations.create()
    conversations.ask(made.id, "hi", BEGUN)
    conversations.tell(made.id, [("a", {}), ("b", {})])
    conversations.close()
    with closing(sqlite3.connect(tmp_path / "c.db")) as file, file:
        file.execute("UPDATE conversation_events SET data = '{' WHERE number = 2")
        file.execute("UPDATE conversations SET state = '{}'")

    damaged = {"error_type": "damaged", "message": "Event 2 of this conversation is damaged; it is left out."}
    assert conversations.events(made.id, 1) == (Told(2, "error", damaged), Told(3, "b", {}))
    with pytest.raises(StoreError, match="this conversation is damaged and cannot go on"):
        conversations.state(made.id)


def test_states_come_back(conversations: Conversations) -> None:
    """None before the first run."""
    made = conversations.create()
    state = RunState.of([UserMessage("hi")])
    assert conversations.state(made.id) is None

    conversations.keep(made.id, state, running=False)

    assert conversations.state(made.id) == state
    assert conversations.state("nobody") is None


def test_a_conversation_can_be_forgotten(conversations: Conversations) -> None:
    """With all that was said in it."""
    made = conversations.create()
    conversations.tell(made.id, [("a", {})])

    conversations.delete(made.id)

    assert conversations.list() == ()
    assert conversations.events(made.id) == ()
    with pytest.raises(UnknownIdError, match="there is no conversation"):
        conversations.get(made.id)


def test_what_was_said_outlives_the_process(tmp_path: Path) -> None:
    """It lies in a file."""
    first = Conversations(tmp_path / "c.db")
    made = first.create()
    first.tell(made.id, [("a", {})])
    first.close()

    assert Conversations(tmp_path / "c.db").events(made.id) == (Told(1, "a", {}),)
