"""The tools of a list of tasks, as a model uses them: one suite over a local list and Todoist's API."""

from typing import Any

import pytest

from prismpy.toolkits.todoist import Due, Filter, NewTask, TaskStore

from .conftest import Call
from .server import Account


def contents(answer: Any) -> list[str]:
    return [task["content"] for task in answer["tasks"]]


def test_a_task_is_made_listed_changed_completed_and_deleted(call: Call) -> None:
    """Each answer has the id that the next call needs."""
    created = call(
        "create",
        content="Prepare for John",
        description="slides",
        due="tomorrow at 10",
        priority="high",
        labels=["work", "@work", "meeting"],
        project="Office",
    )
    task = created["created"]

    assert task == {
        "id": task["id"],
        "content": "Prepare for John",
        "description": "slides",
        "project": "Office",
        "labels": ["work", "meeting"],
        "priority": "high",
        "due": "2024-05-07T10:00:00",
    }
    assert call("list") == {"tasks": [task]}
    changed = {**task, "content": "Prepare", "due": "2024-05-10", "labels": ["x"]}
    del changed["priority"]
    assert call("update", id=task["id"], content="Prepare", due="friday", labels=["x"], priority="normal") == {
        "updated": changed
    }
    assert call("complete", id=task["id"]) == {"completed": changed}
    assert call("list") == {"tasks": []}
    assert call("complete", id=task["id"]) == f"task {task['id']!r} is completed already: 'Prepare'"
    assert "is completed already" in call("update", id=task["id"], content="x")
    assert call("delete", id=task["id"]) == {"deleted": changed}
    assert "there is no task" in call("delete", id=task["id"])


def test_what_is_left_out_stays_and_what_is_empty_goes(call: Call) -> None:
    """A time, a description, labels and a project can be taken away."""
    given = {"content": "a", "description": "b", "due": "tomorrow", "labels": ["c"], "project": "Office"}
    task = call("create", **given)["created"]
    inbox = call("create", content="z")["created"]["project"]

    assert call("update", id=task["id"], priority="urgent")["updated"] == {**task, "priority": "urgent"}
    bare = {"id": task["id"], "content": "a", "project": inbox, "priority": "urgent"}
    assert call("update", id=task["id"], description="", due="", labels=[], project="")["updated"] == bare


def test_a_task_moves_to_another_project(call: Call) -> None:
    """However its name is written; one that is not there is made."""
    one = call("create", content="a", project="Office")["created"]
    two = call("create", content="b", project="office")["created"]
    moved = call("update", id=one["id"], project="Home")["updated"]

    assert (two["project"].casefold(), moved["project"]) == ("office", "Home")
    assert contents(call("list", project="HOME")) == ["a"]
    assert contents(call("list", project="office")) == ["b"]
    assert contents(call("list", project="nowhere")) == []


def test_tasks_are_listed_in_order(call: Call) -> None:
    """The ones due first, of those the urgent ones, then the others; from however many pages."""
    call("create", content="e")
    call("create", content="d", priority="urgent")
    call("create", content="b", due="tomorrow at 10:00")
    call("create", content="a", due="tomorrow", priority="high")
    call("create", content="c", due="friday")

    assert contents(call("list")) == ["a", "b", "c", "d", "e"]


def test_filters_must_all_hold(call: Call) -> None:
    """Words in the text, a label, a day."""
    call("create", content="Buy Milk", labels=["Shop"], due="tomorrow")
    call("create", content="Buy a book", labels=["shop"], due="2024-05-20")
    call("create", content="Read", description="the book you did not BUY")

    assert contents(call("list", query="buy")) == ["Buy Milk", "Buy a book", "Read"]
    assert contents(call("list", query="buy", label="@shop")) == ["Buy Milk", "Buy a book"]
    assert contents(call("list", due_by="2024-05-19")) == ["Buy Milk"]
    assert contents(call("list", due_by="2024-05-20", query="book", label="shop")) == ["Buy a book"]


def test_long_lists_are_cut(call: Call, store: TaskStore, account: Account) -> None:
    """The answer says so."""
    account.page_size = 60
    for number in range(102):
        store.add(NewTask(f"task {number}"))
    answer = call("list")

    assert len(answer["tasks"]) == 100
    assert answer["left_out"] == "2 more; narrow the search"


def test_hostile_texts_stay_texts(call: Call) -> None:
    """Nothing in them is a label, a time or a statement."""
    text = "<script>'); DROP TABLE tasks; -- @home #Work p1 tomorrow \\ 🙂"
    task = call("create", content=text, description=text, project=text[:100])["created"]

    assert (task["content"], task["description"], task["project"]) == (text, text, text[:100])
    assert contents(call("list")) == [text]


@pytest.mark.parametrize("id", ["", "nope", "../projects/1", "' OR 1 = 1 --", "a/close", "é"])
def test_an_unknown_id_is_told(call: Call, account: Account, id: str) -> None:
    """Nothing else is touched, whatever it looks like."""
    call("create", content="a")
    for use in (
        lambda: call("update", id=id, content="x"),
        lambda: call("complete", id=id),
        lambda: call("delete", id=id),
    ):
        assert use() == f"there is no task {id!r}; list_todoist_tasks tells the ids"

    assert contents(call("list")) == ["a"]
    assert not [request for request in account.requests if "projects/" in request or "close" in request]


@pytest.mark.parametrize(
    ("name", "arguments", "complaint"),
    [
        ("create", {"content": ""}, "content: expected a text of length 1 or more"),
        ("create", {"content": " "}, "a task without content was not added; say what to do"),
        ("create", {"content": "x", "priority": "p1"}, "priority: "),
        ("create", {"content": "x", "due": "when pigs fly"}, ""),
        ("list", {"due_by": "soon"}, "due_by: expected a date"),
        ("update", {"id": "a"}, "nothing was changed; give content, description, due, priority, labels or project"),
    ],
)
def test_mistakes_of_the_model_are_told(call: Call, name: str, arguments: Any, complaint: str) -> None:
    """In words that help it; nothing is added."""
    told = call(name, **arguments)

    assert isinstance(told, str)
    assert complaint in told
    assert call("list") == {"tasks": []}


def test_a_change_that_is_refused_changes_nothing(call: Call) -> None:
    """Here the time is not understood, or the text is blank."""
    task = call("create", content="a", due="tomorrow")["created"]

    assert isinstance(call("update", id=task["id"], content="b", due="when pigs fly"), str)
    assert isinstance(call("update", id=task["id"], content=" "), str)
    assert call("list") == {"tasks": [task]}


def test_stores_can_be_used_without_tools(store: TaskStore) -> None:
    """They take and return values; the words for a time are kept."""
    task = store.add(NewTask("a", due="tomorrow"))

    assert store.list(Filter()) == (task,)
    assert task.due == Due("tomorrow", task.due.date if task.due else None)  # type: ignore[arg-type]
