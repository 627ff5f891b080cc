"""
Defaults: how they stand in a schema, and what stands in for a parameter or field that is left out.

What a schema shows as default means the same as sending it: it is valid there, and comes as the annotated
type. What a call may change is made anew for each.
"""

import collections
import copy
import math
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import attrs

from prismpy.errors import DefinitionError
from prismpy.schema import JSON, MISSING, Missing, copied, emit, json_type

from ._basic import SCALARS, is_enum
from ._errors import ConversionError, NoJSONFormError
from ._instances import is_of
from ._reader import Reader
from ._rule import Form, load_with


@attrs.frozen
class Default:
    """What is left out."""

    json: JSON | Missing = MISSING
    """As the schema shows it; `MISSING` where JSON does not know it, or the schema would not take it."""

    make: Callable[[], Any] | None = None
    """Makes it for one call; None where all may have the same."""

    converts: bool = False
    """Whether what is made is of another class than what was written: a date for a text."""


_NULL: Final = Default(None)
NO_DEFAULT: Final = Default()
"""Where nothing is left out, or nobody can say what stands in."""


def default_of(value: Any, annotation: Any, form: Form, reader: Reader) -> Default:
    """
    Read a default as it was written.

    Args:
        value: The default.

        annotation: Of the parameter or field.

        form: Of the annotation, with all that is said beside it.

        reader: What has read it.
    """
    if SCALARS.get(type(value)) is form and (type(value) is not float or math.isfinite(value)):  # as most are
        return Default(value)
    if value is None and getattr(form.schema, "nullable", False):
        return _NULL
    key = _key(value, form)
    if key is None:
        return _read(value, annotation, form, reader)
    known = reader.defaults.get(key)
    if known is None or known[0] is not form:
        known = form, _read(value, annotation, form, reader)
        if len(reader.defaults) >= _MANY:
            reader.defaults.clear()
        reader.defaults[key] = known
    return known[1]


_MANY: Final = 4_096
"""Defaults that are remembered; functions that are made at run time do not pile up."""


def _key(value: Any, form: Form) -> Any:
    """Return what tells a default of a form from others, as long as the form is there; None where that takes long."""
    kind = type(value)
    if kind in _EMPTY:
        return None if value else (id(form), kind)
    return (id(form), kind, value) if kind in _ATOMS or is_enum(kind) else None


_ATOMS: Final = frozenset({bool, int, str, type(None)})
_EMPTY: Final = frozenset({dict, frozenset, list, set, tuple})


def _read(value: Any, annotation: Any, form: Form, reader: Reader) -> Default:
    json = _dumped(value, reader)
    if json is MISSING or not _takes(form, json, reader):
        return Default(make=maker_of(value, reader))
    if value is None or is_of(value, annotation):
        return Default(json, maker_of(value, reader))
    try:
        _loaded(form, json)
    except ConversionError:
        return Default(make=maker_of(value, reader))
    return Default(json, partial(_loaded, form, json), converts=True)


def _dumped(value: Any, reader: Reader) -> JSON | Missing:
    try:
        return reader.dump(value)
    except NoJSONFormError:
        return MISSING


def _loaded(form: Form, json: JSON) -> Any:
    return load_with(form, copied(json))


# --- is it valid --------------------------------------------------------------


def _takes(form: Form, json: JSON, reader: Reader) -> bool:
    schema = emit(form.schema)
    if _is_surely_valid(schema, json):
        return True
    try:
        return not reader.judge(form)(json)
    except DefinitionError:  # a reference in it leads to what is being read, and will take its own values
        return True


_SAYING_NOTHING: Final = frozenset({"title", "description", "examples", "format", "contentEncoding"})


def _is_surely_valid(schema: JSON, json: JSON) -> bool:
    """Tell without a validator, which takes long to load, that a value is valid; most schemas are simple."""
    if not isinstance(schema, dict):
        return schema is True
    said = schema.keys() - _SAYING_NOTHING
    if "anyOf" in said:
        return len(said) == 1 and any(_is_surely_valid(branch, json) for branch in schema["anyOf"])
    if not said <= {"type", "enum", "items"} or not _is_of_type(json, schema.get("type")):
        return False
    if "enum" in said and not any(type(json) is type(one) and json == one for one in schema["enum"]):
        return False
    return "items" not in said or (isinstance(json, list) and all(_is_surely_valid(schema["items"], i) for i in json))


def _is_of_type(json: JSON, wanted: Any) -> bool:
    types = [wanted] if isinstance(wanted, str) else wanted
    found = json_type(json)
    return types is None or found in types or (found == "integer" and "number" in types)


# --- anew for each call -------------------------------------------------------


def maker_of(value: Any, reader: Reader) -> Callable[[], Any] | None:
    """
    Return what makes a value anew; None for what all calls may share.

    What JSON can say stands for what is in it, so it is copied if it can change. Of anything else, such as
    a connection, only the containers around it are.
    """
    if _is_fixed(value):
        return None
    if type(value) in _EMPTY and not value:  # which of them it is makes no difference to anybody
        kind: Callable[[], Any] = type(value)
        return kind
    if _dumped(value, reader) is not MISSING:
        return _copier(value)
    if type(value) in _CONTAINERS:
        return partial(_rebuilt, type(value), [(item, maker_of(item, reader)) for item in value])
    if type(value) is dict:
        return partial(_rebuilt, dict, [(pair, _maker_of_pair(pair, reader)) for pair in value.items()])
    return None


_CONTAINERS: Final = (list, set, tuple, collections.deque)


def _maker_of_pair(pair: tuple[Any, Any], reader: Reader) -> Callable[[], Any] | None:
    key, value = pair
    make = maker_of(value, reader)
    return None if make is None else lambda: (key, make())


def _rebuilt(build: Callable[[Any], Any], parts: list[tuple[Any, Callable[[], Any] | None]]) -> Any:
    return build(part if make is None else make() for part, make in parts)


def _is_fixed(value: Any) -> bool:
    """Tell whether a value cannot change: what has a hash by what is in it must not."""
    by_identity: Any = object.__hash__
    if type(value).__hash__ is by_identity:
        return value is None
    try:
        hash(value)
    except Exception:  # noqa: BLE001  # code of the user's
        return False
    return True


def _copier(value: Any) -> Callable[[], Any] | None:
    try:
        copy.deepcopy(value)
    except Exception:  # noqa: BLE001  # code of the user's
        return None
    return partial(copy.deepcopy, value)
