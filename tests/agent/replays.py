"""Two ways to run an agent on a real model over a loopback server: each closes the model in the end."""

from typing import Any

import anyio

from prismpy import Agent, Response


def run(agent: Agent, model: Any, *, streamed: bool) -> Response:
    with model:
        if not streamed:
            return agent.run("go")
        under_way = agent.stream("go")
        assert [event.type for event in under_way][-1] == "stream_end"
        return under_way.response


def arun(agent: Agent, model: Any, *, streamed: bool) -> Response:
    async def main() -> Response:
        async with model:
            if not streamed:
                return await agent.arun("go")
            under_way = agent.astream("go")
            assert [event.type async for event in under_way][-1] == "stream_end"
            return under_way.response

    return anyio.run(main)
