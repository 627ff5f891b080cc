"""A toolbox whose every call is a durable step."""

import asyncio
from collections.abc import Iterable
from contextlib import nullcontext
from functools import partial
from typing import Any, Unpack

from prismpy.errors import DurableError, HookError
from prismpy.execution import RunOptions
from prismpy.fluent import Toolbox
from prismpy.messages import ToolCall, ToolResult, unique_ids

from ._attempt import attempt
from ._course import Course, Place, in_words
from ._elsewhere import elsewhere
from ._ledger import Entry


class DurableToolbox(Toolbox):
    """The tools of a toolbox; what they hold and keep is shared with it."""

    def __init__(self, inner: Toolbox, course: Course) -> None:
        vars(self).update(vars(inner))
        self._inner = inner
        self._course = course

    async def arun(self, calls: Iterable[ToolCall], **options: Unpack[RunOptions]) -> tuple[ToolResult, ...]:
        """
        Run the calls of one batch, each a step whose place is taken before any of them begins.

        Raises:
            DurableError: what a handler of a tool without error handling raised, in words.

            HookError: if a hook failed.
        """
        course = self._course
        await course.flush()
        entries = [course.entry(call, self._policy(call)) for call in unique_ids(calls)]
        places = [course.reserve() for _ in entries]
        limit = nullcontext() if self._max_concurrency is None else asyncio.Semaphore(self._max_concurrency)

        async def run(entry: Entry, place: Place) -> dict[str, Any]:
            async with limit:
                return await self._step(entry, place, options)

        # all end before one of them is heard of, so that what they came to is kept
        values = await asyncio.gather(*map(run, entries, places), return_exceptions=True)
        for place, value in zip(places, values, strict=True):
            if isinstance(value, BaseException):
                raise value
            if "raised" in value or "hook" in value:
                course.step = place.step_id
                break
        return self._keeping(_results([value for value in values if isinstance(value, dict)]))

    def _policy(self, call: ToolCall) -> Any:
        return self[call.name].crash_policy if call.name in self else "at_least_once"

    async def _step(self, entry: Entry, place: Place, options: RunOptions) -> dict[str, Any]:
        course, name = self._course, entry.call.name
        if name in course.services.queued:
            return await course.run(place, f"prismpy.queue:{name}", partial(elsewhere, course, entry, options))
        work = partial(attempt, course.services, self._inner, entry, options)
        return await course.run(place, f"prismpy.tool:{name}", work)


def _results(values: list[dict[str, Any]]) -> tuple[ToolResult, ...]:
    for value in values:
        if "raised" in value:
            msg = f"a tool failed ({in_words(value['raised'])})"
            raise DurableError(msg)
    results = tuple(ToolResult.from_dict(value["result"]) for value in values)
    hooks = [value["hook"] for value in values if "hook" in value]
    if hooks:
        raise HookError(hooks[0], results=results, errors=())
    return results
