"""
The row for values of one's own making: classes that compare by value and keep what their constructor takes.

A class with `__eq__` stands for what is in it; so it can be made anew of JSON, and given as JSON. What stands for
itself alone, such as a connection or a client, has none, and no JSON form.
"""

import inspect
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, Final

from prismpy.docstrings import read_docstring
from prismpy.schema import MISSING

from ._basic import bare
from ._errors import NoJSONFormError
from ._names import evaluated, scope_of_constructor
from ._records import Field, record_form
from ._rule import TypeRule, type_name

_HELD: Final = ("__call__", "__enter__", "__aenter__", "__iter__", "__len__", "__array__", "close")
"""What a class has that is more than a value."""


def _is_value(annotation: Any) -> bool:
    kind = bare(annotation)
    if not isinstance(kind, type) or not _compares_by_value(kind) or inspect.isabstract(kind):
        return False
    if any(name in vars(base) for base in kind.__mro__ for name in _HELD):
        return False
    return bool(_parameters(kind)) and all(_is_kept(kind, name) for name in _parameters(kind))


def _compares_by_value(kind: type) -> bool:
    """Tell whether `==` looks into values; what makes expressions of its operands does not."""
    equals = getattr(kind, "__eq__", None)
    return inspect.isfunction(equals) and equals.__annotations__.get("return", bool) in (bool, "bool")


def _constructor(kind: type) -> Any:
    return next(vars(base)["__init__"] for base in kind.__mro__ if "__init__" in vars(base))


def _parameters(kind: type) -> Mapping[str, inspect.Parameter]:
    """Return the parameters of a constructor that one's own code has, where all are annotated; else none."""
    constructor = _constructor(kind)
    if not inspect.isfunction(constructor):
        return {}
    parameters = dict(list(inspect.signature(constructor).parameters.items())[1:])
    told = all(p.annotation is not p.empty and p.kind in _BY_NAME for p in parameters.values())
    return parameters if told else {}


_BY_NAME: Final = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


def _is_kept(kind: Any, name: str) -> bool:
    """Tell whether what the constructor takes is an attribute afterwards, under its name or with `_` before it."""
    touched = _constructor(kind).__code__.co_names
    return any(hasattr(kind, own) or own in touched for own in (name, f"_{name}"))


def _fields(kind: Any, _: Mapping[str, Any]) -> Iterable[Field]:
    docs = read_docstring(_constructor(kind).__doc__).parameters
    for name, p in _parameters(kind).items():
        annotation = evaluated(p.annotation, partial(scope_of_constructor, kind))
        default = MISSING if p.default is p.empty else p.default
        yield Field(name, annotation, p.default is p.empty, default, docs.get(name))


def _values(value: Any) -> dict[str, Any]:
    names = _parameters(type(value))
    kept = {name: getattr(value, name) if hasattr(value, name) else getattr(value, f"_{name}") for name in names}
    for name, p in names.items():
        if p.annotation in _TEXT and not isinstance(kept[name], str):
            msg = f"{type_name(type(value))} keeps something else than the text {name!r} that it was made of"
            raise NoJSONFormError(msg)
    return kept


_TEXT: Final = (str, "str")


VALUE_RULES: Final = (TypeRule(_is_value, partial(record_form, _fields), _values),)
