"""The parameters of a callable as Python has them."""

import ast
import inspect
import json
import statistics
import textwrap
import types
from collections.abc import Callable
from typing import Any

import pytest

from prismpy.tools._given import given_by

MODULES = (ast, inspect, json, statistics, textwrap)


def every(a, b=1, /, c: int = 2, *d: str, e, f: "float" = 3.0, **g: Any) -> bool: ...


def none(): ...


def by_name(*, a, b=2): ...


def by_place(a, b=2, /): ...


def open_only(*args, **kwargs): ...


def functions() -> list[Callable[..., Any]]:
    public = [value for module in MODULES for value in vars(module).values()]
    return [value for value in public if isinstance(value, types.FunctionType)]


@pytest.mark.parametrize(
    "function", [every, none, by_name, by_place, open_only, *functions()], ids=lambda function: function.__name__
)
def test_plain_functions_are_read_as_inspect_reads_them(function: Callable[..., Any]) -> None:
    """Names, kinds, defaults and annotations are the same, in the same order."""
    signature = inspect.signature(function)

    assert given_by(function) == (
        [(p.name, p.kind, p.default, p.annotation) for p in signature.parameters.values()],
        signature.return_annotation,
    )
