"""The texts of the fields of a class: from its docstring, and from the strings that stand below its fields."""

import ast
import inspect
import textwrap
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise

from ._docstring import read_docstring


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
        if base.__module__ not in {"builtins", "typing", "typing_extensions", "abc"}:
            docs |= read_docstring(base.__dict__.get("__doc__")).parameters
            docs |= _below_fields(base)
    return docs


def _below_fields(kind: type) -> dict[str, str]:
    if not inspect.get_annotations(kind):
        return {}
    try:
        (tree,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    except (OSError, TypeError, SyntaxError, ValueError):
        return {}  # made in a shell, by exec, or in C
    return dict(_pairs(tree.body)) if isinstance(tree, ast.ClassDef) else {}


def _pairs(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    for field, text in pairwise(body):
        match field, text:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str() as doc)):
                yield name, inspect.cleandoc(doc)
            case ast.Assign(targets=[ast.Name(id=name)]), ast.Expr(value=ast.Constant(value=str() as doc)):
                yield name, inspect.cleandoc(doc)
