"""A look at tools as a whole."""

import pytest

from prismpy import Finding, Tool, Toolbox, UnknownProviderError, known_providers, tool
from prismpy.review import RULES, Size, review

WEATHER = (
    Tool.as_("weather")
    .for_("Get the forecast for a place")
    .with_string_parameter("city", "Where, by its English name", max_length=80)
    .with_integer_parameter("days", "How far ahead", minimum=1)
)


def test_a_good_tool_is_found_nothing_about() -> None:
    """Where nothing is lost, only the sizes remain."""
    looked = review([WEATHER.spec], ["openai", "mcp"])

    assert looked.findings == ()
    assert looked.sizes == (Size("weather", "openai", 347, 74), Size("weather", "mcp", 317, 68))
    assert str(looked) == "nothing found"


def test_all_providers_are_looked_at_unless_some_are_named() -> None:
    """Each is measured, in the order of the table."""
    assert [size.provider for size in review([WEATHER.spec]).sizes] == list(known_providers())


def test_what_strict_modes_lose_is_found_once_for_all() -> None:
    """A finding names its providers; those without a strict mode are looked at as they are."""
    looked = review([WEATHER.spec], ["openai", "openai-responses", "anthropic", "mcp"], strict=True)

    assert looked.findings == (
        Finding(
            "lost",
            "weather",
            "$.properties.city.maxLength",
            'unsupported-keyword, told in words only: 80 -> "at most 80 characters"',
            ("openai", "openai-responses", "anthropic"),
        ),
        Finding(
            "lost",
            "weather",
            "$.properties.days.minimum",
            'unsupported-keyword, told in words only: 1 -> "at least 1"',
            ("anthropic",),
        ),
    )
    assert str(looked).splitlines()[1] == (
        "weather: $.properties.days.minimum: lost: unsupported-keyword, told in words only: "
        '1 -> "at least 1" (anthropic)'
    )


def test_what_a_provider_refuses_has_no_size_there() -> None:
    """The finding says what the export would."""
    undocumented = Tool.as_("t").for_("Look something up").with_provider_options("openai-responses", no_such=1)
    looked = review([undocumented.spec], ["openai-responses", "mcp"])

    assert [(one.rule, one.tool, one.path, one.providers) for one in looked.findings] == [
        ("refused", "t", "", ("openai-responses",))
    ]
    assert looked.findings[0].message.startswith("openai-responses documents no tool option 'no_such'")
    assert [size.provider for size in looked.sizes] == ["mcp"]


def many_cached() -> list[Tool]:
    described = [Tool.as_(f"t{i}").for_("Look something up") for i in range(5)]
    return [tool.with_provider_options("anthropic", cache_control={"type": "ephemeral"}) for tool in described]


def test_what_a_provider_refuses_of_all_together_is_found() -> None:
    """None of the tools has a size there; the others are looked at all the same."""
    looked = Toolbox(many_cached()).check("anthropic", "mcp")

    assert [(one.rule, one.tool, one.providers) for one in looked.findings] == [("refused", "", ("anthropic",))]
    assert looked.findings[0].message.startswith("anthropic takes cache_control on 4 tools of a request, 5 have it: ")
    assert [size.provider for size in looked.sizes] == ["mcp"] * 5


def test_types_that_say_nothing_and_parameters_left_out_are_found() -> None:
    """What reading the function could not settle is told in its words."""

    @tool
    def find(what=None, log: type[int] = int) -> None:  # type: ignore[no-untyped-def]
        """Look something up.

        Args:
            what: Anything that has a name
        """

    assert list(map(str, review([find.spec], ["mcp"]).findings)) == [
        "find: unknown-type: parameter 'what': its type is unknown, so any value is accepted",
        "find: left-out: parameter 'log' is left out: type[int] has no JSON form",
    ]


def test_names_in_common_are_found() -> None:
    """A provider could not tell the tools apart."""
    looked = review([WEATHER.spec, WEATHER.spec], ["mcp"])

    assert looked.findings == (
        Finding("duplicate-name", "weather", "", "2 tools are called so; rename all but one with as_()"),
    )


def test_a_finding_about_nothing_in_particular_is_one_line_too() -> None:
    """Without a tool, the rule comes first."""
    assert str(Finding("refused", "", "", "no")) == "refused: no"


def test_an_unknown_provider_is_answered_with_the_known() -> None:
    """Also where there are no tools."""
    with pytest.raises(UnknownProviderError):
        Toolbox([]).check("opnai")


def test_a_toolbox_can_be_looked_at() -> None:
    """Its tools are reviewed together."""
    assert Toolbox([WEATHER]).check("openai", strict=True) == review([WEATHER.spec], ["openai"], strict=True)


def test_every_rule_is_explained() -> None:
    """The rules that findings have are those of the table."""
    seen = {one.rule for one in review([Tool.as_("t t").with_string_parameter("x").spec], strict=True).findings}

    assert seen <= set(RULES)
