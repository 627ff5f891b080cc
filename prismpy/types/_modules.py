"""
What the source of a module tells beyond what is in it at run time.

Names under `if TYPE_CHECKING:` are missing when the program runs, yet annotations
use them. The statements of such blocks are imports and aliases; they are run here,
once a name is really needed, in a namespace of their own.
"""

import ast
import importlib.util
import inspect
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from typing import Any


@cache
def guarded_names(module: str) -> Mapping[str, Any]:
    """
    Return the names that a module has for type checkers only.

    Args:
        module: Name of a module that is loaded; where its source cannot be found, there are no such names.

    Returns:
        Names to values, `__annotations__` among them where there are some. A statement that fails, such as the import
        of what is not installed, leaves its names out.
    """
    known = dict(vars(sys.modules[module])) if module in sys.modules else {}
    known.pop("__annotations__", None)  # which the statements would add theirs to
    names = dict(known)
    for statement in _guarded(_body(module)):
        with suppress(Exception):  # code that was never meant to run
            exec(compile(ast.Module([statement], []), f"<{module}, for type checkers>", "exec"), names)  # noqa: S102
    return {name: value for name, value in names.items() if name not in known and name != "__builtins__"}


@cache
def imported_names(module: str) -> Mapping[str, tuple[str, str]]:
    """
    Return the names that a module takes from others, those for type checkers among them.

    Args:
        module: Name of a module that is loaded.

    Returns:
        Name to the module it comes from, and its name there.
    """
    return {
        alias.asname or alias.name: (source, alias.name)
        for statement in _imports(_body(module))
        if (source := _source_of(statement, module))
        for alias in statement.names
    }


def _body(module: str) -> list[ast.stmt]:
    try:
        return ast.parse(inspect.getsource(sys.modules[module])).body
    except (KeyError, OSError, TypeError, SyntaxError, ValueError):
        return []


def _guarded(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        match statement:
            case ast.If(test=ast.UnaryOp(op=ast.Not(), operand=test)):
                yield from statement.orelse if _is_guard(test) else ()
            case ast.If(test=test):
                yield from statement.body if _is_guard(test) else ()


def _is_guard(test: ast.expr) -> bool:
    return ast.unparse(test).split(".")[-1] == "TYPE_CHECKING"


def _imports(body: list[ast.stmt]) -> Iterator[ast.ImportFrom]:
    for statement in body:
        match statement:
            case ast.ImportFrom():
                yield statement
            case ast.If() | ast.Try():
                handlers = [inner for handler in getattr(statement, "handlers", ()) for inner in handler.body]
                yield from _imports([*statement.body, *handlers, *statement.orelse])


def _source_of(statement: ast.ImportFrom, module: str) -> str:
    """Name the module that `from ... import` takes from; "" where it leads out of the package."""
    package = getattr(sys.modules[module], "__package__", None) or module
    try:
        return importlib.util.resolve_name("." * statement.level + (statement.module or ""), package)
    except ImportError:
        return ""
