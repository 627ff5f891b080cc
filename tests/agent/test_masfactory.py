"""The samples of MASFactory's guide to tools run here, with nothing but their import changed."""

import itertools
import re
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.loopback import Answer, serving
from tests.shared import SHARED, needs_shared

GUIDE = SHARED / "seeds" / "masfactory-tools.txt"


def samples() -> list[str]:
    """Return the code of the guide: from an import on, to the next line of prose."""
    lines = GUIDE.read_text(encoding="utf-8").splitlines()
    found = []
    while lines:
        lines = list(itertools.dropwhile(lambda line: not line.startswith("from "), lines))
        code = list(itertools.takewhile(lambda line: not re.match(r"[^\x00-\x7f]|---", line), lines))
        lines = lines[len(code) :]
        found += ["\n".join(code)] if code else []
    return found


def run_here(*samples: str) -> dict[str, Any]:
    """Run samples, one after the other, and return what they leave behind."""
    namespace: dict[str, Any] = {}
    for sample in samples:
        exec(sample.replace("from masfactory import", "from prismpy import"), namespace)  # noqa: S102  # the project's data
    return namespace


@needs_shared
def test_the_guide_has_four_samples() -> None:
    """An agent with a tool, a template with it, a tool that searches, an agent that is looked at."""
    heads = [re.findall(r"^(?:def|class) (\w+)|^(\w+) = ", sample, re.MULTILINE) for sample in samples()]

    assert [["".join(name) for name in head] for head in heads] == [
        ["get_utc_now", "agent"],
        ["BaseAgent"],
        ["search_docs"],
        ["agent"],
    ]


@needs_shared
def test_they_run_with_another_import(capsys: pytest.CaptureFixture[str]) -> None:
    """Looking at an agent needs no model that works; its tools are functions under their names."""
    left = run_here(*samples())

    assert capsys.readouterr().out == "['search_docs']\n"
    assert left["agent"].observe({"query": "..."}).user_prompt == "..."
    assert left["agent"].tools[0]("x") == {"hits": [{"title": "MASFactory overview", "snippet": "hit for: x"}]}
    assert [each.__name__ for each in left["BaseAgent"]("a", object()).tools] == ["get_utc_now"]


@needs_shared
def test_the_first_agent_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Observe, think and act, over the real SDK: the tool is described, run, and its result is sent."""
    call = {"id": "c", "type": "function", "function": {"name": "get_utc_now", "arguments": "{}"}}
    turns: list[dict[str, Any]] = [{"tool_calls": [call]}, {"content": "It is late."}]
    answers = [{"choices": [{"message": {"role": "assistant", "content": None, **turn}}]} for turn in turns]
    with serving([Answer.json(answer) for answer in answers]) as loopback:
        monkeypatch.setenv("OPENAI_BASE_URL", loopback.url)
        agent = run_here(samples()[0])["agent"]
        with agent.model:
            response = agent.run({"query": "What time is it?"})

    (tool,) = loopback.bodies[0]["tools"]
    assert response.text == "It is late."
    assert tool["function"]["description"] == "Get current UTC time in ISO format."
    assert datetime.fromisoformat(loopback.bodies[1]["messages"][-1]["content"]) <= datetime.now(UTC)
    assert [(call.id, call.name, call.decoded) for call in response.tool_calls] == [("c", "get_utc_now", {})]
