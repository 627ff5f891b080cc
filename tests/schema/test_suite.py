"""Schemas of others, by the thousand: the official JSON-Schema-Test-Suite, and JSONSchemaBench."""

import json
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import attrs
import pytest
from jsonschema import Draft202012Validator
from jsonschema_specifications import REGISTRY
from referencing import Registry, Resource
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012

from prismpy import DefinitionError, emit, parse
from prismpy.schema import canonical, compile_schema
from tests.shared import SHARED, needs_shared, read_rows

pytestmark = needs_shared

SUITE = SHARED / "corpora" / "json-schema-test-suite"


@attrs.frozen
class Group:
    """A schema of the suite with values, and whether they are valid."""

    name: str
    schema: Any
    tests: tuple[Any, ...]


@cache
def groups() -> tuple[Group, ...]:
    folder = SUITE / "tests" / "draft2020-12"
    return tuple(
        Group(f"{path.relative_to(folder)}: {group['description']}", group["schema"], tuple(group["tests"]))
        for path in sorted(folder.rglob("*.json"))
        for group in json.loads(path.read_text(encoding="utf-8"))
    )


@cache
def remotes() -> Registry[Any]:
    """Return the documents that references of the suite reach, beside the metaschemas. Nothing is fetched."""
    folder = SUITE / "remotes"
    return REGISTRY.with_resources(
        (
            f"http://localhost:1234/{path.relative_to(folder).as_posix()}",
            Resource.from_contents(json.loads(path.read_text(encoding="utf-8")), DRAFT202012),
        )
        for path in sorted(folder.rglob("*.json"))
    )


def verdicts(schema: Any) -> Callable[[Any], bool | None]:
    """Return a function that judges values; None where a reference or a regular expression means nothing to Python."""
    validator = Draft202012Validator(schema, registry=remotes())

    def judge(value: Any) -> bool | None:
        try:
            return validator.is_valid(value)
        except (Unresolvable, re.error):
            return None

    return judge


def bench() -> list[Any]:
    return [row["schema"] for row in read_rows("corpora/schemas_bench.jsonl")]


def suite() -> list[Any]:
    return [group.schema for group in groups()]


SOURCES = pytest.mark.parametrize(("schemas", "count"), [(suite, 461), (bench, 2024)], ids=["suite", "bench"])


@SOURCES
def test_schemas_come_out_as_they_went_in(schemas: Any, count: int) -> None:
    """Reading a schema and writing it changes nothing, whatever draft it is of."""
    changed = [schema for schema in schemas() if canonical(emit(parse(schema))) != canonical(schema)]

    assert len(schemas()) == count
    assert changed == []


def property_orders(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[Any, list[str]]]:
    """Give the names of all properties in order, with the place where they stand."""
    items: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        if key == "properties" and isinstance(inner, dict):
            yield path, list(inner)
        yield from property_orders(inner, (*path, key))


@SOURCES
def test_properties_keep_their_order(schemas: Any, count: int) -> None:
    """The properties of an object, at any depth, come out in the order in which they were written."""
    written = [dict(property_orders(emit(parse(schema)))) for schema in schemas()]

    assert len(written) == count
    assert written == [dict(property_orders(schema)) for schema in schemas()]


@SOURCES
def test_reading_what_was_written_gives_the_same_nodes(schemas: Any, count: int) -> None:
    """Reading, writing and reading again comes to equal nodes with equal hashes."""
    nodes = [parse(schema) for schema in schemas()]
    again = [parse(emit(node)) for node in nodes]

    assert len(nodes) == count
    assert [node for node, other in zip(nodes, again, strict=True) if node != other or hash(node) != hash(other)] == []


def test_every_verdict_of_the_suite_stays() -> None:
    """A value is valid under the written schema if and only if it is under the original."""
    original, written = [], []
    for group in groups():
        before, after = verdicts(group.schema), verdicts(emit(parse(group.schema)))
        original += [(group.name, before(test["data"])) for test in group.tests]
        written += [(group.name, after(test["data"])) for test in group.tests]

    assert len(original) == 2225
    assert written == original


DIFFERENT = {
    ("ECMA 262 \\D matches everything but ascii digits", "NKO DIGIT ZERO matches (unlike e.g. Python)"),
    ("ECMA 262 \\D matches everything but ascii digits", "NKO DIGIT ZERO (as \\u escape) matches"),
    ("ECMA 262 \\W matches everything but ascii letters", "latin-1 e-acute matches (unlike e.g. Python)"),
    ("ECMA 262 \\s matches whitespace", "zero-width whitespace matches"),
}
"""Where jsonschema-rs accepts what jsonschema does not, rightly: patterns are ECMA-262's, and Python's `re` is not."""


@pytest.mark.parametrize("fast", [True, False], ids=["with jsonschema-rs", "without"])
def test_the_judge_agrees_with_the_reference(fast: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever jsonschema has a verdict without fetching anything, `compile_schema` has the same, and never crashes."""
    if not fast:
        monkeypatch.setitem(sys.modules, "jsonschema_rs", None)
    differing = []
    for group in groups():
        reference, problems = verdicts(group.schema), compile_schema(group.schema)
        for test in group.tests:
            try:
                found: Any = problems(test["data"]) == ()
            except DefinitionError:  # a reference that leads out of the schema
                continue
            except Exception as error:  # noqa: BLE001  # whatever it is, it is a mistake
                found = repr(error)
            wanted = reference(test["data"])
            if isinstance(found, str) or (wanted is not None and found != wanted):
                differing.append((group.name, test["description"], found))

    rightly = {(f"optional/ecmascript-regex.json: {name}", test, True) for name, test in DIFFERENT}
    assert set(differing) == (rightly if fast else set())
