"""A tool as people hold it: described by a chain, a subclass or a function, then exported and run."""

import functools
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Generic, ParamSpec, Self, TypeVar, Unpack, overload

from prismpy.errors import DefinitionError, UnresolvedError
from prismpy.execution import Runnable, RunOptions, arun_all, arun_one, run_all, run_one, terms_of
from prismpy.lowering import Lowered, OnLoss, Strict, explain, export, lower_as_sent
from prismpy.messages import ToolCall, ToolResult
from prismpy.schema import JSON, changed, cut, describe, emit
from prismpy.tools import Handler, ToolSpec, complete, name_of, needed_by, root_of
from prismpy.types import attribute, is_a, is_class, is_made_up

from ._builder import Builder
from ._listed import as_listed

P = ParamSpec("P")
R = TypeVar("R")


_ID = "call_0"
"""Id of a call that no model made; as `unique_ids` names the first of a turn."""


class Tool(Builder):
    """
    A tool that a model may call.

    Start one with `Tool.as_("name")`, subclass it, or wrap a function with
    `tool`. A subclass describes itself in `__init__`, needs no
    `super().__init__()`, and runs in its `__call__`.
    """

    _tool_completed: tuple[ToolSpec, Runnable] | None = None

    @property
    def spec(self) -> ToolSpec:
        """
        The tool as a value, complete; later changes to this object do not touch it.

        Raises:
            DefinitionError: if the tool has no name, or its handler and its parameters do not fit.
        """
        return self._runnable().spec

    def to(self, provider: str, *, strict: Strict = False, on_loss: OnLoss = "describe") -> dict[str, JSON]:
        """
        Return the tool as a provider takes it: one element of the request's `tools`.

        Args:
            provider: `openai`, `openai-responses`, `anthropic`, `bedrock`, `gemini`, `gemini-json-schema`, `mistral`,
                `ollama`, `mcp`, `json-schema` for the parameters alone, or one made known with `register_dialect`.

            strict: Whether the provider shall enforce the schema, which is then compiled to its strict subset;
                `auto`: wherever it has one and nothing is lost. The arguments it sends go through `lower(...).decode`.

            on_loss: With `strict`: `describe` tells the model in words what the subset cannot say, `raise` refuses.

        Returns:
            New containers at each call.

        Raises:
            UnknownProviderError: listing the known names.

            LoweringError: if the provider documents no option that was set for it, has no strict mode, or loss is
                refused and there is some.

            DefinitionError: see `spec`.
        """
        return export(self.spec, provider, strict=strict, on_loss=on_loss)

    def lower(self, provider: str, *, strict: Strict = False, on_loss: OnLoss = "describe") -> Lowered:
        """
        Compile the parameters to what a provider can say.

        Args:
            provider: As in `to`.

            strict: As in `to`.

            on_loss: As in `to`.

        Returns:
            The schema, the changes, and the translators `encode` and `decode` for arguments.

        Raises:
            UnknownProviderError: listing the known names.

            LoweringError: if it has no strict mode, or loss is refused and there is some.

            DefinitionError: see `spec`.
        """
        return lower_as_sent(self.spec, provider, strict=strict, on_loss=on_loss)

    def explain(self, provider: str, *, strict: Strict = False) -> Lowered:
        """
        Tell what a provider is told otherwise than declared: `changes` as data, `str()` of it in words.

        That is what `lower` changes, and the name, where the provider does not take it.

        Raises:
            As `lower` does.
        """
        return explain(self.spec, provider, strict=strict)

    def run(
        self, arguments: str | bytes | Mapping[str, Any] | None = None, **options: Unpack[RunOptions]
    ) -> ToolResult:
        """
        Check arguments and run the handler with them.

        Args:
            arguments: JSON text as a model sends it, as str or in UTF-8, or the decoded object; None and blank text are
                no arguments.

            options: `approve`, `provide`, `on_progress`, `hooks`, `supplied`, `budget`, `offer`, `told`; see
                `RunOptions`.

        Returns:
            The result; wrong arguments and failures are results with `is_error`.

        Raises:
            DefinitionError: see `spec`; also if there is no handler, or nothing for an injected parameter.

            Exception: what the handler raised, if the tool is `without_error_handling()`.

            HookError: if a hook failed, with the result.
        """
        runnable = self._runnable()
        call = ToolCall(_ID, runnable.spec.name, arguments)
        return run_all({call.name: runnable}, [call], terms_of(options))[0] if options else run_one(runnable, call)

    async def arun(
        self, arguments: str | bytes | Mapping[str, Any] | None = None, **options: Unpack[RunOptions]
    ) -> ToolResult:
        """Check arguments and run the handler without blocking the event loop; otherwise like `run`."""
        runnable = self._runnable()
        call = ToolCall(_ID, runnable.spec.name, arguments)
        if options:
            return (await arun_all({call.name: runnable}, [call], terms_of(options)))[0]
        return await arun_one(runnable, call)

    @classmethod
    def from_schema(cls, name: str, description: str, parameters: JSON, handler: Handler | None = None) -> Self:
        """
        Make a tool from a JSON Schema as it is: from a file, an MCP server, another framework.

        Args:
            name: As the model sees it.

            description: For the model.

            parameters: JSON Schema of the arguments object; kept as it is, keywords that prismpy does not know too.

            handler: Takes the properties by name; None for a tool that is only described.

        Raises:
            DefinitionError: if the schema breaks the metaschema of its draft, or its root is no object; it names the
                path.
        """
        started = cls().as_(name).for_(description)._tool_swap(parameters=root_of(parameters, tool=name), infers=False)
        return started if handler is None else started.using(handler)

    @staticmethod
    def from_function(function: Callable[P, R], *, name: str = "", description: str = "") -> "FunctionTool[P, R]":
        """Make a tool of a callable; see `tool`, which does the same."""
        return tool(function, name=name, description=description)

    @staticmethod
    def make(source: Any) -> "Tool":
        """
        Make a tool of anything that can be one.

        Args:
            source: A `Tool` (returned as it is), a `Tool` subclass that needs no arguments, a function, a bound
                method, a `functools.partial`, an object with `__call__`, a `ToolSpec`, or a tool as an MCP client
                lists it, as an object or as JSON.

        Raises:
            DefinitionError: if it is none of these, or cannot be read.
        """
        if is_a(source, Tool):
            return source
        if is_class(source) and issubclass(source, Tool):
            return _instance_of(source)
        if is_a(source, ToolSpec):
            return _of_spec(source)
        if (listed := as_listed(source)) is not None:
            made = Tool.from_schema(listed.name, listed.description, listed.parameters)
            return made.with_provider_options("mcp", **listed.options) if listed.options else made
        if callable(source) and not isinstance(source, Tool):
            return tool(source)
        msg = f"{cut(repr(source))} is no tool; pass a Tool, a function, an object with __call__ or an MCP tool"
        raise DefinitionError(msg)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is worked out anew, for copies and pickles."""
        return {name: value for name, value in vars(self).items() if name != "_tool_completed"}

    def _runnable(self) -> Runnable:
        """Complete the draft, once as long as it does not change and all its types are known."""
        if self._tool_completed is not None and self._tool_completed[0] is self._tool_draft:
            return self._tool_completed[1]
        runnable = Runnable(complete(self._with_handler()))
        if runnable.spec.binding is None or not runnable.spec.binding.provisional:
            self._tool_completed = (self._tool_draft, runnable)
        return runnable

    def _with_handler(self) -> ToolSpec:
        """Return the draft; a subclass that can be called is its own handler unless told otherwise."""
        return (
            changed(self._tool_draft, handler=self)
            if self._tool_draft.handler is None and callable(self)
            else self._tool_draft
        )

    def __repr__(self) -> str:
        try:
            spec = self.spec
        except DefinitionError:
            spec = self._tool_draft
        parameters = describe(emit(spec.parameters))[1:-1] if spec.parameters.properties else ""
        return f"<{type(self).__name__} {spec.name or '(no name)'}({parameters})>"


def _of_spec(spec: ToolSpec) -> Tool:
    """Make a tool of a value; one that is complete is taken as it is, whatever its handler says of itself."""
    made = Tool()
    made._tool_draft = spec
    if spec.binding is not None:
        made._tool_completed = (spec, Runnable(spec))
    return made


def _instance_of(kind: type[Tool]) -> Tool:
    needed = needed_by(kind)
    if needed:
        msg = f"{kind.__name__} needs {', '.join(map(repr, needed))} to be made; pass an instance of it"
        raise DefinitionError(msg)
    return kind()


class FunctionTool(Tool, Generic[P, R]):
    """A tool made of a callable; calling it calls the callable, with nothing checked or converted."""

    __name__: str
    __qualname__: str

    def __init__(self, function: Callable[P, R], name: str = "", description: str = "") -> None:
        self._tool_function = function
        self._tool_draft = ToolSpec(name, description, handler=function, infers=True)
        # not its __dict__, whose names are those of another class
        functools.update_wrapper(self, function, _told_by(function), updated=())
        self.__name__ = name_of(function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        return self._tool_function(*args, **kwargs)

    def __get__(self, instance: Any, owner: type | None = None) -> "FunctionTool[..., R]":
        """Bind a tool that was defined in the body of a class, as functions bind."""
        bind = attribute(self._tool_function, "__get__")
        if bind is None or (instance is None and not is_a(self._tool_function, classmethod)):
            return self
        bound: Callable[..., R] = bind(instance, owner)
        tool = FunctionTool(bound)
        tool._tool_draft = changed(self._tool_draft, handler=bound)
        return tool

    def __reduce__(self) -> str | tuple[Any, ...]:
        """Pickle a decorated function as functions are pickled: by its name in its module."""
        found: Any = sys.modules.get(getattr(self, "__module__", ""))
        for name in getattr(self, "__qualname__", "").split("."):
            found = getattr(found, name, None)
        return self.__qualname__ if found is self else super().__reduce__()


def _told_by(function: Any) -> tuple[str, ...]:
    """Name what a callable says about itself, and does not make up when it is asked."""
    names = functools.WRAPPER_ASSIGNMENTS
    return tuple([name for name in names if attribute(function, name) is not None]) if is_made_up(function) else names


@overload
def tool(function: Callable[P, R], /, *, name: str = "", description: str = "") -> FunctionTool[P, R]: ...


@overload
def tool(*, name: str = "", description: str = "") -> Callable[[Callable[P, R]], FunctionTool[P, R]]: ...


def tool(function: Callable[..., Any] | None = None, /, *, name: str = "", description: str = "") -> Any:
    """
    Make a tool of a function, as a decorator or by a call.

    Name, text, types and defaults are read off the function; its docstring
    describes the parameters.

    Args:
        function: A function, sync or async, a bound method, a `functools.partial` or an object with `__call__`.

        name: Instead of the function's own.

        description: Instead of the docstring's.

    Raises:
        DefinitionError: if a required parameter has a type without JSON form. Where an annotation cannot be evaluated
            yet, this is found out when the tool is first used.
    """
    if function is None:
        return functools.partial(tool, name=name, description=description)
    made: FunctionTool[..., Any] = FunctionTool(function, name, description)
    if not _is_in_class(function):
        with suppress(UnresolvedError):  # mistakes show up where they were made; names may yet be defined below
            _ = made.spec
    return made


def _is_in_class(function: Handler) -> bool:
    """Tell whether a function is being defined in the body of a class, where `self` is not bound yet."""
    qualified = attribute(function, "__qualname__", "").rpartition("<locals>.")[2]
    return "." in qualified and attribute(function, "__self__") is None
