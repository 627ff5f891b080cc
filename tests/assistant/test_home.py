"""One question from sync code, in a conversation that the page shows."""

from typing import Any

import anyio
import pytest

from prismpy import ProviderError, ToolResultMessage
from prismpy.assistant import Home
from prismpy.testing import ScriptedModel

from .conftest import OpenHome

QUESTION = "Draw a lighthouse"


def told(home: Home) -> list[tuple[str, Any]]:
    """Return the events of the only conversation, without what differs from run to run."""
    [conversation] = home.conversations.list()
    left_out = {"id", "timestamp", "at", "message_id", "tool_id", "lengths"}
    return [
        (each.type, {key: value for key, value in each.data.items() if key not in left_out})
        for each in home.conversations.events(conversation.id)
    ]


def results(message: Any) -> tuple[Any, ...]:
    return message.results if isinstance(message, ToolResultMessage) else ()


def asked(home: Home, words: str) -> list[str]:
    with home.agent:
        return [event.type for event in home.ask(words)]


async def asked_on_the_page(home: Home, words: str) -> None:
    async with home.opened() as runs:
        id = home.conversations.create().id
        runs.ask(id, words)
        with anyio.fail_after(30):
            while runs.is_running(id):
                await anyio.wait_all_tasks_blocked()


def test_it_is_kept_as_if_it_had_been_asked_on_the_page(open_home: OpenHome, tmp_path: Any) -> None:
    """Event by event, and with the same state to go on from; pictures are in the store and nowhere else."""
    here = open_home()
    types = asked(here, QUESTION)
    there = Home.open(tmp_path / "page", environment={})
    anyio.run(asked_on_the_page, there, QUESTION)

    [one], [other] = here.conversations.list(), there.conversations.list()
    state, page = here.conversations.state(one.id), there.conversations.state(other.id)
    assert told(here) == told(there)
    assert (one.title, one.running, types[-1]) == (QUESTION, False, "stream_end")
    assert state is not None
    assert page is not None
    assert [*map(type, state.messages)] == [*map(type, page.messages)]
    pictures = [each for turn in state.messages for result in results(turn) for each in result.artifacts]
    assert [(each.data, each.mime_type) for each in pictures] == [("", "image/png")]


@pytest.mark.anyio
async def test_the_page_goes_on_with_it(open_home: OpenHome) -> None:
    """The model then knows what was said."""
    model = ScriptedModel(["first", "second"])
    home = open_home(model)
    list(home.ask("one"))
    async with home.opened() as runs:
        id = home.conversations.list()[0].id
        runs.ask(id, "two")
        with anyio.fail_after(30):
            while runs.is_running(id):
                await anyio.wait_all_tasks_blocked()

    first, second = (ask.messages for ask in model.asked)
    assert second[: len(first)] == first
    assert second[len(first)].text == "first"


def test_whoever_stops_listening_stops_it(open_home: OpenHome) -> None:
    """The page says so, and the conversation can go on."""
    home = open_home(ScriptedModel(["a long answer"]))
    events = home.ask("hi")
    next(events)
    events.close()

    [conversation] = home.conversations.list()
    assert told(home)[-1] == ("stopped", {})
    assert (conversation.title, conversation.running) == ("hi", False)


def test_a_failure_is_told_there_too(open_home: OpenHome) -> None:
    """Once, as an event; whoever asked gets the exception."""
    home = open_home(ScriptedModel([ProviderError("busy", provider="p", code="overloaded")]))
    with pytest.raises(ProviderError, match="busy"):
        list(home.ask("hi"))

    assert [data["message"] for type, data in told(home) if type == "error"] == ["busy"]
    assert home.conversations.list()[0].running is False
