"""Talking to a model from the command line."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from prismpy import (
    Agent,
    Artifact,
    ArtifactEvent,
    ErrorEvent,
    Event,
    ProviderError,
    ProviderToolEvent,
    StepStartEvent,
    ThinkingCompleteEvent,
    ThinkingEvent,
    Tool,
    ToolCall,
    ToolOutput,
    ToolResult,
    ToolResultEvent,
)
from prismpy.cli._chat import Show, talk
from prismpy.cli._output import Output
from prismpy.testing import ScriptedModel

from .conftest import Command

TOOLS = '''
from prismpy import tool

@tool
def weather(city: str, days: int = 1) -> str:
    """Get the weather."""
    return f"Sunny in {city} for {days}"

@tool
def remove(path: str) -> str:
    """Remove a file."""
    return "removed"

remove.requires_approval()
'''

SCRIPT = [
    [
        "Let me look.",
        {"tool": "weather", "arguments": {"city": "Paris"}},
        {"tool": "remove", "arguments": {"path": "x"}},
    ],
    "It is sunny.",
    "Bye.",
]


@pytest.fixture(autouse=True)
def files(here: Path) -> None:
    (here / "chat_tools.py").write_text(TOOLS)
    (here / "script.json").write_text(json.dumps(SCRIPT))


@pytest.fixture
def chat(prismpy: Command) -> Command:
    """Talk to the scripted model."""
    return lambda *words, **options: prismpy(
        "chat", "chat_tools.py", "--model", "scripted:script.json", *words, **options
    )


def test_one_question_is_answered(chat: Command) -> None:
    """The words are the answer; calls and results are told beside it."""
    answer = chat("--prompt", "hi", "--yes")

    assert (answer.code, answer.out) == (0, "Let me look.\nIt is sunny.\n")
    assert answer.err.splitlines()[:2] == ['-> weather {"city": "Paris"}', '-> remove {"path": "x"}']
    assert [line.split(" (")[0] for line in answer.err.splitlines()[2:]] == ["<- weather", "<- remove"]


def test_lines_are_one_conversation(chat: Command) -> None:
    """Each is answered in turn; empty ones are left out."""
    answer = chat(stdin="hi\n\n  and now?\n")

    assert answer.out == "Let me look.\nIt is sunny.\nBye.\n"
    assert "remove needs approval, and standard input is no terminal to ask on; --yes agrees" in answer.err


def test_a_script_alone_may_be_one_answer(here: Path, chat: Command) -> None:
    """It need not be in a list."""
    (here / "script.json").write_text('"Hello."')

    assert chat("-p", "hi").out == "Hello.\n"


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("scripted:nowhere.json", "prismpy: nowhere.json is no script: [Errno 2]"),
        ("scripted:chat_tools.py", "prismpy: chat_tools.py is no script: Expecting value"),
        ("gpt-4.1", "prismpy: model 'gpt-4.1': say SERVER:NAME"),
        ("nobody:x", "prismpy: unknown provider 'nobody'"),
    ],
)
def test_a_model_that_is_none_is_refused(prismpy: Command, model: str, message: str) -> None:
    """Before anything is asked."""
    answer = prismpy("chat", "chat_tools.py", "--model", model, "-p", "hi")

    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(message)


class Stream(io.TextIOWrapper):
    """Standard output of a test, a terminal or not."""

    def __init__(self, terminal: bool) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8")
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal

    @property
    def text(self) -> str:
        self.flush()
        self.seek(0)
        return self.read()


def talked(agent: Agent, prompts: Any, capsys: pytest.CaptureFixture[str]) -> tuple[bool, str, str]:
    stream = Stream(terminal=False)
    fine = talk(agent, prompts, lambda _: True, Output(stream))
    return fine, stream.text, capsys.readouterr().err


def test_a_failure_of_the_provider_ends_an_answer_only(capsys: pytest.CaptureFixture[str]) -> None:
    """The conversation goes on; the exit code tells."""
    agent = Agent("chat", ScriptedModel([ProviderError("busy"), "fine"]))

    assert talked(agent, ["1", "2"], capsys) == (False, "fine\n", "prismpy: busy\n")


def test_ctrl_c_ends_an_answer_only(capsys: pytest.CaptureFixture[str]) -> None:
    """What was said so far stays in the conversation."""

    def interrupt() -> str:
        raise KeyboardInterrupt

    stop = Tool.as_("stop").using(interrupt)
    model = ScriptedModel([ToolCall("", "stop"), "go on"])

    fine, out, err = talked(Agent("chat", model, tools=[stop]), ["1", "2"], capsys)

    assert (fine, out, err.splitlines()) == (True, "go on\n", ["-> stop {}", "stopped"])
    assert len(model.asked[1].messages) == 4


def test_external_tools_are_said_to_be_elsewhere(capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody here can answer them."""
    outside = Tool.as_("tap").for_("Tap.").external()

    _, _, err = talked(Agent("chat", ScriptedModel([ToolCall("", "tap")]), tools=[outside]), ["1"], capsys)

    assert err.splitlines()[-1] == "tap is answered elsewhere; this chat goes on without it"


@pytest.mark.parametrize(
    ("event", "out", "err"),
    [
        (ThinkingEvent("hm", "r"), "hm", ""),
        (ThinkingCompleteEvent("r"), "\n", ""),
        (ProviderToolEvent("web_search_call", "searching", "w"), "", "** web_search_call searching\n"),
        (
            ArtifactEvent(Artifact.from_raw(b"abc", "image/png"), "c", "paint", "m"),
            "",
            "<- an artifact of type image/png, 3 bytes\n",
        ),
        (
            ArtifactEvent(Artifact("?", "image/png"), "c", "paint", "m"),
            "",
            "<- an artifact of type image/png, which is no base64\n",
        ),
        (ErrorEvent("overloaded", "busy", recoverable=True), "", "trying again: busy\n"),
        (StepStartEvent(), "", ""),
    ],
)
def test_every_event_is_shown_in_its_way(event: Event, out: str, err: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Or not at all."""
    stream = Stream(terminal=False)

    Show(Output(stream)).one(event)

    assert (stream.text, capsys.readouterr().err) == (out, err)


def test_results_say_how_long_they_took(capsys: pytest.CaptureFixture[str]) -> None:
    """From the handler's beginning to its end: neither a wait for approval nor the calls before it are its time."""
    now = [0.0]

    def taking(seconds: float) -> Callable[..., str]:
        def handler(why: str = "") -> str:
            now[0] += seconds
            return "done"

        return handler

    def approve(call: ToolCall) -> bool:
        now[0] += 100
        return call.arguments == {}

    tools = [
        Tool.as_("fast").using(taking(1.5)),
        Tool.as_("asks").using(taking(2.5)).requires_approval(),
        Tool.as_("denied").using(taking(0)).requires_approval(),
    ]
    calls = [ToolCall("1", "fast"), ToolCall("2", "asks", {}), ToolCall("3", "denied", {"why": "?"})]
    show = Show(Output(Stream(terminal=False)), lambda: now[0])
    agent = Agent("chat", ScriptedModel([calls, "end"]), tools=tools)

    show.all(iter(agent.stream("go", approve=approve, hooks=show.hooks)))

    assert capsys.readouterr().err.splitlines()[3:] == [
        "<- fast (1.5 s) done",
        "<- asks (2.5 s) done",
        "!! denied denied needs approval and did not get it, so it was not run",
    ]


def test_nothing_that_is_told_steers_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """Control characters are spelled out, in the answer and beside it."""
    stream = Stream(terminal=True)
    call = ToolCall("c", "weather", {"city": "Paris"})

    Show(Output(stream)).one(ToolResultEvent(ToolResult(call, ToolOutput("no"), "\x1b[2J", is_error=True), "m"))
    Show(Output(stream)).one(ThinkingEvent("\x1b[2J", "r"))

    assert capsys.readouterr().err == "!! weather \\x1b[2J\n"
    assert "\x1b[2J" not in stream.text
    assert "\\x1b[2J" in stream.text
