"""Todoist itself: tasks that repeat, refusals, and servers that do not do their work."""

import json
from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from prismpy import StoreError
from prismpy.toolkits.todoist import Filter, NewTask, TodoistTasks
from tests.misbehaving import answering, closed, silent

from .conftest import Call
from .server import TOKEN, Account, todoist

only_todoist = pytest.mark.parametrize("store", ["todoist"], indirect=True)


@only_todoist
def test_a_task_that_repeats_is_due_again(call: Call) -> None:
    """The answer says when."""
    task = call("create", content="Water the plants", due="every monday")["created"]
    done = call("complete", id=task["id"])

    assert (task["due"], task["repeats"]) == ("2024-05-06", "every monday")
    assert done == {"completed": {**task, "due": "2024-05-13"}, "note": "it is due again"}
    assert call("list") == {"tasks": [done["completed"]]}


@only_todoist
def test_the_words_of_a_refusal_are_told(call: Call) -> None:
    """They are Todoist's own."""
    assert call("create", content="x", due="when pigs fly") == (
        "Todoist did not add the task: it answers with status 400 (Date is invalid)"
    )


def test_a_wrong_token_is_told() -> None:
    """And where to find the right one; a closed connection opens again."""
    with todoist(Account()) as url:
        store = TodoistTasks("guess", base_url=url)
        store.close()
        with pytest.raises(StoreError) as caught:
            store.list(Filter())
        store.close()

    assert str(caught.value) == (
        "Todoist did not list the tasks: it does not accept the token; "
        "check it under Todoist's settings, Integrations, Developer"
    )


LIMIT = {"error": "Too many requests", "error_extra": {"retry_after": 42}, "error_tag": "LIMITS_REACHED"}


@pytest.mark.parametrize(
    ("server", "complaint"),
    [
        (silent, "it does not answer in time"),
        (closed, "it cannot be reached"),
        (lambda: answering(429, json.dumps(LIMIT).encode()), "no more requests for now; try again in 42 seconds"),
        (lambda: answering(429, b"", {"Retry-After": "7"}), "no more requests for now; try again in 7 seconds"),
        (lambda: answering(429, b""), "it takes no more requests for now$"),
        (lambda: answering(503, b"<html>sorry</html>"), "it answers with status 503$"),
        (lambda: answering(500, b"[]"), "it answers with status 500$"),
        (lambda: answering(404, b"{}"), "there is no such thing"),
        (lambda: answering(200, b"<html>Hello</html>"), "its answer is none of Todoist's"),
        (lambda: answering(200, b'{"results": 5}'), "its answer is none of Todoist's"),
        (lambda: answering(200, b'{"results": [{"id": 5}], "next_cursor": null}'), "its answer is none of Todoist's"),
    ],
)
def test_a_server_that_does_not_do_its_work_is_told(
    server: Callable[[], AbstractContextManager[str]], complaint: str
) -> None:
    """Each use ends in time, and no error has the token in it."""
    with server() as address:
        store = TodoistTasks(TOKEN, base_url=f"http://{address}", patience=0.2)
        for use in (lambda: store.list(Filter()), lambda: store.add(NewTask("x"))):
            with pytest.raises(StoreError, match=f"Todoist did not .*{complaint}") as caught:
                use()
            assert TOKEN not in str(caught.value)
        store.close()


def test_todoist_itself_is_asked_unless_told_otherwise() -> None:
    """Its address is the SDK's; nothing is sent here."""
    store = TodoistTasks(TOKEN)
    client = store._open()._client
    request = client.build_request("GET", "https://api.todoist.com/api/v1/tasks")
    client.event_hooks["request"][0](request)
    client.close()

    assert request.url.host == "api.todoist.com"
    assert request.extensions["timeout"] == {"connect": 30.0, "read": 30.0, "write": 30.0, "pool": 30.0}
