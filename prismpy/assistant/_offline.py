"""
A model without a key and without a network: rules that read what was said and what the tools answered.

It understands a few sentences, and says so of all others. What it does with
them is real: it calls the same tools as any model would.
"""

import datetime
import json
import re
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import attrs

from prismpy.contexts import own_words
from prismpy.messages import Message, ToolCall, ToolResult, ToolResultMessage, UserMessage
from prismpy.testing import FunctionModel, Scripted

Words: TypeAlias = re.Match[str]
Step: TypeAlias = Callable[[Words, Sequence[ToolResult], datetime.date], Scripted]
"""Takes what was said, the results so far and today; says or calls something."""

NAME: Final = "offline"

_MOST: Final = 2_000
"""Characters of a message that the rules look at."""


@attrs.frozen
class Rule:
    """What is done with sentences of one kind, step by step."""

    pattern: str
    """Regular expression, whatever the case."""

    steps: tuple[Step, ...]
    """The first one answers what was said, each further one what the tools answered to the one before."""


def offline_model(today: Callable[[], datetime.date] = datetime.date.today) -> FunctionModel:
    """
    Return the model.

    Args:
        today: Tells the date.
    """
    return FunctionModel(lambda ask: _answer(ask.messages, today()), provider=NAME, model_name=NAME, dialect=NAME)


def _answer(messages: Sequence[Message], today: datetime.date) -> Scripted:
    place = max(index for index, message in enumerate(messages) if isinstance(message, UserMessage))
    said, behind = messages[place], messages[place + 1 :]
    assert isinstance(said, UserMessage)  # noqa: S101  # looked for above
    rounds = [message.results for message in behind if isinstance(message, ToolResultMessage)]
    results = [result for each in rounds for result in each]
    for rule in RULES:
        found = re.search(rule.pattern, own_words(said).strip()[:_MOST], re.IGNORECASE)
        if found and len(rounds) < len(rule.steps):
            return rule.steps[len(rounds)](found, results, today)
    return _HELP


_HELP: Final = (
    "I am the offline model: I follow rules, and the tools I call are real. Try one of these:\n\n"
    "* Schedule a meeting with John tomorrow and remind me to prepare\n"
    "* Remember that I prefer dark mode\n"
    "* What do you know about me?\n"
    "* What is in my calendar?\n"
    "* What are my tasks?\n"
    "* Draw a lighthouse\n"
    "* Forget dark mode\n\n"
    "With ANTHROPIC_API_KEY or OPENAI_API_KEY set, a real model answers."
)


def _call(name: str, **arguments: Any) -> ToolCall:
    return ToolCall("", name, arguments)


def _read(result: ToolResult) -> Any:
    try:
        return json.loads(result.text)
    except ValueError:
        return {}


def _failed(results: Sequence[ToolResult]) -> str:
    """Say what went wrong; "" if nothing did."""
    return " ".join(f"{result.call.name} did not work: {result.text}" for result in results if result.is_error)


# --- the scenario: a meeting, the task to prepare it, the memory of both ---


_DAY: Final = re.compile(
    r"\s*\b(?:on |this |next )?(?:(?P<named>today|tonight|(?:the )?day after tomorrow|tomorrow|yesterday)"
    r"|in (?P<days>\d{1,3}) days?|(?P<date>\d{4}-\d\d-\d\d)|(?P<weekday>mon|tues|wednes|thurs|fri|satur|sun)day)\b",
    re.IGNORECASE,
)
_NAMED: Final = {"today": 0, "tonight": 0, "tomorrow": 1, "yesterday": -1}
"""Days from today; any other is the day after tomorrow."""

_WEEKDAYS: Final = ("mon", "tues", "wednes", "thurs", "fri", "satur", "sun")


def _day(words: str, today: datetime.date) -> datetime.date | None:
    """
    Find the day that is meant.

    Returns:
        None if none is named.

    Raises:
        ValueError: for a date that no calendar has.
    """
    found = _DAY.search(words)
    if found is None:
        return None
    if found["date"]:
        return datetime.date.fromisoformat(found["date"])
    if found["weekday"]:
        ahead = (_WEEKDAYS.index(found["weekday"].casefold()) - today.weekday()) % 7 or 7
    else:
        ahead = int(found["days"]) if found["days"] else _NAMED.get(found["named"].casefold(), 2)
    return today + datetime.timedelta(days=ahead)


def _hour(words: str) -> datetime.time:
    found = re.search(r"\bat (\d{1,2})(?::(\d\d))?\s*(am|pm)?\b", words, re.IGNORECASE)
    if not found:
        return datetime.time(10)
    hour, half = int(found[1]), (found[3] or "").casefold()
    if half and hour <= 12:  # noqa: PLR2004  # the clock of twelve hours
        hour = hour % 12 + (12 if half == "pm" else 0)
    return datetime.time(hour, int(found[2] or 0))


def _when(words: str, today: datetime.date) -> datetime.datetime:
    """Find when something is meant to be: tomorrow at ten where nothing is said."""
    day = _day(words, today)
    return datetime.datetime.combine(today + datetime.timedelta(days=1) if day is None else day, _hour(words))


def _title(found: Words) -> str:
    who = found["who"]
    return f"{found['what'].capitalize()}{f' with {who}' if who else ''}"


def _schedule(found: Words, _: Sequence[ToolResult], today: datetime.date) -> Scripted:
    try:
        start = _when(found.string, today)
    except ValueError as error:
        return f"I do not understand when: {error}."
    if start.date() < today:
        return f"{start:%A, %d %B} is over; which day do you mean?"
    event = _call("create_calendar_event", title=_title(found), start=start.isoformat(timespec="minutes"))
    return ["Let me put that into your calendar first.", event]


def _prepare(found: Words, results: Sequence[ToolResult], today: datetime.date) -> Scripted:
    if trouble := _failed(results):
        return trouble
    day, title = _when(found.string, today).date(), _title(found)
    fact = f"The user has a {title[0].lower()}{title[1:]} on {day.isoformat()}"
    calls: list[str | ToolCall] = [_call("store_memory", content=fact, type="event")]
    if re.search(r"\bremind\b|\bprepare\b", found.string, re.IGNORECASE):
        calls.insert(0, _call("create_todoist_task", content=f"Prepare: {title}", due=day.isoformat()))
    return ["It is in the calendar. Now the rest.", *calls]


def _confirm(found: Words, results: Sequence[ToolResult], today: datetime.date) -> Scripted:
    if trouble := _failed(results):
        return trouble
    busy = [other["title"] for other in _read(results[0]).get("conflicts", ())]
    clash = f" At the same time there is {', '.join(busy)}." if busy else ""
    task = any(result.call.name == "create_todoist_task" for result in results)
    also = " There is a task to prepare it, and I will remember it." if task else " I will remember it."
    return f"Done: {_title(found)} on {_when(found.string, today):%A, %d %B at %H:%M}.{clash}{also}"


# --- what is remembered ---


def _remember(found: Words, _: Sequence[ToolResult], __: datetime.date) -> Scripted:
    fact = found["fact"].rstrip(" .!")
    third = re.sub(r"^I (\w+)", lambda verb: f"The user {_VERBS.get(verb[1], verb[1] + 's')}", fact)
    return _call("store_memory", content=third, type="preference")


_VERBS: Final = {"am": "is", "have": "has", "can": "can", "will": "will", "do": "does", "go": "goes"}


def _remembered(_: Words, results: Sequence[ToolResult], __: datetime.date) -> Scripted:
    return _failed(results) or "Got it! I'll remember that."


def _look_up(found: Words, _: Sequence[ToolResult], __: datetime.date) -> Scripted:
    about = found["about"] or ""
    return _call("search_memory", query="" if about.strip(" ?.!").casefold() in {"", "me"} else about.strip(" ?.!"))


def _tell(_: Words, results: Sequence[ToolResult], __: datetime.date) -> Scripted:
    known = [memory["content"] for memory in _read(results[-1]).get("memories", ())]
    return _failed(results) or (
        "I know this:\n\n" + "\n".join(f"* {each}" for each in known) if known else "Nothing yet."
    )


def _forget(found: Words, _: Sequence[ToolResult], __: datetime.date) -> Scripted:
    return ["Let me find it.", _call("search_memory", query=found["what"].strip(" .!"))]


def _delete(_: Words, results: Sequence[ToolResult], __: datetime.date) -> Scripted:
    known = _read(results[-1]).get("memories", ())
    if not known:
        return _failed(results) or "I know nothing of that."
    return [f"I found: {known[0]['content']}. Shall I?", _call("delete_memory", id=known[0]["id"])]


def _forgotten(_: Words, results: Sequence[ToolResult], __: datetime.date) -> Scripted:
    return "Then it stays." if results[-1].is_error else "It is forgotten."


# --- lists, pictures, pages ---


def _events(_: Words, __: Sequence[ToolResult], today: datetime.date) -> Scripted:
    end = today + datetime.timedelta(days=14)
    return _call("list_calendar_events", start=today.isoformat(), end=end.isoformat())


def _show_events(_: Words, results: Sequence[ToolResult], __: datetime.date) -> Scripted:
    events = _read(results[-1]).get("events", ())
    lines = [f"* {event['start'][:16].replace('T', ' ')}: {event['title']}" for event in events]
    return _failed(results) or ("In the next two weeks:\n\n" + "\n".join(lines) if lines else "Nothing in two weeks.")


def _tasks(_: Words, __: Sequence[ToolResult], ___: datetime.date) -> Scripted:
    return _call("list_todoist_tasks")


def _show_tasks(_: Words, results: Sequence[ToolResult], __: datetime.date) -> Scripted:
    tasks = _read(results[-1]).get("tasks", ())
    lines = ["* " + task["content"] + (f" (due {task['due']})" if task.get("due") else "") for task in tasks]
    return _failed(results) or ("To do:\n\n" + "\n".join(lines) if lines else "Nothing is to be done.")


def _task(found: Words, _: Sequence[ToolResult], today: datetime.date) -> Scripted:
    try:
        day = _day(found.string, today)
    except ValueError as error:
        return f"I do not understand when: {error}."
    what = _DAY.sub("", found["what"]).strip(" .!")
    return _call("create_todoist_task", content=what[:1].upper() + what[1:], due=day.isoformat() if day else "")


def _task_made(_: Words, results: Sequence[ToolResult], __: datetime.date) -> Scripted:
    return _failed(results) or "It is on your list."


def _draw(found: Words, _: Sequence[ToolResult], __: datetime.date) -> Scripted:
    return ["A moment.", _call("generate_image", prompt=found["what"].strip(" .!"))]


def _drawn(_: Words, results: Sequence[ToolResult], __: datetime.date) -> Scripted:
    return _failed(results) or "Here it is."


def _fetch(found: Words, _: Sequence[ToolResult], __: datetime.date) -> Scripted:
    return _call("web_fetch", url=found["url"])


def _fetched(_: Words, results: Sequence[ToolResult], __: datetime.date) -> Scripted:
    return _failed(results) or f"It says:\n\n{results[-1].text[:600]}"


_ASKING: Final = r"(?:what|which|when|who|where|how|do|does|did|don't|is|are|was|can you see|show|list|cancel)\b"
"""How sentences begin that make no appointment, whatever they speak of."""

RULES: Final = (
    Rule(
        rf"^(?!{_ASKING})(?:.*\b)?(?:schedule|arrange|plan|set up|book)\b"
        r".*?\b(?P<what>meeting|call|lunch|appointment)\b"
        r"(?: with (?P<who>(?:the |my |our )?[^\W\d_][\w'-]*(?: (?-i:[A-Z])[\w'-]+)*))?",
        (_schedule, _prepare, _confirm),
    ),
    Rule(r"\b(?:remember|know)\b(?: that)? (?!about\b)(?P<fact>(?:I|my|the|we)\b.+)", (_remember, _remembered)),
    Rule(r"\bwhat do you (?:know|remember)(?: about (?P<about>.+))?", (_look_up, _tell)),
    Rule(r"\bforget (?:that |about )?(?P<what>.+)", (_forget, _delete, _forgotten)),
    Rule(r"\b(?:calendar|events|appointments|meetings)\b", (_events, _show_events)),
    Rule(r"\bremind me to (?P<what>.+)", (_task, _task_made)),
    Rule(r"\b(?:tasks|to-?dos?|to do)\b", (_tasks, _show_tasks)),
    Rule(r"\b(?:draw|paint|picture of|image of)\b(?: me)?(?: an?)? (?P<what>.+)", (_draw, _drawn)),
    Rule(r"(?P<url>https?://\S+)", (_fetch, _fetched)),
)
"""In the order in which they are tried."""
