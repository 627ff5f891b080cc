"""
Judging schemas and values. The one file that imports jsonschema and jsonschema-rs, when first used.

jsonschema is the reference and explains; jsonschema-rs, if it is installed, only
says that a value is valid, in a hundredth of the time. `check` holds a schema
against the metaschema of its draft, `compile_schema` values against a schema. No
reference is ever fetched.
"""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, reduce
from typing import Any, Final

from prismpy.errors import DefinitionError, Problem

from ._describe import TYPE_ONLY
from ._explain import explain
from ._json import JSON, cut, is_deep, step
from ._pointers import references
from ._walk import map_subschemas


def check(schema: JSON, *, tool: str = "", path: str = "$") -> None:
    """
    Hold a JSON Schema against the metaschema of its draft (`$schema`; 2020-12 where it names none).

    Where its references lead is not looked at; see `check_references`.

    Args:
        schema: A JSON Schema, dict or bool, with lists for lists as `plain` gives them.

        tool: Name of the tool it belongs to, for the message.

        path: JSON Path of the schema within the tool's parameters.

    Raises:
        DefinitionError: naming the path of the most telling mistake.
    """
    validator = _validator_class(schema)
    accepts = _metaschema_accepts(validator)
    if accepts is not None and not is_deep(schema) and holds(accepts, schema):
        return
    from jsonschema.exceptions import best_match

    try:
        error = best_match(validator(validator.META_SCHEMA).iter_errors(schema))
    except RecursionError:
        raise _refuse(tool, path, ": nested too deeply to be checked; flatten it or use $ref") from None
    if error is not None:
        raise _refuse(
            tool, reduce(step, error.absolute_path, path), f" is no valid JSON Schema: {cut(error.message, 200)}"
        )


@cache
def _metaschema_accepts(validator: Any) -> Callable[[JSON], bool] | None:
    """Return what tells at once that a schema of a draft is right; see `accepting`."""
    return accepting(validator.META_SCHEMA)


def check_references(schema: JSON, *, tool: str = "") -> None:
    """
    Follow every reference of a whole schema document.

    Args:
        schema: A JSON Schema that `check` accepts.

        tool: Name of the tool it belongs to, for the message.

    Raises:
        DefinitionError: naming the path of a reference that leads nowhere.
    """
    text = json.dumps(schema)
    if '"$ref"' not in text and '"$dynamicRef"' not in text:  # as in most
        return
    base, leads_somewhere = _resolver(schema)
    for path, ref, name in references(schema, base):
        if not leads_somewhere(name):
            raise _refuse(tool, path, f": {ref!r} leads nowhere inside the schema; put what it names under $defs")


def _refuse(tool: str, path: str, complaint: str) -> DefinitionError:
    return DefinitionError(f"tool {tool!r}: {path}{complaint}" if tool else f"{path}{complaint}", tool=tool, path=path)


def compile_schema(schema: JSON) -> Callable[[JSON], tuple[Problem, ...]]:
    """
    Prepare to hold values against a schema.

    A pattern that Python's `re` cannot compile is not enforced. What jsonschema-rs
    accepts is not looked at again.

    Args:
        schema: A JSON Schema that `check` accepts; it is not checked again.

    Returns:
        A function from a value, not `is_deep`, to everything that is wrong with it, in the order of the schema; empty
        if it is valid.
    """
    accepts, problems = accepting(schema), explaining(schema)

    def judge(value: JSON) -> tuple[Problem, ...]:
        return () if accepts is not None and holds(accepts, value) else problems(value)

    return judge


def holds(accepts: Callable[[JSON], bool], value: JSON) -> bool:
    """Tell whether a value is surely valid, by what `accepting` returned."""
    try:
        return accepts(value)
    except ValueError:
        return False


def explaining(schema: JSON) -> Callable[[JSON], tuple[Problem, ...]]:
    """
    Prepare to say what is wrong with values, by the reference; it loads once there is something to explain.

    Returns:
        A function that lists the problems of a value, none for one that is right. It raises `DefinitionError` where a
        reference that it comes by leads nowhere.
    """

    @cache
    def loaded() -> Any:
        from referencing.exceptions import Unresolvable

        return _validator_class(schema)(_spelled_out(schema), registry=_registry()), Unresolvable

    def problems(value: JSON) -> tuple[Problem, ...]:
        validator, unresolvable = loaded()
        try:
            return explain(validator.iter_errors(value))
        except unresolvable as error:
            msg = f"a reference of the schema leads nowhere: {cut(str(error))}; put what it names under $defs"
            raise DefinitionError(msg) from error
        except RecursionError:
            return (Problem("", "depth", "nested too deeply to be checked; send a flatter value"),)

    return problems


def accepting(schema: JSON) -> Callable[[JSON], bool] | None:
    """
    Prepare to tell at once that a value is valid.

    Returns:
        A function that says of a value, not `is_deep`, whether it is surely valid; whether it is really wrong only
        `explaining` says. It raises ValueError for what has no place in JSON. None where jsonschema-rs is missing, or
        cannot read the schema.
    """
    try:
        import jsonschema_rs
    except ImportError:
        return None
    named = schema.get("$schema") if isinstance(schema, dict) else None
    kind = _RUST_CLASSES.get(named.rstrip("#"), _NEWEST) if isinstance(named, str) else _NEWEST
    if kind is None or is_deep(schema):
        return None
    try:
        validator = getattr(jsonschema_rs, kind)(schema, validate_formats=False, offline=True)
    except ValueError:  # a pattern, or a reference, that it cannot follow
        return None
    accepts: Callable[[JSON], bool] = validator.is_valid
    return accepts


_NEWEST: Final = "Draft202012Validator"

_RUST_CLASSES: Final = {
    "http://json-schema.org/draft-03/schema": None,
    "http://json-schema.org/draft-04/schema": "Draft4Validator",
    "http://json-schema.org/draft-06/schema": "Draft6Validator",
    "http://json-schema.org/draft-07/schema": "Draft7Validator",
    "https://json-schema.org/draft/2019-09/schema": "Draft201909Validator",
}
"""What a schema names as its draft to the class of jsonschema-rs; jsonschema takes any other name for the newest."""


@cache
def _registry() -> Any:
    from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]  # ships no types

    return REGISTRY  # the drafts' own documents, and nothing that could be fetched


def _validator_class(schema: JSON) -> Any:
    from jsonschema import Draft202012Validator
    from jsonschema.validators import validator_for

    named = schema.get("$schema") if isinstance(schema, dict) else None
    known: Any = Draft202012Validator
    if isinstance(named, str):
        with suppress(ValueError):  # what is no URL
            known = validator_for({"$schema": named}, default=Draft202012Validator)
    return _ours(known)


_SEARCHING = ("pattern", "patternProperties", "additionalProperties", "unevaluatedProperties")
"""Keywords that search with regular expressions."""


@cache
def _ours(validator: Any) -> Any:
    """
    Derive a validator class that judges alike, and faster what is plainly right.

    It skips a pattern in a dialect of regular expressions that Python does not speak.
    """
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend

    known = validator.VALIDATORS
    overrides = {name: _safely(known[name]) for name in _SEARCHING if name in known}
    if known["properties"] is Draft202012Validator.VALIDATORS["properties"]:  # draft 3 has its own
        overrides["properties"] = _properties
    overrides["additionalProperties"] = _unless_none_is_left(overrides["additionalProperties"])
    return extend(validator, overrides)  # type: ignore[no-untyped-call]  # the stubs leave it untyped


def _safely(keyword: Any) -> Any:
    def run(validator: Any, value: JSON, instance: JSON, schema: JSON) -> Iterator[Any]:
        with suppress(re.error, OverflowError):
            yield from keyword(validator, value, instance, schema) or ()

    return run


def _properties(validator: Any, value: JSON, instance: JSON, _: JSON) -> Iterator[Any]:
    """Judge properties, those aside that need no second look: descending takes long."""
    if isinstance(instance, dict):
        for name, schema in value.items():
            if name in instance and not _is_plainly_right(schema, instance[name]):
                yield from validator.descend(instance[name], schema, path=name, schema_path=name)


def _is_plainly_right(schema: JSON, value: JSON) -> bool:
    """Tell whether a schema asks for a type and no more, and the value is of it, whatever the draft."""
    return isinstance(schema, dict) and schema.get("type") == _PLAIN.get(type(value)) and schema.keys() <= TYPE_ONLY


_PLAIN: Final[dict[type, str]] = {str: "string", int: "integer", bool: "boolean"}


def _unless_none_is_left(keyword: Any) -> Any:
    def run(validator: Any, value: JSON, instance: JSON, schema: JSON) -> Any:
        if isinstance(instance, dict) and instance.keys() <= schema.get("properties", {}).keys():
            return ()
        return keyword(validator, value, instance, schema)

    return run


def _spelled_out(schema: JSON, keyword: str = "") -> JSON:
    """Say `false` as `{"not": {}}`, since jsonschema loses the path of a value that `false` stands for."""
    if schema is False and not keyword.startswith(("additional", "unevaluated")):
        return {"not": {}}
    return map_subschemas(schema, _spelled_out)


def _resolver(schema: JSON) -> tuple[str, Callable[[str], bool]]:
    """Return the name of a document, and what tells whether an absolute name is of something in it."""
    from referencing import Resource
    from referencing.exceptions import Unresolvable
    from referencing.jsonschema import DRAFT202012

    resource = Resource.from_contents(schema, default_specification=DRAFT202012)
    base = resource.id() or ""
    resolver = _registry().with_resource(base, resource).resolver(base)

    def resolves(name: str) -> bool:
        try:
            resolver.lookup(name)
        except (Unresolvable, ValueError):
            return False
        return True

    return base, resolves
