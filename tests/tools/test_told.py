"""Functions in C that only their docstring tells the parameters of."""

import functools
import inspect
import math
import socket
import stat
import time
import unicodedata
from typing import Any

import attrs
import pytest

from prismpy import tool
from prismpy.tools._told import told_signature


def documented(doc: str | None) -> Any:
    def f() -> None: ...

    f.__doc__ = doc
    return f


@pytest.mark.parametrize(
    ("doc", "signature"),
    [
        ("f() -> int\n\nCount.", "()"),
        ("f(a, b): do it", "(a, b, /)"),
        ("f(a: str, b: ndarray) --> str", "(a: str, b, /)"),
        ("f(a[, b]) -> int", "(a, b=NOTHING, /)"),
        ("f(a, [b=math.e])", "(a, b=NOTHING, /)"),
        ("f(a, [b=0, c='x'])", "(a, b=0, c='x', /)"),
        ("f(a, b=(1, 2)).", "(a, b=(1, 2), /)"),
        ("f(a, *, b=1, c)", "(a, /, *, b=1, c)"),
        ("f(* [, b] [, c])", "(*, b=NOTHING, c=NOTHING)"),
        ("f(a, *rest, **more) -> a", "(a, /, *rest, **more)"),
        ("f(a,\n  b=1)\n\nDo it.", "(a, b=1, /)"),
    ],
)
def test_a_first_line_is_a_signature(doc: str, signature: str) -> None:
    """Arguments go by place; what stands in brackets, or has a name for its default, may be left out."""
    told = told_signature(documented(doc))

    assert str(told).replace(repr(attrs.NOTHING), "NOTHING") == signature


@pytest.mark.parametrize(
    "doc",
    [
        None,
        "Do it.",
        "g(a) -> int",
        "x.f(a) <==> a in x",
        "f(a) does it",
        "f(a",
        "f(a, ...)",
        "f(C instance)",
        "f(a, a)",
        "f([start, ]stop)",
        "f(a, file=sys.stderr, chain=False)",
        "f(a) -> int\nf(a, b) -> int",
        "f(a, b=[])",
    ],
)
def test_what_is_not_clear_is_no_signature(doc: str | None) -> None:
    """Several forms, examples, prose, and what could not be passed by place once something is left out."""
    assert told_signature(documented(doc)) is None


@pytest.mark.parametrize(
    ("handler", "arguments", "text"),
    [
        (stat.S_ISDIR, {"mode": 0o40000}, "true"),
        (math.log, {"x": 8, "base": 2}, "3.0"),
        (math.log, {"x": 1}, "0.0"),
        (getattr, {"object": 5, "name": "real"}, "5"),
        (functools.partial(getattr, 5), {"name": "real"}, "5"),
        (socket.htons, {"integer": 0}, "0"),
        (unicodedata.numeric, {"chr": "x", "default": 7}, "7"),
    ],
)
def test_such_a_function_is_a_tool(handler: Any, arguments: Any, text: str) -> None:
    """It is called as its docstring says."""
    if _has_signature(handler):
        pytest.skip("this version of Python has a signature for it")

    made = tool(handler)
    result = made.run(arguments)

    assert (result.text, result.is_error) == (text, False)
    assert all("its type is unknown" in note for note in made.spec.notes)


def _has_signature(handler: Any) -> bool:
    try:
        inspect.signature(handler)
    except ValueError:
        return False
    return True


def test_types_in_a_docstring_are_read() -> None:
    """Those of Python itself."""
    if _has_signature(time.get_clock_info):
        pytest.skip("this version of Python has a signature for it")

    assert tool(time.get_clock_info).to("json-schema")["properties"] == {"name": {"type": "string"}}
