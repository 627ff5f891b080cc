"""
What is known about a Python type: its JSON form, and the way there and back.

One `TypeRule` knows both directions, so they cannot drift apart. Users add
rules of their own with `register`.
"""

import collections.abc
import functools
import json
import math
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

import attrs

from prismpy.errors import PrismError, Problem
from prismpy.schema import JSON, MAX_DEPTH, RefSchema, Schema, compile_schema, cut, emit, step

Load: TypeAlias = Callable[[JSON], Any]
"""From JSON that the schema accepts to the annotated type; raises `ConversionError` for what the schema let through."""


class ConversionError(PrismError):
    """
    A value fits the schema, yet is none of the annotated type: "2024-02-30" is no date.

    Attributes:
        path: Where in the value, as in `Problem.path`.
    """

    def __init__(self, message: str, path: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.path = path


class NoJSONFormError(PrismError):
    """A type has no JSON form, such as a callable or an open file. The message says which and why."""


class UnresolvedFormError(NoJSONFormError):
    """A type has none since its name means nothing, or nothing yet."""


@contextmanager
def inside(key: str | int) -> Iterator[None]:
    """Put a key before the path of a `ConversionError` that is raised within."""
    try:
        yield
    except ConversionError as error:
        path = step("", key) + (error.path if error.path.startswith("[") or not error.path else f".{error.path}")
        raise ConversionError(error.message, path) from error


@contextmanager
def by_users_code(attempt: str) -> Iterator[None]:
    """Turn whatever the code of a user's class raises while a value is made into a `ConversionError`."""
    try:
        yield
    except ConversionError:
        raise
    except Exception as error:
        said = error.args[0] if error.args and isinstance(error.args[0], str) else type(error).__name__
        msg = f"{attempt}: {cut(said, 200)}"
        raise ConversionError(msg) from error


@attrs.frozen
class Form:
    """How the values of one annotation look as JSON."""

    schema: Schema
    """A nameless node."""

    load: Load | None = None
    """From JSON to the value; None where both are the same."""


@attrs.frozen
class TypeRule:
    """
    One row of knowledge about a kind of types.

    Args:
        applies: Tells whether an annotation, or the class of a value, is of this kind.

        form: Returns the form of such an annotation; asks the reader for the forms of types within it.

        dump: Takes a value one step nearer to JSON; what it returns is dumped in turn. None for special forms that
            no value is an instance of.

        show: Like `dump`, for results, where a value has more to show than what it is made of: computed fields.
    """

    applies: Callable[[Any], bool]
    form: Callable[[Any, "Reader"], Form]
    dump: Callable[[Any], Any] | None = None
    show: Callable[[Any], Any] | None = None


class Reader:
    """
    Reads the annotations of one callable.

    Args:
        rules: The rows to look in; the first that applies wins.

    Attributes:
        definitions: JSON Schemas of the types that contain themselves, by their name under `$defs`.

        lost: Why members of unions were left out, in the order in which they were met.

        provisional: Whether a name was met that means nothing; a class may yet be defined under it.
    """

    def __init__(self, rules: tuple[TypeRule, ...]) -> None:
        self._rules = rules
        self._being_read: dict[Any, bool] = {}  # whether the type was met within itself
        self._references: dict[Any, Form] = {}
        self._names: dict[Any, str] = {}
        self.definitions: dict[str, JSON] = {}
        self.lost: list[str] = []
        self.provisional = False

    def form(self, annotation: Any) -> Form:
        """
        Return the form of an annotation.

        Raises:
            NoJSONFormError: if no rule applies.
        """
        for rule in self._rules:
            if rule.applies(annotation):
                return rule.form(annotation, self)
        msg = f"{type_name(annotation)} has no JSON form"
        raise NoJSONFormError(msg)

    def dump(self, value: Any) -> JSON:
        """
        Return a value as JSON.

        Raises:
            NoJSONFormError: if it has none.
        """
        return dump(value, self._rules)

    def judge(self, form: Form) -> Callable[[JSON], tuple[Problem, ...]]:
        """Prepare to hold values against a form. It compiles when first used: definitions may still be to come."""

        @functools.cache
        def compiled() -> Callable[[JSON], tuple[Problem, ...]]:
            schema = emit(form.schema)
            return compile_schema({"$defs": self.definitions, **schema} if isinstance(schema, dict) else schema)

        def problems(value: JSON) -> tuple[Problem, ...]:
            return compiled()(value)

        return problems

    def recursive(self, kind: Any, build: Callable[[], Form]) -> Form:
        """Return the form of a type that may contain itself: spelled out where it does not, else a reference."""
        if kind in self._references:
            return self._references[kind]
        if kind in self._being_read:
            self._being_read[kind] = True
            ref = RefSchema(ref=f"#/$defs/{self._definition_name(kind)}")
            return Form(ref, lambda value: load_with(self._references[kind], value))
        self._being_read[kind] = False
        try:
            form = build()
            met_itself = self._being_read[kind]
        finally:
            del self._being_read[kind]
        if not met_itself:
            return form
        name = self._definition_name(kind)
        self.definitions[name] = emit(form.schema)
        self._references[kind] = Form(RefSchema(ref=f"#/$defs/{name}"), form.load)
        return self._references[kind]

    def _definition_name(self, kind: Any) -> str:
        """Name a type as in `#/$defs/NAME`, distinct among the types that have a definition or are being read."""
        if kind not in self._names:
            name = re.sub(r"\W+", "_", type_name(kind).rpartition(".")[2]).strip("_")
            taken = self._names.values()
            self._names[kind] = name if name not in taken else f"{name}_{len(taken) + 1}"
        return self._names[kind]


def dump(value: Any, rules: tuple[TypeRule, ...], otherwise: Callable[[Any], JSON] | None = None) -> JSON:
    """
    Turn a value into JSON, step by step, by its class.

    Args:
        value: Anything.

        rules: The rows to look in; the first that applies to the value's class and has a `dump` wins.

        otherwise: What to make of a value without a JSON form, NaN and the infinities among them.

    Raises:
        NoJSONFormError: for such a value, where `otherwise` is None.
    """
    if otherwise is not None:
        return _Dumper([(rule.applies, rule.show or rule.dump) for rule in rules], otherwise).dump(value)
    return _Dumper([(rule.applies, rule.dump) for rule in rules], _refuse).dump(value)


def _refuse(value: Any) -> JSON:
    msg = f"{cut(repr(value))} has no JSON form"
    raise NoJSONFormError(msg)


class _Dumper:
    """Dumps one value; what contains itself, or goes deeper than JSON should, has no form from there on."""

    def __init__(
        self,
        steps: list[tuple[Callable[[Any], bool], Callable[[Any], Any] | None]],
        otherwise: Callable[[Any], JSON],
    ) -> None:
        self._steps = steps
        self._otherwise = otherwise
        self._above: set[int] = set()  # ids of the values that the current one is in

    def dump(self, value: Any) -> JSON:
        kind = type(value)
        if value is None or kind in (str, bool, int) or (kind is float and math.isfinite(value)):
            return value
        if id(value) in self._above or len(self._above) > MAX_DEPTH:
            return self._otherwise(value)
        self._above.add(id(value))
        try:
            return self._dump(value, kind)
        finally:
            self._above.discard(id(value))

    def _dump(self, value: Any, kind: type) -> JSON:
        for applies, step_ in self._steps:
            if step_ is not None and applies(kind):
                return self.dump(step_(value))
        match value:
            case str() | int() | float() if kind not in (str, int, float):  # a subclass without a rule of its own
                return self.dump(next(base(value) for base in (str, int, float) if isinstance(value, base)))
            case collections.abc.Mapping():
                return {self._key(self.dump(key)): self.dump(item) for key, item in value.items()}
            case collections.abc.Set():
                return [self.dump(item) for item in in_order(value)]
            case collections.abc.Sequence() if not isinstance(value, bytearray | memoryview):
                return [self.dump(item) for item in value]
            case _:
                return self._otherwise(value)

    def _key(self, key: JSON) -> str:
        """Write a key as JSON writers do: 1 becomes "1", True "true", None "null"."""
        if isinstance(key, str):
            return key
        return json.dumps(key) if key is None or isinstance(key, bool | int | float) else str(self._otherwise(key))


def in_order(values: collections.abc.Set[Any]) -> list[Any]:
    """Sort a set where its items can be, so that equal sets give equal texts."""
    try:
        return sorted(values)
    except TypeError:
        return list(values)


def load_with(form: Form, value: JSON) -> Any:
    """Load a value by a form."""
    return value if form.load is None else form.load(value)


def type_name(annotation: Any) -> str:
    """Name an annotation for a message."""
    return annotation.__qualname__ if isinstance(annotation, type) else str(annotation)
