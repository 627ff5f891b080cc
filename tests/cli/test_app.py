"""The commands as people type them: whole answers, and the exit codes."""

import json
from importlib.metadata import version
from pathlib import Path

import pytest

from prismpy.cli import main
from prismpy.cli._app import version_of

from .conftest import Answer, Command

REMOTE = (
    "refused Remote: parameter 'url': Remote is not made without it; make an instance in the module (three.py:40)\n"
)


def test_list_shows_a_table_and_what_is_refused(prismpy: Command, three: Path) -> None:
    """One row a tool with the first line of its description, then the refused ones, then how many."""
    assert prismpy("list", "three.py") == Answer(
        0,
        """
 name           parameters         description
 ────────────────────────────────────────────────────────────────
 weather        city: string       Get current weather conditions
                unit?: "c" | "f"
 store_memory   content: string    Remember a fact
 search_docs    query: string      Search a local doc index.
                top_k?: integer

"""
        + REMOTE
        + "3 tools, 1 refused\n",
    )


def test_list_says_where_there_are_no_parameters(prismpy: Command) -> None:
    """An empty cell might be a mistake; and one tool is a tool."""
    assert prismpy("list", "math:gcd") == Answer(
        0,
        """
 name   parameters   description
 ────────────────────────────────────────────
 gcd    (none)       Greatest Common Divisor.

1 tool
""",
    )


def test_list_folds_what_is_long(prismpy: Command, here: Path) -> None:
    """Where no terminal tells its width, a table has 120 columns; nothing is cut."""
    (here / "long.py").write_text(f'def {"f" * 150}(x: int):\n    "{"word " * 40}"\n')

    out = prismpy("list", "long.py").out

    assert max(map(len, out.splitlines())) <= 120
    assert out.count("f") == 150
    assert out.count("word") == 40


@pytest.mark.parametrize("command", ["list", "show"])
def test_list_and_show_answer_programs_alike(prismpy: Command, three: Path, command: str) -> None:
    """Everything is in the JSON: schemas, omitted parameters, refusals and where they stand."""
    answer = prismpy(command, "three.py", "--json")

    assert (answer.code, answer.err) == (0, "")
    assert json.loads(answer.out) == {
        "tools": [
            {
                "name": "weather",
                "description": "Get current weather conditions\nfor [bold]one[/bold] city",
                "parameters": {
                    "type": "object",
                    "properties": {
                        "city": {"type": "string", "description": "The city to get weather for"},
                        "unit": {"type": "string", "enum": ["c", "f"], "description": "Temperature unit"},
                    },
                    "required": ["city"],
                    "additionalProperties": False,
                },
                "omitted": {},
            },
            {
                "name": "store_memory",
                "description": "Remember a fact",
                "parameters": {
                    "type": "object",
                    "properties": {"content": {"type": "string"}},
                    "required": ["content"],
                    "additionalProperties": False,
                },
                "omitted": {},
            },
            {
                "name": "search_docs",
                "description": "Search a local doc index.",
                "parameters": {
                    "type": "object",
                    "properties": {
                        "query": {"type": "string", "description": "Search keywords."},
                        "top_k": {"type": "integer", "description": "Max number of hits to return.", "default": 5},
                    },
                    "required": ["query"],
                    "additionalProperties": False,
                },
                "omitted": {"log": "type[int] has no JSON form"},
            },
        ],
        "refused": [
            {
                "name": "Remote",
                "reason": "parameter 'url': Remote is not made without it; make an instance in the module",
                "file": str(three),
                "line": 40,
            }
        ],
    }


def test_show_tells_everything(prismpy: Command, three: Path) -> None:
    """Description, parameters, what is left out and how calls run; markup in a text is text."""
    assert prismpy("show", "three.py") == Answer(
        0,
        """\
weather  three.py:15
  Get current weather conditions
  for [bold]one[/bold] city

  city  string     required  The city to get weather for
  unit  "c" | "f"  optional  Temperature unit

  runs beside other concurrent calls
  may take 5 s
  sends anthropic {"cache_control": {"type": "ephemeral"}}

store_memory  three.py:23
  Remember a fact

  content  string  required

  runs only after approval

search_docs  three.py:28
  Search a local doc index.

  query  string   required   Search keywords.
  top_k  integer  default 5  Max number of hits to return.

  log is left out: type[int] has no JSON form

"""
        + REMOTE,
    )


def test_show_says_what_a_crash_may_do(prismpy: Command, here: Path) -> None:
    """A tool whose calls may not simply be run again says so."""
    code = "from prismpy import Tool\npay = Tool.as_('pay').using(lambda: '').with_crash_policy('at_most_once')\n"
    (here / "crash.py").write_text(code)

    said = "  takes effect at most once in a durable run that is killed\n"
    assert said in prismpy("show", "crash.py").out
    assert prismpy("explain", "crash.py", "--to", "openai").out.endswith(said)


def test_show_says_no_more_than_there_is(prismpy: Command, here: Path) -> None:
    """A tool that runs in the usual way has no notes."""
    (here / "plain.py").write_text("def plain(x: int = 0):\n    'Plain.'\n")

    assert prismpy("show", "plain.py") == Answer(0, "plain  plain.py:1\n  Plain.\n\n  x  integer  default 0\n\n")


RARE = """
import attrs
from typing import Any
from prismpy import Tool

@attrs.frozen
class Point:
    x: int
    next: "Point | None" = None

def open_ended(at: Point, **more: Any) -> None: ...

described = Tool.from_schema("described", "", {"properties": {"any": True}})
outside = Tool.as_("outside").external().with_retries(2).return_direct()
rare = (
    Tool.as_("rare")
    .without_error_handling()
    .using(open_ended)
)
worded = Tool.as_("worded").failed(lambda error, arguments: "sorry").using(lambda: 1)
code = Tool.as_("code").with_string_parameter("x").takes_free_text()
year = Tool.as_("year").with_string_parameter("x").takes_free_text("[0-9]+").external()
"""


def test_show_tells_what_is_rare(prismpy: Command, here: Path) -> None:
    """Types by name, open parameters, tools without handler, and unusual ways to fail."""
    (here / "rare.py").write_text(RARE)

    assert (
        prismpy("show", "rare.py").out
        == """\
described
  any  any value  optional

  has no handler: it is described here and run elsewhere

outside
  no parameters

  is external: it is described here and run elsewhere
  may be tried again 2 times
  its result is the answer of the run

rare  rare.py:11
  at  Point  required

  Point is {x: integer, next?: Point | null}
  takes further arguments
  lets its exceptions through

worded  rare.py:20
  no parameters

  words its failures itself

code
  x  string  required

  has no handler: it is described here and run elsewhere
  takes free text

year
  x  string  required

  is external: it is described here and run elsewhere
  takes free text by a lark grammar

"""
    )


def test_export_writes_a_list_and_tells_the_rest(prismpy: Command, three: Path) -> None:
    """What goes into a request is on standard output; what does not is on standard error."""
    answer = prismpy("export", "three.py", "--to", "json-schema", "--compact")

    assert answer.code == 0
    assert answer.err == REMOTE + "search_docs: parameter 'log' is left out: type[int] has no JSON form\n"
    assert answer.out.count("\n") == 1
    assert list(json.loads(answer.out)) == ["weather", "store_memory", "search_docs"]


def test_export_is_indented(prismpy: Command) -> None:
    """So that it can be read and compared; text is not escaped."""
    assert prismpy("export", "math:gcd", "--to", "anthropic") == Answer(
        0,
        """\
[
  {
    "name": "gcd",
    "description": "Greatest Common Divisor.",
    "input_schema": {
      "type": "object",
      "properties": {},
      "additionalProperties": false
    }
  }
]
""",
        "gcd: parameter '*integers' is left out: a model passes arguments by name only\n",
    )


def test_export_refuses_an_unknown_provider(prismpy: Command) -> None:
    """The message lists the known; nothing is imported for it."""
    answer = prismpy("export", "no_such_module", "--to", "opnai")

    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("prismpy: unknown provider 'opnai'; known are anthropic, ")


def test_export_refuses_two_tools_of_one_name(prismpy: Command, here: Path) -> None:
    """Nothing is exported."""
    (here / "twice.py").write_text("from prismpy import Tool\na = Tool.as_('x')\nb = Tool.as_('x')\n")

    assert prismpy("export", "twice.py", "--to", "mcp") == Answer(
        2, "", "prismpy: two tools are called 'x' (a and b); rename one with as_(), or export them apart\n"
    )


def test_a_target_of_refused_tools_only_fails(prismpy: Command, here: Path) -> None:
    """What can be told is told, and the exit code is 1."""
    (here / "bad.py").write_text("def f(x: type[int]): ...\n")
    reason = (
        "tool 'f': parameter 'x': type[int] has no JSON form; annotate it with a type that JSON knows, "
        "mark it as Injected, give it a default, or bind it with functools.partial"
    )
    line = f"refused f: {reason} (bad.py:1)\n"

    assert prismpy("list", "bad.py") == Answer(1, f"{line}0 tools, 1 refused\n")
    assert prismpy("show", "bad.py") == Answer(1, line)
    assert prismpy("export", "bad.py", "--to", "openai") == Answer(1, "[]\n", line)
    assert prismpy("list", "bad.py", "--json").code == 1
    assert json.loads(prismpy("show", "bad.py", "--json").out) == {
        "tools": [],
        "refused": [{"name": "f", "reason": reason, "file": str(here / "bad.py"), "line": 1}],
    }


def test_what_has_no_location_has_none_in_json(prismpy: Command, here: Path) -> None:
    """`file` and `line` are there, and null."""
    (here / "bad.py").write_text("listed = [3]\n")

    assert json.loads(prismpy("list", "bad.py:listed", "--json").out)["refused"] == [
        {
            "name": "listed.0",
            "reason": "3 is no tool; pass a Tool, a function, an object with __call__ or an MCP tool",
            "file": None,
            "line": None,
        }
    ]


@pytest.mark.parametrize("command", [["list"], ["show"], ["export", "--to", "mcp"], ["call"]])
def test_an_unknown_target_is_one_line(prismpy: Command, command: list[str]) -> None:
    """Every command says it in the same words."""
    assert prismpy(*command, "jsn") == Answer(2, "", "prismpy: there is no module 'jsn'; did you mean 'json'?\n")


def test_the_version_is_told(prismpy: Command) -> None:
    """It is that of the installed package; a checkout has none."""
    assert prismpy("--version") == Answer(0, f"prismpy {version_of('prismpy')}\n")
    assert version_of("typer") == version("typer")
    assert version_of("no-such-distribution") == "(not installed, run from its source)"


def test_without_a_command_there_is_help(prismpy: Command) -> None:
    """It names the commands; that there was none is a wrong usage."""
    answer = prismpy()

    assert answer.code == 2
    assert all(name in answer.out for name in ("list", "show", "export", "call", "--version"))


def test_main_is_the_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The door of the room opens it."""
    monkeypatch.setattr("sys.argv", ["prismpy", "--version"])

    with pytest.raises(SystemExit) as raised:
        main()

    assert (raised.value.code, capsys.readouterr().out.split()[0]) == (0, "prismpy")


EXPLAINED = """
from prismpy import Tool
short = Tool.as_("short").with_string_parameter("text", max_length=3)
same = Tool.as_("same").with_string_parameter("text")
"""


def test_explain_tells_what_changes(prismpy: Command, here: Path) -> None:
    """Each tool has its lines, or one that says that nothing changes."""
    (here / "explained.py").write_text(EXPLAINED)

    assert prismpy("explain", "explained.py", "--to", "openai").out == (
        "short: openai, strict: 1 change, 1 lossy\n"
        '  $.properties.text.maxLength: unsupported-keyword, told in words only: 3 -> "at most 3 characters"\n'
        "same: openai, strict: nothing changes\n"
    )
    assert (
        prismpy("explain", "explained.py:same", "--to", "mcp", "--plain").out == "same: mcp, plain: nothing changes\n"
    )


def test_explain_answers_programs(prismpy: Command, here: Path) -> None:
    """With `--json` the changes are data."""
    (here / "explained.py").write_text(EXPLAINED)

    assert json.loads(prismpy("explain", "explained.py", "--to", "openai", "--json").out) == {
        "short": [
            {
                "rule": "unsupported-keyword",
                "path": "$.properties.text.maxLength",
                "before": 3,
                "after": "at most 3 characters",
                "lossy": True,
            }
        ],
        "same": [],
    }


def test_explain_tells_the_plain_mode_where_there_is_no_strict_one(prismpy: Command, here: Path) -> None:
    """As it does where that is asked for; a name that a provider does not take is a change too."""
    (here / "explained.py").write_text(EXPLAINED.replace('"short"', '"so.short"'))

    assert prismpy("explain", "explained.py:same", "--to", "mcp").out == "same: mcp, plain: nothing changes\n"
    assert prismpy("explain", "explained.py", "--to", "anthropic", "--plain").out == (
        'so.short: anthropic, plain: 1 change\n  name: tool-name: "so.short" -> "so_short"\n'
        "same: anthropic, plain: nothing changes\n"
    )


def test_explain_tells_what_is_refused(prismpy: Command, here: Path) -> None:
    """Of the target, and by the provider; with nothing left, the exit code is 1."""
    (here / "refused.py").write_text(
        "from prismpy import Tool\n"
        "class Remote(Tool):\n    def __init__(self, url: str) -> None: ...\n"
        "odd = Tool.as_('odd').with_provider_options('anthropic', strict='yes')\n"
    )
    answer = prismpy("explain", "refused.py", "--to", "anthropic")

    assert (answer.code, answer.out) == (1, "")
    assert [line.partition(":")[0] for line in answer.err.splitlines()] == ["refused Remote", "refused odd"]
