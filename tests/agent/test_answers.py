"""Tools of ours that answer what provider tools leave to the app."""

from typing import Any

import pytest

from prismpy import (
    Agent,
    AnthropicModel,
    Decision,
    OpenAIResponsesModel,
    ProviderTool,
    Tool,
    ToolCall,
    tool,
)
from prismpy.testing import ScriptedModel
from tests.agent.drivers import stream
from tests.agent.replay import WAYS, Way
from tests.codecs.anthropic_messages import complaints as anthropic_complaints
from tests.loopback import Answer, serving
from tests.openapi import complaints
from tests.recordings import RECORDINGS, Recording
from tests.shared import needs_shared

BASH = ProviderTool("bash_20250124", "bash")
WORDS = "openai-responses/tool-error-output-stream"
"""A recording that ends with nothing but words."""


@tool
def bash(command: str) -> str:
    """Run a command."""
    return f"ran {command}"


def named(name: str) -> Recording:
    (found,) = (each for each in RECORDINGS if each.name == name)
    return found


@pytest.mark.parametrize(
    ("dialect", "provider_tools", "tools"), [("anthropic", (BASH,), 1), ("openai", (), 2), ("openai-responses", (), 2)]
)
def test_a_tool_with_the_name_of_a_provider_tool_answers_it(
    dialect: str, provider_tools: tuple[ProviderTool, ...], tools: int
) -> None:
    """Where the provider has it, the provider's own is told; elsewhere ours. It is run anyway."""
    model = ScriptedModel([ToolCall("", "bash", {"command": "ls"}), "done"], dialect=dialect)
    other = tool(str.upper, name="other")

    response = Agent("demo", model, tools=[bash, other], provider_tools=[BASH]).run("hi")

    assert model.asked[0].provider_tools == provider_tools
    assert len(model.asked[0].tools) == tools
    assert [result.text for result in response.tool_results] == ["ran ls"]


def test_such_a_tool_needs_no_other_that_stands_in() -> None:
    """What was named to take its place is for agents without it."""
    model = ScriptedModel(["done"], dialect="openai")

    Agent("demo", model, tools=[bash], provider_tools=[BASH], fallbacks={BASH.type: tool(str.upper, name="up")}).run(
        "hi"
    )

    assert len(model.asked[0].tools) == 1


@needs_shared
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("name", "key", "returned", "sent"),
    [
        ("local_shell", "action", "4 files", {"output": "4 files"}),
        ("apply_patch", "operation", "Done!", {"status": "completed", "output": "Done!"}),
    ],
)
def test_what_is_run_here_goes_back_in_the_providers_form(
    name: str, key: str, returned: str, sent: dict[str, Any], way: Way
) -> None:
    """A command and a patch, as they were recorded."""
    recording = named(
        {"local_shell": "openai-responses/shell-local-stream", "apply_patch": "openai-responses/apply-patch-stream"}[
            name
        ]
    )
    (asked,) = recording.exchanges[0].expect["provider_tools"]
    told: list[Any] = []
    ours = Tool.from_schema(name, "", {"type": "object"}, lambda **arguments: told.append(arguments) or returned)
    streamed = [Answer.of(recording.exchanges[0]), Answer.of(named(WORDS).exchanges[-1])]
    with serving(streamed) as loopback:
        model = OpenAIResponsesModel("gpt-5", "k", loopback.url, max_retries=0)
        agent = Agent("demo", model, tools=[ours], provider_tools=[ProviderTool(name)])
        response = way(agent, model, streamed=True)

    call, answer = loopback.bodies[1]["input"][-2:]
    assert response.text == named(WORDS).exchanges[-1].expect["text"]
    assert [(call.id, call.name) for call in response.tool_calls] == [(asked["call_id"], name)]
    assert [list(arguments) for arguments in told] == [[key]]
    assert (call["type"], call["id"], call[key]) == (asked["type"], asked["id"], told[0][key])
    assert {**answer, "id": asked["call_id"]} == {
        "type": f"{asked['type']}_output",
        "id": asked["call_id"],
        "call_id": asked["call_id"],
        **sent,
    }
    assert [each["type"] for each in loopback.bodies[0]["tools"]] == [name]
    assert complaints(loopback.bodies[0], "CreateResponse") == []


@needs_shared
def test_a_search_that_the_client_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it finds is called in the next step. OpenAI is what answers at the URL of its variable."""
    recording = named("openai-responses/tool-search-by-client")
    bodies = [exchange.request["body"] for exchange in recording.exchanges]
    described = next(each for each in bodies[0]["tools"] if each["type"] == "tool_search")
    (found,) = (item for item in bodies[1]["input"] if item.get("type") == "tool_search_output")
    search = Tool.from_schema("tool_search", "", described["parameters"], lambda queries: found["tools"])
    rate = Tool.from_schema("get_exchange_rate", "", {"type": "object"}, lambda **_: "1 USD = 0.92 EUR").deferred()
    options = {key: value for key, value in described.items() if key != "type"}
    with serving([Answer.of(each) for each in recording.exchanges]) as loopback:
        monkeypatch.setenv("OPENAI_BASE_URL", loopback.url)
        model = OpenAIResponsesModel("gpt-5.4", "k", max_retries=0)
        provider_tools = [ProviderTool("tool_search", options=options)]
        with model, Agent("demo", model, tools=[search, rate], provider_tools=provider_tools) as agent:
            response = agent.run("USD to EUR?")

    assert response.text == "1 USD = 0.92 EUR."
    assert [call.name for call in response.tool_calls] == ["tool_search", "get_exchange_rate"]
    assert response.tool_calls[0].arguments == bodies[1]["input"][1]["arguments"]
    assert found in loopback.bodies[1]["input"]
    assert [each["type"] for each in loopback.bodies[0]["tools"]] == ["function", "tool_search"]
    assert loopback.bodies[0]["tools"][0]["defer_loading"] is True
    assert [complaints(body, "CreateResponse") for body in loopback.bodies] == [[], [], []]


@needs_shared
def test_somebody_agrees_to_calls_of_an_mcp_server() -> None:
    """A tool of that name which requires approval waits, and its denial is the provider's answer."""
    recording = named("openai-responses/mcp-approval-denied-stream")
    ask = Tool.from_schema("mcp", "", {"type": "object"}, lambda **_: "yes").requires_approval()
    server = ProviderTool("mcp", options={"server_label": "short", "server_url": "http://localhost:1"})
    with serving([Answer.of(each) for each in recording.exchanges]) as loopback:
        model = OpenAIResponsesModel("gpt-5", "k", loopback.url, max_retries=0)
        with model, Agent("demo", model, tools=[ask], provider_tools=[server]) as agent:
            waiting = stream(agent, "Shorten this.")
            (pending,) = waiting.pending
            again = agent.resume_stream(
                waiting.state, {pending.call.id: Decision(agreed=False, reason="Not this one.")}
            )
            assert [event.type for event in again][-1] == "stream_end"

    assert pending.needs == "approval"
    assert {"server_label", "name", "arguments"} == set(pending.call.arguments)
    assert again.response.text == recording.exchanges[1].expect["text"]
    assert loopback.bodies[1]["input"][-1] == {
        "type": "mcp_approval_response",
        "approval_request_id": pending.call.id,
        "approve": False,
        "reason": "mcp needs approval and did not get it: Not this one.",
    }


@needs_shared
def test_a_memory_of_the_app() -> None:
    """Anthropic's memory tool is told as Anthropic's, and answered by a function."""
    recording = named("anthropic/memory-tool")

    @tool
    def memory(command: str, path: str) -> str:
        """Look things up."""
        return f"{command} {path}: the user lives in Mexico City."

    with serving([Answer.of(each) for each in recording.exchanges]) as loopback:
        model = AnthropicModel("claude", "k", loopback.url, max_retries=0)
        kept = ProviderTool("memory_20250818", "memory")
        with model, Agent("demo", model, tools=[memory], provider_tools=[kept]) as agent:
            response = agent.run("Where do I live?")

    assert response.text == recording.exchanges[-1].expect["text"]
    assert [body["tools"] for body in loopback.bodies] == [[{"type": "memory_20250818", "name": "memory"}]] * 2
    assert [result.text for result in response.tool_results] == ["view /memories: the user lives in Mexico City."]
    assert [anthropic_complaints(body) for body in loopback.bodies] == [[], []]
