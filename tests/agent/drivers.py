"""The four ways to drive a run, so that one test can go each of them."""

from collections.abc import Callable
from typing import Any, TypeAlias

import anyio

from prismpy import Agent, Event, Response

Driver: TypeAlias = Callable[..., Response]
"""Takes an agent and the arguments of its `run`."""


def run(agent: Agent, *arguments: Any, **options: Any) -> Response:
    return agent.run(*arguments, **options)


def arun(agent: Agent, *arguments: Any, **options: Any) -> Response:
    async def main() -> Response:
        return await agent.arun(*arguments, **options)

    return anyio.run(main)


def stream(agent: Agent, *arguments: Any, **options: Any) -> Response:
    under_way = agent.stream(*arguments, **options)
    for _ in under_way:
        pass
    return under_way.response


def astream(agent: Agent, *arguments: Any, **options: Any) -> Response:
    under_way = agent.astream(*arguments, **options)

    async def main() -> None:
        async for _ in under_way:
            pass

    anyio.run(main)
    return under_way.response


DRIVERS = [run, arun, stream, astream]


def merged(events: list[Event]) -> list[dict[str, Any]]:
    """Write events as JSON, without stamps, neighbouring deltas of one piece put together."""
    found: list[dict[str, Any]] = []
    for event in events:
        told = {"event": event.type, **event.to_dict()}
        del told["id"], told["timestamp"]
        last = found[-1] if found else {}
        if "delta" in told and {**last, "delta": ""} == {**told, "delta": ""}:
            last["delta"] += told["delta"]
        else:
            found.append(told)
    return found
