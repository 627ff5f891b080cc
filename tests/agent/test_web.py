"""Runs as responses of a web server."""

from typing import Any

import anyio
import pytest
from fastapi import FastAPI
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.testclient import TestClient

from prismpy import Agent, ProviderError, ToolCall, event_stream_response, tool
from prismpy.testing import ScriptedModel, assert_valid


@tool
def now() -> str:
    """Tell the time."""
    return "noon"


def served(agent: Agent) -> TestClient:
    return TestClient(Starlette(routes=[Route("/", lambda _: event_stream_response(agent.stream("hi")))]))


def test_a_run_is_streamed_as_events() -> None:
    """With the headers that keep proxies from holding it back, and ids to reconnect by."""
    response = served(Agent("demo", ScriptedModel([ToolCall("", "now"), "It is noon."]), tools=[now])).get("/")

    events = response.text.strip().split("\n\n")
    assert response.headers["content-type"].startswith("text/event-stream")
    assert response.headers["cache-control"] == "no-cache"
    assert events[0].splitlines()[0].endswith("-0")
    assert [event.splitlines()[1] for event in events][-1] == "event: stream_end"
    assert "event: tool_result" in response.text


def test_a_failure_is_an_event_and_no_broken_connection() -> None:
    """The stream ends as every stream does."""
    response = served(Agent("demo", ScriptedModel([ProviderError("busy", code="overloaded")]))).get("/")

    assert 'event: error\ndata: {"id":' in response.text
    assert '"error_type":"overloaded"' in response.text
    assert response.text.rstrip().splitlines()[-2] == "event: stream_end"


def test_other_exceptions_are_the_servers() -> None:
    """What a handler without error handling raises is a bug to be seen."""
    broken = tool(lambda: 1 / 0, name="broken").without_error_handling()

    with pytest.raises(ZeroDivisionError):
        served(Agent("demo", ScriptedModel([ToolCall("", "broken")]), tools=[broken])).get("/")


def test_fastapi_serves_a_run() -> None:
    """The response is returned from an endpoint as it is."""
    app = FastAPI()

    @app.get("/chat", response_model=None)
    async def chat(question: str) -> Any:
        return event_stream_response(Agent("demo", ScriptedModel([f"You asked: {question}"])).stream(question))

    response = TestClient(app).get("/chat", params={"question": "why?"})

    types = [line.removeprefix("event: ") for line in response.text.splitlines() if line.startswith("event: ")]
    assert response.headers["content-type"].startswith("text/event-stream")
    assert [types[0], types[-1]] == ["stream_start", "stream_end"]
    assert "You a" in response.text


@pytest.mark.anyio
async def test_a_client_that_goes_away_ends_the_run() -> None:
    """In the middle of a call: it is cancelled, and the conversation is valid."""
    entered = anyio.Event()

    @tool
    async def hang() -> str:
        """Hang."""
        entered.set()
        await anyio.sleep_forever()
        raise AssertionError

    async def receive() -> dict[str, str]:
        await entered.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    sent: list[Any] = []
    run = Agent("demo", ScriptedModel([ToolCall("", "hang")]), tools=[hang]).stream("hi")
    await event_stream_response(run)({"type": "http", "asgi": {"spec_version": "2.3"}}, receive, send)

    assert b"event: tool_call" in sent[-1]["body"]
    assert [result.text for result in run.response.tool_results] == [
        "hang had begun when the run was cancelled; it is not known whether it took effect"
    ]
    assert_valid(run.state.messages)
