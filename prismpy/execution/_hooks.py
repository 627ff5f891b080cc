"""Functions of the app that are called around calls, and the log that is made of them."""

import inspect
import json
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, TextIO

import attrs

from prismpy.errors import HookError
from prismpy.messages import ToolCall, ToolResult
from prismpy.types import to_json

from ._text import words_of


@attrs.frozen
class Hooks:
    """
    What the app wants to hear about calls.

    Each function may be async. It is called where the calls are driven from, in
    an async run on the event loop. If one fails, the calls of the turn go on all
    the same, and `run` raises a `HookError` with their results when all have ended.
    """

    before: Callable[[ToolCall], Any] | None = None
    """Gets each call whose handler is about to run, with the arguments it gets. If it fails, the call is refused."""

    failed: Callable[[ToolCall, Exception], Any] | None = None
    """
    Gets what a handler or `approve` raised, or what was supplied in the place of a handler's exception, before a result
    is made of it or it is let through.
    """

    after: Callable[[ToolResult], Any] | None = None
    """Gets every result, of calls that were refused too."""


REFUSED: Final = object()
"""What a guarded `before` returns where it failed."""


@contextmanager
def listening(hooks: Hooks | None, results: Sequence[ToolResult]) -> Iterator[Hooks | None]:
    """
    Keep what hooks raise until the calls have ended.

    Args:
        hooks: Of the app.

        results: What the calls came to, complete at the end.

    Returns:
        Hooks that do not raise.

    Raises:
        HookError: at the end, if one did. Another exception that leaves the run has it in its notes instead.
    """
    if hooks is None:
        yield None
        return
    errors: list[Exception] = []
    guard = partial(_guarded, errors)
    try:
        yield Hooks(guard(hooks.before), guard(hooks.failed), guard(hooks.after))
    except BaseException as error:
        for each in errors:
            error.add_note(f"a hook failed as well: {words_of(each)}")
        raise
    if errors:
        msg = f"a hook failed ({words_of(errors[0])}); all calls have ended, see the results of this error"
        raise HookError(msg, results=tuple(results), errors=tuple(errors)) from errors[0]


def _guarded(errors: list[Exception], hook: Callable[..., Any] | None) -> Callable[..., Any] | None:
    if hook is None:
        return None

    def told(*arguments: Any) -> Any:
        try:
            value = hook(*arguments)
        except Exception as error:  # noqa: BLE001  # raised at the end
            errors.append(error)
            return REFUSED
        return awaited(value) if inspect.isawaitable(value) else None

    async def awaited(value: Awaitable[Any]) -> Any:
        try:
            await value
        except Exception as error:  # noqa: BLE001  # raised at the end
            errors.append(error)
            return REFUSED

    return told


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
