"""
How Python types look as JSON: one row of knowledge per kind of type, for both directions.

`read` starts reading annotations, `to_json` dumps any value, `register` adds a row.
"""

from collections.abc import Callable
from typing import Any

from prismpy.schema import JSON

from ._annotated import ANNOTATED_RULES, is_annotated, with_notes
from ._basic import ANY, BASIC_RULES, SCALAR_RULE
from ._containers import CONTAINER_RULES
from ._names import Scope, Unevaluable, evaluated, hints_of, scope_of_class, type_parameters
from ._notes import Injected, Notes, Param, read_notes
from ._pydantic import PYDANTIC_RULES
from ._records import RECORD_RULES
from ._rule import (
    ConversionError,
    Form,
    Load,
    NoJSONFormError,
    Reader,
    TypeRule,
    UnresolvedFormError,
    dump,
    inside,
    load_with,
)
from ._special import SPECIAL_RULES, unqualified
from ._standard import STANDARD_RULES

__all__ = [
    "ANY",
    "ConversionError",
    "Form",
    "Injected",
    "Load",
    "NoJSONFormError",
    "Notes",
    "Param",
    "Reader",
    "Scope",
    "TypeRule",
    "Unevaluable",
    "UnresolvedFormError",
    "evaluated",
    "hints_of",
    "inside",
    "is_annotated",
    "load_with",
    "read",
    "read_notes",
    "register",
    "scope_of_class",
    "to_json",
    "type_parameters",
    "unqualified",
    "with_notes",
]

_rules: list[TypeRule] = [
    SCALAR_RULE,
    *ANNOTATED_RULES,
    *SPECIAL_RULES,
    *BASIC_RULES,
    *CONTAINER_RULES,
    *STANDARD_RULES,
    *PYDANTIC_RULES,
    *RECORD_RULES,
]


def register(rule: TypeRule) -> None:
    """
    Add a rule for types of your own; it goes before all others, so it may also replace one.

    It holds for tools that are made afterwards.
    """
    _rules.insert(0, rule)


def read() -> Reader:
    """Start reading the annotations of a callable, by all rules known now."""
    return Reader(tuple(_rules))


def to_json(value: Any, otherwise: Callable[[Any], JSON] | None = None) -> JSON:
    """
    Turn a value into JSON by the rules: dates into text, records into objects, sets into lists.

    Args:
        value: Anything.

        otherwise: What to make of a value without a JSON form.

    Raises:
        NoJSONFormError: for such a value, where `otherwise` is None.
    """
    return dump(value, tuple(_rules), otherwise)
