"""`check`, `lock` and `diff`: whole answers, and the exit codes."""

import json
from pathlib import Path

import pytest

from .conftest import Answer, Command

TOOLS = '''\
from prismpy import Tool, tool

forecast = (
    Tool.as_("forecast")
    .for_("Tell the weather of the coming days")
    .with_string_parameter("city", "The city")
    .with_integer_parameter("days", "How far ahead", required=False, minimum=1)
)

@tool
def search(query: str, log: type[int] = int) -> list[str]:
    """Look for pages.

    Args:
        query: Words to look for.
    """
    return []

class Remote(Tool):
    def __init__(self, url: str) -> None: ...
'''

GOOD = """\
from prismpy import Tool
now = Tool.as_("now").for_("Tell the time of day").with_string_parameter("zone", "Such as Europe/Oslo")
"""


@pytest.fixture
def good(here: Path) -> Path:
    """Write a file with a tool that nothing is to be said about."""
    file = here / "good.py"
    file.write_text(GOOD, "utf-8")
    return file


@pytest.fixture
def some(here: Path) -> Path:
    """Write a file with tools that something is to be said about."""
    file = here / "some.py"
    file.write_text(TOOLS, "utf-8")
    return file


# --- check --------------------------------------------------------------------


def test_check_tells_sizes_and_findings(prismpy: Command, some: Path) -> None:
    """A table, a line for each finding, and how many there are; the exit code is 1."""
    assert prismpy("check", "some.py", "--strict", "--to", "openai", "--to", "anthropic") == Answer(
        1,
        """
 bytes, ~ tokens     openai   anthropic
 ──────────────────────────────────────
 forecast           345 ~74     300 ~66
 search             251 ~52     222 ~48

 together          596 ~126    522 ~114

Remote: refused: parameter 'url': Remote is not made without it; make an instance in the module (some.py:20)
forecast: $.properties.city: vague-description: 'The city' says no more than the name 'city'
forecast: $.properties.days.minimum: lost: unsupported-keyword, told in words only: 1 -> "at least 1" (anthropic)
search: left-out: parameter 'log' is left out: type[int] has no JSON form
4 findings
""",
    )


def test_check_is_fine_with_good_tools(prismpy: Command, good: Path) -> None:
    """The exit code is 0; one tool needs no sum."""
    assert prismpy("check", "good.py", "--to", "mcp") == Answer(
        0,
        """
 bytes, ~ tokens       mcp
 ─────────────────────────
 now               208 ~45

nothing found
""",
    )


def test_check_answers_programs(prismpy: Command, some: Path) -> None:
    """Everything is in the JSON."""
    answer = prismpy("check", "some.py", "--to", "mcp", "--json")

    assert answer.code == 1
    assert json.loads(answer.out) == {
        "findings": [
            {
                "rule": "refused",
                "tool": "Remote",
                "path": "",
                "message": "parameter 'url': Remote is not made without it; make an instance in the "
                "module (some.py:20)",
                "providers": [],
            },
            {
                "rule": "vague-description",
                "tool": "forecast",
                "path": "$.properties.city",
                "message": "'The city' says no more than the name 'city'",
                "providers": [],
            },
            {
                "rule": "left-out",
                "tool": "search",
                "path": "",
                "message": "parameter 'log' is left out: type[int] has no JSON form",
                "providers": [],
            },
        ],
        "sizes": [
            {"tool": "forecast", "provider": "mcp", "bytes": 285, "tokens": 59},
            {"tool": "search", "provider": "mcp", "bytes": 207, "tokens": 42},
        ],
    }


def test_rules_can_be_ignored(prismpy: Command, some: Path) -> None:
    """What is left decides about the exit code."""
    ignored = [word for rule in ("vague-description", "left-out", "refused") for word in ("--ignore", rule)]

    answer = prismpy("check", "some.py", *ignored)

    assert (answer.code, answer.out.splitlines()[-1]) == (0, "nothing found")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--ignore", "lots"], "--ignore lots: there is no such rule; did you mean 'lost'?; known are refused, "),
        (["--to", "opnai"], "unknown provider 'opnai'; known are "),
        (["--locked", "--strict"], "--locked compares what the snapshot holds; leave out --to and --strict\n"),
        (["--locked", "--to", "mcp"], "--locked compares what the snapshot holds; leave out --to and --strict\n"),
        (["old.json"], "'old.json' is one word too many; to compare with a snapshot, write --locked too\n"),
        (["--locked"], "prismpy.lock.json is no file; write one with `prismpy lock`\n"),
        (
            ["--locked", "good.py"],
            "good.py cannot be read: JSONDecodeError: Expecting value: line 1 column 1 (char 0); ",
        ),
        (["--locked", "."], ". cannot be read: IsADirectoryError: "),
    ],
)
def test_wrong_words_are_answered_before_anything_is_imported(
    prismpy: Command, good: Path, words: list[str], message: str
) -> None:
    """The exit code is 2, and the target is not looked for."""
    answer = prismpy("check", "no_such.py", *words)

    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(f"prismpy: {message}")


# --- lock ---------------------------------------------------------------------


def test_what_is_locked_is_without_changes(prismpy: Command, good: Path) -> None:
    """The file goes where it is looked for."""
    assert prismpy("lock", "good.py") == Answer(0, "prismpy.lock.json: 1 tool\n")
    assert prismpy("check", "good.py", "--locked") == Answer(0, "nothing found\n")


def test_a_change_is_found(prismpy: Command, good: Path) -> None:
    """Each is one line; the exit code is 1."""
    prismpy("lock", "good.py", "--to", "openai", "--to", "mcp", "--out", "old.json")
    good.write_text(GOOD.replace("time of day", "date"), "utf-8")

    assert prismpy("check", "good.py", "--locked", "old.json") == Answer(
        1, 'now: $.description: changed: "Tell the time of day" -> "Tell the date"\n1 finding\n'
    )


def test_a_lock_reads_well_in_a_comparison(prismpy: Command, good: Path) -> None:
    """A value a line, with a line break at the end, in UTF-8."""
    good.write_text(GOOD.replace("time of day", "Zeit für \\ud800"), "utf-8")
    prismpy("lock", "good.py", "--to", "mcp")

    text = Path("prismpy.lock.json").read_text("utf-8")

    assert text.startswith('{\n  "prismpy_lock": 1,\n  "providers": [\n    "mcp"\n  ],\n  "tools": {\n    "now": {\n')
    assert text.endswith("}\n")
    assert '"description": "Tell the Zeit für \\ud800",\n' in text
    assert prismpy("check", "good.py", "--locked").code == 0


def test_what_can_be_no_tool_is_told_beside(prismpy: Command, some: Path) -> None:
    """The others are locked; but a check is not fine."""
    refusal = "Remote: parameter 'url': Remote is not made without it; make an instance in the module (some.py:20)\n"

    assert prismpy("lock", "some.py") == Answer(0, "prismpy.lock.json: 2 tools, 1 refused\n", "refused " + refusal)
    assert prismpy("check", "some.py", "--locked") == Answer(1, refusal.replace(":", ": refused:", 1) + "1 finding\n")


def test_names_in_common_cannot_be_locked(prismpy: Command, here: Path) -> None:
    """The answer says where both are."""
    (here / "twice.py").write_text(GOOD + "other = Tool.as_('now').using(lambda: 1)\n")

    answer = prismpy("lock", "twice.py")

    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("prismpy: two tools are called 'now' (now and twice.py:3); rename one with as_()")
    assert not Path("prismpy.lock.json").exists()


# --- diff ---------------------------------------------------------------------


def test_diff_stands_side_by_side(prismpy: Command, good: Path) -> None:
    """What is the same stands in one row, however deep; the rest is marked."""
    assert prismpy("diff", "good.py", "openai", "anthropic", "--strict") == Answer(
        0,
        """now

 openai strict: nothing changes                                 anthropic strict: nothing changes
 ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
 {                                                              {
   "type": "function",                                      <
   "function": {                                            <
     "name": "now",                                               "name": "now",
     "description": "Tell the time of day",                       "description": "Tell the time of day",
     "parameters": {                                        |     "input_schema": {
       "type": "object",                                            "type": "object",
       "properties": {                                              "properties": {
         "zone": {                                                    "zone": {
           "type": "string",                                            "type": "string",
           "description": "Such as Europe/Oslo"                         "description": "Such as Europe/Oslo"
         }                                                            }
       },                                                           },
       "required": [                                                "required": [
         "zone"                                                       "zone"
       ],                                                           ],
       "additionalProperties": false                                "additionalProperties": false
     },                                                           },
     "strict": true                                               "strict": true
   }                                                            }
 }                                                          <

""",
    )


def test_diff_answers_programs(prismpy: Command, some: Path) -> None:
    """Both tools whole, with what was changed."""
    answer = prismpy("diff", "some.py:forecast", "mcp", "anthropic", "--strict", "--json")

    assert answer.code == 0
    assert json.loads(answer.out) == {
        "forecast": {
            "mcp": {
                "strict": False,
                "tool": {
                    "name": "forecast",
                    "description": "Tell the weather of the coming days",
                    "inputSchema": {
                        "type": "object",
                        "properties": {
                            "city": {"type": "string", "description": "The city"},
                            "days": {"type": "integer", "description": "How far ahead", "minimum": 1},
                        },
                        "required": ["city"],
                        "additionalProperties": False,
                    },
                },
                "changes": [],
            },
            "anthropic": {
                "strict": True,
                "tool": {
                    "name": "forecast",
                    "description": "Tell the weather of the coming days",
                    "input_schema": {
                        "type": "object",
                        "properties": {
                            "city": {"type": "string", "description": "The city"},
                            "days": {"type": "integer", "description": "How far ahead. at least 1"},
                        },
                        "required": ["city"],
                        "additionalProperties": False,
                    },
                    "strict": True,
                },
                "changes": [
                    {
                        "rule": "unsupported-keyword",
                        "path": "$.properties.days.minimum",
                        "before": 1,
                        "after": "at least 1",
                        "lossy": True,
                    }
                ],
            },
        }
    }


def test_what_one_of_them_does_not_take_is_told(prismpy: Command, here: Path) -> None:
    """With nothing left to show, the exit code is 1."""
    (here / "odd.py").write_text(
        "from prismpy import Tool\na = Tool.as_('a').with_provider_options('openai-responses', no_such=1)\n"
    )
    answer = prismpy("diff", "odd.py", "mcp", "openai-responses")

    assert (answer.code, answer.out) == (1, "")
    assert answer.err.startswith("refused a: tool 'a': openai-responses documents no tool option 'no_such'")
    assert prismpy("diff", "no_such.py", "mcp", "opnai").err.startswith("prismpy: unknown provider 'opnai'")


MANY = """
from prismpy import Toolbox, Tool
box = Toolbox(Tool.as_(f"t{i}").with_provider_options("anthropic", cache_control={"type": "ephemeral"}) for i in range(5))
"""


@pytest.mark.parametrize("words", [("export", "--to", "anthropic"), ("diff", "mcp", "anthropic")])
def test_what_is_refused_of_all_together_is_told(prismpy: Command, here: Path, words: tuple[str, ...]) -> None:
    """It has no place in the file, and there is nothing to show."""
    (here / "many.py").write_text(MANY)
    command, *rest = words

    answer = prismpy(command, "many.py", *rest)

    assert answer.code == 1
    assert answer.err.startswith("refused: anthropic takes cache_control on 4 tools of a request, 5 have it: t0, t1,")
