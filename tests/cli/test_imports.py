"""Importing modules and files, and what is said when that fails."""

import importlib.util
import sys
import sysconfig
from pathlib import Path

import pytest

from prismpy.cli._imports import import_place, submodules
from prismpy.cli._usage import UsageError


def message_of(place: str) -> str:
    with pytest.raises(UsageError) as raised:
        import_place(place)
    return str(raised.value)


# --- files --------------------------------------------------------------------


def test_a_file_finds_its_neighbours(here: Path) -> None:
    """The folder of a file is looked in first, as with `python file.py`, wherever the command is typed."""
    (here / "sub").mkdir()
    (here / "sub" / "main_of_test.py").write_text("import neighbour_of_test as neighbour")
    (here / "sub" / "neighbour_of_test.py").write_text("value = 1")

    assert import_place("sub/main_of_test.py").neighbour.value == 1


def test_a_file_is_read_as_it_stands(here: Path) -> None:
    """Neither the module of an earlier import nor what it left in `__pycache__` stands in for a changed file."""
    file = here / "changing.py"
    file.write_text("value = 1")
    first = import_place("changing.py").value
    file.write_text("value = 2")

    assert (first, import_place("changing.py").value) == (1, 2)
    assert sys.modules["changing"].value == 2


def test_a_file_that_imports_by_dots_is_a_module_of_its_package(here: Path) -> None:
    """As Python would import it, from the folder that its outermost package is in."""
    inner = here / "outer_of_test" / "inner"
    inner.mkdir(parents=True)
    (here / "outer_of_test" / "__init__.py").write_text("value = 1")
    (inner / "__init__.py").write_text("from .. import value")
    (inner / "tools.py").write_text("from . import value\nfrom ..other import twice\n")
    (here / "outer_of_test" / "other.py").write_text("def twice(): pass")

    for place, name in (("tools.py", "outer_of_test.inner.tools"), ("__init__.py", "outer_of_test.inner")):
        module = import_place(f"outer_of_test/inner/{place}")
        assert (module.__name__, module.value) == (name, 1)


def test_a_file_of_a_package_that_is_called_like_a_module_in_use(here: Path) -> None:
    """Its package is loaded under a name of its own."""
    (here / "json").mkdir()
    (here / "json" / "__init__.py").write_text("")
    (here / "json" / "tools.py").write_text("from . import more\nvalue = more.value")
    (here / "json" / "more.py").write_text("value = 1")
    before = sys.modules["json"]

    assert (import_place("json/tools.py").value, sys.modules["json"]) == (1, before)


def test_dots_outside_a_package_are_told(here: Path) -> None:
    """By Python's own words; so are those of a file that is no Python."""
    (here / "alone.py").write_text("from . import other")
    (here / "broken").mkdir()
    (here / "broken" / "__init__.py").write_text("")
    (here / "broken" / "tools.py").write_text("from . import (")

    assert "alone.py cannot be imported: ImportError: attempted relative import" in message_of("alone.py")
    assert "broken/tools.py cannot be imported: SyntaxError" in message_of("broken/tools.py")


def test_a_file_leaves_the_module_of_its_name_alone(here: Path) -> None:
    """A file that is called like a module in use is loaded under a name of its own."""
    (here / "json.py").write_text("value = 1")
    before = sys.modules["json"]

    module = import_place("json.py")

    assert (module.__name__, module.value, sys.modules["json"]) == ("json_", 1, before)


def test_a_file_may_have_any_name(here: Path) -> None:
    """Dots, dashes and a missing suffix are no obstacle."""
    for name in ("my.tools.py", "my-tools.py", "script"):
        (here / name).write_text("value = __name__")

    assert [import_place(place).value for place in ("my.tools.py", "my-tools.py", "./script")] == [
        "my_tools",
        "my-tools",
        "script",
    ]


def test_a_missing_file_is_told_with_the_nearest(here: Path) -> None:
    """The files of the folder are known."""
    (here / "tools.py").touch()

    assert message_of("tool.py") == "tool.py is no file; name a Python file or a module; did you mean 'tools.py'?"


def test_a_folder_is_told_with_its_files(here: Path) -> None:
    """A folder is no target; what in it might be is named."""
    (here / "a.py").touch()

    assert message_of(".") == ". is a folder; name a Python file or a module, such as a.py"
    assert message_of("..") == ".. is a folder; name a Python file or a module"


def test_a_path_that_cannot_be_is_told() -> None:
    """What the file system itself refuses to look up is a mistake like any other."""
    assert message_of("a" * 5000 + ".py").startswith("a" * 5000 + ".py: OSError: ")


# --- modules ------------------------------------------------------------------


def test_the_current_folder_is_looked_in(here: Path) -> None:
    """A module need not be installed."""
    (here / "local_of_test.py").write_text("value = 1")

    assert import_place("local_of_test").value == 1


def test_a_module_here_wins_over_one_in_use(here: Path) -> None:
    """A module that Python has loaded already does not stand in for the user's own of that name."""
    (here / "inspect.py").write_text("value = 1")
    before = sys.modules["inspect"]

    assert import_place("inspect").value == 1
    assert sys.modules["inspect"] is before


def test_a_package_here_wins_over_one_in_use(here: Path) -> None:
    """The same holds for the modules of a package, which find each other."""
    (here / "json").mkdir()
    (here / "json" / "__init__.py").write_text("from .mine import value")
    (here / "json" / "mine.py").write_text("value = 1")

    assert import_place("json").value == 1
    assert import_place("json.mine").value == 1


def test_a_module_in_use_is_found_where_nothing_is_here() -> None:
    """A module from elsewhere is the one that Python has."""
    assert import_place("json") is sys.modules["json"]
    assert import_place("sys") is sys


def test_a_module_in_use_from_here_is_not_loaded_twice(here: Path) -> None:
    """What was imported from the current folder stays what it is."""
    (here / "once_of_test.py").touch()

    assert import_place("once_of_test") is import_place("once_of_test")


def test_a_folder_of_leftovers_hides_nothing(here: Path) -> None:
    """A folder without code, such as one with an old `__pycache__`, does not stand in for a module."""
    (here / "json" / "__pycache__").mkdir(parents=True)

    assert import_place("json") is sys.modules["json"]


def test_an_unknown_module_is_told_with_the_nearest() -> None:
    """The modules that could be imported are known."""
    assert message_of("jsn") == "there is no module 'jsn'; did you mean 'json'?"
    assert message_of("email.mim") == "there is no module 'email.mim'; did you mean 'mime'?"
    assert message_of("json.decoder.x") == "there is no module 'json.decoder.x'"


@pytest.mark.parametrize("name", ["winreg", "termios"])
def test_a_module_of_another_system_is_not_told_as_its_own_nearest(name: str) -> None:
    """Python knows the names of modules that it has on other systems only."""
    if importlib.util.find_spec(name) is None:
        assert name not in message_of(name).replace(f"there is no module {name!r}", "")


def test_an_object_written_like_a_module_is_told_how_to_write_it() -> None:
    """Who forgets the colon reads where it belongs."""
    assert message_of("json.JSONDecoder.decode") == (
        "there is no module 'json.JSONDecoder'; for what is in json, write json:JSONDecoder.decode"
    )


@pytest.mark.parametrize("name", ["", "json.", "a..b"])
def test_what_cannot_be_a_name_is_told(name: str) -> None:
    """Empty parts name nothing."""
    assert message_of(name) == f"{name!r} names no module; write it as package.module"


def test_a_vanished_folder_is_told(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a current folder nothing can be looked up in it."""
    (here / "gone").mkdir()
    monkeypatch.chdir(here / "gone")
    (here / "gone").rmdir()

    assert message_of("json").startswith("json: FileNotFoundError: ")


def test_submodules_are_those_of_a_package() -> None:
    """A plain module has none."""
    assert submodules(import_place("json")) == ["decoder", "encoder", "scanner", "tool"]
    assert submodules(import_place("textwrap")) == []


# --- what raises --------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("\n1 / 0", "ZeroDivisionError: division by zero (raising.py, line 2)"),
        ("def f(:", "SyntaxError: invalid syntax (raising.py, line 1)"),
        ("import no_such_module", "ModuleNotFoundError: No module named 'no_such_module' (raising.py, line 1)"),
        ("import sys\nsys.exit('bye\\nbye')", "SystemExit: bye bye (raising.py, line 2)"),
        ("raise Exception('x' * 999)", f"Exception: {'x' * 486}... (raising.py, line 1)"),
    ],
)
@pytest.mark.parametrize("place", ["raising.py", "raising"])
def test_what_a_target_raises_is_one_line(here: Path, place: str, code: str, error: str) -> None:
    """The line names the target, the exception, and where in the target it was raised."""
    (here / "raising.py").write_text(code)

    assert message_of(place) == f"{place} cannot be imported: {error}"


def test_a_module_missing_deep_inside_is_no_unknown_target(here: Path) -> None:
    """That a dependency is missing is told as what the target raised, from wherever it was raised."""
    (here / "sub").mkdir()
    (here / "sub" / "deep_of_test.py").write_text("import no_such_module")
    (here / "outer_of_test.py").write_text("import sys; sys.path.append('sub'); import deep_of_test")

    assert message_of("outer_of_test") == (
        "outer_of_test cannot be imported: ModuleNotFoundError: No module named 'no_such_module' "
        "(outer_of_test.py, line 1)"
    )


def test_an_exception_from_elsewhere_has_no_line(here: Path) -> None:
    """A line is told only if it is one of the target's folder."""
    (here / "sub").mkdir()
    (here / "sub" / "__init__.py").touch()
    (here / "sub" / "inner.py").write_text("1 / 0")

    assert message_of("sub.inner") == "sub.inner cannot be imported: ZeroDivisionError: division by zero"


def test_ctrl_c_passes_through(here: Path) -> None:
    """Who interrupts an import interrupts the command."""
    (here / "waiting.py").write_text("raise KeyboardInterrupt")

    with pytest.raises(KeyboardInterrupt):
        import_place("waiting.py")


def test_looking_twice_in_a_folder_lists_it_once(here: Path) -> None:
    """`sys.path` does not grow with every import."""
    (here / "path_of_test.py").touch()
    import_place("path_of_test")
    before = list(sys.path)

    import_place("path_of_test.py")

    assert sys.path == before
    assert sysconfig.get_path("stdlib") in before
