"""Which tools of a target go into a request."""

from pathlib import Path

import pytest

from prismpy import DefinitionError
from prismpy.cli._contents import contents_of
from prismpy.cli._export import export_all
from prismpy.cli._location import Location
from prismpy.cli._targets import Refused
from prismpy.cli._usage import UsageError

TWICE = """
from prismpy import Tool
a = Tool.as_("x").with_string_parameter("y")
b = Tool.as_("x").using(lambda y: y)
"""


def test_a_list_goes_into_a_request() -> None:
    """The elements are those that `Tool.to` returns, in order."""
    exported, refused = export_all(contents_of("math:gcd"), "mcp")

    assert (exported, refused) == (
        [
            {
                "name": "gcd",
                "description": "Greatest Common Divisor.",
                "inputSchema": {"type": "object", "properties": {}, "additionalProperties": False},
            }
        ],
        (),
    )


def test_schemas_go_by_name() -> None:
    """A schema does not say whose it is, so `json-schema` gives an object."""
    exported, _ = export_all(contents_of("math:gcd"), "json-schema")

    assert exported == {"gcd": {"type": "object", "properties": {}, "additionalProperties": False}}


def test_what_a_provider_does_not_take_is_refused(here: Path) -> None:
    """The other tools are exported."""
    (here / "names.py").write_text(
        "from prismpy import Tool\na = Tool.as_('a b').with_provider_options('anthropic', made_up=1).using(lambda: 1)\nc = Tool.as_('c.d')\n"
    )
    exported, refused = export_all(contents_of("names.py"), "anthropic")

    assert [one["name"] for one in exported] == ["c_d"]
    assert refused == (
        Refused(
            "a b",
            "tool 'a b': anthropic documents no tool option 'made_up'; it documents allowed_callers, cache_control, "
            "defer_loading, eager_input_streaming, input_examples, strict",
            Location(str(here / "names.py"), 2),
        ),
    )


def test_a_strict_mode_must_be_there_to_be_asked_for() -> None:
    """A provider that has one gets its subset; of another nothing is exported."""
    exported, _ = export_all(contents_of("textwrap:shorten"), "openai", strict=True)

    assert exported[0]["function"]["strict"] is True
    with pytest.raises(UsageError, match=r"^gemini has no strict mode; anthropic, bedrock, mistral, openai, "):
        export_all(contents_of("textwrap:shorten"), "gemini", strict=True)


def test_two_tools_of_one_name_are_refused(here: Path) -> None:
    """A provider could not tell them apart; the error says where each is."""
    (here / "twice.py").write_text(TWICE)

    with pytest.raises(DefinitionError, match=r"^two tools are called 'x' \(a and twice\.py:4\); rename one with as_"):
        export_all(contents_of("twice.py"), "openai")
