"""From what a handler returned or raised to the result of its call. Nothing here runs a handler."""

from typing import Any

import attrs

from prismpy.errors import Problem, Retry, ToolError
from prismpy.messages import Artifact, ToolOutput, ToolResult, is_content

from ._budget import is_last
from ._failure import failure, listing
from ._ready import Ready
from ._terms import Terms
from ._text import parts_of, text_of, told_in_words, words_of


def conclude(ready: Ready, terms: Terms, returned: Any) -> ToolResult:
    """Make a result of what a handler returned, or of a `ToolError` that it raised."""
    call, repairs = ready.call, ready.repairs
    if type(returned) is str and returned.isascii():
        return ToolResult(call, ToolOutput(returned), returned, False, (), repairs)
    match returned:
        case Retry(message=message):
            return _another_try(ready, terms, message.rstrip(". "))
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


def _another_try(ready: Ready, terms: Terms, message: str) -> ToolResult:
    name = terms.name_of(ready.spec.name)
    if is_last(ready.spec, terms.budget):
        text = f"{message}; this was the last try, go on without {name}"
        return failure(ready.call, text, (), ready.repairs, "spent")
    return failure(ready.call, f"{message}; call {name} again with this set right", (), ready.repairs, "open")


def misfit(ready: Ready, terms: Terms, problems: tuple[Problem, ...]) -> ToolResult:
    """Make the result of a call whose handler returned what it must not, by what was declared."""
    listed = "; ".join(listing(problems))
    text = f"{terms.name_of(ready.spec.name)} failed: its result is not what it should be ({listed})"
    return failure(ready.call, text, (), ready.repairs)


def conclude_failure(ready: Ready, terms: Terms, error: Exception) -> ToolResult:
    """Make a result of what a handler raised."""
    if isinstance(error, ToolError):
        return conclude(ready, terms, error)
    spec = ready.spec
    text = f"{terms.name_of(spec.name)} failed: {words_of(error)}"
    if spec.on_failure is None:
        return failure(ready.call, text, (), ready.repairs)
    try:
        worded = conclude(ready, terms, spec.on_failure(error, ready.arguments))
    except Exception as second:  # noqa: BLE001  # the app's words fail; the model hears of both
        return failure(ready.call, f"{text}; and so did the words for it: {words_of(second)}", (), ready.repairs)
    return attrs.evolve(worded, is_error=True)
