"""
Names that a module defines for type checkers only, under `if TYPE_CHECKING:`.

They are missing at run time, yet annotations use them. The statements of such
blocks are imports and aliases; they are run here, once a name is really needed,
in a namespace of their own.
"""

import ast
import inspect
import sys
import typing
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import Any


@cache
def guarded_names(module: str) -> dict[str, Any]:
    """
    Return the names that a module has for type checkers only.

    Args:
        module: Name of a module that is loaded; where its source cannot be found, there are no such names.

    Returns:
        Names to values. A statement that fails, such as the import of what is not installed, leaves its names out.
    """
    loaded = sys.modules.get(module)
    try:
        tree = ast.parse(inspect.getsource(loaded)) if loaded is not None else ast.Module([], [])
    except (OSError, TypeError, SyntaxError, ValueError):
        return {}
    known = dict(vars(loaded)) if loaded is not None else {}
    names = dict(known)
    for statement in _guarded(tree.body):
        with suppress(Exception):  # code that was never meant to run
            exec(compile(ast.Module([statement], []), f"<{module}, for type checkers>", "exec"), names)  # noqa: S102
    return {name: value for name, value in names.items() if name not in known and name != "__builtins__"}


def _guarded(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        if isinstance(statement, ast.If) and ast.unparse(statement.test).split(".")[-1] == "TYPE_CHECKING":
            yield from statement.body


def hints_of(thing: Any) -> dict[str, Any]:
    """
    Evaluate all annotations of a class or function, with the names for type checkers where they are needed.

    Raises:
        Exception: whatever evaluating one of them raises.
    """
    try:
        return typing.get_type_hints(thing, include_extras=True)
    except NameError:
        modules = (
            [base.__module__ for base in reversed(thing.__mro__)] if isinstance(thing, type) else [thing.__module__]
        )
        names: dict[str, Any] = {}
        for module in modules:
            names |= guarded_names(module)
        return typing.get_type_hints(thing, localns=names, include_extras=True)
