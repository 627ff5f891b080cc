"""Making tools of what was found."""

import contextlib
import importlib
import inspect
from pathlib import Path

import pytest

from prismpy.cli._contents import contents_of
from prismpy.cli._location import Location
from prismpy.cli._targets import Refused
from prismpy.cli._usage import UsageError


@pytest.fixture
def target(here: Path) -> Path:
    return here / "target_of_test.py"


@pytest.mark.parametrize(
    "module",
    ["difflib", "json", "math", "os", "os.path", "random", "shutil", "statistics", "textwrap", "time", "urllib.parse"],
)
def test_every_public_function_is_made_or_refused(module: str) -> None:
    """None is dropped, and every refusal says why."""
    held = vars(importlib.import_module(module))
    public = held.get("__all__") or [name for name in held if not name.startswith("_")]
    functions = {id(held[name]) for name in public if inspect.isroutine(held[name])}

    contents = contents_of(module)

    assert len(contents.tools) + len(contents.refused) == len(functions)
    assert all(refused.reason for refused in contents.refused)


@pytest.mark.parametrize("module", ["difflib", "json", "shutil", "statistics", "textwrap", "urllib.parse"])
def test_modules_in_python_are_made_whole(module: str) -> None:
    """Every one of their functions can be a tool."""
    assert contents_of(module).refused == ()


def test_what_cannot_be_made_is_refused_with_its_reason(target: Path) -> None:
    """The reason names the parameter; the location is that of the function."""
    target.write_text("def a(f: type[int]): ...\ndef b(x: int): ...\n")

    contents = contents_of("target_of_test.py")

    assert [made.name for made in contents.tools] == ["b"]
    assert contents.refused == (
        Refused(
            "a",
            "tool 'a': parameter 'f': type[int] has no JSON form; annotate it with a type that JSON knows, "
            "mark it as Injected, give it a default, or bind it with functools.partial",
            Location(str(target), 1),
        ),
    )


def test_what_raises_while_it_is_made_is_refused(target: Path) -> None:
    """The constructor of a subclass may fail in its own ways."""
    target.write_text(
        "from prismpy import Tool\nclass A(Tool):\n    def __init__(self):\n        raise OSError('no\\nnet')\n"
    )

    assert contents_of("target_of_test.py").refused == (Refused("A", "OSError: no net", Location(str(target), 3)),)


def test_what_is_no_tool_in_a_list_is_refused(target: Path) -> None:
    """Nothing in a list is dropped."""
    target.write_text("listed = [len, 3]\n")

    contents = contents_of("target_of_test.py:listed")

    assert [made.name for made in contents.tools] == ["listed.0"]
    assert contents.refused == (
        Refused("listed.1", "3 is no tool; pass a Tool, a function, an object with __call__ or an MCP tool"),
    )


def test_nothing_is_in_the_contents_twice(target: Path) -> None:
    """A tool under two names and in a toolbox is one tool, as is a function under two names."""
    target.write_text(
        "from prismpy import Tool, Toolbox, tool\n"
        "@tool\ndef a(): ...\n"
        "b = a\n"
        "c = Tool.as_('c')\n"
        "box = Toolbox([a, c, len])\n"
    )
    (target.parent / "functions_of_test.py").write_text("def a(): ...\nb = a\n_c = a\n")

    assert [made.name for made in contents_of("target_of_test.py").tools] == ["a", "c", "box.len"]
    assert [made.name for made in contents_of("functions_of_test.py").tools] == ["a"]


def test_a_tool_stands_where_its_handler_stands(three: Path) -> None:
    """That is where people look for it; a tool without handler stands nowhere."""
    three.write_text(three.read_text() + "\nalone = Tool.as_('alone')\n")

    assert [made.location for made in contents_of("three.py").tools] == [
        Location(str(three), 15),
        Location(str(three), 23),
        Location(str(three), 28),
        None,
    ]


LAZY = """
from prismpy import Tool
class Settings:
    @property
    def __class__(self):
        raise RuntimeError("not configured")
settings = Settings()
class Leaves(Tool):
    def __init__(self):
        raise SystemExit(0)
    def __call__(self): ...
def plain(n: int): ...
loop = []
loop.append(loop)
plain.__wrapped__ = plain
"""


def test_what_a_module_holds_cannot_break_the_look_at_it(target: Path) -> None:
    """Proxies that answer for what is not loaded, constructors that leave, lists and functions that go round."""
    target.write_text(LAZY)
    contents = contents_of("target_of_test.py")

    assert contents.tools == ()
    assert [(one.name, one.reason) for one in contents.refused] == [("Leaves", "SystemExit: 0")]
    assert contents_of("target_of_test.py:loop").refused == (Refused("loop.0", "the list contains itself"),)
    assert [one.name for one in contents_of("target_of_test.py:plain").refused] == ["plain"]


def test_a_tool_is_found_by_its_own_name(here: Path) -> None:
    """What `list` shows can be typed; a name that no tool has is told as one that the module does not hold."""
    (here / "named.py").write_text("from prismpy import Tool\nvariable = Tool.as_('forecast')\n")

    assert [made.spec.name for made in contents_of("named.py:forecast").tools] == ["forecast"]
    with pytest.raises(UsageError, match=r"^named\.py holds no 'forcast'"):
        contents_of("named.py:forcast")
    with pytest.raises(UsageError, match=r"^no_such\.py is no file"):
        contents_of("no_such.py:forecast")


@pytest.mark.parametrize("name", ["forecast", "tool", "nothing"])
def test_a_file_runs_once(here: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Whether what is asked for is the name of a tool, of an object, or of nothing."""
    (here / "once.py").write_text(
        "from prismpy import Tool\nprint('run')\ntool = Tool.as_('forecast').using(lambda: '')\n"
    )
    with contextlib.suppress(UsageError):
        contents_of(f"once.py:{name}")

    assert capsys.readouterr().out == "run\n"
