"""What is found in a target, and under which name."""

import json
import statistics
from pathlib import Path

import pytest

from prismpy.cli._location import Location
from prismpy.cli._targets import Finding, Found, Refused, opened
from prismpy.cli._usage import UsageError


def find(target: str) -> tuple[Finding, ...]:
    place, path = opened(target)
    return place.find(path)


def names(findings: tuple[Finding, ...]) -> list[str]:
    """Name what was found; what was refused stands in brackets."""
    return [one.name if isinstance(one, Found) else f"[{one.name}]" for one in findings]


def message_of(target: str) -> str:
    with pytest.raises(UsageError) as raised:
        find(target)
    return str(raised.value)


@pytest.fixture
def target(here: Path) -> Path:
    file = here / "target_of_test.py"
    file.touch()
    return file


# --- modules without tools ----------------------------------------------------


def test_a_module_holds_what_it_exports() -> None:
    """`__all__` decides; classes in it are no functions."""
    assert find("json") == tuple(Found(name, getattr(json, name)) for name in ("dump", "dumps", "load", "loads"))
    assert names(find("statistics")) == [
        name for name in vars(statistics) if name in statistics.__all__ if name.islower()
    ]


def test_a_module_without_all_holds_its_own_public_functions(target: Path) -> None:
    """What it imported, what starts with an underscore and what is a class, is not meant."""
    target.write_text("from json import dumps\ndef b(): ...\ndef _c(): ...\nasync def a(): ...\nclass D: ...\ne = 3\n")

    assert names(find("target_of_test.py")) == ["b", "a"]


def test_a_module_in_c_holds_its_functions() -> None:
    """Builtins count as functions."""
    assert {"sqrt", "hypot", "gcd"} <= set(names(find("math")))


def test_exported_names_may_be_imported_or_private(target: Path) -> None:
    """Whoever lists a name in `__all__` means it."""
    target.write_text("from json import dumps\n__all__ = ['dumps', '_a', 3]\ndef _a(): ...\ndef b(): ...\n")

    assert names(find("target_of_test.py")) == ["dumps", "_a"]


def test_names_that_load_late_are_found(target: Path) -> None:
    """A name in `__all__` that a module makes on demand counts; one that it does not give is refused, not dropped."""
    target.write_text(
        "__all__ = ['late', 'gone']\n"
        "def __getattr__(name):\n"
        "    if name == 'late':\n"
        "        return lambda: None\n"
        "    raise AttributeError(name)\n"
    )

    late, gone = find("target_of_test.py")

    assert late.name == "late"
    assert gone == Refused("gone", "it is listed in __all__, but not to be had: AttributeError: gone")


def test_a_package_exports_modules_without_harm() -> None:
    """Modules that are listed in `__all__` and not loaded yet are no tools, but nothing is wrong with them."""
    assert message_of("xml") == (
        "xml holds no tools: no Tool, no Toolbox and no public function; look into its modules, such as xml.dom"
    )


def test_an_all_that_is_no_list_is_none(target: Path) -> None:
    """A broken `__all__` is as if it were not there."""
    target.write_text("__all__ = None\ndef a(): ...\n")

    assert names(find("target_of_test.py")) == ["a"]


def test_a_module_with_nothing_is_told(target: Path) -> None:
    """An empty answer would look like success."""
    assert message_of("target_of_test") == "target_of_test holds no tools: no Tool, no Toolbox and no public function"


# --- modules with tools -------------------------------------------------------


def test_tools_of_a_module_stand_for_it(three: Path) -> None:
    """With tools in a module its other functions are helpers; a class that needs arguments is refused."""
    three.write_text(three.read_text() + "\ndef helper(): ...\n_hidden = Tool.as_('hidden')\n")

    assert names(find("three.py")) == ["weather", "StoreMemory", "search_docs", "[Remote]"]


def test_a_subclass_that_needs_arguments_tells_which(three: Path) -> None:
    """The reason names the parameter, and where the constructor stands."""
    assert find("three.py")[-1] == Refused(
        "Remote",
        "parameter 'url': Remote is not made without it; make an instance in the module",
        Location(str(three), 40),
    )


def test_a_subclass_that_needs_arguments_hides_no_functions(target: Path) -> None:
    """A module whose only tool cannot be made still shows its functions."""
    target.write_text("from prismpy import Tool\nclass A(Tool):\n    def __init__(self, x): ...\ndef b(): ...\n")

    assert names(find("target_of_test.py")) == ["[A]", "b"]


def test_a_subclass_is_not_made_again(target: Path) -> None:
    """An instance in the module or in a toolbox stands for its class."""
    target.write_text(
        "from prismpy import Tool, Toolbox\n"
        "class A(Tool):\n    def __call__(self): ...\n"
        "class B(Tool):\n    def __call__(self): ...\n"
        "a = A()\n"
        "box = Toolbox([B])\n"
    )

    assert names(find("target_of_test.py")) == ["a", "box.b"]


def test_foreign_and_abstract_classes_are_no_tools(target: Path) -> None:
    """Bases for others, imported or abstract, are left to those who make them; imported tools count."""
    target.write_text(
        "import abc\nfrom prismpy import Tool, tool\nfrom three import StoreMemory, weather\n"
        "class Base(Tool, abc.ABC):\n    @abc.abstractmethod\n    def __call__(self): ...\n"
    )
    (target.parent / "three.py").write_text(
        "from prismpy import Tool\nclass StoreMemory(Tool): ...\nweather = Tool.as_('weather')\n"
    )

    assert names(find("target_of_test.py")) == ["weather"]


# --- objects ------------------------------------------------------------------


def test_an_object_is_found_by_its_path() -> None:
    """The path may lead through classes and modules."""
    assert find("json:dumps") == (Found("dumps", json.dumps),)
    assert names(find("datetime:datetime.now")) == ["datetime.now"]
    assert {"path.join", "path.split"} <= set(names(find("os:path")))


def test_toolboxes_and_lists_hold_others(target: Path) -> None:
    """Each name leads back to the one thing: by name in a toolbox, by place in a list."""
    target.write_text(
        "from prismpy import Tool, Toolbox\n"
        "def a(): ...\ndef b(): ...\n"
        "class C(Tool):\n    def __init__(self, x): ...\n"
        "box = Toolbox([a, b])\n"
        "all_of_them = [a, (b, box), C, 3]\n"
    )

    found = names(find("target_of_test.py:all_of_them"))

    assert found == [
        "all_of_them.0",
        "all_of_them.1.0",
        "all_of_them.1.1.a",
        "all_of_them.1.1.b",
        "[all_of_them.2]",
        "all_of_them.3",
    ]
    assert [names(find(f"target_of_test.py:{name}")) for name in found[:4]] == [[name] for name in found[:4]]


def test_an_empty_toolbox_is_told(target: Path) -> None:
    """There is nothing in it to show."""
    target.write_text("from prismpy import Toolbox\nbox = Toolbox([])\n")

    assert message_of("target_of_test.py:box") == (
        "target_of_test.py:box holds no tools: no Tool, no Toolbox and no public function"
    )


def test_a_tool_as_an_mcp_client_lists_it_is_found(target: Path) -> None:
    """It cannot be called, but it has a schema."""
    target.write_text("class Listed:\n    name, inputSchema = 'x', {'type': 'object'}\nlisted = Listed()\n")

    assert names(find("target_of_test.py:listed")) == ["listed"]


def test_a_spec_is_found(target: Path) -> None:
    """The value of a tool is as good as the tool."""
    target.write_text("from prismpy import Tool\nspec = Tool.as_('x').spec\n")

    assert names(find("target_of_test.py:spec")) == ["spec"]


METHODS = """
from prismpy import tool

class Shop:
    def plain(self): ...
    @staticmethod
    def static(): ...
    @classmethod
    def of_class(cls): ...
    @tool
    def marked(self): ...
    borrowed = len

class Meta(type):
    def __getattr__(cls, name):
        return lambda: None

class Dynamic(metaclass=Meta): ...

shop = Shop()
"""


@pytest.mark.parametrize(
    "path", ["Shop.static", "Shop.of_class", "Shop.borrowed", "shop.plain", "shop.marked", "Dynamic.x"]
)
def test_what_needs_no_instance_is_found(target: Path, path: str) -> None:
    """Static methods, class methods, bound methods, and functions that only hang at a class."""
    target.write_text(METHODS)

    assert names(find(f"target_of_test.py:{path}")) == [path]


@pytest.mark.parametrize(("path", "line"), [("Shop.plain", 5), ("Shop.marked", 10)])
def test_a_method_without_instance_is_refused(target: Path, path: str, line: int) -> None:
    """A model could not send `self`."""
    target.write_text(METHODS)

    assert find(f"target_of_test.py:{path}") == (
        Refused(
            path,
            f"parameter 'self': {path} needs an instance; make one in the module and name its {path[5:]}",
            Location(str(target), line),
        ),
    )


def test_a_method_in_c_without_instance_is_refused() -> None:
    """Builtin classes are no exception."""
    assert names(find("builtins:str.upper")) == ["[str.upper]"]


# --- mistakes -----------------------------------------------------------------


def test_an_unknown_object_is_told_with_the_nearest(target: Path) -> None:
    """Whatever holds it knows its names: a module, a class, a toolbox; a list has none."""
    target.write_text("from prismpy import Toolbox\ndef search(): ...\nbox = Toolbox([search])\nlisted = [search]\n")

    assert message_of("json:dupms") == "json holds no 'dupms'; did you mean 'dumps'?"
    assert message_of("json:JSONDecoder.decod") == "json:JSONDecoder holds no 'decod'; did you mean 'decode'?"
    assert message_of("target_of_test.py:box.serch") == "target_of_test.py:box holds no 'serch'; did you mean 'search'?"
    assert message_of("target_of_test.py:listed.1") == "target_of_test.py:listed holds no '1'"


def test_an_object_that_raises_is_told(target: Path) -> None:
    """What looking at it raises is one line."""
    target.write_text("class A:\n    @property\n    def b(self):\n        raise ValueError('no\\nno')\na = A()\n")

    assert message_of("target_of_test.py:a.b") == "target_of_test.py:a does not give 'b': ValueError: no no"


def test_an_object_that_is_no_tool_is_told() -> None:
    """A number is not meant to be one."""
    assert message_of("math:pi") == "math:pi is no tool, but of type float; name a tool, a function or a list of such"


def test_half_a_target_is_told() -> None:
    """A colon has something on both sides."""
    assert message_of("json:") == "'json:' has nothing behind its colon; write module:object"
    assert message_of(":dumps") == "':dumps' has nothing before its colon; write module:object"


@pytest.mark.parametrize("target", [r"C:\tools.py", "C:/tools.py"])
def test_the_colon_of_a_drive_names_no_object(target: str) -> None:
    """Paths of Windows are paths."""
    assert message_of(target) == f"{target} is no file; name a Python file or a module"
