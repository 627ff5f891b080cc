"""Annotations that are texts: what Python makes of them, and of the texts within them."""

import ast
import functools
import types
from collections import ChainMap
from typing import Any, Final, Protocol, cast


class Names(Protocol):
    """Names to values; `KeyError` for what is Python's own."""

    def __getitem__(self, name: str, /) -> Any: ...


def value_of(text: str, names: Names) -> Any:
    """
    Evaluate an annotation.

    What takes no arguments when the program runs, such as a class whose stubs alone say that it is generic, or an
    alias whose variables are in texts, means the same without them.

    Args:
        text: As written.

        names: What it may use.

    Raises:
        Exception: whatever the code of an annotation does.
    """
    try:
        return eval(_code(text), {}, cast(Any, names))  # noqa: S307
    except TypeError:
        return eval(_code(text, lenient=True), {}, ChainMap({_ITEM: _item}, cast(Any, names)))  # noqa: S307


_ITEM: Final = "__item__"


def _item(value: Any, arguments: Any) -> Any:
    try:
        return value[arguments]
    except TypeError:
        if getattr(value, "__parameters__", ()) or not (isinstance(value, type) or hasattr(value, "__args__")):
            raise
        return value


@functools.lru_cache(1000)
def _code(text: str, *, lenient: bool = False) -> types.CodeType:
    """Compile an annotation; a text within it is one, too: `"Tree" | None`."""
    tree = _Unquoted().visit(ast.parse(text.strip(), "<annotation>", "eval"))
    tree = _Lenient().visit(tree) if lenient else tree
    return compile(ast.fix_missing_locations(tree), "<annotation>", "eval")


class _Unquoted(ast.NodeTransformer):
    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if not isinstance(node.value, str):
            return node
        inner: ast.expr = self.visit(ast.parse(node.value.strip(), mode="eval").body)
        return inner

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        match ast.unparse(node.value).split(".")[-1], node.slice:
            case "Literal", _:
                pass
            case "Annotated", ast.Tuple(elts=[first, *_] as parts):
                parts[0] = self.visit(first)
            case _:
                self.generic_visit(node)
        return node


class _Lenient(ast.NodeTransformer):
    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        return ast.Call(ast.Name(_ITEM, ast.Load()), [node.value, node.slice], [])
