"""Tools that take one text: as it is where a provider knows such tools, in an object elsewhere."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prismpy import Change, DefinitionError, LoweringError, Tool, Toolbox, ToolCall, known_providers, tool
from prismpy.lowering import dialect

LARK = 'start: "SELECT " /[a-z]+/'


def query(*grammar: str, **syntax: Any) -> Tool:
    return (
        Tool.as_("query")
        .for_("Ask the database")
        .with_string_parameter("sql", "One statement", max_length=99)
        .takes_free_text(*grammar, **syntax)
        .using(lambda sql: f"ran {sql}")
    )


def year() -> Tool:
    return Tool.as_("year").with_string_parameter("y").takes_free_text("[0-9]{4}", syntax="regex").using(lambda y: y)


# --- what is sent -------------------------------------------------------------


def test_providers_that_know_text_tools_are_told_so() -> None:
    """What was said of the text goes to the description, in words where it constrains."""
    said = "Ask the database\n\nOne statement. at most 99 characters"

    assert query().to("openai") == {"type": "custom", "custom": {"name": "query", "description": said}}
    assert query().to("openai-responses") == {"type": "custom", "name": "query", "description": said}


def test_a_grammar_goes_where_the_provider_wants_it() -> None:
    """Chat and Responses put it in two places."""
    assert query(LARK).to("openai")["custom"]["format"] == {
        "type": "grammar",
        "grammar": {"syntax": "lark", "definition": LARK},
    }
    assert query(LARK).to("openai-responses")["format"] == {"type": "grammar", "syntax": "lark", "definition": LARK}
    assert year().to("openai-responses") == {
        "type": "custom",
        "name": "year",
        "format": {"type": "grammar", "syntax": "regex", "definition": "[0-9]{4}"},
    }


OTHERS = [name for name in known_providers() if dialect(name).wrap_text is None]


@pytest.mark.parametrize("provider", OTHERS)
def test_others_are_told_of_an_ordinary_tool(provider: str) -> None:
    """It is the same as without."""
    plain = Tool.as_("query").for_("Ask the database").with_string_parameter("sql", "One statement", max_length=99)

    assert query().to(provider) == plain.to(provider)


@pytest.mark.parametrize("strict", [False, True])
def test_others_are_told_a_lark_grammar_in_words(strict: bool) -> None:
    """That is a loss, since nobody enforces it."""
    low = query(LARK).lower("anthropic", strict=strict)
    words = f"Obey this Lark grammar:\n{LARK}"

    assert low.schema["properties"]["sql"]["description"].startswith(f"One statement\n\n{words}")
    assert low.changes[0] == Change(
        "grammar", "$.properties.sql", {"grammar": LARK, "syntax": "lark"}, words, lossy=True
    )
    with pytest.raises(LoweringError, match="anthropic cannot say"):
        query(LARK).to("anthropic", on_loss="raise")


def test_a_regular_expression_is_a_pattern_for_others() -> None:
    """And is enforced here, whoever sent the call."""
    assert year().to("mcp")["inputSchema"]["properties"] == {"y": {"type": "string", "pattern": "^(?:[0-9]{4})$"}}
    assert year().run({"y": "1999"}).text == "1999"
    assert year().run({"y": "1999 AD"}).is_error


def test_a_regular_expression_that_python_cannot_compile_is_told_in_words() -> None:
    """As are those that a pattern of their own keeps from being one."""
    odd = Tool.as_("t").with_string_parameter("x").takes_free_text(r"\p{L}+", syntax="regex")

    assert odd.to("mcp")["inputSchema"]["properties"]["x"] == {
        "type": "string",
        "description": "Obey this regular expression, as a whole:\n\\p{L}+",
    }


def test_a_pattern_of_its_own_is_kept_beside_the_grammar() -> None:
    """Both hold, so the provider of text tools is told of the pattern in words."""
    both = Tool.as_("t").with_string_parameter("x", pattern="^a").takes_free_text("[a-z]+", syntax="regex")

    assert both.to("openai-responses")["description"] == "matching ^a"
    assert both.to("mcp")["inputSchema"]["properties"]["x"]["pattern"] == "^a"


def test_changes_are_told() -> None:
    """The first says that there is no object any more; bounds are lost."""
    low = query().explain("openai", strict=True)

    assert (low.strict, low.takes_text, low.is_lossy) == (False, True, True)
    assert str(low) == (
        "openai, plain: 2 changes, 1 lossy\n"
        '  $: free-text: {"type": "object", "properties": {"sql": {"type": "string... -> string\n'
        '  $.properties.sql.maxLength: unsupported-keyword, told in words only: 99 -> "at most 99 characters"'
    )


def test_options_of_text_tools_are_fewer() -> None:
    """What such a tool returns has no place."""
    made = query().with_provider_options("openai-responses", defer_loading=True, strict="auto")

    assert made.to("openai-responses")["defer_loading"] is True
    made.with_provider_options("openai-responses", output_schema={"type": "string"})
    with pytest.raises(LoweringError) as caught:
        made.to("openai-responses")
    assert str(caught.value) == (
        "tool 'query': openai-responses documents no tool option 'output_schema'; "
        "it documents allowed_callers, async, defer_loading, namespace, strict"
    )

    @tool
    def run(code: str) -> list[int]:
        """Run code."""
        return []

    assert "output_schema" not in run.takes_free_text().to("openai-responses")


# --- calls --------------------------------------------------------------------


@given(st.text())
def test_text_goes_there_and_back(text: str) -> None:
    """Whatever it is: JSON, nothing, or anything else."""
    low = query().lower("openai")

    assert low.encode({"sql": text}) == text
    assert low.decode(text) == {"sql": text}


@given(st.text())
def test_calls_go_there_and_back(text: str) -> None:
    """A provider sends the text itself as arguments."""
    offer = Toolbox([query()]).offer("openai-responses")
    sent, declared = ToolCall("1", "query", text), ToolCall("1", "query", {"sql": text})

    assert offer.decode(sent) == declared
    assert offer.encode(declared) == sent


def test_a_call_is_run_with_the_text_as_it_came() -> None:
    """Even if it looks like JSON, in UTF-8 too; without an offer, calls come as declared."""
    box = Toolbox([query()])
    offer = box.offer("openai")
    calls = [ToolCall("1", "query", '{"sql": 1}'), ToolCall("2", "query", "Zoë".encode()), ToolCall("3", "query", "")]

    assert [result.text for result in box.run(calls, offer=offer)] == ['ran {"sql": 1}', "ran Zoë", "ran "]
    assert box.run([ToolCall("1", "query", '{"sql": "x"}')])[0].text == "ran x"


def test_what_cannot_be_translated_is_left_alone() -> None:
    """The executor reports what is wrong with it."""
    offer = Toolbox([query()]).offer("openai")

    for arguments in ({"sql": "x"}, {}, None):
        assert offer.decode(ToolCall("1", "query", arguments)).arguments == arguments
    assert offer.encode(ToolCall("1", "query", {"other": 1})).arguments == {"other": 1}


def test_a_declared_bound_is_enforced_though_nobody_was_told() -> None:
    """The model reads what is wrong."""
    box = Toolbox([query()])
    result = box.run([ToolCall("1", "query", "x" * 100)], offer=box.offer("openai"))[0]

    assert (result.is_error, result.problems[0].path) == (True, "sql")


# --- what can be such a tool --------------------------------------------------


def test_a_function_can_be_one() -> None:
    """Its only parameter is the text; what a schema leaves open is closed."""

    @tool
    def run(code: str) -> str:
        """Run Python code.

        Args:
            code: The program.
        """
        return code

    assert run.takes_free_text().to("openai") == {
        "type": "custom",
        "custom": {"name": "run", "description": "Run Python code.\n\nThe program."},
    }
    foreign = {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}
    assert Tool.from_schema("t", "", foreign).takes_free_text().to("json-schema")["additionalProperties"] is False


@pytest.mark.parametrize(
    "made",
    [
        Tool.as_("t"),
        Tool.as_("t").with_integer_parameter("n"),
        Tool.as_("t").with_string_parameter("a", required=False),
        Tool.as_("t").with_string_parameter("a", nullable=True),
        Tool.as_("t").with_string_parameter("a").with_string_parameter("b"),
        Tool.as_("t").with_enum_parameter("a", "", ["x"]),
    ],
)
def test_anything_else_is_refused_when_it_is_used(made: Tool) -> None:
    """The error says what the tool takes."""
    with pytest.raises(
        DefinitionError, match=r"^tool 't': takes_free_text\(\) is for tools with one parameter, a text"
    ):
        _ = made.takes_free_text().spec


def test_an_unknown_syntax_is_refused() -> None:
    """At once, with the known ones."""
    with pytest.raises(DefinitionError) as caught:
        query("x", syntax="ebnf")

    assert str(caught.value) == "tool 'query': takes_free_text() got syntax 'ebnf'; use 'lark' or 'regex'"


# --- groups -------------------------------------------------------------------


def grouped(name: str, group: str = "crm", description: str = "Customers") -> Tool:
    return Tool.as_(name).with_provider_options(
        "openai-responses", namespace={"name": group, "description": description}
    )


def test_tools_of_one_namespace_are_one_element() -> None:
    """It stands where the first of them does; other providers know nothing of it."""
    box = Toolbox([Tool.as_("a"), grouped("b"), grouped("c", "erp"), query(), grouped("d")])
    offer = box.offer("openai-responses")

    shown = [(one["type"], one["name"], [each["name"] for each in one.get("tools", ())]) for one in offer.tools]
    assert shown == [
        ("function", "a", []),
        ("namespace", "crm", ["b", "d"]),
        ("namespace", "erp", ["c"]),
        ("custom", "query", []),
    ]
    assert offer.tool("d") == grouped("d").to("openai-responses")
    assert offer.tools == offer.tools
    assert [one.get("function", {}).get("name") for one in box.to("openai")] == ["a", "b", "c", None, "d"]


def test_one_tool_of_a_namespace_is_an_element_of_its_own() -> None:
    """As the request would hold it."""
    assert grouped("b").to("openai-responses") == {
        "type": "namespace",
        "name": "crm",
        "description": "Customers",
        "tools": [
            {
                "type": "function",
                "name": "b",
                "parameters": {"type": "object", "properties": {}, "additionalProperties": False},
                "strict": False,
            }
        ],
    }


def test_a_namespace_is_described_in_one_way() -> None:
    """Two tools that differ about it are refused."""
    with pytest.raises(LoweringError) as caught:
        Toolbox([grouped("a"), grouped("b", description="Others")]).to("openai-responses")

    assert str(caught.value) == (
        "tool 'b': another tool describes the namespace 'crm' otherwise; describe it in one way"
    )
    with pytest.raises(LoweringError, match="does not take this namespace: description"):
        Tool.as_("t").with_provider_options("openai-responses", namespace={"name": "x"}).to("openai-responses")
