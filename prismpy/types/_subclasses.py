"""The row for subclasses of JSON's own types and of containers: `class Email(str)`, `class Tags(list[str])`."""

import collections
import inspect
from functools import partial
from typing import Any, Final

from prismpy.schema import JSON

from ._basic import bare
from ._errors import by_users_code
from ._reader import Reader
from ._rule import Form, TypeRule, load_with, type_name
from ._special import bindings_of, substituted

_BASES: Final = (str, int, float, list, dict, set, frozenset, tuple, collections.deque)
"""Classes whose instances are all that their subclasses are made of."""


def _base_of(annotation: Any) -> Any:
    """Return what a class extends, `list[str]` for `class Tags(list[str])`; None if that is nothing of these."""
    kind = bare(annotation)
    if not isinstance(kind, type) or kind in _BASES or not issubclass(kind, _BASES):
        return None
    bases = getattr(kind, "__orig_bases__", kind.__bases__)
    base = next(base for base in bases if isinstance(bare(base), type) and issubclass(bare(base), _BASES))
    return substituted(base, bindings_of(annotation))


def _is_made_of_its_base(kind: Any) -> bool:
    """Tell whether a class can be called with a value of its base alone."""
    try:
        inspect.signature(kind).bind(None)
    except TypeError:
        return False
    except ValueError:  # it has the constructor of its base, which tells nothing
        return True
    return True


def _is_subclass(annotation: Any) -> bool:
    return _base_of(annotation) is not None and _is_made_of_its_base(bare(annotation))


def _subclass_form(annotation: Any, reader: Reader) -> Form:
    form = reader.form(_base_of(annotation))
    return Form(form.schema, partial(_load_as, bare(annotation), form))


def _load_as(kind: Any, form: Form, value: JSON) -> Any:
    loaded = load_with(form, value)
    with by_users_code(f"no {type_name(kind)} can be made of it"):
        return kind(loaded)


# no dump: subclasses of these are dumped as what they extend
SUBCLASS_RULES: Final = (TypeRule(_is_subclass, _subclass_form),)
