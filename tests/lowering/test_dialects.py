"""Dialects of one's own."""

from collections.abc import Iterator

import attrs
import pytest

from prismpy import (
    DefinitionError,
    Dialect,
    LoweringError,
    StringSchema,
    Tool,
    Toolbox,
    ToolCall,
    dialect,
    known_providers,
    register_dialect,
    tool,
)
from prismpy.lowering import Limits, Names, Subset, has_strict_mode, strict_providers
from prismpy.lowering._dialects import _TABLE


@pytest.fixture(autouse=True)
def _untouched() -> Iterator[None]:
    """Leave the table as it was."""
    before = dict(_TABLE)
    yield
    _TABLE.clear()
    _TABLE.update(before)


def lookup() -> Tool:
    return Tool.as_("look.up").for_("Look up").with_string_parameter("word", "A word", max_length=9)


def label(tags: dict[str, int]) -> str:
    """Label things."""
    return ""


def test_one_can_be_derived() -> None:
    """It is used by its name, like any other."""
    register_dialect(attrs.evolve(dialect("openai"), name="mine", names=Names("a-z_.", most=8), strict=None))

    assert "mine" in known_providers()
    assert (has_strict_mode("mine"), "mine" in strict_providers()) == (False, False)
    assert lookup().to("mine") == {
        "type": "function",
        "function": {**lookup().to("openai")["function"], "name": "look.up"},
    }


def test_one_that_is_derived_keeps_the_rules_of_options() -> None:
    """Options are held against them, and examples translated, as for the one that it was derived from."""
    register_dialect(attrs.evolve(dialect("anthropic"), name="mine"))
    taught = tool(label).with_provider_options("mine", input_examples=[{"tags": {"a": 1}}])

    assert taught.to("mine", strict=True)["input_examples"] == [{"tags": [{"name": "a", "value": 1}]}]
    with pytest.raises(LoweringError, match="mine does not take this cache_control"):
        taught.with_provider_options("mine", cache_control=True).to("mine")


def test_one_can_be_written() -> None:
    """The subset says what it takes, the wrapping how it is sent."""
    register_dialect(
        Dialect(
            "tiny",
            lambda spec, parameters, options: [spec.name, parameters, dict(options)],
            source="made up",
            strict=Subset(keywords=frozenset({"maxLength"}), closed=False, limits=Limits(levels=1)),
        )
    )

    assert lookup().to("tiny", strict=True) == [
        "look.up",
        {
            "type": "object",
            "properties": {"word": {"type": "string", "maxLength": 9, "description": "A word"}},
            "required": ["word"],
        },
        {"strict": True},
    ]


def test_one_of_a_known_name_replaces_it() -> None:
    """What was compiled for the other is not used again."""
    before = lookup().lower("openai", strict=True).schema["properties"]["word"]
    known = dialect("openai")
    assert known.strict is not None
    wider = attrs.evolve(known.strict, keywords=known.strict.keywords | {"maxLength"})
    register_dialect(attrs.evolve(known, strict=wider))

    assert before == {"type": "string", "description": "A word. at most 9 characters"}
    assert lookup().lower("openai", strict=True).schema["properties"]["word"] == {
        "type": "string",
        "maxLength": 9,
        "description": "A word",
    }


def test_one_needs_a_name() -> None:
    """Nobody could use it without."""
    with pytest.raises(DefinitionError, match=r"a dialect needs a name, by which to\(\) knows it"):
        register_dialect(attrs.evolve(dialect("openai"), name=""))


@pytest.mark.parametrize("maker", ["openai", "openai-responses"])
def test_compatible_servers_are_told_of_functions_only(maker: str) -> None:
    """In the maker's words, strict or not; texts are objects, options and searches of the maker stay away."""
    other = f"{maker}-compatible"
    query = Tool.as_("query").for_("Ask").with_string_parameter("sql", "One statement").using(lambda sql: sql)
    text = query.takes_free_text('start: "a"').with_output(StringSchema("", ""))
    with_options = lookup().with_provider_options(
        "openai-responses", defer_loading=True, namespace={"name": "crm", "description": "C"}
    )
    deferred = Toolbox([lookup().deferred(), query])

    assert lookup().to(other, strict=True) == lookup().to(maker, strict=True)
    assert with_options.to(other) == lookup().to(maker)
    assert [change.rule for change in text.explain(other).changes] == ["grammar"]
    assert text.to(other).keys() == lookup().to(maker).keys()
    assert (
        Toolbox([text]).run([ToolCall("1", "query", '{"sql": "a"}')], offer=Toolbox([text]).offer(other))[0].text == "a"
    )
    assert [tool.get("function", tool)["name"] for tool in deferred.to(other)] == ["query", "search_tools"]
