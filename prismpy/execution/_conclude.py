"""From what a handler returned or raised to the result of its call. Nothing here runs a handler."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

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
    listed = "; ".join(listing(problems))
    return failure(call, f"{call.name} failed: its result is not what it should be ({listed})", (), repairs)


MOST: Final = 20
"""Problems that are told one by one; a model has no use for more at once."""


def listing(problems: tuple[Problem, ...]) -> Iterator[str]:
    """Tell problems one by one, and how many more there are."""
    yield from map(str, problems[:MOST])
    if len(problems) > MOST:
        yield f"and {len(problems) - MOST} more"


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
    try:
        worded = conclude(call, spec.on_failure(error, arguments), repairs)
    except Exception as second:  # noqa: BLE001  # the app's words fail; the model hears of both
        text = f"{spec.name} failed: {words_of(error)}; and so did the words for it: {words_of(second)}"
        return failure(call, text, (), repairs)
    return attrs.evolve(worded, is_error=True)
