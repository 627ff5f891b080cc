"""Names that are local to a function, in annotations that are texts, as under `from __future__ import annotations`."""

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from prismpy import DefinitionError, FunctionTool, Toolbox, tool


def beside() -> FunctionTool[..., Any]:
    @dataclasses.dataclass
    class Leaf:
        size: int

    @tool
    def grow(leaf: "Leaf", more: "list[Leaf]") -> str:
        """Grow it."""
        return repr((leaf.size, [each.size for each in more]))

    return grow


def around() -> FunctionTool[..., Any]:
    @dataclasses.dataclass
    class Leaf:
        size: int

    def make() -> FunctionTool[..., Any]:
        @tool
        def grow(leaf: "Leaf", more: "list[Leaf]") -> str:
            """Grow it."""
            return repr((leaf.size, [each.size for each in more]))

        return grow

    return make()


def method() -> FunctionTool[..., Any]:
    @dataclasses.dataclass
    class Leaf:
        size: int

    class Garden:
        def grow(self, leaf: "Leaf", more: "list[Leaf]") -> str:
            """Grow it."""
            return repr((leaf.size, [each.size for each in more]))

    return tool(Garden().grow)


def below() -> FunctionTool[..., Any]:
    @tool
    def grow(leaf: "Leaf", more: "list[Leaf]") -> str:
        """Grow it."""
        return repr((leaf.size, [each.size for each in more]))

    @dataclasses.dataclass
    class Leaf:
        size: int

    assert "grow" in Toolbox([grow])  # which reads it
    return grow


@pytest.mark.parametrize("make", [beside, around, method, below])
def test_a_class_beside_a_function_is_found(make: Callable[[], FunctionTool[..., Any]]) -> None:
    """Where it is read while the function around both runs, and wherever it is called."""
    assert make().run({"leaf": {"size": 1}, "more": [{"size": 2}]}).text == "(1, [2])"


def test_fields_of_a_local_class_are_found() -> None:
    """Those of its own class, and of others beside it."""

    @dataclasses.dataclass
    class Leaf:
        size: int

    @dataclasses.dataclass
    class Branch:
        leaves: "list[Leaf]"
        branches: "list[Branch]"

    @tool
    def grow(branch: Branch) -> str:
        """Grow it."""
        return repr((branch.leaves[0].size, branch.branches))

    assert grow.run({"branch": {"leaves": [{"size": 1}], "branches": []}}).text == "(1, [])"


def ended() -> Any:
    @dataclasses.dataclass
    class Leaf:
        size: int
        leaf: "Leaf | None" = None

    def grow(leaf: "Leaf") -> None: ...

    def cut(leaf: Leaf) -> None: ...

    return grow, cut


def test_what_has_ended_has_no_names() -> None:
    """A class still knows itself, but nobody else does."""
    grow, cut = ended()

    assert "$defs" in tool(cut).to("json-schema")
    with pytest.raises(DefinitionError, match="name 'Leaf' is not defined"):
        _ = tool(grow).spec
