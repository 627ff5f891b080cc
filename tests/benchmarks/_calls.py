"""
Run a call by whatever library, in whatever environment this runs, beside the bare call in the same process.

Like `_converters`, this is run as a module in each peer's environment, and imports nothing else until a library is
asked for; what is made of the outcome is `execution`'s business.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import importlib
import importlib.metadata
import inspect
import json
import logging
import math
import subprocess
import time
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from tests.benchmarks import _peers

RIGHT = '{"city": "Paris", "days": 3}'
WRONG = '{"city": "Paris", "days": "soon"}'
ANSWER = "Sunny in Paris for 3 days"

Call: TypeAlias = Callable[[str], Any]
"""Runs a call from JSON text, as the library does when a model sends it; may return an awaitable."""


def forecast(city: str, days: int = 1) -> str:
    """Tell the weather."""
    return f"Sunny in {city} for {days} days"


def bare(text: str) -> str:
    return forecast(**json.loads(text))


def _prismpy() -> Call:
    prismpy: Any = importlib.import_module("prismpy")
    made = prismpy.tool(forecast)
    return lambda text: made.run(text).text


def _anthropic() -> Call:
    made = importlib.import_module("anthropic").beta_tool(forecast)
    return lambda text: made.call(json.loads(text))


def _openai() -> Call:
    agents: Any = importlib.import_module("openai.lib.beta.agents")
    made = agents.function_tool(forecast)
    return lambda text: made(json.loads(text))


def _pydantic_ai() -> Call:
    toolsets: Any = importlib.import_module("pydantic_ai.toolsets")
    manager: Any = importlib.import_module("pydantic_ai.tool_manager")
    usage: Any = importlib.import_module("pydantic_ai.usage")
    messages: Any = importlib.import_module("pydantic_ai.messages")
    model: Any = importlib.import_module("pydantic_ai.models.test")
    context: Any = importlib.import_module("pydantic_ai").RunContext(
        deps=None, model=model.TestModel(), usage=usage.RunUsage()
    )
    empty = manager.ToolManager(toolsets.FunctionToolset([forecast], max_retries=10**9))
    ready = asyncio.run(empty.for_run_step(context))
    return lambda text: ready.handle_call(messages.ToolCallPart("forecast", text, "x"))


def _langchain() -> Call:
    made: Any = importlib.import_module("langchain_core.tools").tool(forecast)

    def call(text: str) -> Any:
        asked = {"name": "forecast", "args": json.loads(text), "id": "x", "type": "tool_call"}
        return made.invoke(asked).content

    return call


def _fastmcp() -> Call:
    server: Any = importlib.import_module("fastmcp").FastMCP("calls")
    server.tool(forecast)

    async def call(text: str) -> Any:
        return (await server.call_tool("forecast", json.loads(text))).content[0].text

    return call


CALLS: Mapping[str, tuple[str, Callable[[], Call]]] = {
    "prismpy": ("prismpy", _prismpy),
    "anthropic": ("anthropic", _anthropic),
    "openai": ("openai", _openai),
    "pydantic-ai": ("pydantic-ai-slim", _pydantic_ai),
    "langchain-core": ("langchain-core", _langchain),
    "fastmcp": ("fastmcp", _fastmcp),
}
"""Name of a library to its distribution, and what makes its call."""


def run(library: str, rounds: int, cache: Path) -> dict[str, Any]:
    """Return `{"release", "right", "refused"}` of a library, in a process of its own: multiples of its bare call."""
    process = _peers.module("_calls", CALLS[library][0], cache)
    process["args"] += [library, str(rounds)]
    done = subprocess.run(**process, stdout=subprocess.PIPE, check=True, text=True)
    outcome: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return outcome


async def _seconds(call: Call, text: str, calls: int) -> float:
    started = time.perf_counter()
    for _ in range(calls):
        # libraries refuse by an exception or by a result; either way the call is over
        with contextlib.suppress(Exception):
            returned = call(text)
            if inspect.isawaitable(returned):
                await returned
    return time.perf_counter() - started


async def _fastest(call: Call, text: str, calls: int, rounds: int) -> float:
    fastest = math.inf
    for _ in range(rounds):
        fastest = min(fastest, await _seconds(call, text, calls) / calls)
    return fastest


async def _measured(call: Call, rounds: int) -> dict[str, float]:
    answer = call(RIGHT)
    if inspect.isawaitable(answer):
        answer = await answer
    assert str(answer) == ANSWER, answer
    gc.disable()
    once = await _fastest(bare, RIGHT, 200, rounds)
    texts = {"right": RIGHT, "refused": WRONG}
    return {row: await _fastest(call, text, 20, rounds) / once for row, text in texts.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description="Run the call of one library; `execution` starts this.")
    parser.add_argument("library", choices=CALLS)
    parser.add_argument("rounds", type=int)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)  # some log each refusal
    distribution, make = CALLS[options.library]
    call = make()  # outside of the loop, as it may need one of its own
    print(json.dumps({"release": _peers.release(distribution), **asyncio.run(_measured(call, options.rounds))}))


if __name__ == "__main__":
    main()
