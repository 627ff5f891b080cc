"""The row for `Annotated`: notes become keywords of the schema, and checks where it has no word for them."""

from collections.abc import Iterable
from functools import partial
from typing import Annotated, Any, Final, get_args

import attrs

from prismpy.schema import (
    JSON,
    ArraySchema,
    IntegerSchema,
    NumberSchema,
    ObjectSchema,
    Schema,
    StringSchema,
    annotated,
    emit,
    parse,
)

from ._notes import NO_NOTES, Check, Notes, hold, read_notes
from ._pydantic import adapter_form
from ._reader import Reader
from ._rule import Form, Load, TypeRule


def is_annotated(annotation: Any) -> bool:
    """Tell whether an annotation is `Annotated[...]`."""
    return type(annotation) is _ANNOTATED  # much quicker than to ask for its origin


_ANNOTATED: Final = type(Annotated[int, ""])


def _annotated_form(annotation: Any, reader: Reader) -> Form:
    inner, *metadata = get_args(annotation)
    notes = read_notes(metadata)
    if notes.foreign:
        return with_notes(adapter_form(annotation, reader), attrs.evolve(notes, keywords={}, lengths={}, checks=()))
    return with_notes(reader.form(inner), notes)


def with_notes(form: Form, notes: Notes) -> Form:
    """Return a form with what its notes say: in the schema where that has words for it, in the loading elsewhere."""
    if notes is NO_NOTES:
        return form
    keywords = {**_lengths_for(form.schema, notes), **notes.keywords}
    schema = _with_keywords(form.schema, keywords) if keywords else form.schema
    schema = annotated(schema, "", notes.description)
    said = isinstance(form.schema, NumberSchema | IntegerSchema) and form.load in (None, int, float)
    checks = tuple(check for check in notes.checks if not said or "something" in check[1])
    return Form(schema, partial(_load_and_hold, form.load, checks) if checks else form.load)


_LENGTH_KEYWORDS: Final = (
    (StringSchema, {"min": "minLength", "max": "maxLength"}),
    (ArraySchema, {"min": "minItems", "max": "maxItems"}),
    (ObjectSchema, {"min": "minProperties", "max": "maxProperties"}),
)


def _lengths_for(node: Schema, notes: Notes) -> dict[str, JSON]:
    """Spell bounds of a length as the type of the node has it; all three ways where that is not known."""
    fitting = [words for kind, words in _LENGTH_KEYWORDS if isinstance(node, kind)]
    fitting = fitting or [words for _, words in _LENGTH_KEYWORDS]
    return {words[end]: length for words in fitting for end, length in notes.lengths.items()}


def _with_keywords(node: Schema, keywords: dict[str, JSON]) -> Schema:
    """Add keywords; one that is there already with another value holds too, in an `allOf`."""
    written = emit(node)
    written = written if isinstance(written, dict) else {} if written else {"not": {}}
    clashing = {word: value for word, value in keywords.items() if word in written and written[word] != value}
    more = {"allOf": [*written.get("allOf", ()), clashing]} if clashing else {}
    return parse({**written, **keywords, **{word: written[word] for word in clashing}, **more})


def _load_and_hold(load: Load | None, checks: Iterable[Check], value: JSON) -> Any:
    return hold(checks, value if load is None else load(value))


ANNOTATED_RULES: Final = (TypeRule(is_annotated, _annotated_form),)
