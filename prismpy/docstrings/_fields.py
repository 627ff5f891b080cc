"""The texts of the fields of a class: from its docstring, and from the strings that stand below its fields."""

import ast
import inspect
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import Final, TypeAlias

from ._docstring import read_docstring


def written_doc(kind: type) -> str:
    """Return the docstring of a class that its author wrote; "" for `Point(x: int)`, as Python writes for records."""
    doc, own = vars(kind).get("__doc__"), vars(kind)
    is_record = "__dataclass_fields__" in own or "_fields" in own
    return doc if isinstance(doc, str) and not (is_record and doc.startswith(f"{kind.__name__}(")) else ""


@cache
def field_docs(kind: type) -> Mapping[str, str]:
    """
    Return what is said about the fields of a class and its bases.

    Sections such as `Args:` and `Attributes:` of the docstring are read, and the
    string literals that follow fields in the body; the latter win, as they stand closer.

    Args:
        kind: Any class. Where its source cannot be found, the docstring has to do.

    Returns:
        Name of the field to its text.
    """
    docs: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        if base.__module__.partition(".")[0] not in _LIBRARIES:
            docs |= read_docstring(base.__dict__.get("__doc__")).parameters
            docs |= _below_fields(base)
    return docs


_LIBRARIES: Final = frozenset({"abc", "builtins", "msgspec", "pydantic", "typing", "typing_extensions"})
"""Whose own classes say nothing about the fields of others'."""


def _below_fields(kind: type) -> Mapping[str, str]:
    own = inspect.get_annotations(kind).keys()
    if not own and "__attrs_attrs__" not in vars(kind):
        return {}
    # a class may be defined more than once, for each version of Python
    fitting = [body for body in _bodies(kind.__module__).get(kind.__qualname__, ()) if body[0] <= own]
    return max(fitting, key=lambda body: len(body[0]), default=(own, {}))[1]


_Body: TypeAlias = tuple[frozenset[str], Mapping[str, str]]
"""The names that the body of a class annotates, and the texts below fields."""


@cache
def _bodies(module: str) -> Mapping[str, list[_Body]]:
    """Read the classes of a module, by qualified name; its source is parsed once for all of them."""
    try:
        tree = ast.parse(inspect.getsource(sys.modules[module]))
    except (KeyError, OSError, TypeError, SyntaxError, ValueError):
        return {}  # made in a shell, by exec, or in C
    found: dict[str, list[_Body]] = {}
    for name, node in _classes(tree, ""):
        fields = frozenset(
            part.target.id
            for part in node.body
            if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)
        )
        found.setdefault(name, []).append((fields, dict(_pairs(node.body))))
    return found


def _classes(node: ast.AST, within: str) -> Iterator[tuple[str, ast.ClassDef]]:
    for inner in ast.iter_child_nodes(node):
        match inner:
            case ast.ClassDef(name=name):
                yield f"{within}{name}", inner
                yield from _classes(inner, f"{within}{name}.")
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield from _classes(inner, f"{within}{name}.<locals>.")
            case ast.stmt() | ast.ExceptHandler() | ast.match_case():
                yield from _classes(inner, within)


def _pairs(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    for field, text in pairwise(body):
        match field, text:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str() as doc)):
                yield name, inspect.cleandoc(doc)
            case ast.Assign(targets=[ast.Name(id=name)]), ast.Expr(value=ast.Constant(value=str() as doc)):
                yield name, inspect.cleandoc(doc)
