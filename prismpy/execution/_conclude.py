"""From what a handler returned or raised to the result of its call. Nothing here runs a handler."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

import attrs

from prismpy.errors import Problem, ToolError
from prismpy.messages import Artifact, ToolCall, ToolOutput, ToolResult
from prismpy.schema import JSON, cut, describe, emit
from prismpy.tools import ToolSpec
from prismpy.types import to_json


def conclude(call: ToolCall, returned: Any) -> ToolResult:
    """Make a result of what a handler returned."""
    match returned:
        case ToolError(message=message):
            return failure(call, message)
        case ToolOutput():
            return ToolResult(call, returned, text_of(returned.result))
        case Artifact(mime_type=mime_type):
            text = f"made an artifact of type {mime_type}"
            return ToolResult(call, ToolOutput(text, (returned,)), text)
        case _:
            return ToolResult(call, ToolOutput(returned), text_of(returned))


def failure(call: ToolCall, text: str, problems: Iterable[Problem] = ()) -> ToolResult:
    """Make a result that tells the model what went wrong."""
    text = encodable(text)
    return ToolResult(call, ToolOutput(text), text, is_error=True, problems=tuple(problems))


def refuse(call: ToolCall, spec: ToolSpec, problems: Iterable[Problem]) -> ToolResult:
    """Make the result of a call whose arguments are wrong: every problem, and the shape that was expected."""
    problems = tuple(problems)
    lines = [f"{spec.name} was not called; its arguments are wrong:"]
    lines += [f"- {problem}" for problem in problems]
    lines.append(f"Expected: {describe(emit(spec.parameters))}")
    return failure(call, "\n".join(lines), problems)


def conclude_failure(call: ToolCall, spec: ToolSpec, error: Exception, arguments: Mapping[str, Any]) -> ToolResult:
    """Make a result of what a handler raised."""
    if isinstance(error, ToolError):
        return failure(call, error.message)
    if spec.on_failure is None:
        return failure(call, f"{spec.name} failed: {_words(error)}")
    worded = conclude(call, spec.on_failure(error, arguments))
    return attrs.evolve(worded, is_error=True)


def _words(error: BaseException) -> str:
    """Name the class of an exception always: the text of many says nothing without it, or nothing at all."""
    text = str(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def text_of(result: Any) -> str:
    """
    Return the text that a model reads for a result.

    Text stays as it is; everything else becomes JSON, with non-ASCII characters
    as they are, or, where JSON does not know it, what `str` makes of it.
    """
    value = result if isinstance(result, str) else to_json(result, _say)
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, allow_nan=False)
    return encodable(text)


def _say(value: Any) -> JSON:
    return _words(value) if isinstance(value, BaseException) else cut(str(value), 10_000)


def encodable(text: str) -> str:
    """Replace lone surrogates, which no request body can carry."""
    return text.encode("utf-8", "replace").decode("utf-8")
