"""
Signatures that only a text tells: functions in C that begin their docstring with `getattr(object, name[, default])`.

They are read where there is one reading. Arguments go by place, as nearly all such functions want them; what stands
in brackets may be left out, and so must everything after it.
"""

import ast
import builtins
import inspect
import re
import types
from typing import Any, Final, TypeAlias

import attrs

from prismpy.types import is_a

Kind: TypeAlias = inspect.Parameter
"""A parameter, which has the kinds of all."""

_PARAMETER: Final = re.compile(r"(?P<name>[A-Za-z_]\w*)\s*(:\s*(?P<type>[\w.]+)\s*)?(=\s*(?P<default>.+))?")
_VARIADIC: Final = re.compile(r"(?P<stars>\*\*?)(?P<name>[A-Za-z_]\w*)")
_AFTER: Final = re.compile(r"\s*(-{1,2}>|:|\.|$)")


def told_signature(handler: Any) -> inspect.Signature | None:
    """Read what a function in C tells of its parameters where `inspect` cannot; None where nothing does clearly."""
    text = getattr(handler, "__text_signature__", None)
    if isinstance(text, str) and is_a(handler, types.BuiltinFunctionType):
        # with defaults that are no Python: `sep=<unrepresentable>`
        return _signature(text[1:-1], Kind.POSITIONAL_OR_KEYWORD)
    found = _in_docstring(getattr(handler, "__doc__", None), getattr(handler, "__name__", ""))
    return None if found is None else _signature(found, Kind.POSITIONAL_ONLY)


def _in_docstring(text: Any, name: str) -> str | None:
    """Return what stands in the brackets of `name(...)` at the beginning, if that stands there alone."""
    if not isinstance(text, str) or len(re.findall(rf"^\s*{re.escape(name)}\(", text, re.MULTILINE)) != 1:
        return None
    opened = re.match(rf"\s*{re.escape(name)}\(", text)
    closed = None if opened is None else _closing(text, opened.end())
    if opened is None or closed is None or not _AFTER.match(text[closed + 1 :].partition("\n")[0]):
        return None
    return text[opened.end() : closed]


def _signature(text: str, kind: Any) -> inspect.Signature | None:
    parameters = _parameters(text, kind)
    try:
        return None if parameters is None else inspect.Signature(parameters)
    except ValueError:  # two of one name, or one that must be given after one that need not
        return None


def _closing(text: str, start: int) -> int | None:
    """Find the bracket that closes the one before a place."""
    depth = 1
    for place in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if not depth:
            return place
    return None


def _parameters(text: str, kind: Any) -> list[inspect.Parameter] | None:
    found: list[inspect.Parameter] = []
    for written, optional in _parts(text):
        variadic = _VARIADIC.fullmatch(written)
        if written == "/":
            found = [p.replace(kind=Kind.POSITIONAL_ONLY) for p in found]
        elif written == "*":
            kind = Kind.KEYWORD_ONLY
        elif variadic is not None:
            found.append(Kind(variadic["name"], Kind.VAR_KEYWORD if variadic["stars"] == "**" else Kind.VAR_POSITIONAL))
            kind = Kind.KEYWORD_ONLY
        elif not written.startswith("$"):  # as C has it before what is bound
            parameter = _parameter(written, kind, optional=optional)
            if parameter is None:
                return None
            found.append(parameter)
    return None if _is_cut_off(found) else found


def _is_cut_off(parameters: list[inspect.Parameter]) -> bool:
    """Tell whether one by place comes after one that has no default that could stand in for it."""
    by_place = [p for p in parameters if p.kind is Kind.POSITIONAL_ONLY]
    return any(p.default is attrs.NOTHING for p in by_place[:-1])


def _parts(text: str) -> list[tuple[str, bool]]:
    """Cut at commas; each part with whether it stands in brackets: `a[, b]` and `a, [b]` are the same."""
    parts: list[tuple[str, bool]] = []
    part, optional, brackets, inner = "", False, 0, 0
    for sign in (*text, ","):
        if sign in "[]":
            brackets += 1 if sign == "[" else -1
        elif sign == "," and not inner:
            parts += [(part.strip(), optional)] if part.strip() else []
            part = ""
        else:
            inner += {"(": 1, ")": -1}.get(sign, 0)
            optional = optional if part.strip() else brackets > 0
            part += sign
    return parts


def _parameter(written: str, kind: Any, *, optional: bool) -> inspect.Parameter | None:
    match = _PARAMETER.fullmatch(written)
    if match is None:
        return None
    default: Any = attrs.NOTHING if optional else Kind.empty
    if match["default"] is not None:
        try:
            default = ast.literal_eval(match["default"].strip())
        except (ValueError, SyntaxError):  # a name: it may be left out, and what stands in for it nobody knows
            default = attrs.NOTHING
    known = vars(builtins).get(match["type"] or "")
    annotation = known if isinstance(known, type) else Kind.empty
    return Kind(match["name"], kind, default=default, annotation=annotation)
