"""
Recorded loops run again by an agent, over the real SDK and a loopback server, whatever the wire format.

What is right about the requests that are sent is for the tests of each format to say.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

import anyio

from prismpy import Agent, ProviderTool, Response, RunState, Tool
from prismpy.agent import Run
from prismpy.providers import WireModel
from tests.loopback import Answer, serving
from tests.recordings import Recording

Way: TypeAlias = Callable[..., Response]
"""Runs an agent on a real model, and closes the model in the end."""


def run(agent: Agent, model: Any, *, streamed: bool) -> Response:
    with model:
        return run_once(agent.stream("go")) if streamed else agent.run("go")


def arun(agent: Agent, model: Any, *, streamed: bool) -> Response:
    async def main() -> Response:
        async with model:
            if not streamed:
                return await agent.arun("go")
            under_way = agent.astream("go")
            assert [event.type async for event in under_way][-1] == "stream_end"
            return under_way.response

    return anyio.run(main)


def paused(agent: Agent, model: Any, *, streamed: bool) -> Response:
    """Wait for approval of each call, and go on with what was stored as JSON."""
    with model:
        response = run_once(agent.stream("go")) if streamed else agent.run("go")
        while response.pending:
            stored = RunState.from_dict(json.loads(json.dumps(response.state.to_dict())))
            agreed = {each.call.id: True for each in response.pending}
            again = run_once(agent.resume_stream(stored, agreed)) if streamed else agent.resume(stored, agreed)
            assert len(again.messages) > len(response.messages)
            response = again
        return response


def run_once(under_way: Run) -> Response:
    assert [event.type for event in under_way][-1] == "stream_end"
    return under_way.response


WAYS: Final = (run, arun, paused)


def replayed(
    recording: Recording,
    way: Way,
    model: Callable[[str], WireModel],
    tools: Sequence[Any],
    provider_tools: Sequence[ProviderTool] = (),
    max_steps: int | None = None,
) -> tuple[Response, list[Mapping[str, Any]]]:
    """
    Run a recorded loop from start to end, streamed where it was recorded so.

    Args:
        recording: Answers what the agent asks.

        way: One of `WAYS`.

        model: Takes the URL of the server.

        tools: Answer as recorded.

        provider_tools: As the recorded ones.

        max_steps: By default as many as were recorded.

    Returns:
        What it came to, and the bodies that were sent. The state can be stored: that is looked at here.
    """
    exchanges = recording.exchanges
    with serving([Answer.of(exchange) for exchange in exchanges]) as loopback:
        found = model(loopback.url)
        if way is paused:
            tools = [Tool.make(each).requires_approval() for each in tools]
        agent = Agent(
            "replay", found, tools=tools, provider_tools=provider_tools, max_steps=max_steps or len(exchanges)
        )
        response = way(agent, found, streamed=exchanges[0].streamed)

    stored = response.state.to_dict()
    assert RunState.from_dict(json.loads(json.dumps(stored))).to_dict() == stored
    return response, loopback.bodies


def offered(recording: Recording) -> Iterator[Mapping[str, Any]]:
    """Yield the tools of all requests, each once, by name or else by type; as the last request has them."""
    found = {}
    for exchange in recording.exchanges:
        for tool in exchange.request["body"].get("tools", ()):
            inner = tool.get("function", tool)
            found[inner.get("name") or inner["type"]] = tool
    yield from found.values()


def ours(recording: Recording, handler: Callable[..., Any], parameters: Mapping[str, Any] | None = None) -> list[Tool]:
    """Return those of the tools that the app runs, with a handler; with other parameters, if they are given."""
    described = (tool.get("function", tool) for tool in offered(recording) if is_ours(tool))
    return [
        Tool.from_schema(
            each["name"],
            each.get("description") or "",
            parameters or each.get("parameters") or each.get("input_schema") or {},
            handler,
        )
        for each in described
    ]


def theirs(recording: Recording) -> list[ProviderTool]:
    """Return those of the tools that the provider knows."""
    return [ProviderTool(each["type"], each.get("name")) for each in offered(recording) if not is_ours(each)]


def is_ours(tool: Mapping[str, Any]) -> bool:
    """Tell whether a tool of a request is described by the app."""
    return tool.get("type", "custom") in {"function", "custom"}
