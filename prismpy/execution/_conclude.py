"""From what a handler returned or raised to the result of its call. Nothing here runs a handler."""

import json
from collections.abc import Mapping
from typing import Any

import attrs

from prismpy.errors import Problem, Retry, ToolError
from prismpy.messages import Artifact, ToolCall, ToolOutput, ToolResult
from prismpy.schema import JSON, cut
from prismpy.tools import ToolSpec
from prismpy.types import to_json


def conclude(call: ToolCall, returned: Any, repairs: tuple[str, ...] = ()) -> ToolResult:
    """Make a result of what a handler returned, or of a `ToolError` that it raised."""
    if type(returned) is str and returned.isascii():
        return ToolResult(call, ToolOutput(returned), returned, False, (), repairs)
    match returned:
        case Retry(message=message):
            advice = f"call {call.name} again with this set right"
            return failure(call, f"{message.rstrip('. ')}; {advice}", (), repairs)
        case ToolError(message=message):
            return failure(call, message, (), repairs)
        case ToolOutput():
            output = returned
        case Artifact(mime_type=mime_type):
            output = ToolOutput(f"made an artifact of type {mime_type}", (returned,))
        case _:
            output = ToolOutput(returned)
    return ToolResult(call, output, text_of(output.result), False, (), repairs)


def misfit(call: ToolCall, problems: tuple[Problem, ...], repairs: tuple[str, ...]) -> ToolResult:
    """Make the result of a call whose handler returned what it must not, by what was declared."""
    listed = "; ".join(map(str, problems))
    return failure(call, f"{call.name} failed: its result is not what it should be ({listed})", (), repairs)


def failure(call: ToolCall, text: str, problems: tuple[Problem, ...] = (), repairs: tuple[str, ...] = ()) -> ToolResult:
    """Make a result that tells the model what went wrong."""
    text = encodable(text)
    return ToolResult(call, ToolOutput(text), text, True, problems, repairs)


def conclude_failure(
    call: ToolCall, spec: ToolSpec, error: Exception, arguments: Mapping[str, Any], repairs: tuple[str, ...] = ()
) -> ToolResult:
    """Make a result of what a handler raised."""
    if isinstance(error, ToolError):
        return conclude(call, error, repairs)
    if spec.on_failure is None:
        return failure(call, f"{spec.name} failed: {_words(error)}", (), repairs)
    worded = conclude(call, spec.on_failure(error, arguments), repairs)
    return attrs.evolve(worded, is_error=True)


def _words(error: BaseException) -> str:
    """Name the class of an exception always: the text of many says nothing without it, or nothing at all."""
    try:
        text = str(error)
    except Exception:  # noqa: BLE001  # whose own words fail
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def text_of(result: Any) -> str:
    """
    Return the text that a model reads for a result.

    Text stays as it is; everything else becomes JSON, with non-ASCII characters
    as they are, or, where JSON does not know it, what `str` makes of it.
    """
    if isinstance(result, str):
        return encodable(result)
    value = to_json(result, _say)
    return encodable(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, allow_nan=False))


def _say(value: Any) -> JSON:
    return _words(value) if isinstance(value, BaseException) else cut(str(value), 10_000)


def encodable(text: str) -> str:
    """Replace lone surrogates, which no request body can carry."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
