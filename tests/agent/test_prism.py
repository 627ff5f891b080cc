"""The loop, spelled the way Prism users spell it."""

import gc
from collections.abc import AsyncGenerator
from typing import Any, Self

import anyio
import pytest

from prismpy import (
    DefinitionError,
    Image,
    OutputError,
    Prism,
    ProviderTool,
    Response,
    SystemMessage,
    TextDeltaEvent,
    Tool,
    ToolCall,
    UserMessage,
    tool,
)
from prismpy.agent import PendingRequest, Run
from prismpy.testing import ScriptedModel
from tests.loopback import Answer, serving


@tool
def weather(city: str) -> str:
    """Get the weather."""
    return f"Sunny in {city}"


def test_a_request_is_built_and_asked() -> None:
    """Every part of it reaches the model."""
    model = ScriptedModel([ToolCall("", "weather", {"city": "Paris"}), "Sunny."])
    picture = Image.from_url("https://example.com/a.png")
    search = ProviderTool("web_search_20250305", name="web_search")

    response = (
        Prism.text()
        .using(model)
        .with_system_prompt("Be brief.")
        .with_system_prompt("Be kind.")
        .with_messages([SystemMessage("You are Iris."), UserMessage("before")])
        .with_prompt("Weather?", [picture])
        .with_tools([weather])
        .with_provider_tools([search])
        .with_max_steps(30)
        .with_tool_choice("weather")
        .with_max_tokens(100)
        .using_temperature(0.2)
        .with_provider_options({"top_k": 5})
        .with_provider_options({"seed": 1})
        .as_text()
    )

    first, second = model.asked
    assert response.text == "Sunny."
    assert [result.text for result in response.tool_results] == ["Sunny in Paris"]
    assert first.messages == (
        SystemMessage("You are Iris.\n\nBe brief.\n\nBe kind."),
        UserMessage("before"),
        UserMessage(["Weather?", picture]),
    )
    assert first.provider_tools == (search,)
    assert (first.tool_choice, second.tool_choice) == ("weather", "auto")
    assert (first.max_tokens, first.temperature, first.options) == (100, 0.2, {"top_k": 5, "seed": 1})


def test_one_step_is_the_default() -> None:
    """As in Prism: the calls are run, and nothing more is asked."""
    response = Prism.text().using(ScriptedModel([ToolCall("", "weather", {"city": "Rome"})])).with_prompt("?")

    done = response.with_tools([weather]).as_text()

    assert [result.text for result in done.tool_results] == ["Sunny in Rome"]
    assert (done.text, done.limit) == ("", "steps")


def test_the_last_of_the_messages_may_be_the_prompt() -> None:
    """A request can be asked again."""
    request = Prism.text().using(ScriptedModel(["a", "b"])).with_messages([UserMessage("1"), UserMessage("2")])

    assert request.as_text().messages[:2] == (UserMessage("1"), UserMessage("2"))
    assert request.as_text().text == "b"


def test_answers_are_streamed_or_awaited() -> None:
    """As events, as server-sent events, and from async code."""

    def request() -> Any:
        return Prism.text().using(ScriptedModel(["hello"])).with_prompt("hi")

    async def main() -> tuple[Response, list[str]]:
        return await request().aas_text(), [text async for text in request().as_async_event_stream()]

    response, streamed = anyio.run(main)
    assert response.text == "hello"
    assert "".join(e.delta for e in request().as_stream() if isinstance(e, TextDeltaEvent)) == "hello"
    heads = [text.splitlines()[0] for text in request().as_event_stream()]
    assert heads == [text.splitlines()[0] for text in streamed]
    assert heads[0] == "event: stream_start"


class Held(Tool):
    """A tool with tasks of its own while it is open, as clients of servers have."""

    def __init__(self) -> None:
        self.as_("held").for_("Hold on.").using(lambda: "")
        self.tasks = anyio.create_task_group()
        self.log: list[str] = []

    async def __aenter__(self) -> Self:
        await self.tasks.__aenter__()
        self.log.append("opened")
        return self

    async def __aexit__(self, *_: object) -> None:
        self.tasks.cancel_scope.cancel()
        await self.tasks.__aexit__(None, None, None)
        self.log.append("closed")


@pytest.mark.anyio
async def test_a_stream_of_text_that_is_closed_ends_its_run_at_once() -> None:
    """In the task that closes it, where alone its tools can be closed."""
    held = Held()
    texts = Prism.text().using(ScriptedModel(["hello"])).with_prompt("hi").with_tools([held]).as_async_event_stream()
    first = await anext(texts)
    assert isinstance(texts, AsyncGenerator)
    await texts.aclose()

    assert first.startswith("event: stream_start")
    assert held.log == ["opened", "closed"]


def test_an_answer_of_a_demanded_form() -> None:
    """It is a value; a model that does not keep to the form is an error."""
    wanted = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}

    def request(*answers: str) -> Any:
        return Prism.structured().using(ScriptedModel(answers)).with_prompt("?").with_schema(wanted)

    assert request('{"n": 1}').as_structured().output == {"n": 1}
    with pytest.raises(OutputError):
        request("one").as_structured()


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda: Prism.text().with_prompt("?").as_text(), "no model was chosen; choose one with using"),
        (lambda: Prism.text().using(ScriptedModel([])).as_text(), "nothing was asked; say it with with_prompt"),
        (
            lambda: Prism.structured().using(ScriptedModel([])).with_prompt("?").as_structured(),
            "as_structured.. needs a form of the answer; give it with with_schema",
        ),
    ],
)
def test_what_is_missing_is_said(act: Any, message: str) -> None:
    """Before anything is asked."""
    with pytest.raises(DefinitionError, match=message):
        act()


def test_a_model_is_named_by_provider_and_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """As Prism names it; it is looked up when it is asked."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)

    with pytest.raises(DefinitionError, match="OPENAI_API_KEY"):
        Prism.text().using("openai", "gpt-4.1").with_prompt("?").as_text()


WHOLE = Answer.json({"choices": [{"message": {"role": "assistant", "content": "hey"}}]})
STREAMED = Answer.sse(
    'data: {"choices": [{"index": 0, "delta": {"content": "hey"}, "finish_reason": "stop"}]}\n\ndata: [DONE]\n\n'
)


@pytest.mark.parametrize("way", ["text", "aas_text", "stream", "astream", "event_stream"])
def test_what_was_opened_for_a_request_is_closed_with_it(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever way it is asked; a connection that stayed open would be a warning, which is an error."""

    async def streamed(run: Run) -> str:
        assert [event.type async for event in run][-1] == "stream_end"
        return run.response.text

    def asked(request: PendingRequest) -> str:
        match way:
            case "text":
                return request.as_text().text
            case "aas_text":
                return anyio.run(request.aas_text).text
            case "stream":
                run = request.as_stream()
                return "".join(str(event.to_dict()["delta"]) for event in run if event.type == "text_delta")
            case "astream":
                return anyio.run(streamed, request.as_stream())
            case _:
                return next(text for text in request.as_event_stream() if "text_delta" in text).split('"delta":"')[1][
                    :3
                ]

    with serving([WHOLE if "text" in way else STREAMED]) as loopback:
        monkeypatch.setenv("OPENAI_BASE_URL", loopback.url)
        monkeypatch.setenv("OPENAI_API_KEY", "k")
        said = asked(Prism.text().using("openai", "gpt-4.1").with_prompt("?"))
        gc.collect()

    assert said == "hey"
