"""The types that docstrings name, where they are unambiguous."""

import ast
import re
import types
from functools import reduce
from operator import or_
from typing import Any, Final, Literal

_NAMED: Final[dict[str, Any]] = {
    "any": Any,
    "bool": bool,
    "boolean": bool,
    "bytes": bytes,
    "dict": dict,
    "dictionary": dict,
    "float": float,
    "int": int,
    "integer": int,
    "list": list,
    "none": None,
    "set": set,
    "str": str,
    "string": str,
    "tuple": tuple,
}
_SINGULAR: Final = {"bools": bool, "floats": float, "ints": int, "integers": int, "strings": str, "strs": str}
_LISTS: Final = r"(?:list|sequence|iterable)"
_QUALIFIER: Final = re.compile(r"[,\s(]+(?:optional|required|defaults?\b[^)]*)\)?\s*$", re.IGNORECASE)


def named_type(text: str) -> Any:
    """
    Return the type that a docstring names, as an annotation.

    Args:
        text: As written: `int`, `str, optional`, `{'C', 'F'}, default 'C'`, `list of str`, `float or None`.

    Returns:
        An annotation; `NotImplemented` where the text says anything but a plain type, such as `array-like`.
    """
    bare = text.strip()
    while (shorter := _QUALIFIER.sub("", bare)) != bare:
        bare = shorter
    choices = _choices(bare)
    if choices is not None:
        return choices
    parts = [_plain_type(part) for part in re.split(r"\s+or\s+|\s*\|\s*", bare)]
    if NotImplemented in parts:
        return NotImplemented
    return reduce(or_, parts) if len(parts) > 1 else parts[0]


def _choices(text: str) -> Any:
    """Read `{'a', 'b', None}`; None where it is something else."""
    values: Any = None
    try:
        values = ast.literal_eval(re.sub(r"^\{(.*)\}$", r"[\1]", text)) if text.startswith("{") else None
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    fine = isinstance(values, list) and values and all(isinstance(v, str | int | bool | None) for v in values)
    return Literal[tuple(values)] if fine else None


def _plain_type(text: str) -> Any:
    if text.casefold() in _NAMED:
        return _NAMED[text.casefold()]
    items = re.fullmatch(rf"{_LISTS}\s*(?:of\s+|\[|\()(\w+)[\])]?", text, flags=re.IGNORECASE)
    if items is None:
        return NotImplemented
    item = _SINGULAR.get(items[1].casefold(), _NAMED.get(items[1].casefold(), NotImplemented))
    return NotImplemented if item is NotImplemented else types.GenericAlias(list, (item,))
