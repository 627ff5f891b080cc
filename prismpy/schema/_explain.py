"""
From validation errors to sentences that a model can act on.

The errors are jsonschema's `ValidationError`s, read by their attributes only:
this file imports no jsonschema and looks at no message that a rule here covers.
"""

import difflib
import json
import re
from collections.abc import Iterable, Iterator
from functools import reduce
from typing import Any, Final

from prismpy.errors import Problem

from ._describe import describe
from ._json import JSON, cut, step
from ._keywords import compiles


def explain(errors: Iterable[Any]) -> tuple[Problem, ...]:
    """Turn the validation errors of one value into problems, each said once."""
    every = [problem for error in errors for problem in _explain(error)]
    if len(every) == 1:
        return tuple(every)
    found = dict.fromkeys(every)
    listed = {problem.path for problem in found if problem.rule in {"enum", "const"}}
    return tuple(problem for problem in found if not (problem.rule == "type" and problem.path in listed))


def _explain(error: Any) -> Iterator[Problem]:
    path = reduce(step, error.absolute_path, "")
    match error.validator:
        case "required" if isinstance(error.validator_value, list):
            yield from _explain_missing(error, path)
        case "additionalProperties" if error.validator_value is False:
            yield from _explain_unknown(error, path)
        case "anyOf" | "oneOf" if (branch := _nearest_branch(error)) is not None:
            yield from (problem for inner in branch for problem in _explain(inner))
        case rule:
            yield Problem(path, str(rule), _sentence(error), error.validator_value, _show(error.instance))


def _explain_missing(error: Any, path: str) -> Iterator[Problem]:
    """Name every missing property: jsonschema reports them one by one, but says which only in its text."""
    for name in error.validator_value:
        if name not in error.instance:
            wanted = error.schema.get("properties", {}).get(name, True)
            yield Problem(step(path, name), "required", f"missing; expected {describe(wanted)}", wanted)


def _explain_unknown(error: Any, path: str) -> Iterator[Problem]:
    known = list(error.schema.get("properties", {}))
    patterns = [pattern for pattern in error.schema.get("patternProperties", {}) if compiles(pattern)]
    for name, value in error.instance.items():
        if name in known or any(re.search(pattern, name) for pattern in patterns):
            continue
        advice = nearest(name, known) or (f"; known are {', '.join(known[:12])}" if known else "; none is taken here")
        yield Problem(step(path, name), "additionalProperties", f"unknown{advice}", known, _show(value))


def _nearest_branch(error: Any) -> list[Any] | None:
    """Choose the branch of a union that the value was meant for: the only one whose type or tag it has."""
    branches: dict[Any, list[Any]] = {}
    for inner in error.context or ():
        branches.setdefault(next(iter(inner.relative_schema_path), None), []).append(inner)
    meant = [found for found in branches.values() if not any(_is_mismatch(inner) for inner in found)]
    return meant[0] if len(meant) == 1 else None


def _is_mismatch(error: Any) -> bool:
    return (
        error.validator == "not"
        or (error.validator == "type" and not error.relative_path)
        or (error.validator in {"const", "enum"} and len(error.relative_path) <= 1)
    )


_SENTENCES = {
    "minLength": "expected a text of length {0} or more, got length {1}",
    "maxLength": "expected a text of length {0} or less, got length {1}",
    "minItems": "expected a list of length {0} or more, got length {1}",
    "maxItems": "expected a list of length {0} or less, got length {1}",
    "minProperties": "expected an object of size {0} or more, got size {1}",
    "maxProperties": "expected an object of size {0} or less, got size {1}",
    "uniqueItems": "expected no item twice, got {2}",
    "minimum": "expected a number of at least {0}, got {2}",
    "maximum": "expected a number of at most {0}, got {2}",
    "exclusiveMinimum": "expected a number above {0}, got {2}",
    "exclusiveMaximum": "expected a number below {0}, got {2}",
    "multipleOf": "expected a multiple of {0}, got {2}",
    "pattern": "expected text matching {0}, got {2}",
}


def _sentence(error: Any) -> str:
    wanted, found = error.validator_value, error.instance
    match error.validator:
        case "enum":
            choices = [str(choice) for choice in wanted]
            return f"expected {describe({'enum': wanted})}, got {_show(found)}{nearest(str(found), choices)}"
        case "not" if wanted in ({}, True):  # how `false` is spelled out
            return f"expected nothing here, got {_show(found)}"
        case "not":
            return f"expected anything but {describe(wanted)}, got {_show(found)}"
        case "oneOf" if not error.context:  # it fits several
            return f"expected exactly one of {describe({'anyOf': wanted})}, got {_show(found)}, which fits several"
        case "type" | "anyOf" | "oneOf" | "const":
            schema = error.schema if error.validator == "type" else {error.validator: wanted}
            return f"expected {describe(schema)}, got {_show(found)}"
        case str() as rule if rule in _SENTENCES:
            size = len(found) if isinstance(found, str | list | dict) else ""
            return _SENTENCES[rule].format(cut(str(wanted)), size, _show(found))
        case _:
            return cut(error.message, 200)


def nearest(word: str, choices: list[str]) -> str:
    """Return `; did you mean 'x'?` for the choice most like a word, "" where none is close."""
    folded = {choice.casefold(): choice for choice in choices}
    close = difflib.get_close_matches(word.casefold(), folded, n=1, cutoff=0.7)
    return f"; did you mean {folded[close[0]]!r}?" if close else ""


def _show(value: JSON) -> str:
    return cut(_WRITER.encode(value))


_WRITER: Final = json.JSONEncoder(ensure_ascii=False, default=repr)
"""Made once: making it takes longer than using it."""
