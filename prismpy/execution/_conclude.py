"""From what a handler returned or raised to the result of its call. Nothing here runs a handler."""

from collections.abc import Mapping
from typing import Any

import attrs

from prismpy.errors import Problem, Retry, ToolError
from prismpy.messages import Artifact, ToolCall, ToolOutput, ToolResult, is_content
from prismpy.tools import ToolSpec

from ._text import encodable, parts_of, text_of, told_in_words, words_of


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
    if is_content(output.result):
        parts = parts_of(output.result)
        return ToolResult(call, output, told_in_words(parts), False, (), repairs, parts)
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
        return failure(call, f"{spec.name} failed: {words_of(error)}", (), repairs)
    worded = conclude(call, spec.on_failure(error, arguments), repairs)
    return attrs.evolve(worded, is_error=True)
