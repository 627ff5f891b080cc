"""The list for who has no Todoist: words for a time, several writers, a full disk."""

import datetime
import subprocess
import sys
from pathlib import Path

import pytest

from prismpy import StoreError
from prismpy.toolkits.todoist import Filter, LocalTasks, NewTask
from tests.limits import full_disk

from .conftest import local


@pytest.mark.parametrize(
    ("words", "date"),
    [
        ("today", "2024-05-06"),
        ("Tomorrow", "2024-05-07"),
        ("tomorrow at 9", "2024-05-07T09:00:00"),
        ("tomorrow at 9am", "2024-05-07T09:00:00"),
        ("tomorrow at 17:30", "2024-05-07T17:30:00"),
        ("tonight", "2024-05-06T20:00:00"),
        ("friday", "2024-05-10"),
        ("next friday", "2024-05-10"),
        ("in 3 days", "2024-05-09"),
        ("May 10 at 3pm", "2024-05-10T15:00:00"),
        ("2024-05-10", "2024-05-10"),
        ("2024-05-10T15:00", "2024-05-10T15:00:00"),
    ],
)
def test_words_for_a_time_are_understood(tmp_path: Path, words: str, date: str) -> None:
    """They mean what is to come, seen from a Monday at nine."""
    store = local(tmp_path)
    task = store.add(NewTask("x", due=words))
    store.close()

    assert task.due is not None
    assert (task.due.text, task.due.date.isoformat()) == (words, date)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("every monday", "this list knows no tasks that repeat; give a single day, or make a repeating event"),
        ("when pigs fly", "is no time that is understood; give one such as 'tomorrow at 10:00' or '2024-05-06'"),
        ("2024-02-30", "is no time that is understood"),
    ],
)
def test_words_that_mean_no_time_are_refused(tmp_path: Path, words: str, complaint: str) -> None:
    """Rather than a task that is never due."""
    store = local(tmp_path)
    with pytest.raises(StoreError, match=f"{words!r}.*{complaint}"):
        store.add(NewTask("x", due=words))

    assert store.list(Filter()) == ()
    store.close()


def test_tasks_outlive_the_program(tmp_path: Path) -> None:
    """And are due by the clock on the wall."""
    one, two = LocalTasks(tmp_path / "tasks.db"), LocalTasks(tmp_path / "tasks.db")
    task = one.add(NewTask("x", due="tomorrow"))
    tomorrow = datetime.date.today() + datetime.timedelta(days=1)  # noqa: DTZ011  # where the user is

    assert two.list(Filter()) == (task,)
    assert task.due is not None
    assert abs(task.due.date - tomorrow) <= datetime.timedelta(days=1)  # midnight may pass
    one.close()
    two.close()


WRITER = """
import sys
from prismpy.toolkits import LocalTasks
from prismpy.toolkits.todoist import NewTask
store = LocalTasks(sys.argv[1])
for i in range(30):
    task = store.add(NewTask(f"{sys.argv[2]} {i}"))
    if i % 3 == 0:
        store.complete(task.id)
"""


def test_processes_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    """Neither tasks nor that they were completed."""
    command = [sys.executable, "-c", WRITER, str(tmp_path / "tasks.db")]
    writers = [subprocess.Popen([*command, str(n)], stderr=subprocess.PIPE, text=True) for n in range(2)]

    assert [writer.communicate()[1] for writer in writers] == ["", ""]
    store = local(tmp_path)
    assert len(store.list(Filter())) == 40
    store.close()


def test_a_full_disk_leaves_the_list_as_it_was(tmp_path: Path) -> None:
    """The error says so."""
    store = local(tmp_path)
    task = store.add(NewTask("x"))
    with full_disk(50_000), pytest.raises(StoreError, match=r"could not write to the database tasks\.db: the disk"):
        store.add(NewTask("y", "z" * 1_000_000))

    assert store.list(Filter()) == (task,)
    store.close()
