"""The part of the chain that says how calls are run: failures, limits, approval, and what becomes of results."""

import math
from typing import TYPE_CHECKING, Self

from prismpy.schema import Schema
from prismpy.tools import CRASH_POLICIES, CrashPolicy, FailureHandler

from ._draft import Draft

if TYPE_CHECKING:  # takes a third of the import time; most programs have no need of it
    from concurrent.futures import Executor


class Conduct(Draft):
    """The methods that say how a tool is run."""

    def failed(self, handler: FailureHandler) -> Self:
        """Word failures yourself: the handler gets the exception and the arguments, and returns text for the model."""
        if not callable(handler):
            raise self._mistake(
                f"failed() got {handler!r}, which cannot be called; pass a function of error and arguments"
            )
        return self._tool_swap(on_failure=handler, handles_errors=True)

    def with_error_handling(self) -> Self:
        """Turn an exception of the handler into an error result, in the standard wording. This is the default."""
        return self._tool_swap(on_failure=None, handles_errors=True)

    def without_error_handling(self) -> Self:
        """Let an exception of the handler through to whoever runs the tool."""
        return self._tool_swap(on_failure=None, handles_errors=False)

    def concurrent(self, concurrent: bool = True) -> Self:
        """Allow calls to run beside neighbouring concurrent ones of the same turn."""
        return self._tool_swap(concurrent=concurrent)

    def with_timeout(self, seconds: float) -> Self:
        """
        Limit the time of a call.

        Args:
            seconds: More than 0. A call that takes longer becomes an error result; an async handler is cancelled, a
                sync one runs on in its thread, its result dropped.

        Raises:
            DefinitionError: for any other number.
        """
        if not isinstance(seconds, int | float) or not (0 < seconds < math.inf):
            raise self._mistake(f"with_timeout() got {seconds!r}; pass seconds, more than 0")
        return self._tool_swap(timeout=seconds)

    def with_executor(self, executor: "Executor") -> Self:
        """
        Run the handler in a pool of threads, processes or machines, for work that keeps a processor busy.

        Context variables stay behind. Arguments and result of a process must be such as `pickle` takes, and so must
        the handler. A call whose time runs out is withdrawn if it has not begun; else its result is dropped.

        Args:
            executor: Any `concurrent.futures.Executor`, such as a `ProcessPoolExecutor`; shutting it down is up to you.

        Raises:
            DefinitionError: if it has no `submit`; when the tool is run, if its handler is async or a generator.
        """
        if not callable(getattr(executor, "submit", None)):
            raise self._mistake(f"with_executor() got {executor!r}; pass a concurrent.futures.Executor")
        return self._tool_swap(executor=executor)

    def with_output(self, schema: Schema) -> Self:
        """
        Declare what the handler returns, and hold its results against it.

        A result that does not fit is a failure, since whoever relies on the
        declaration must not get anything else. What a return annotation says is
        taken for information and not checked.

        Args:
            schema: Of the result as JSON; of `ToolOutput.result` where the handler returns one.
        """
        return self._tool_swap(output=schema, checks_output=True)

    def with_result_limit(self, characters: int) -> Self:
        """
        Cut results for the model that are longer.

        The whole text stays with the result as an artifact, and a `Toolbox` offers
        the tool `read_result` to read on.

        Args:
            characters: More than 0; a note of what was cut is not counted.

        Raises:
            DefinitionError: for any other number.
        """
        if not isinstance(characters, int) or characters < 1:
            raise self._mistake(f"with_result_limit() got {characters!r}; pass characters, more than 0")
        return self._tool_swap(result_limit=characters)

    def with_crash_policy(self, policy: CrashPolicy) -> Self:
        """
        Choose what a durable run does with a call that had begun when the process was killed.

        Args:
            policy: `at_least_once`, the default, runs it again: for what only reads, or may happen twice.
                `at_most_once` never does, and tells the model that nobody knows whether it took effect.
                `exactly_once` runs it again as well, but what it wrote through the connection it was handed, an
                injected `sqlalchemy.Connection`, was undone, or else its result was kept.

        Raises:
            DefinitionError: for any other word.
        """
        if policy not in CRASH_POLICIES:
            raise self._mistake(f"with_crash_policy() got {policy!r}; use {', '.join(map(repr, CRASH_POLICIES))}")
        return self._tool_swap(crash_policy=policy)

    def requires_approval(self, required: bool = True) -> Self:
        """Run a call only after the `approve` function given to `run` agreed to it."""
        return self._tool_swap(requires_approval=required)

    def with_retries(self, retries: int) -> Self:
        """
        Limit how often the model may try again after it got the tool wrong.

        Wrong are arguments that are refused, and what a handler answers with
        `Retry`. After the last try the model is told to go on without the tool, and
        further calls are refused. A right call begins the count anew.

        Args:
            retries: From 0 up; turns in a row, as a model learns of its mistakes turn by turn. An agent counts them;
                `Toolbox.run` takes the count as `budget`.

        Raises:
            DefinitionError: for any other number.
        """
        if not isinstance(retries, int) or retries < 0:
            raise self._mistake(f"with_retries() got {retries!r}; pass how often, from 0 up")
        return self._tool_swap(max_retries=retries)

    def external(self, external: bool = True) -> Self:
        """
        Have calls answered outside of the run: by the app itself, or by its client.

        No handler is needed; one that is there describes the tool and is not
        called. Arguments are judged as always. `Toolbox.waiting` lists the calls that
        wait for an answer; `run` and `arun` take the answers as `supplied`.
        """
        return self._tool_swap(external=external)

    def deferred(self, deferred: bool = True) -> Self:
        """
        Tell a model of the tool only when it has searched for it, so that hundreds of tools do not fill its context.

        It holds for tools that are offered together: see `Toolbox`.
        """
        return self._tool_swap(deferred=deferred)

    def return_direct(self, direct: bool = True) -> Self:
        """Let a result of this tool be the answer of the run, unless it is a failure; the model is not asked again."""
        return self._tool_swap(return_direct=direct)
