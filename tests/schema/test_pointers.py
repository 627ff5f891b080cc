"""References by name, said as JSON Pointers."""

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from prismpy.schema import pointed
from prismpy.schema._pointers import hoisted
from tests.shared import SHARED, needs_shared


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"$ref": "#/$defs/a", "$defs": {"a": True}}, {"$ref": "#/$defs/a", "$defs": {"a": True}}),
        ({"$ref": "#a", "$defs": {"x": {"$anchor": "a"}}}, {"$ref": "#/$defs/x", "$defs": {"x": {}}}),
        ({"$ref": "#a", "$defs": {"x/y~z": {"$anchor": "a"}}}, {"$ref": "#/$defs/x~1y~0z", "$defs": {"x/y~z": {}}}),
        ({"$ref": "b", "$defs": {"x": {"$id": "b", "not": {}}}}, {"$ref": "#/$defs/x", "$defs": {"x": {"not": {}}}}),
        (
            {"$id": "https://a.example/x", "$ref": "y#z", "$defs": {"y": {"$id": "y", "$defs": {"q": {"$anchor": "z"}}}}},
            {"$ref": "#/$defs/y/$defs/q", "$defs": {"y": {"$defs": {"q": {}}}}},
        ),
        (
            {"$defs": {"y": {"$id": "y", "items": {"$ref": "#/$defs/q"}, "$defs": {"q": {}}}}},
            {"$defs": {"y": {"items": {"$ref": "#/$defs/y/$defs/q"}, "$defs": {"q": {}}}}},
        ),
        ({"$id": "urn:x", "items": {"$ref": "#"}}, {"items": {"$ref": "#"}}),
        ({"$id": "x", "items": {"$id": "x#/items", "not": {"$ref": "x"}}}, {"items": {"not": {"$ref": "#"}}}),
        ({"$ref": "https://elsewhere.example/"}, {"$ref": "https://elsewhere.example/"}),
        ({"$id": "http://[", "items": {"$ref": "http://["}}, {"items": {"$ref": "#"}}),
        ({"not": {"$dynamicRef": "#a"}, "$dynamicAnchor": "a"}, {"not": {"$ref": "#"}}),
        (True, True),
    ],
)  # fmt: skip
def test_names_become_pointers(before: Any, after: Any) -> None:
    """Anchors and ids lead to the same place, which is told by a pointer; what leads out of the document stays."""
    assert pointed(before) == after


def test_what_only_references_find_is_moved() -> None:
    """So that a walk by position comes there, too; what it refers to follows."""
    schema = {
        "$ref": "#/x/a",
        "x": {"a": {"items": {"$ref": "#/x/b"}}, "b": {"type": "string"}},
        "not": {"$ref": "#/nowhere"},
        "$defs": {"a": {}},
    }

    assert hoisted(schema) == {
        "$ref": "#/$defs/a_",
        "x": schema["x"],
        "not": {"$ref": "#/nowhere"},
        "$defs": {"a": {}, "a_": {"items": {"$ref": "#/$defs/b"}}, "b": {"type": "string"}},
    }
    assert hoisted(hoisted(schema)) is not schema
    assert hoisted({"$ref": "#"}) == {"$ref": "#"}


FILES = sorted((SHARED / "corpora/json-schema-test-suite/tests/draft2020-12").glob("*.json"))


@needs_shared
@pytest.mark.parametrize("name", ["anchor", "items", "ref", "unevaluatedProperties", "infinite-loop-detection"])
def test_the_official_suite_is_judged_the_same(name: str) -> None:
    """Groups about names and references, their verdicts unchanged."""
    file = next((file for file in FILES if file.stem == name), None)
    assert file is not None
    groups = json.loads(file.read_text(encoding="utf-8"))
    judged = [
        (test["valid"], Draft202012Validator(pointed(group["schema"])).is_valid(test["data"]))
        for group in groups
        for test in group["tests"]
        if "localhost" not in json.dumps(group["schema"]) and "metaschema" not in group["description"]
    ]

    assert judged
    assert [pair for pair in judged if pair[0] != pair[1]] == []
