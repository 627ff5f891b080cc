"""
What stands in `Annotated` beside the type: text, bounds, names, in the words of several libraries.

The libraries are recognised by the attributes of their objects, so none is imported.

Sources, read 2026-11: annotated-types 0.7, pydantic 2.14 `fields.FieldInfo`, msgspec 0.20 `Meta`,
typing_extensions 4.15 `Doc`.
"""

import copy
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, Final

import attrs

from prismpy.schema import JSON

from ._attributes import attribute
from ._errors import ConversionError, by_users_code


class Injected:
    """
    Marks a parameter that the app fills, not the model: `db: Annotated[Database, Injected]`.

    It is left out of the schema. When the tool runs, the first object given as `provide` that is an instance of the
    annotated type is passed.
    """


@attrs.frozen(kw_only=True)
class Param:
    """
    Says more about a parameter or field than its type: `Annotated[str, Param(description="Where", min_length=1)]`.

    Bounds become keywords of the schema, and are enforced.
    """

    description: str | None = None
    """For the model; wins over the docstring."""

    name: str | None = None
    """Name that the model sees, where the Python name will not do, such as `from`."""

    examples: list[JSON] | None = attrs.field(default=None, hash=False)
    """Example values, as JSON."""

    minimum: Any = None
    """Smallest value."""

    maximum: Any = None
    """Largest value."""

    exclusive_minimum: Any = None
    """All values are larger."""

    exclusive_maximum: Any = None
    """All values are smaller."""

    multiple_of: float | None = None
    """All values are multiples of it."""

    min_length: int | None = None
    """Characters, items or entries, from 0 up."""

    max_length: int | None = None
    """Characters, items or entries, from 0 up."""

    pattern: str | None = None
    """Regular expression that must be found in the text."""

    format: str | None = None
    """Such as `email`; tells the model, is not enforced."""


Check = tuple[Callable[[Any], bool], str]
"""A test of a loaded value, and what it demands, in words."""


@attrs.frozen
class Notes:
    """Everything said about one annotation, in the words of JSON Schema."""

    description: str | None = None
    name: str | None = None
    keywords: Mapping[str, JSON] = attrs.field(factory=dict)
    lengths: Mapping[str, int] = attrs.field(factory=dict)
    """`min` and `max`, for whatever the type is that has a length."""
    checks: tuple[Check, ...] = ()
    default: Callable[[], Any] | None = None
    """Makes the default, where one is given in the annotation."""
    injected: bool = False
    foreign: bool = False
    """Whether something is said that only pydantic can carry out."""


_BOUNDS: Final = {
    "ge": ("minimum", operator.ge, "at least"),
    "minimum": ("minimum", operator.ge, "at least"),
    "gt": ("exclusiveMinimum", operator.gt, "above"),
    "exclusive_minimum": ("exclusiveMinimum", operator.gt, "above"),
    "le": ("maximum", operator.le, "at most"),
    "maximum": ("maximum", operator.le, "at most"),
    "lt": ("exclusiveMaximum", operator.lt, "below"),
    "exclusive_maximum": ("exclusiveMaximum", operator.lt, "below"),
}
_KEYWORDS: Final = {
    "multiple_of": "multipleOf",
    "pattern": "pattern",
    "format": "format",
    "examples": "examples",
    "title": "title",
}
_LENGTHS: Final = {"min_length": "min", "max_length": "max"}
_TEXTS: Final = ("description", "documentation")
_NAMES: Final = ("name", "validation_alias", "alias")
_EXTRAS: Final = ("json_schema_extra", "extra_json_schema")
_LIBRARIES: Final = frozenset({"annotated_types", "pydantic", "msgspec", "typing_extensions", "prismpy"})

NO_NOTES: Final = Notes()
"""Where nothing is said."""


def read_notes(metadata: Iterable[Any]) -> Notes:
    """Read what stands beside a type; where two things are said, the first counts, of bounds the tighter."""
    notes = NO_NOTES
    for item in _expanded(metadata):
        if isinstance(item, str):
            notes = attrs.evolve(notes, description=notes.description or item)
        elif item is Injected or isinstance(item, Injected):
            notes = attrs.evolve(notes, injected=True)
        elif type(item).__module__.partition(".")[0] in _LIBRARIES:
            notes = _with(notes, item)
    return notes


def _expanded(metadata: Iterable[Any]) -> Iterator[Any]:
    for item in metadata:
        if attribute(item, "__is_annotated_types_grouped_metadata__"):
            yield from _expanded(item)
        else:
            yield item
            yield from _expanded(item.metadata) if type(item).__name__ == "FieldInfo" else ()


def _with(notes: Notes, item: Any) -> Notes:
    for own, (keyword, holds, words) in _BOUNDS.items():
        if (bound := getattr(item, own, None)) is not None:
            notes = _with_bound(notes, keyword, bound, (partial(_compare, holds, bound), f"{words} {bound}"))
    keywords = {word: value for own, word in _KEYWORDS.items() if (value := getattr(item, own, None)) is not None}
    for extra in (getattr(item, own, None) for own in _EXTRAS):
        keywords |= extra if isinstance(extra, dict) else {}
    keywords |= {"pattern": keywords["pattern"].pattern} if hasattr(keywords.get("pattern"), "pattern") else {}
    lengths = {word: value for own, word in _LENGTHS.items() if (value := getattr(item, own, None)) is not None}
    return attrs.evolve(
        notes,
        description=notes.description or _first(item, _TEXTS),
        name=notes.name or _first(item, _NAMES),
        keywords={**keywords, **notes.keywords},
        lengths={**lengths, **notes.lengths},
        checks=(*notes.checks, *_predicate(item)),
        default=notes.default or _default_of(item),
        foreign=notes.foreign or _is_foreign(item),
    )


def _compare(holds: Callable[[Any, Any], Any], bound: Any, value: Any) -> bool:
    try:
        return bool(holds(value, bound))
    except TypeError:  # a text held against a number, where a union has room for both
        return True


def _with_bound(notes: Notes, keyword: str, bound: Any, check: Check) -> Notes:
    keywords = dict(notes.keywords)
    if isinstance(bound, int | float):
        tighter = max if keyword.endswith("inimum") else min
        keywords[keyword] = tighter(bound, keywords.get(keyword, bound))
    return attrs.evolve(notes, keywords=keywords, checks=(*notes.checks, check))


def _first(item: Any, attributes: Iterable[str]) -> str | None:
    values = (getattr(item, attribute, None) for attribute in attributes)
    return next((value for value in values if isinstance(value, str) and value), None)


def _predicate(item: Any) -> tuple[Check, ...]:
    if type(item).__name__ != "Predicate":
        return ()
    name = getattr(item.func, "__qualname__", "a test")
    return ((partial(_test, item.func), f"something that {name} accepts"),)


def _test(function: Callable[[Any], Any], value: Any) -> bool:
    return bool(function(value))


def _default_of(item: Any) -> Callable[[], Any] | None:
    if type(item).__name__ != "FieldInfo":
        return None
    if item.default_factory is not None:
        factory: Callable[[], Any] = item.default_factory
        return factory
    undefined = item.default is ... or type(item.default).__name__ == "PydanticUndefinedType"
    return None if undefined else partial(copy.deepcopy, item.default)  # as pydantic does


def _is_foreign(item: Any) -> bool:
    """Tell whether pydantic must carry out a note itself: a validator, or a constraint JSON Schema has no word for."""
    if not type(item).__module__.startswith("pydantic") or type(item).__name__ in {"FieldInfo", "StringConstraints"}:
        return False
    known = {*_BOUNDS, *_KEYWORDS, *_LENGTHS}
    return not known >= {name for name, value in getattr(item, "__dict__", {"?": 1}).items() if value is not None}


def hold(checks: Iterable[Check], value: Any) -> Any:
    """
    Return a value that passes all checks.

    Raises:
        ConversionError: naming what is demanded.
    """
    for passes, demand in checks:
        with by_users_code(f"expected {demand}, got {value!r}"):
            passed = passes(value)
        if not passed:
            msg = f"expected {demand}, got {value!r}"
            raise ConversionError(msg)
    return value
