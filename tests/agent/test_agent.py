"""Agents: from words to an answer, and phase by phase."""

import re
from collections.abc import Sequence
from typing import Any, Self

import anyio
import attrs
import pytest

from prismpy import (
    Agent,
    AssistantMessage,
    ContextBlock,
    DefinitionError,
    Image,
    IntegerSchema,
    Limits,
    OutputError,
    ProviderTool,
    SystemMessage,
    Text,
    TextPart,
    Tool,
    Toolbox,
    ToolCall,
    UserMessage,
    tool,
)
from prismpy.agent import Engine
from prismpy.testing import ScriptedModel, assert_called, assert_order
from tests.loopback import Answer, serving


def search_docs(query: str, top_k: int = 5) -> dict[str, Any]:
    """Search a local doc index.

    Args:
        query: Search keywords.
        top_k: Max number of hits to return.
    """
    return {"hits": [query] * top_k}


def get_utc_now() -> str:
    """Get current UTC time in ISO format."""
    return "2026-11-30T00:00:00+00:00"


SEARCH = ToolCall("", "search_docs", {"query": "x", "top_k": 1})


def test_run_goes_from_words_to_an_answer() -> None:
    """The model calls, the tool answers, the model speaks; the response says all of it."""
    model = ScriptedModel([["Let me look.", SEARCH], "Found x."])
    agent = Agent("demo", model, "Be brief.", tools=[search_docs, get_utc_now])

    response = agent.run("find x")

    assert response.text == "Found x."
    assert response.finish_reason == "stop"
    assert response.limit is None
    assert response.pending == ()
    assert [step.finish_reason for step in response.steps] == ["tool_calls", "stop"]
    assert [result.text for result in response.tool_results] == ['{"hits": ["x"]}']
    assert_called(response, "search_docs", query="x")
    assert_order(response, "search_docs")
    assert response.usage.total_tokens == 30
    assert response.messages == response.state.messages
    first, second = model.asked
    assert first.messages == (SystemMessage("Be brief."), UserMessage("find x"))
    assert second.messages[1:] == response.messages[:3]


def test_the_conversation_goes_on_with_the_messages_of_the_last_run() -> None:
    """What was said before is handed in and comes back, with what is new."""
    agent = Agent("demo", ScriptedModel(["one", "two"]))

    first = agent.run("1")
    second = agent.run("2", messages=first.messages)

    assert second.messages == (
        UserMessage("1"),
        AssistantMessage([TextPart("one")]),
        UserMessage("2"),
        AssistantMessage([TextPart("two")]),
    )


def test_the_template_is_filled_with_what_the_app_hands_in() -> None:
    """A mapping fills the fields; words fill a single one; pictures go as they are."""
    picture = Image.from_url("https://example.com/a.png")
    agent = Agent("demo", object(), prompt_template="Q: {query} {{ok}}")
    two = Agent("demo", object(), prompt_template="{a} and {b.real}")

    assert agent.observe({"query": "why"}).user_prompt == "Q: why {ok}"
    assert agent.observe("why").user_prompt == "Q: why {ok}"
    assert agent.observe(UserMessage("as is")).user_prompt == "as is"
    assert agent.observe(picture).messages == (UserMessage(picture),)
    assert agent.observe(["see", picture]).messages == (UserMessage(["see", picture]),)
    assert two.observe({"a": 1, "b": 2}).user_prompt == "1 and 2"


@pytest.mark.parametrize(
    ("prompt", "message"),
    [
        ("words", "agent 'demo': the prompt template has the fields 'a', 'b'; pass a mapping with them"),
        ({"a": 1}, "agent 'demo': the prompt template needs 'b'; given are 'a'"),
        ({}, "agent 'demo': the prompt template needs 'a'; given are none"),
    ],
)
def test_a_template_that_cannot_be_filled_says_what_it_needs(prompt: Any, message: str) -> None:
    """The error names the field."""
    with pytest.raises(DefinitionError) as caught:
        Agent("demo", object(), prompt_template="{a} {b}").observe(prompt)

    assert str(caught.value) == message


def test_the_phases_can_be_driven_by_hand() -> None:
    """Observe says what the model would be told, think asks it once, act runs its calls."""
    model = ScriptedModel([SEARCH, "done"])
    agent = Agent("demo", model, "Be brief.", tools=[search_docs])

    system, user, messages = agent.observe({"query": "find"}, messages=[UserMessage("before")])
    reply = agent.think(messages)
    results = agent.act(reply.message.calls)

    assert (system, user) == ("Be brief.", "find")
    assert messages == (SystemMessage("Be brief."), UserMessage("before"), UserMessage("find"))
    assert model.asked[0].messages == messages
    assert [result.text for result in results] == ['{"hits": ["x"]}']
    assert agent.step("again").text == "done"


@pytest.mark.anyio
async def test_the_phases_have_async_twins() -> None:
    """They do the same without blocking."""
    agent = Agent("demo", ScriptedModel([SEARCH, "done"]), tools=[search_docs])

    reply = await agent.athink(agent.observe("find").messages)
    results = await agent.aact(reply.message.calls)

    assert [result.text for result in results] == ['{"hits": ["x"]}']
    assert (await agent.arun("again")).text == "done"


def test_tools_are_callables_under_their_names() -> None:
    """Whatever they were made of; a tool that is answered elsewhere has no function."""
    made = (
        Tool.as_("shout")
        .for_("Say it loud.")
        .with_string_parameter("words", "Words")
        .using(lambda words: words.upper())
    )
    elsewhere = Tool.as_("tap").for_("Tap the screen.").external()

    search, shout = Agent("demo", object(), tools=[search_docs, made, elsewhere]).tools

    assert [search.__name__, shout.__name__] == ["search_docs", "shout"]
    assert search is search_docs
    assert shout("hi") == "HI"
    assert shout.__doc__ == "Say it loud."


@attrs.frozen
class Notes:
    """A source of one block for every query."""

    name: str = "notes"
    description: str = "What was noted."
    active: bool = False
    passive: bool = True

    def get_blocks(self, query: str, top_k: int = 8) -> Sequence[ContextBlock]:
        return [ContextBlock(f"about {query}", "Note", "file://n")][: top_k or None]


def test_a_passive_source_is_searched_for_each_prompt() -> None:
    """What it finds is put behind the prompt."""
    agent = Agent("demo", object(), contexts=[Notes()])

    assert agent.observe("cats").messages == (
        UserMessage(["cats", "\n\nCONTEXT\n\n[1] notes · Note · file://n\nabout cats"]),
    )
    assert agent.tools == ()


def test_an_active_source_is_searched_by_the_model() -> None:
    """It gets two tools, beside those of the app."""
    model = ScriptedModel(
        [
            [ToolCall("", "list_context_sources"), ToolCall("", "retrieve_context", {"source": "nots", "query": "x"})],
            ToolCall("", "retrieve_context", {"source": "notes", "query": "cats", "top_k": 3}),
            "done",
        ]
    )
    agent = Agent("demo", model, tools=Toolbox([search_docs]), contexts=[Notes(active=True, passive=False)])

    listed, wrong, found = agent.run("hi").tool_results

    assert listed.output.result == {"sources": [{"name": "notes", "description": "What was noted."}]}
    assert wrong.text == "there is no source 'nots'; did you mean 'notes'?; available are notes"
    assert found.output.result == {
        "source": "notes",
        "query": "cats",
        "blocks": [{"text": "about cats", "title": "Note", "uri": "file://n"}],
    }
    assert [tool.__name__ for tool in agent.tools] == ["search_docs", "list_context_sources", "retrieve_context"]


@pytest.mark.parametrize(
    ("sources", "message"),
    [
        ([Notes(), Notes()], "agent 'demo': two context sources are called 'notes'; rename one"),
        (
            [Notes(passive=False)],
            "agent 'demo': context source 'notes' is neither active nor passive; make it one of them",
        ),
    ],
)
def test_sources_that_cannot_be_used_are_refused(sources: list[Notes], message: str) -> None:
    """Two of one name, or one that nobody searches."""
    with pytest.raises(DefinitionError) as caught:
        Agent("demo", object(), contexts=sources)

    assert str(caught.value) == message


@attrs.frozen
class Person:
    """A person."""

    name: str
    age: int = 0


@pytest.mark.parametrize(
    ("wanted", "answer", "value"),
    [
        (Person, '{"name": "Ada", "age": "36"}', Person("Ada", 36)),
        (list[int], '{"value": [1, 2]}', [1, 2]),
        ({"type": "object", "properties": {"a b": {"type": "integer"}}}, '{"a b": 1}', {"a b": 1}),
        ({"type": "integer"}, '{"value": 3}', 3),
        (int | None, '{"value": null}', None),
        (IntegerSchema("age", "In years"), '{"value": "36"}', 36),
        (
            Tool.as_("person").for_("A person").with_string_parameter("name", "").using(lambda name: name.upper()),
            '{"name": "ada"}',
            "ADA",
        ),
    ],
)
def test_an_answer_of_a_demanded_form_becomes_a_value(wanted: Any, answer: str, value: Any) -> None:
    """It is read, repaired and converted as arguments are."""
    model = ScriptedModel([answer])

    assert Agent("demo", model).run("who?", output=wanted).output == value
    assert model.asked[0].output is not None


def test_an_answer_of_the_wrong_form_is_asked_for_again() -> None:
    """The model is told what is wrong; in the end the app is."""
    model = ScriptedModel(["Ada", '{"name": 1}', '{"name": "Ada"}', "no", "no"])
    agent = Agent("demo", model, output=Person, limits=Limits(max_output_retries=2))

    assert agent.run("who?").output == Person("Ada")
    with pytest.raises(OutputError, match="demanded form") as caught:
        agent.run("who?", limits=Limits(max_output_retries=1))
    assert caught.value.response.text == "no"
    assert "name" in model.asked[2].messages[-1].text  # type: ignore[union-attr]  # a user's words


def test_options_hold_for_one_run_or_for_all() -> None:
    """What is given to a run wins over what the agent has."""
    model = ScriptedModel(["a", "b"], tool_dialect="openai")
    web = ProviderTool("web_search")
    agent = Agent(
        "demo", model, tools=[search_docs], provider_tools=[web], max_tokens=9, temperature=0.5, options={"seed": 1}
    )

    agent.run("hi")
    agent.run("hi", max_tokens=3, tool_choice="any", parallel_calls=False, strict=True, options={})

    first, second = model.asked
    assert (first.max_tokens, first.temperature, first.options, first.parallel_calls) == (9, 0.5, {"seed": 1}, None)
    assert (second.max_tokens, second.temperature, second.options, second.parallel_calls) == (3, 0.5, {}, False)
    assert (first.tool_choice, second.tool_choice) == ("auto", "any")
    assert first.provider_tools == (web,)
    assert "strict" not in first.tools[0]["function"]
    assert second.tools[0]["function"]["strict"] is True


def test_strict_tools_are_chosen_where_the_provider_enforces_them() -> None:
    """And what the model sends for a left-out parameter is left out for the handler."""
    model = ScriptedModel(
        [ToolCall("", "search_docs", {"query": "x", "top_k": None}), "done"],
        provider="openai",
        tool_dialect="openai",
    )
    agent = Agent("demo", model, tools=[search_docs])

    response = agent.run("hi")

    assert model.asked[0].tools[0]["function"]["strict"] is True
    assert response.tool_calls[0].arguments == {"query": "x"}
    assert response.tool_results[0].text == '{"hits": ["x", "x", "x", "x", "x"]}'


@pytest.mark.parametrize("by_hand", [False, True])
def test_a_model_reads_of_tools_what_it_was_told(by_hand: bool) -> None:
    """Arguments that need repair come in its words, and what was expected is said in them."""

    @tool(name="tags.set")
    def set_tags(tags: dict[str, int]) -> str:
        """Set tags."""
        return f"{tags}"

    fenced = '```json\n{"tags": [{"name": "a", "value": 1}]}\n```'
    turn = [ToolCall("1", "tags_set", fenced), ToolCall("2", "tags_set", {"tags": 3}), ToolCall("3", "tags_sets")]
    agent = Agent("demo", ScriptedModel([turn, "done"], tool_dialect="openai"), tools=[set_tags], strict=True)
    results = agent.act(agent.think([UserMessage("hi")]).message.calls) if by_hand else agent.run("hi").tool_results

    assert [result.text for result in results] == [
        "{'a': 1}",
        "tags_set was not called; its arguments are wrong:\n- tags: expected object of integer, got 3\n"
        "Expected: {tags: list of {name: string, value: integer}}",
        "there is no tool 'tags_sets'; did you mean 'tags_set'?; available are tags_set",
    ]


def test_what_is_no_model_is_refused_when_it_is_needed() -> None:
    """An agent can be looked at without one."""
    agent = Agent("demo", object(), tools=[search_docs])

    assert repr(agent) == "<Agent demo: search_docs>"
    assert repr(Agent("bare", object())) == "<Agent bare: no tools>"
    for wrong in (agent, Agent("demo", ScriptedModel)):
        with pytest.raises(DefinitionError, match="is no model; pass one, or a name such as"):
            wrong.run("hi")


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda agent: agent.run(None), "the prompt is None; pass words, content, or a mapping for the template"),
        (lambda agent: agent.run(["hi", 3]), "the prompt is ('hi', 3); pass words, content, or a mapping for the"),
        (
            lambda agent: agent.run("hi", messages=[{"role": "user", "content": "hi"}]),
            "agent 'demo': message 0 is {'role': 'user', 'content': 'hi'}; pass messages, such as response.messages",
        ),
        (lambda agent: agent.think(["hi"]), "agent 'demo': message 0 is 'hi'; pass messages"),
        (lambda agent: agent.observe("hi", messages=[3]), "agent 'demo': message 0 is 3; pass messages"),
        (
            lambda agent: agent.run("hi", tool_choice="search_doc"),
            "tool_choice is 'search_doc', but no tool is called that; did you mean 'search_docs'?; there are search_docs",
        ),
        (
            lambda agent: agent.think([UserMessage("hi")], tool_choice="x"),
            "no tool is called that; there are search_docs",
        ),
    ],
)
def test_what_cannot_be_asked_is_refused(act: Any, message: str) -> None:
    """Before the model is."""
    model = ScriptedModel(["x"])

    with pytest.raises(DefinitionError, match=re.escape(message)):
        act(Agent("demo", model, tools=[search_docs]))
    assert model.asked == []


def test_a_choice_may_be_a_tool_of_the_provider() -> None:
    """By its name, its type or its server's label; without any tool there is nothing to choose."""
    server = ProviderTool("mcp", options={"server_label": "short"})
    for choice in ("web", "web_search", "short", "mcp", "any"):
        model = ScriptedModel(["x"])
        Agent("demo", model, provider_tools=[ProviderTool("web_search", "web"), server]).run("hi", tool_choice=choice)

        assert model.asked[0].tool_choice == choice
    with pytest.raises(DefinitionError, match="tool_choice is 'any', but there are no tools; add some, or leave it"):
        Agent("demo", ScriptedModel([])).run("hi", tool_choice="any")


def test_unknown_options_are_refused() -> None:
    """The error lists those that are known."""
    with pytest.raises(TypeError, match=r"Agent\(\) got an unexpected option 'temprature'; known are"):
        Agent("demo", object(), temprature=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"run\(\) got an unexpected option 'temprature'; known are"):
        Agent("demo", ScriptedModel([])).run("x", temprature=1)  # type: ignore[call-arg]


def test_text_is_content() -> None:
    """Content values make a prompt by themselves."""
    assert Agent("demo", object()).observe(Text("hi")).user_prompt == "hi"


class Ledger(Tool):
    """A tool that is open in a block only."""

    def __init__(self) -> None:
        self.log: list[str] = []
        self.as_("note").for_("Note.").using(lambda: "noted")

    def __enter__(self) -> Self:
        self.log.append("open")
        return self

    def __exit__(self, *_: object) -> None:
        self.log.append("closed")


SAID = {
    "id": "r",
    "object": "chat.completion",
    "model": "m",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": "hello"}, "finish_reason": "stop"}],
}


def test_an_agent_opens_its_tools_and_closes_its_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """The model, where the agent looked it up; a connection that stayed open would be a warning, which is an error."""
    ledger = Ledger()
    monkeypatch.setenv("OPENAI_API_KEY", "k")

    async def main(agent: Agent) -> str:
        async with agent:
            return (await agent.arun("hi")).text

    with serving([Answer.json(SAID), Answer.json(SAID)]) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        with Agent("demo", "openai:m", tools=[ledger]) as agent:
            text = agent.run("hi").text
            assert ledger.log == ["open"]
        texts = text, anyio.run(main, Agent("demo", "openai:m", tools=[ledger]))

    assert texts == ("hello", "hello")
    assert ledger.log == ["open", "closed"] * 2


def test_an_agent_leaves_a_model_open_that_it_was_given() -> None:
    """Whoever made it closes it; tools are opened all the same."""
    ledger = Ledger()

    async def main() -> str:
        async with Agent("demo", ScriptedModel(["hi"]), tools=[ledger]) as agent:
            return agent.run("x").text

    with Agent("demo", ScriptedModel(["hi"]), tools=[ledger]) as agent:
        assert agent.run("x").text == "hi"
    assert anyio.run(main) == "hi"
    assert ledger.log == ["open", "closed"] * 2


def test_an_engine_drives_a_run_in_other_hands() -> None:
    """It puts something around model and tools, names the events and shows the time; the state goes in and out."""
    agent = Agent("demo", ScriptedModel([]), tools=[search_docs], output={"type": "integer"})
    engine = Engine(
        model=lambda _: ScriptedModel(['{"value": 5}']),
        toolbox=lambda tools: tools,
        clock=lambda: 7.0,
        id="run",
        told=3,
    )

    state = agent.begin("How many?")
    run = agent.drive(state, engine)

    async def events() -> list[Any]:
        return [event async for event in run]

    told = anyio.run(events)
    assert (state.messages, state.steps) == ((UserMessage("How many?"),), ())
    assert [(event.id, event.timestamp) for event in told[:2]] == [("run-3", 7), ("run-4", 7)]
    assert run.told == 3 + len(told)
    assert (run.response.output, agent.output_of(run.state)) == (5, 5)


def test_an_agent_tells_its_options_for_tools() -> None:
    """Whoever runs its tools elsewhere runs them in the same way."""
    agent = Agent("demo", ScriptedModel([]), provide=[1], max_tokens=5)

    assert agent.run_options == {"provide": [1]}


@pytest.mark.parametrize("template", ["{", "{}", "{0}", "a } b"])
def test_a_template_that_cannot_be_filled_is_refused_at_once(template: str) -> None:
    """When the agent is made, not when it is first asked."""
    with pytest.raises(DefinitionError, match=r"agent 'demo': .*the prompt template"):
        Agent("demo", ScriptedModel([]), prompt_template=template)


def test_an_agent_is_a_tool_of_another() -> None:
    """As a function that runs it, sync or async, whoever drives the outer one."""
    inner = Agent("inner", ScriptedModel(["two", "two"]))

    def ask_inner(question: str) -> str:
        """Ask the other agent."""
        return inner.run(question).text

    def outer() -> Agent:
        return Agent(
            "outer", ScriptedModel([ToolCall("", "ask_inner", {"question": "1 + 1?"}), "done"]), tools=[ask_inner]
        )

    assert [result.text for result in outer().run("go").tool_results] == ["two"]
    assert [result.text for result in anyio.run(outer().arun, "go").tool_results] == ["two"]
