"""Functions of the app that are called around calls, and the log that is made of them."""

import json
import time
from collections.abc import Callable
from typing import Any, TextIO

import attrs

from prismpy.messages import ToolCall, ToolResult
from prismpy.types import to_json


@attrs.frozen
class Hooks:
    """
    What the app wants to hear about calls.

    Each function may be async. It is called where the calls are driven from, in
    an async run on the event loop; an exception of it leaves the run.
    """

    before: Callable[[ToolCall], Any] | None = None
    """Gets each call whose handler is about to run, with the arguments it is run with."""

    failed: Callable[[ToolCall, Exception], Any] | None = None
    """Gets what a handler raised, or what was supplied as such, before a result is made of it or it is let through."""

    after: Callable[[ToolResult], Any] | None = None
    """Gets every result, of calls that were refused too."""


def log_calls(file: TextIO, clock: Callable[[], float] = time.perf_counter) -> Hooks:
    """
    Log calls as JSON, one line each, when they end.

    Args:
        file: Written to and flushed for each call; closing it is up to you.

        clock: Returns seconds.

    Returns:
        Hooks to hand to `run` and `arun`. A line is `{"id": ..., "tool": ..., "arguments": ..., "text": ...,
        "is_error": ..., "problems": [...], "repairs": [...], "seconds": ...}`: the arguments as the model sent them,
        the time of the handler, null where it did not run.
    """
    started: dict[str, float] = {}

    def before(call: ToolCall) -> None:
        started[call.id] = clock()

    def after(result: ToolResult) -> None:
        call, begun = result.call, started.pop(result.call.id, None)
        line = {
            "id": call.id,
            "tool": call.name,
            "arguments": call.arguments,
            "text": result.text,
            "is_error": result.is_error,
            "problems": [str(problem) for problem in result.problems],
            "repairs": result.repairs,
            "seconds": None if begun is None else clock() - begun,
        }
        file.write(json.dumps(to_json(line, str)) + "\n")
        file.flush()

    return Hooks(before=before, after=after)
