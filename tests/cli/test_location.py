"""Where the code of a thing is found to stand."""

import functools
from pathlib import Path

import pytest

from prismpy import Tool
from prismpy.cli._location import Location, location_of

HERE = __file__


def plain() -> None: ...


@functools.wraps(plain)
def wrapper() -> None: ...


class Thing:
    def __init__(self) -> None:
        self.made = True

    def __call__(self) -> None: ...

    def method(self) -> None: ...


class Without: ...


@pytest.mark.parametrize(
    ("source", "line"),
    [
        pytest.param(plain, 14, id="function"),
        pytest.param(wrapper, 14, id="wrapped function"),
        pytest.param(functools.partial(functools.partial(plain)), 14, id="partial"),
        pytest.param(Thing, 22, id="class"),
        pytest.param(Thing(), 25, id="callable object"),
        pytest.param(Thing().method, 27, id="bound method"),
    ],
)
def test_location_is_the_first_line_of_the_code(source: object, line: int) -> None:
    """Wrappers and partials are looked through; of a class it is the constructor, of an object its `__call__`."""
    assert location_of(source) == Location(HERE, line)


@pytest.mark.parametrize("source", [len, Without, Without(), Tool.as_("chain"), 3, eval("lambda: 0")])  # noqa: S307
def test_what_is_in_no_file_has_no_location(source: object) -> None:
    """Builtins, classes without a constructor of their own, chains, and code that was made on the fly."""
    assert location_of(source) is None


def test_a_location_in_the_current_folder_is_shortened(here: Path) -> None:
    """People read the path as they would type it."""
    assert str(Location(str(here / "sub" / "tools.py"), 3)) == f"{Path('sub/tools.py')}:3"


def test_a_location_elsewhere_is_whole() -> None:
    """A path that leads out of the current folder is not made relative."""
    assert str(Location(HERE, 3)) == f"{HERE}:3"
