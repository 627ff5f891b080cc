"""
The chain: a shell that holds one draft and swaps it.

Whoever got the spec before keeps what it got. What a tool can do once it is
described stands in `_tool`.
"""

import enum
import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, Self, TypedDict, TypeVar, Unpack

import attrs

from prismpy.errors import DefinitionError
from prismpy.lowering import dialect
from prismpy.schema import (
    JSON,
    MISSING,
    AnyOfSchema,
    ArraySchema,
    BooleanSchema,
    EnumSchema,
    IntegerSchema,
    NumberSchema,
    ObjectSchema,
    Schema,
    StringSchema,
    annotated,
    canonical,
    check,
    parse,
    plain,
)
from prismpy.tools import CRASH_POLICIES, SYNTAXES, CrashPolicy, FailureHandler, FreeText, Handler, Syntax, ToolSpec

if TYPE_CHECKING:  # takes a third of the import time; most programs have no need of it
    from concurrent.futures import Executor


class Options(TypedDict, total=False):
    """What every `with_..._parameter` takes by name."""

    default: JSON
    """Taken when the model leaves the parameter out; makes it optional."""

    nullable: bool
    """Whether null is a value for it."""

    examples: list[JSON]
    """Example values."""


class StringOptions(Options, total=False):
    """What `with_string_parameter` takes by name."""

    min_length: int
    """Characters, from 0 up."""

    max_length: int
    """Characters, from 0 up."""

    pattern: str
    """Regular expression that must be found in the text."""

    format: str
    """Such as `date` or `email`; tells the model, is not enforced."""


class NumberOptions(Options, total=False):
    """What `with_integer_parameter` and `with_number_parameter` take by name."""

    minimum: float
    """Smallest value."""

    maximum: float
    """Largest value."""

    exclusive_minimum: float
    """All values are larger."""

    exclusive_maximum: float
    """All values are smaller."""

    multiple_of: float
    """All values are multiples of it; more than 0."""


class ArrayOptions(Options, total=False):
    """What `with_array_parameter` takes by name."""

    min_items: int
    """From 0 up."""

    max_items: int
    """From 0 up."""

    unique_items: bool
    """Whether no item may occur twice."""


B = TypeVar("B", bound="Builder")
B_co = TypeVar("B_co", bound="Builder", covariant=True)


class _Naming(Protocol[B_co]):
    def __call__(self, name: str) -> B_co: ...


class _As:
    """`as_`: on a class it starts a new tool, on an instance it goes on with that one."""

    def __get__(self, instance: B | None, owner: type[B]) -> _Naming[B]:
        def as_(name: str) -> B:
            """
            Name the tool.

            Args:
                name: As the model sees it. Most providers take letters, digits, `_` and `-`, at most 64 characters.

            Raises:
                DefinitionError: if it is empty, or no text.
            """
            builder = owner() if instance is None else instance
            if not isinstance(name, str) or not name:
                raise builder._mistake(f"as_() got {name!r}; pass a name for the tool")
            return builder._tool_swap(name=name)

        return as_


_ENDS = (("minimum", "maximum"), ("min_length", "max_length"), ("min_items", "max_items"))


class Builder:
    """The describing half of `Tool`; every method changes this object and returns it."""

    # a class attribute too, so that subclasses need not call super().__init__();
    # named at length, since it shares its object with the attributes of every app's tools
    _tool_draft: ToolSpec = ToolSpec()

    as_ = _As()

    def for_(self, description: str) -> Self:
        """Say for the model what the tool does and when to use it."""
        return self._tool_swap(description=description)

    def using(self, handler: Handler) -> Self:
        """
        Say what runs the tool.

        Args:
            handler: Takes the parameters by name, sync or async, and returns text, anything that becomes JSON, a
                `ToolOutput`, or a `ToolError`. A subclass with `__call__` passes itself.

        Raises:
            DefinitionError: if it cannot be called.
        """
        if not callable(handler):
            advice = "define __call__ in the class" if handler is self else "pass a function or an object with __call__"
            raise self._mistake(f"using() got {handler!r}, which cannot be called; {advice}")
        # a tool that runs itself does not hold itself, so that a copy of it runs the copy
        own: Any = self
        return self._tool_swap(handler=None if handler is own else handler)

    # --- parameters -----------------------------------------------------------

    def with_parameter(self, parameter: Schema, required: bool = True) -> Self:
        """
        Add a parameter described by a schema node, under the node's name.

        A parameter with a default is optional, whatever `required` says.

        Raises:
            DefinitionError: if the node has no name, or the name is taken.
        """
        known = self._tool_draft.parameters
        if not getattr(parameter, "name", ""):
            raise self._mistake(f"{parameter!r} has no name; pass a schema such as StringSchema('city', 'Where')")
        if any(node.name == parameter.name for node in known.properties or ()):
            raise self._mistake(f"parameter {parameter.name!r} is declared twice; rename or remove one")
        for low, high in _ENDS:
            least, most = getattr(parameter, low, None), getattr(parameter, high, None)
            if least is not None and most is not None and least > most:
                complaint = (
                    f"parameter {parameter.name!r}: {low} {least} is more than {high} {most}, so no value is right"
                )
                raise self._mistake(complaint)
        needed = [parameter.name] if required and parameter.default is MISSING else []
        parameters = attrs.evolve(
            known,
            properties=(*(known.properties or ()), parameter),
            required_fields=(*(known.required_fields or ()), *needed) or None,
        )
        return self._tool_swap(parameters=parameters)

    def with_string_parameter(
        self, name: str, description: str = "", required: bool = True, **options: Unpack[StringOptions]
    ) -> Self:
        """
        Add a text.

        Args:
            name: Name of the parameter.

            description: For the model.

            required: Whether a call must have it; a default makes it optional.

            options: See `StringOptions`.

        Raises:
            DefinitionError: if the name is taken or an option is of the wrong kind.
        """
        return self.with_parameter(StringSchema(name, description or None, **options), required)

    def with_integer_parameter(
        self, name: str, description: str = "", required: bool = True, **options: Unpack[NumberOptions]
    ) -> Self:
        """Add a whole number; otherwise like `with_number_parameter`."""
        return self.with_parameter(IntegerSchema(name, description or None, **options), required)

    def with_number_parameter(
        self, name: str, description: str = "", required: bool = True, **options: Unpack[NumberOptions]
    ) -> Self:
        """
        Add a number.

        Args:
            name: Name of the parameter.

            description: For the model.

            required: Whether a call must have it; a default makes it optional.

            options: See `NumberOptions`.

        Raises:
            DefinitionError: if the name is taken or an option is of the wrong kind.
        """
        return self.with_parameter(NumberSchema(name, description or None, **options), required)

    def with_boolean_parameter(
        self, name: str, description: str = "", required: bool = True, **options: Unpack[Options]
    ) -> Self:
        """Add a true or false; the options are those of every parameter, see `Options`."""
        return self.with_parameter(BooleanSchema(name, description or None, **options), required)

    def with_enum_parameter(
        self, name: str, description: str, options: Iterable[JSON], required: bool = True, **more: Unpack[Options]
    ) -> Self:
        """
        Add a choice of one among several values.

        Args:
            name: Name of the parameter.

            description: For the model.

            options: Text, numbers, bools or None, or the members of an `Enum`, whose values are taken; at least one.

            required: Whether a call must have it; a default makes it optional.

            more: See `Options`.

        Raises:
            DefinitionError: if the name is taken, there are no options, or one occurs twice.
        """
        if isinstance(options, str):
            raise self._mistake(f"parameter {name!r}: options are {options!r}; pass a list of them")
        values = [option.value if isinstance(option, enum.Enum) else option for option in options]
        if len({canonical(plain(value)) for value in values}) < len(values):
            raise self._mistake(f"parameter {name!r}: options {values!r} name one twice; remove it")
        return self.with_parameter(EnumSchema(name, description or None, tuple(values), **more), required)

    def with_array_parameter(
        self, name: str, description: str, items: Schema, required: bool = True, **options: Unpack[ArrayOptions]
    ) -> Self:
        """
        Add a list.

        Args:
            name: Name of the parameter.

            description: For the model.

            items: What each item is, such as `StringSchema("day", "A weekday")`; its name is not sent.

            required: Whether a call must have it; a default makes it optional.

            options: See `ArrayOptions`.

        Raises:
            DefinitionError: if the name is taken or an option is of the wrong kind.
        """
        return self.with_parameter(ArraySchema(name, description or None, items, **options), required)

    def with_object_parameter(
        self,
        name: str,
        description: str,
        properties: Iterable[Schema],
        required_fields: Iterable[str] = (),
        allow_additional_properties: bool = False,
        required: bool = True,
        **options: Unpack[Options],
    ) -> Self:
        """
        Add an object with properties of its own.

        Args:
            name: Name of the parameter.

            description: For the model.

            properties: Schema nodes, each under its name.

            required_fields: Names of the properties that must be there.

            allow_additional_properties: Whether it may have others.

            required: Whether a call must have it; a default makes it optional.

            options: See `Options`.

        Raises:
            DefinitionError: if a name is taken, or a required field is no property.
        """
        shape = (tuple(properties), tuple(required_fields) or None, allow_additional_properties)
        node = ObjectSchema(name, description or None, *shape, **options)
        if any(not p.name for p in node.properties or ()):
            raise self._mistake(f"parameter {name!r} has a property without a name; name every schema in properties")
        unknown = set(node.required_fields or ()) - {p.name for p in node.properties or ()}
        if unknown and not allow_additional_properties:
            raise self._mistake(
                f"parameter {name!r} requires {', '.join(map(repr, sorted(unknown)))}, no property of it"
            )
        return self.with_parameter(node, required)

    def with_any_of_parameter(
        self, name: str, description: str, schemas: Iterable[Schema], required: bool = True, **options: Unpack[Options]
    ) -> Self:
        """
        Add a value that obeys at least one of several schemas.

        Raises:
            DefinitionError: if the name is taken or there are no schemas.
        """
        return self.with_parameter(AnyOfSchema(tuple(schemas), name, description or None, **options), required)

    def with_raw_parameter(self, name: str, description: str, schema: JSON, required: bool = True) -> Self:
        """
        Add a parameter described by JSON Schema as it is.

        Args:
            name: Name of the parameter.

            description: For the model; "" keeps the schema's own.

            schema: A dict or a bool. References in it start at the parameters object, as in `#/properties/...`; a
                `$defs` in it moves there.

            required: Whether a call must have it; a default in the schema makes it optional.

        Raises:
            DefinitionError: if the name is taken, two definitions have one name, or the schema breaks the metaschema,
                whose path it names. A reference that leads nowhere is refused when the tool is first used.
        """
        where = f"$.properties.{name}"
        schema = plain(schema, where)
        check(schema, tool=self._tool_draft.name, path=where)
        if isinstance(schema, dict) and "$defs" in schema:
            self._define(schema.pop("$defs"))
        return self.with_parameter(annotated(parse(schema, name), name, description or None), required)

    def _define(self, definitions: Mapping[str, JSON]) -> None:
        parameters = self._tool_draft.parameters
        known: dict[str, JSON] = dict(parameters.extra.get("$defs", {}))
        for name, definition in definitions.items():
            if known.setdefault(name, definition) != definition:
                raise self._mistake(f"$defs has two definitions of {name!r}; rename one")
        self._tool_swap(parameters=attrs.evolve(parameters, extra={**parameters.extra, "$defs": known}))

    def takes_free_text(self, grammar: str = "", *, syntax: Syntax = "lark") -> Self:
        """
        Let the model write the tool's one parameter freely, where its provider knows such tools.

        There it writes code or a query as it is, without the escapes of JSON. Elsewhere the tool is an ordinary one:
        an object with one text.

        Args:
            grammar: What the text must obey; "" for any. A provider that knows such tools enforces it. A `regex` is
                enforced here too, and goes to all others as a `pattern`; a `lark` grammar they are told in words.

            syntax: What the grammar is written in: `lark`, or `regex`, which the whole text must match.

        Raises:
            DefinitionError: if there is no such syntax; when the tool is first used, if it takes anything but one
                required text.

        Source: OpenAI guide "Function calling", section "Custom tools" (2026-11).
        """
        if syntax not in SYNTAXES:
            raise self._mistake(f"takes_free_text() got syntax {syntax!r}; use {' or '.join(map(repr, SYNTAXES))}")
        return self._tool_swap(free_text=FreeText(grammar, syntax))

    # --- running --------------------------------------------------------------

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

    def with_provider_options(self, provider: str, **options: JSON) -> Self:
        """
        Send further options with the tool to one provider, in its own words.

        Args:
            provider: As in `to`. Options for a provider add up over several calls.

            options: Such as `cache_control={"type": "ephemeral"}`; exporting refuses those it does not document.

        Raises:
            UnknownProviderError: listing the known names.
        """
        dialect(provider)
        options = plain(options)
        known: Mapping[str, Mapping[str, Any]] = self._tool_draft.provider_options
        return self._tool_swap(provider_options={**known, provider: {**known.get(provider, {}), **options}})

    def _mistake(self, complaint: str) -> DefinitionError:
        return DefinitionError(f"tool {self._tool_draft.name!r}: {complaint}", tool=self._tool_draft.name)

    def _tool_swap(self, **changes: Any) -> Self:
        self._tool_draft = attrs.evolve(self._tool_draft, **changes)
        return self
