"""The model without a key: a few rules over real tools."""

import pytest

from prismpy.testing import assert_called, assert_order

from .conftest import OpenHome


def test_the_scenario_makes_event_task_and_memory_in_one_run(open_home: OpenHome) -> None:
    """Each is visible afterwards in its store."""
    home = open_home()

    response = home.agent.run("Schedule a meeting with John tomorrow and remind me to prepare")

    assert_order(response, "create_calendar_event", "create_todoist_task", "store_memory")
    assert response.text.startswith("Done: Meeting with John on Tuesday, 01 December at 10:00.")
    again = open_home().agent
    assert "Meeting with John" in again.run("What is in my calendar?").text
    assert "Prepare: Meeting with John (due 2026-12-01)" in again.run("What are my tasks?").text
    assert "meeting with John on 2026-12-01" in again.run("What do you know about John?").text


@pytest.mark.parametrize(
    ("words", "start"),
    [
        ("Plan lunch with Ann today at 12:30", "2026-11-30T12:30"),
        ("Book a call at 4pm", "2026-12-01T16:00"),
        ("Arrange an appointment tomorrow at 12 am", "2026-12-01T12:00"),
    ],
)
def test_days_and_hours_are_understood(open_home: OpenHome, words: str, start: str) -> None:
    """Tomorrow at ten where nothing is said."""
    assert_called(open_home().agent.run(words), "create_calendar_event", start=start)


def test_what_is_remembered_can_be_looked_up_and_forgotten(open_home: OpenHome) -> None:
    """Forgetting needs approval; without it the memory stays."""
    agent = open_home().agent

    assert agent.run("Remember that I prefer dark mode").text == "Got it! I'll remember that."
    assert agent.run("What do you know about me?").text == "I know this:\n\n* The user prefers dark mode"
    waiting = agent.run("Forget dark mode")
    [pending] = waiting.pending
    assert agent.resume(waiting.state, {pending.call.id: False}).text == "Then it stays."
    assert agent.resume(waiting.state, {pending.call.id: True}).text == "It is forgotten."
    assert agent.run("What do you know?").text == "Nothing yet."
    assert agent.run("Forget dark mode").text == "I know nothing of that."


def test_tasks_and_pictures_are_made(open_home: OpenHome) -> None:
    """With the words that were said."""
    agent = open_home().agent

    assert agent.run("What are my todos?").text == "Nothing is to be done."
    assert agent.run("What's on my calendar").text == "Nothing in two weeks."
    assert_called(
        agent.run("Remind me to water the plants tomorrow."), "create_todoist_task", content="Water the plants"
    )
    drawn = agent.run("Draw me a lighthouse")
    assert drawn.text == "Here it is."
    assert drawn.artifacts[0].mime_type == "image/png"


def test_failures_are_told(open_home: OpenHome) -> None:
    """In the words of the tool."""
    response = open_home().agent.run("Read http://127.0.0.1:1/")

    assert response.text.startswith("web_fetch did not work: ")


def test_everything_else_gets_help(open_home: OpenHome) -> None:
    """It says what it understands."""
    assert open_home().agent.run("Tell me a joke").text.startswith("I am the offline model")
