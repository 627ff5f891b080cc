"""From the arguments as a provider sends them to a JSON object."""

import json
from collections.abc import Mapping
from typing import Any, Never

from prismpy.errors import Problem
from prismpy.schema import JSON, cut

_ADVICE = "send one JSON object with the parameters as its keys"


def parse_arguments(raw: str | Mapping[str, Any] | None) -> dict[str, JSON] | Problem:
    """
    Read the arguments of a call.

    None and blank text mean no arguments. Text that holds the object once more
    encoded, as some servers send it, is decoded twice. Broken text is never mended.

    Args:
        raw: JSON text, the decoded object, or None.

    Returns:
        The arguments by name, or what is wrong with them.
    """
    if raw is None:
        return {}
    if isinstance(raw, Mapping):
        return dict(raw)
    if not raw.strip():
        return {}
    try:
        value = _decode(raw)
        if isinstance(value, str) and value.lstrip().startswith("{"):
            value = _decode(value)
    except (ValueError, RecursionError) as error:
        return Problem("", "json", f"the arguments are no valid JSON ({_why(error)}); {_ADVICE}", found=cut(raw))
    if isinstance(value, dict):
        return value
    return Problem("", "json", f"the arguments must be a JSON object, got {cut(raw)}; {_ADVICE}", found=cut(raw))


def _decode(text: str) -> JSON:
    return json.loads(text, parse_constant=_refuse_constant)


def _refuse_constant(word: str) -> Never:
    msg = f"{word} is no JSON"
    raise ValueError(msg)


def _why(error: Exception) -> str:
    match error:
        case json.JSONDecodeError(msg=reason, lineno=line, colno=column):
            return f"{reason.lower().removesuffix(' at')} at line {line}, column {column}"
        case RecursionError():
            return "nested too deeply"
        case _:
            return str(error)
