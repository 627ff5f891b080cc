"""
Everything that can go wrong, as exceptions and as one value.

Who broke the contract decides the class; the tree:

    PrismError
      DefinitionError      the developer described a tool wrongly
        UnresolvedError      by a type whose name means nothing (yet)
        OpaqueError          by a type that nothing a model sends could be of
      LoweringError        a schema does not fit a provider
      UnknownProviderError no such provider is known here
      NotInstalledError    a library that comes with an extra of the package is not there
      ToolError            a handler says that its call failed
        Retry                and that it is worth another try
        StoreError           a store of a toolkit could not do what it was asked
          UnknownIdError       since it holds nothing of that id
      ProviderError        a provider failed, or broke its own format
      OutputError          a model did not answer in the demanded form
      ProtocolError        a run was driven out of order
      HookError            a hook of the app failed while calls were run
      StateError           a value cannot be stored, or what was stored cannot be read
      DurableError         a durable run is not there, failed, or is not as it is asked to be
        AnsweredError        since somebody else answered before

What a *model* does wrong is never raised: it becomes `Problem`s on a result.
"""

from typing import Any

import attrs


class PrismError(Exception):
    """Base of every exception that prismpy raises on purpose."""


class DefinitionError(PrismError):
    """
    A tool or a schema was described wrongly.

    Attributes:
        tool: Name of the tool, "" where none is known yet.

        path: Where in the schema, as a JSON Path such as `$.properties.city`; "" where the mistake is not in a schema.
    """

    def __init__(self, message: str, *, tool: str = "", path: str = "") -> None:
        super().__init__(message)
        self.tool = tool
        self.path = path


class UnresolvedError(DefinitionError):
    """The type of a parameter is a name that means nothing, or nothing yet."""


class OpaqueError(DefinitionError):
    """A required parameter is of a type that has no JSON form: a callable, a connection, a class that is no value."""


class LoweringError(PrismError):
    """
    A tool cannot be said in the way a provider demands.

    Attributes:
        tool: Name of the tool.

        provider: Name of the provider.

        changes: What the lowering would change, where that is why.
    """

    def __init__(self, message: str, *, tool: str = "", provider: str = "", changes: tuple[Any, ...] = ()) -> None:
        super().__init__(message)
        self.tool = tool
        self.provider = provider
        self.changes = changes


class UnknownProviderError(PrismError, LookupError):
    """
    A provider name is not in the table.

    Attributes:
        known: The names that are, sorted.
    """

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        super().__init__(name, known)
        self.name = name
        self.known = known

    def __str__(self) -> str:
        return f"unknown provider {self.name!r}; known are {', '.join(self.known)}"


class NotInstalledError(PrismError, ImportError):
    """A library that comes with an extra of the package is not there; its `name` is that of the module."""


class HookError(PrismError):
    """
    A hook failed while calls were run. All calls have ended, and nothing they came to is lost.

    Attributes:
        results: What `run` would have returned.

        errors: What hooks raised, in order; the first is the `__cause__`.
    """

    def __init__(self, message: str, *, results: tuple[Any, ...], errors: tuple[Exception, ...]) -> None:
        super().__init__(message)
        self.results = results
        self.errors = errors


class StateError(PrismError):
    """
    A value cannot be stored as JSON, or what was stored is none of its kind.

    Attributes:
        path: Where in the value: `results[0].output.result`; "" for the whole.

        complaint: What is wrong there.
    """

    def __init__(self, complaint: str, *, path: str = "") -> None:
        super().__init__(f"{path}: {complaint}" if path else complaint)
        self.complaint = complaint
        self.path = path


class ToolError(PrismError):
    """
    The call failed, in words meant for the model.

    A handler may raise or return one. Either way the result is marked as an
    error and the model reads the message as it is, without a class name.

    Source: Prism, `src/ValueObjects/ToolError.php` (read 2026-11).

    Attributes:
        message: Text for the model.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = str(message)


class Retry(ToolError):  # noqa: N818  # a request to the model, raised to reach it
    """
    The call failed for a reason that the model can do something about, in words that say what.

    A handler may raise or return one. The model reads the message and is asked
    to call the tool again. How often it may is up to the loop that asks it.
    """


class StoreError(ToolError):
    """
    A file, a database or a server could not do what it was asked; what it held before, it holds still.

    The message is for the model and for people: a tool over a store lets it through.
    """


class UnknownIdError(StoreError, LookupError):
    """
    A store holds nothing of that id.

    Attributes:
        id: What was asked for.
    """

    def __init__(self, message: str, *, id: str = "") -> None:
        super().__init__(message)
        self.id = id


class ProviderError(PrismError):
    """
    A provider did not answer, refused to, or answered what its own documents do not allow.

    The exception of its SDK is the `__cause__`, where there is one.

    Attributes:
        provider: Name of the provider.

        status: HTTP status; None where there was none, as in a stream that broke off.

        code: The provider's own word for it, such as `rate_limit_error`; "" where it has none.

        retry_after: Seconds until another try makes sense; None where it does not say.

        reply: What had been received before it failed, as a `Reply`; None where that is nothing.
    """

    def __init__(
        self,
        message: str,
        *,
        provider: str = "",
        status: int | None = None,
        code: str = "",
        retry_after: float | None = None,
        reply: Any = None,
    ) -> None:
        super().__init__(message)
        self.provider = provider
        self.status = status
        self.code = code
        self.retry_after = retry_after
        self.reply = reply


class OutputError(PrismError):
    """
    A model did not answer in the form that was demanded, however often it was asked.

    Attributes:
        response: The run, as a `Response`.
    """

    def __init__(self, message: str, *, response: Any = None) -> None:
        super().__init__(message)
        self.response = response


class ProtocolError(PrismError):
    """A run was driven out of order, as by results for calls that nobody made. Its state is what it was."""


class DurableError(PrismError):
    """
    A durable run is not there, has failed or was cancelled, or cannot do what it was asked.

    Attributes:
        run: Its id, "" where no run is concerned.
    """

    def __init__(self, message: str, *, run: str = "") -> None:
        super().__init__(message)
        self.run = run


class AnsweredError(DurableError):
    """
    Somebody else answered before; that answer holds, and nothing of this one does.

    Attributes:
        calls: Ids of the calls that were answered before.
    """

    def __init__(self, message: str, *, run: str = "", calls: tuple[str, ...] = ()) -> None:
        super().__init__(message, run=run)
        self.calls = calls


@attrs.frozen
class Problem:
    """
    One thing that is wrong with the arguments of a call.

    `str()` of it is the sentence a model reads.
    """

    path: str
    """Where: `city`, `days[0].from`; "" for the arguments as a whole."""

    rule: str
    """The violated rule: a JSON Schema keyword, or `json`, `unknown`, `convert`."""

    message: str
    """What was expected, what came and, where there is one, the nearest valid choice."""

    expected: Any = attrs.field(default=None, eq=repr)
    """Value of the violated keyword, as JSON; None where it says nothing."""

    found: str = ""
    """What came, as JSON, cut to 80 characters; "" where nothing came."""

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message
