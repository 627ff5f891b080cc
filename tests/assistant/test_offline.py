"""The model without a key: a few rules over real tools."""

import datetime
from pathlib import Path

import pytest

from prismpy import ToolError
from prismpy.assistant import Home
from prismpy.testing import ScriptedModel, assert_called, assert_order, faked

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
        ("Arrange an appointment tomorrow at 12 am", "2026-12-01T00:00"),
        ("Schedule lunch at 12 pm on Friday", "2026-12-04T12:00"),
        ("Schedule a call next monday", "2026-12-07T10:00"),
        ("Set up a meeting the day after tomorrow at 9:05", "2026-12-02T09:05"),
        ("Plan a meeting on 2027-02-28", "2027-02-28T10:00"),
        ("Plan a meeting in 3 days", "2026-12-03T10:00"),
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


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("Schedule a meeting yesterday", "Sunday, 29 November is over; which day do you mean?"),
        ("Schedule a meeting on 2026-02-31", "I do not understand when: day is out of range for month."),
        ("Schedule a meeting at 25:00", "I do not understand when: hour must be in 0..23."),
        ("Remind me to pay on 2026-02-31", "I do not understand when: day is out of range for month."),
    ],
)
def test_what_cannot_be_is_not_put_anywhere(open_home: OpenHome, words: str, answer: str) -> None:
    """Instead of a day that nobody named."""
    response = open_home().agent.run(words)

    assert (response.text, response.tool_calls) == (answer, ())


@pytest.mark.parametrize(
    ("words", "title"),
    [
        ("schedule a meeting with the team tomorrow", "Meeting with the team"),
        ("Schedule a call with Ann-Marie O'Neill today", "Call with Ann-Marie O'Neill"),
        ("schedule lunch with josé", "Lunch with josé"),
        ("Schedule an appointment", "Appointment"),
    ],
)
def test_who_is_met_is_understood(open_home: OpenHome, words: str, title: str) -> None:
    """Names of several words, and groups."""
    assert_called(open_home().agent.run(words), "create_calendar_event", title=title)


@pytest.mark.parametrize(
    "words", ["What meetings did I plan for lunch?", "Do I plan a meeting?", "Cancel the planned meeting"]
)
def test_a_question_makes_no_appointment(open_home: OpenHome, words: str) -> None:
    """It is answered from the calendar, or not understood."""
    response = open_home().agent.run(words)

    assert "create_calendar_event" not in [call.name for call in response.tool_calls]


def test_a_clash_is_told(open_home: OpenHome) -> None:
    """With what is there at the same time."""
    agent = open_home().agent
    agent.run("Schedule a meeting with John tomorrow")

    assert "At the same time there is Meeting with John." in agent.run("Schedule lunch with Ann tomorrow").text


def test_a_reminder_has_its_day(open_home: OpenHome) -> None:
    """Where one is named."""
    made = assert_called(open_home().agent.run("Remind me to call mum on Friday."), "create_todoist_task")

    assert dict(made.arguments) == {"content": "Call mum", "due": "2026-12-04"}


@pytest.mark.parametrize(
    ("broken", "words"),
    [
        ("create_calendar_event", "Schedule a meeting with John"),
        ("create_todoist_task", "Schedule a meeting with John and remind me to prepare"),
        ("search_memory", "What do you know about tea?"),
        ("search_memory", "Forget tea"),
    ],
)
def test_a_tool_that_fails_ends_what_was_begun(open_home: OpenHome, broken: str, words: str) -> None:
    """In whichever step."""
    agent = open_home().agent
    agent.toolbox = faked(agent.toolbox, {broken: ToolError("it is closed")})

    assert agent.run(words).text == f"{broken} did not work: it is closed"


def test_the_model_is_told_which_day_it_is(tmp_path: Path) -> None:
    """With each prompt, since a server runs for weeks."""
    days = iter([datetime.date(2026, 11, 30), datetime.date(2026, 12, 1)])
    agent = Home.open(tmp_path, ScriptedModel(["hi", "hi"]), environment={}, today=lambda: next(days)).agent

    said = [agent.run("hello").messages[0].text for _ in range(2)]

    assert said == [
        "hello\n\nCONTEXT\n\n[1] today\nMonday, 30 November 2026",
        "hello\n\nCONTEXT\n\n[1] today\nTuesday, 01 December 2026",
    ]


def test_a_novel_is_answered_in_time(open_home: OpenHome) -> None:
    """Only its beginning is read."""
    assert open_home().agent.run("schedule " * 50_000).text.startswith("I am the offline model")
