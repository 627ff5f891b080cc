"""
What is known about a Python type: its JSON form, and the way there and back.

One `TypeRule` knows both directions, so they cannot drift apart. Users add
rules of their own with `register`.
"""

import types
import typing
from collections.abc import Callable, Hashable, Iterator
from typing import Any, Final, Generic, TypeAlias, TypeVar

import attrs

from prismpy.schema import JSON, Schema

from ._attributes import is_class
from ._dump import Step
from ._errors import NoJSONFormError

Load: TypeAlias = Callable[[JSON], Any]
"""From JSON that the schema accepts to the annotated type; raises `ConversionError` for what the schema let through."""


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

        form: Returns the form of such an annotation; asks the `Reader` it is given for the forms of types within it.

        dump: Takes a value one step nearer to JSON; what it returns is dumped in turn. None for special forms that
            no value is an instance of.

        show: Like `dump`, for results, where a value has more to show than what it is made of: computed fields.
    """

    applies: Callable[[Any], bool]
    form: Callable[[Any, Any], Form]
    dump: Step | None = None
    show: Step | None = None


K = TypeVar("K")
V = TypeVar("V")


UNIONS: Final = frozenset({types.UnionType, type(typing.Optional[int])})  # noqa: UP045
"""Classes of unions, as they are spelled now and as they were spelled before."""

_ALIASES: Final = frozenset({types.GenericAlias, type(typing.List[int]), *UNIONS})  # noqa: UP006
"""Classes of annotations that are what their parts are."""


def identity(annotation: Any) -> Hashable:
    """
    Tell an annotation by the objects that it is made of, as every `list[str]` that is written is another object.

    Equality would not do: `int | str` equals `str | int`, and `Annotated[int, []]` has no hash.

    Returns:
        What is another annotation's too only if that says the same, as long as this one is there.
    """
    kind: Any = type(annotation)
    if kind not in _ALIASES or (kind is types.GenericAlias and annotation.__unpacked__):  # `*tuple[int, ...]`
        return id(annotation)
    return kind, id(getattr(annotation, "__origin__", None)), *map(identity, annotation.__args__)


def is_lasting(annotation: Any) -> bool:
    """Tell whether an annotation is made of classes alone, so that others will be of the same identity."""
    if isinstance(identity(annotation), tuple):
        return all(map(is_lasting, annotation.__args__))
    return isinstance(annotation, type) or annotation is ...


class Memory(Generic[K, V]):
    """What was found out about some objects, by identity; it forgets all when it is full."""

    LIMIT = 4_096

    def __init__(self) -> None:
        self.found: dict[Hashable, V] = {}
        """`identity` of an object to what was found out about it."""
        self._objects: list[K] = []  # as long as they are here, no other object gets their id

    def get(self, key: K) -> V | None:
        return self.found.get(identity(key))

    def put(self, key: K, value: V) -> V:
        if len(self._objects) >= self.LIMIT:
            self.found.clear()
            self._objects.clear()
        self._objects.append(key)
        self.found[identity(key)] = value
        return value


@attrs.frozen
class Definition:
    """A schema under `$defs`, and whose it is."""

    name: str
    schema: JSON
    form: Form
    """The reference to it."""

    kind: Any = None
    """The type, where a reader can tell it again."""


@attrs.frozen
class Known:
    """The form of an annotation with everything that was found out on the way."""

    form: Form
    definitions: tuple[Definition, ...] = ()
    """What must be defined with it."""

    names: frozenset[str] = frozenset()
    """Names of the definitions that it refers to."""

    remarks: tuple[str, ...] = ()
    """What the schema does not say, and why."""

    is_all: bool = False
    """Whether the form is all there is."""


class Rules:
    """All rows at a time, first come first served, and what was found out by them."""

    def __init__(self, rows: tuple[TypeRule, ...]) -> None:
        self.rows = rows
        self.known: Memory[Any, Known] = Memory()
        self.failures: Memory[Any, NoJSONFormError] = Memory()
        self.defaults: dict[Any, tuple[Form, Any]] = {}
        self._dumps: Memory[type, tuple[Step | None, Step | None]] = Memory()

    def step_of(self, kind: type) -> Step | None:
        """Return how values of a class come nearer to JSON; None where there is no rule for it."""
        return self._steps(kind)[0]

    def shown_step_of(self, kind: type) -> Step | None:
        """Like `step_of`, for results."""
        return self._steps(kind)[1]

    def _steps(self, kind: type) -> tuple[Step | None, Step | None]:
        return self._dumps.get(kind) or self._dumps.put(kind, next(self._dumping(kind), (None, None)))

    def _dumping(self, kind: type) -> Iterator[tuple[Step | None, Step | None]]:
        told = (row for row in self.rows if row.dump is not None or row.show is not None)
        return ((row.dump, row.show or row.dump) for row in told if row.applies(kind))


def load_with(form: Form, value: JSON) -> Any:
    """Load a value by a form."""
    return value if form.load is None else form.load(value)


def type_name(annotation: Any) -> str:
    """Name an annotation for a message."""
    return annotation.__qualname__ if is_class(annotation) else str(annotation)
