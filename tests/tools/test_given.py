"""The parameters of a callable as Python has them."""

import ast
import functools
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


class Caller:
    def method(self, a: int, /, b: str = "", *c: int, d: bool = False, **e: Any) -> bool: ...

    def open_method(*args: int, **kwargs: Any) -> None: ...

    @classmethod
    def of_class(cls, a: int) -> str: ...

    @staticmethod
    def of_none(a: int) -> str: ...

    bound = functools.partialmethod(method, 3)

    def __call__(self, a: int, b: "str" = "") -> float: ...


class Inheriting(Caller):
    pass


def wrapped() -> Any:
    """Make an object that stands for a function."""
    return functools.update_wrapper(Caller(), every)


def signed() -> Any:
    """Make an object that says itself what it takes."""
    made = Caller()
    made.__signature__ = inspect.signature(by_name)  # type: ignore[attr-defined]
    return made


METHODS = ("method", "open_method", "of_class", "of_none", "bound")
BINDING = [getattr(Caller(), name) for name in METHODS] + [getattr(Caller, name) for name in METHODS]
BINDING += [Caller(), Inheriting(), wrapped(), signed(), functools.partial(Caller(), 1), "".join]


@pytest.mark.parametrize("bound", BINDING)
def test_what_binds_is_read_as_inspect_reads_it(bound: Callable[..., Any]) -> None:
    """Of methods and of objects that can be called, without what they are bound to."""
    signature = inspect.signature(bound)

    assert given_by(bound) == (
        [(p.name, p.kind, p.default, p.annotation) for p in signature.parameters.values()],
        signature.return_annotation,
    )


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
