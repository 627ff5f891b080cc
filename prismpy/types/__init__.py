"""
How Python types look as JSON: one row of knowledge per kind of type, for both directions.

`read` starts reading annotations, `to_json` dumps any value, `register` adds a row.
"""

from collections.abc import Callable
from typing import Any, Final

from prismpy.schema import JSON

from ._abstract import ABSTRACT_RULES
from ._annotated import ANNOTATED_RULES, is_annotated, with_notes
from ._arrays import ARRAY_LIKE_ALIAS_RULE, ARRAY_LIKE_RULE, ARRAY_RULES
from ._attributes import attribute, is_a, is_class, is_made_up
from ._basic import ANY, BASIC_RULES, SCALAR_RULE, bare, is_enum, is_union
from ._containers import CONTAINER_RULES, VIEW_RULE
from ._defaults import NO_DEFAULT, Default, default_of, maker_of
from ._dump import dump
from ._enclosing import enclosing_names
from ._errors import ConversionError, NoJSONFormError, OpaqueFormError, UnresolvedFormError, inside
from ._instances import is_of
from ._names import Scope, Unevaluable, evaluated, hints_of, scope_of_class, type_parameters
from ._notes import NO_NOTES, Injected, Notes, Param, read_notes
from ._pandas import PANDAS_RULES
from ._pydantic import PYDANTIC_RULES, root_of_model
from ._reader import Reader
from ._records import RECORD_RULES, field_texts, is_required, is_typed_dict
from ._rule import Form, Load, Rules, TypeRule, load_with
from ._special import NO_TYPE_RULE, SPECIAL_RULES, bindings_of, is_no_type, substituted, unqualified
from ._standard import STANDARD_RULES
from ._subclasses import SUBCLASS_RULES
from ._values import VALUE_RULES
from ._wrappers import WRAPPER_RULES

__all__ = [
    "ANY",
    "NO_DEFAULT",
    "NO_NOTES",
    "ConversionError",
    "Default",
    "Form",
    "Injected",
    "Load",
    "NoJSONFormError",
    "Notes",
    "OpaqueFormError",
    "Param",
    "Reader",
    "Scope",
    "TypeRule",
    "Unevaluable",
    "UnresolvedFormError",
    "attribute",
    "bare",
    "bindings_of",
    "default_of",
    "enclosing_names",
    "evaluated",
    "field_texts",
    "hints_of",
    "inside",
    "is_a",
    "is_annotated",
    "is_class",
    "is_enum",
    "is_made_up",
    "is_no_type",
    "is_of",
    "is_required",
    "is_typed_dict",
    "is_union",
    "load_with",
    "maker_of",
    "read",
    "read_notes",
    "register",
    "root_of_model",
    "scope_of_class",
    "substituted",
    "to_json",
    "type_parameters",
    "unqualified",
    "with_notes",
]

_rules: Final = [
    Rules(
        (
            SCALAR_RULE,
            NO_TYPE_RULE,
            *ANNOTATED_RULES,
            ARRAY_LIKE_RULE,
            *BASIC_RULES,
            *CONTAINER_RULES,
            ARRAY_LIKE_ALIAS_RULE,
            *SPECIAL_RULES,
            *STANDARD_RULES,
            *WRAPPER_RULES,
            *PYDANTIC_RULES,
            *RECORD_RULES,
            *ARRAY_RULES,
            *PANDAS_RULES,
            *ABSTRACT_RULES,
            *SUBCLASS_RULES,
            *VALUE_RULES,
            VIEW_RULE,
        )
    )
]
"""The rows that hold now, and nothing else."""


def register(rule: TypeRule) -> None:
    """
    Add a rule for types of your own; it goes before all others, so it may also replace one.

    It holds for tools that are made afterwards.
    """
    _rules[0] = Rules((rule, *_rules[0].rows))


def read() -> Reader:
    """Start reading the annotations of a callable, by all rules known now."""
    return Reader(_rules[0])


def to_json(value: Any, otherwise: Callable[[Any], JSON] | None = None) -> JSON:
    """
    Turn a value into JSON by the rules: dates into text, records into objects, sets into lists.

    Args:
        value: Anything.

        otherwise: What to make of a value without a JSON form.

    Raises:
        NoJSONFormError: for such a value, where `otherwise` is None.
    """
    return dump(value, _rules[0].step_of if otherwise is None else _rules[0].shown_step_of, otherwise)
