"""
Run a loop of an agent over a model in the same process, with whatever library, in whatever environment this runs.

Like `_converters`, this is run as a module in each peer's environment, and imports nothing else until a library is
asked for. It answers each line of its input, `run` or `stream`, with the processor's seconds of one loop; what is made
of them is `loop`'s business.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib
import importlib.metadata
import json
import os
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from tests.benchmarks import _peers

Loop: TypeAlias = Callable[[], str]
"""Runs one loop, and returns what the model said at last."""

STEPS = 30
"""Of a loop: how often the model is asked. All answers are calls but the last one."""

LAST = "It is done."
DESCRIPTION = "Add two numbers."


class Script:
    """What the model answers, and what the tool was called with."""

    def __init__(self) -> None:
        self.asked = 0
        self.sums: list[int] = []

    def next(self) -> tuple[str, str] | None:
        """Return id and arguments of the next call; None where the model speaks."""
        self.asked += 1
        return None if self.asked % STEPS == 0 else (f"call_{self.asked}", json.dumps({"a": self.asked, "b": 2}))

    def add(self, a: int, b: int) -> str:
        self.sums.append(a + b)
        return str(a + b)

    def checked(self, loop: Loop) -> None:
        """Run a loop, and make sure that all of it happened."""
        self.sums.clear()
        said, start = loop(), self.asked - STEPS
        assert said == LAST, said
        assert self.sums == [start + step + 2 for step in range(1, STEPS)], self.sums


def _prismpy(script: Script) -> tuple[Loop, Loop]:
    prismpy: Any = importlib.import_module("prismpy")
    testing: Any = importlib.import_module("prismpy.testing")
    model = testing.FunctionModel(lambda _: _answered(model))

    def _answered(model: Any) -> Any:
        model.asked.clear()  # it would keep all that it was ever asked
        call = script.next()
        return LAST if call is None else prismpy.ToolCall(call[0], "add", call[1])

    def add(a: int, b: int) -> str:
        return script.add(a, b)

    agent = prismpy.Agent("loop", model, tools=[prismpy.tool(add, description=DESCRIPTION)], max_steps=STEPS + 1)

    def stream() -> str:
        under_way = agent.stream("Go on.")
        for _ in under_way:
            pass
        return str(under_way.response.text)

    return lambda: str(agent.run("Go on.").text), stream


def _haystack(script: Script) -> tuple[Loop, Loop]:
    os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"
    haystack: Any = importlib.import_module("haystack")
    agents: Any = importlib.import_module("haystack.components.agents")
    values: Any = importlib.import_module("haystack.dataclasses")
    tools: Any = importlib.import_module("haystack.tools")

    class Generator:
        def run(self, messages: list[Any], tools: Any = None, streaming_callback: Any = None) -> dict[str, Any]:
            del messages, tools
            call = script.next()
            if streaming_callback is not None:
                streaming_callback(self._chunk(call))
            if call is None:
                return {"replies": [values.ChatMessage.from_assistant(LAST)]}
            made = values.ToolCall(id=call[0], tool_name="add", arguments=json.loads(call[1]))
            return {"replies": [values.ChatMessage.from_assistant(tool_calls=[made])]}

        def _chunk(self, call: tuple[str, str] | None) -> Any:
            if call is None:
                return values.StreamingChunk(LAST, index=0)
            delta = values.ToolCallDelta(index=0, id=call[0], tool_name="add", arguments=call[1])
            return values.StreamingChunk("", index=0, tool_calls=[delta])

    generator = haystack.component.output_types(replies=list[values.ChatMessage])
    Generator.run = generator(Generator.run)  # type: ignore[method-assign]  # what a decorator would do
    parameters = {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
        "required": ["a", "b"],
    }
    tool = tools.Tool(name="add", description=DESCRIPTION, parameters=parameters, function=script.add)
    agent = agents.Agent(chat_generator=haystack.component(Generator)(), tools=[tool], max_agent_steps=STEPS + 1)
    agent.warm_up()

    def run(callback: Any = None) -> str:
        asked = [values.ChatMessage.from_user("Go on.")]
        return str(agent.run(messages=asked, streaming_callback=callback)["messages"][-1].text)

    return run, lambda: run(lambda chunk: None)


def _agno(script: Script) -> tuple[Loop, Loop]:
    agents: Any = importlib.import_module("agno.agent")
    base: Any = importlib.import_module("agno.models.base")
    responses: Any = importlib.import_module("agno.models.response")

    def answered() -> Any:
        call = script.next()
        if call is None:
            return responses.ModelResponse(role="assistant", content=LAST)
        made = {"id": call[0], "type": "function", "function": {"name": "add", "arguments": call[1]}}
        return responses.ModelResponse(role="assistant", tool_calls=[made])

    class Model(base.Model):  # type: ignore[misc]  # it is Any here
        def invoke(self, *_: Any, **__: Any) -> Any:
            return answered()

        def invoke_stream(self, *_: Any, **__: Any) -> Iterator[Any]:
            yield answered()

        async def ainvoke(self, *_: Any, **__: Any) -> Any:
            raise NotImplementedError

        ainvoke_stream = ainvoke

        def _parse_provider_response(self, response: Any, **_: Any) -> Any:
            return response

        _parse_provider_response_delta = _parse_provider_response

    def add(a: int, b: int) -> str:
        """Add two numbers."""
        return script.add(a, b)

    agent = agents.Agent(model=Model(id="loop"), tools=[add], telemetry=False)

    def stream() -> str:
        said = [event.content for event in agent.run("Go on.", stream=True) if event.event == "RunContent"]
        return "".join(filter(None, said))

    return lambda: str(agent.run("Go on.").content), stream


def _pydantic_ai(script: Script) -> tuple[Loop, Loop]:
    library: Any = importlib.import_module("pydantic_ai")
    messages: Any = importlib.import_module("pydantic_ai.messages")
    models: Any = importlib.import_module("pydantic_ai.models.function")
    usage: Any = importlib.import_module("pydantic_ai.usage")

    def answer(*_: Any) -> Any:
        call = script.next()
        part = messages.TextPart(LAST) if call is None else messages.ToolCallPart("add", call[1], call[0])
        return messages.ModelResponse(parts=[part])

    async def pieces(*_: Any) -> Any:
        call = script.next()
        yield LAST if call is None else {0: models.DeltaToolCall("add", call[1], tool_call_id=call[0])}

    def add(a: int, b: int) -> str:
        """Add two numbers."""
        return script.add(a, b)

    agent = library.Agent(models.FunctionModel(answer, stream_function=pieces), tools=[add])
    runner, limits = asyncio.Runner(), usage.UsageLimits(request_limit=None)

    async def run() -> str:
        return str((await agent.run("Go on.", usage_limits=limits)).output)

    async def stream() -> str:
        async with agent.iter("Go on.", usage_limits=limits) as under_way:
            async for node in under_way:
                if library.Agent.is_model_request_node(node) or library.Agent.is_call_tools_node(node):
                    async with node.stream(under_way.ctx) as events:
                        async for _ in events:
                            pass
        return str(under_way.result.output)

    return lambda: runner.run(run()), lambda: runner.run(stream())


def _openai_agents(script: Script) -> tuple[Loop, Loop]:
    library: Any = importlib.import_module("agents")
    interface: Any = importlib.import_module("agents.models.interface")
    items: Any = importlib.import_module("agents.items")
    types: Any = importlib.import_module("openai.types.responses")
    library.set_tracing_disabled(disabled=True)

    def output() -> Any:
        call = script.next()
        if call is not None:
            return types.ResponseFunctionToolCall(
                id=call[0], call_id=call[0], type="function_call", name="add", arguments=call[1], status="completed"
            )
        text = types.ResponseOutputText(text=LAST, type="output_text", annotations=[])
        return types.ResponseOutputMessage(
            id="msg", type="message", role="assistant", content=[text], status="completed"
        )

    class Model(interface.Model):  # type: ignore[misc]  # it is Any here
        async def get_response(self, *_: Any, **__: Any) -> Any:
            return items.ModelResponse(output=[output()], usage=library.Usage(), response_id=None)

        async def stream_response(self, *_: Any, **__: Any) -> Any:
            response = types.Response(
                id="resp",
                created_at=1,
                model="loop",
                object="response",
                output=[output()],
                tool_choice="auto",
                tools=[],
                parallel_tool_calls=False,
            )
            yield types.ResponseCompletedEvent(type="response.completed", response=response, sequence_number=0)

    def add(a: int, b: int) -> str:
        """Add two numbers."""
        return script.add(a, b)

    agent = library.Agent(name="loop", model=Model(), tools=[library.function_tool(add)])
    runner = asyncio.Runner()

    async def run() -> str:
        return str((await library.Runner.run(agent, "Go on.", max_turns=STEPS + 1)).final_output)

    async def stream() -> str:
        under_way = library.Runner.run_streamed(agent, "Go on.", max_turns=STEPS + 1)
        async for _ in under_way.stream_events():
            pass
        return str(under_way.final_output)

    return lambda: runner.run(run()), lambda: runner.run(stream())


def _langchain(script: Script) -> tuple[Loop, Loop]:
    agents: Any = importlib.import_module("langchain.agents")
    models: Any = importlib.import_module("langchain_core.language_models.chat_models")
    messages: Any = importlib.import_module("langchain_core.messages")
    outputs: Any = importlib.import_module("langchain_core.outputs")

    class Model(models.BaseChatModel):  # type: ignore[misc]  # it is Any here
        @property
        def _llm_type(self) -> str:
            return "loop"

        def bind_tools(self, *_: Any, **__: Any) -> Any:
            return self

        def _generate(self, *_: Any, **__: Any) -> Any:
            call = script.next()
            calls = [] if call is None else [{"id": call[0], "name": "add", "args": json.loads(call[1])}]
            said = messages.AIMessage("" if calls else LAST, tool_calls=calls)
            return outputs.ChatResult(generations=[outputs.ChatGeneration(message=said)])

        def _stream(self, *_: Any, **__: Any) -> Iterator[Any]:
            call = script.next()
            calls = [] if call is None else [{"id": call[0], "name": "add", "args": call[1], "index": 0}]
            said = messages.AIMessageChunk("" if calls else LAST, tool_call_chunks=calls)
            yield outputs.ChatGenerationChunk(message=said)

    def add(a: int, b: int) -> str:
        """Add two numbers."""
        return script.add(a, b)

    agent = agents.create_agent(Model(), tools=[add])
    asked, config = {"messages": [("user", "Go on.")]}, {"recursion_limit": 4 * STEPS}

    def stream() -> str:
        told = [piece for piece, _ in agent.stream(asked, config, stream_mode="messages")]
        return "".join(piece.content for piece in told if piece.type == "AIMessageChunk")

    return lambda: str(agent.invoke(asked, config)["messages"][-1].content), stream


LOOPS: Mapping[str, tuple[str, Callable[[Script], tuple[Loop, Loop]]]] = {
    "prismpy": ("prismpy", _prismpy),
    "haystack": ("haystack-ai", _haystack),
    "agno": ("agno", _agno),
    "pydantic-ai": ("pydantic-ai-slim", _pydantic_ai),
    "openai-agents": ("openai-agents", _openai_agents),
    "langchain": ("langchain", _langchain),
}
"""Name of a library to its distribution, and what makes its loops: whole answers, and streamed ones."""


class Worker:
    """A library in a process, and a peer in an environment, of its own."""

    def __init__(self, library: str, cache: Path) -> None:
        process = _peers.module("_loops", LOOPS[library][0], cache)
        process["args"].append(library)
        self._process = subprocess.Popen(**process, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.release: str = self._answer()

    def seconds(self, way: str) -> float:
        """Run one loop, `run` or `stream`."""
        assert self._process.stdin is not None
        self._process.stdin.write(way + "\n")
        self._process.stdin.flush()
        return float(self._answer())

    def _answer(self) -> Any:
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        self._process.communicate()


def main() -> None:
    parser = argparse.ArgumentParser(description="Run loops of one library; `loop` starts this.")
    parser.add_argument("library", choices=LOOPS)
    warnings.simplefilter("ignore")
    distribution, make = LOOPS[parser.parse_args().library]
    script = Script()
    loops = dict(zip(("run", "stream"), make(script), strict=True))
    for loop in loops.values():
        script.checked(loop)
    print(json.dumps(_peers.release(distribution)), flush=True)
    for line in sys.stdin:
        started = time.process_time()
        loops[line.strip()]()
        print(time.process_time() - started, flush=True)


if __name__ == "__main__":
    main()
