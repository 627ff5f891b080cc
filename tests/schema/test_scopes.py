"""Dynamic references, said as plain ones."""

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from prismpy.schema import pointed
from tests.shared import SHARED, needs_shared

TREE = {
    "$id": "tree",
    "$dynamicAnchor": "node",
    "type": "object",
    "properties": {"data": True, "children": {"type": "array", "items": {"$dynamicRef": "#node"}}},
}
STRICT = {"$id": "strict-tree", "$dynamicAnchor": "node", "$ref": "tree", "unevaluatedProperties": False}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"$dynamicAnchor": "a", "not": {"$dynamicRef": "#a"}}, {"not": {"$ref": "#"}}),
        ({"$dynamicRef": "#/$defs/x", "$defs": {"x": {"type": "null"}}}, {"$ref": "#/$defs/x", "$defs": {"x": {"type": "null"}}}),
        ({"$dynamicRef": "#a", "$defs": {"x": {"$anchor": "a"}}}, {"$ref": "#/$defs/a", "$defs": {"a": {}}}),
        ({"$dynamicRef": "#a", "$ref": "#", "allOf": [True]}, {"allOf": [True, {"$ref": "#"}, {"$dynamicRef": "#a"}]}),
        ({"$dynamicRef": "y#a", "$defs": {"y": True}}, {"$dynamicRef": "y#a"}),
        ({"$dynamicRef": "#/$defs/x/1/", "$defs": {"x": True}}, {"$dynamicRef": "#/$defs/x/1/"}),
        ({"$dynamicRef": "#/anyOf/0", "anyOf": [False]}, {"$ref": "#/$defs/0", "anyOf": [False], "$defs": {"0": False}}),
        # what is inside a schema that has a name is in its resource
        (
            {"$dynamicRef": "#/$defs/y/items", "$defs": {"y": {"$id": "y", "items": {"$ref": "#"}}}},
            {"$ref": "#/$defs/items", "$defs": {"items": {"$ref": "#/$defs/root"}, "root": {"items": {"$ref": "#/$defs/root"}}}},
        ),
    ],
)  # fmt: skip
def test_a_reference_with_one_place_to_lead_to_is_a_plain_one(before: Any, after: Any) -> None:
    """What leads out of the document, or nowhere, stays."""
    assert pointed(before) == after


def test_a_schema_that_is_entered_in_two_ways_is_there_twice() -> None:
    """A tree of strict nodes through the strict one, a tree of any nodes else."""
    schema = {"properties": {"a": {"$ref": "strict-tree"}, "b": {"$ref": "tree"}}, "$defs": {"s": STRICT, "t": TREE}}
    node = {key: value for key, value in TREE.items() if not key.startswith("$")}

    def children(ref: str) -> Any:
        return {**node, "properties": {"data": True, "children": {"type": "array", "items": {"$ref": ref}}}}

    assert pointed(schema) == {
        "properties": {"a": {"$ref": "#/$defs/strict-tree"}, "b": {"$ref": "#/$defs/tree"}},
        "$defs": {
            "strict-tree": {"$ref": "#/$defs/tree_2", "unevaluatedProperties": False},
            "tree": children("#/$defs/tree"),
            "tree_2": children("#/$defs/strict-tree"),
        },
    }


def test_scopes_without_end_end() -> None:
    """What would need more copies than are made stays dynamic, so that nobody takes it for something else."""
    names = [f"n{i}" for i in range(8)]
    scopes = {
        name: {
            "$id": name,
            "$defs": {anchor: {"$dynamicAnchor": anchor} for anchor in ("a", *names[:number])},
            "anyOf": [{"$ref": other} for other in names],
            "not": {"$dynamicRef": "#a"},
        }
        for number, name in enumerate(names)
    }
    found = pointed({"$ref": "n0", "$defs": scopes})

    assert len(found["$defs"]) == 500
    assert '{"$dynamicRef": "n' in json.dumps(found)


FOLDER = SHARED / "corpora/json-schema-test-suite"
REMOTES = FOLDER / "remotes/draft2020-12"


def bundled(schema: Any) -> Any:
    """Put the documents that a schema of the suite refers to into it."""
    names = ("tree.json", "extendible-dynamic-ref.json", "detached-dynamicref.json", "detached-ref.json")
    found = {f"http://localhost:1234/draft2020-12/{name}": json.loads((REMOTES / name).read_text()) for name in names}
    remote = {
        url: {**document, "$id": url} for url, document in found.items() if url.rpartition("/")[2] in json.dumps(schema)
    }
    return {**schema, "$defs": {**schema.get("$defs", {}), **remote}} if remote else schema


@needs_shared
def test_the_official_suite_is_judged_the_same() -> None:
    """Every group about dynamic references, what it refers to put in; its verdicts are those of the suite."""
    groups = [
        group
        for name in ("dynamicRef", "unevaluatedItems", "unevaluatedProperties", "optional/dynamicRef")
        if (path := FOLDER / f"tests/draft2020-12/{name}.json").exists()
        for group in json.loads(path.read_text(encoding="utf-8"))
        if "$dynamicRef" in json.dumps(group["schema"]) or "localhost" in json.dumps(group["schema"])
    ]
    judged = [
        (group["description"], test["description"], test["valid"], Draft202012Validator(pointed(bundled(group["schema"]))).is_valid(test["data"]))
        for group in groups
        for test in group["tests"]
    ]  # fmt: skip

    assert len(groups) > 20
    assert [verdict for verdict in judged if verdict[2] != verdict[3]] == []
