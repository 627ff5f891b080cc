"""Answers written down once and replayed without a network."""

import json
from collections.abc import Callable
from pathlib import Path

import anyio
import pytest

from prismpy import Agent, DefinitionError, OpenAIModel, Response, tool
from prismpy.providers import WireModel
from prismpy.testing import recording, replaying
from tests.loopback import Answer, serving


@tool
def weather(city: str) -> str:
    """Get the weather."""
    return f"Sunny in {city}"


CALL = {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Paris"}'}}


def completion(message: dict[str, object], reason: str) -> dict[str, object]:
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": reason}
    return {"id": "r", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}


def chunk(delta: dict[str, object], reason: str | None = None) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": reason}
    data = {"id": "r", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
    return f"data: {json.dumps(data)}\n\n"


WHOLE = [
    Answer.json(completion({"content": None, "tool_calls": [CALL]}, "tool_calls")),
    Answer.json(completion({"content": "It is sunny."}, "stop")),
]
STREAMED = [
    Answer.sse(chunk({"tool_calls": [{"index": 0, **CALL}]}) + chunk({}, "tool_calls") + "data: [DONE]\n\n"),
    Answer.sse(chunk({"content": "It is "}) + chunk({"content": "sunny."}, "stop") + "data: [DONE]\n\n"),
]


def real(url: str = "http://127.0.0.1:9") -> OpenAIModel:
    return OpenAIModel("m", api_key="k", base_url=url)


def agent_of(model: WireModel) -> Agent:
    return Agent("demo", model, tools=[weather])


def run(model: WireModel) -> Response:
    with model:
        return agent_of(model).run("Weather?")


def stream(model: WireModel) -> Response:
    with model:
        under_way = agent_of(model).stream("Weather?")
        list(under_way)
        return under_way.response


def arun(model: WireModel) -> Response:
    async def main() -> Response:
        async with model:
            return await agent_of(model).arun("Weather?")

    return anyio.run(main)


def astream(model: WireModel) -> Response:
    async def main() -> Response:
        async with model:
            under_way = agent_of(model).astream("Weather?")
            async for _ in under_way:
                pass
            return under_way.response

    return anyio.run(main)


@pytest.mark.parametrize(("drive", "answers"), [(run, WHOLE), (arun, WHOLE), (stream, STREAMED), (astream, STREAMED)])
def test_a_run_is_recorded_and_replayed(
    drive: Callable[[WireModel], Response], answers: list[Answer], tmp_path: Path
) -> None:
    """The same run again, from the file alone."""
    file = tmp_path / "run.jsonl"
    with serving(answers) as server:
        recorded = drive(recording(real(server.url), file))

    replayed = drive(replaying(real(), file))

    assert recorded.text == replayed.text == "It is sunny."
    assert recorded.messages == replayed.messages
    assert "Bearer" not in file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("agent", "prompt", "place"),
    [
        (lambda model: Agent("demo", model, tools=[weather]), "Wether?", r"\$\.messages\[0\]\.content"),
        (lambda model: Agent("demo", model), "Weather?", r"\$\.tools"),
        (lambda model: Agent("demo", model, "Be brief.", tools=[weather]), "Weather?", r"\$\.messages"),
    ],
)
def test_a_request_that_changed_is_named(
    agent: Callable[[WireModel], Agent], prompt: str, place: str, tmp_path: Path
) -> None:
    """So a test fails where what a model is told changes."""
    file = tmp_path / "run.jsonl"
    with serving(WHOLE) as server:
        run(recording(real(server.url), file))

    with pytest.raises(DefinitionError, match=f"the request differs from the recorded one at {place}; record again"):
        agent(replaying(real(), file)).run(prompt)


def test_a_stream_needs_a_recorded_stream(tmp_path: Path) -> None:
    """What came whole is no stream."""
    file = tmp_path / "run.jsonl"
    file.write_text('{"body": {"x": 1}, "answer": {}}')
    transport = replaying(real(), file).transport

    with pytest.raises(DefinitionError, match="the request needs 'pieces', which was not recorded"):
        transport.stream({"x": 1}).__enter__()


def test_a_recording_that_is_over_says_so(tmp_path: Path) -> None:
    """Or one of the other kind."""
    file = tmp_path / "run.jsonl"
    file.write_text("")

    with pytest.raises(DefinitionError, match="the recording has no exchange left"):
        Agent("demo", replaying(real(), file)).run("x")


@pytest.mark.anyio
async def test_closing_is_passed_on(tmp_path: Path) -> None:
    """A recorded model closes its connections; a replayed one has none."""
    file = tmp_path / "run.jsonl"
    file.write_text("")
    with replaying(real(), file):
        pass
    async with replaying(real(), file), recording(real(), file):
        pass

    assert file.read_text() == ""
