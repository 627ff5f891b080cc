"""References of every kind, as providers are told them."""

import json
from typing import Any

import pytest

from prismpy import Tool
from prismpy.schema import canonical, compile_schema
from tests.lowering.forms import FORMS, Form, readable
from tests.schema.test_scopes import FOLDER, bundled
from tests.shared import needs_shared


def lookup(schema: Any) -> Tool:
    parameters = {"type": "object", "properties": {"v": schema}, "required": ["v"], "additionalProperties": False}
    return Tool.from_schema("look_up", "Look up", parameters)


def test_a_dynamic_reference_is_compiled_as_what_it_leads_to() -> None:
    """By position, without a loss; a tree of it stays recursive where a provider can say that."""
    tree = {
        "$id": "tree",
        "$dynamicAnchor": "node",
        "type": "object",
        "properties": {"value": {"type": "string"}, "children": {"type": "array", "items": {"$dynamicRef": "#node"}}},
        "required": ["value", "children"],
        "additionalProperties": False,
    }
    node = {key: value for key, value in tree.items() if not key.startswith("$")}
    node["properties"] = {"value": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#/$defs/node"}}}
    parameters = {"type": "object", "properties": {"v": node}, "required": ["v"], "$defs": {"node": node}}
    plain = Tool.from_schema("look_up", "Look up", {**parameters, "additionalProperties": False})
    lowered, twin = lookup(tree).lower("openai", strict=True), plain.lower("openai", strict=True)

    assert lowered.changes == ()
    assert lowered.schema == twin.schema
    assert lowered.schema["$defs"].keys() == {"node"}


@needs_shared
@pytest.mark.parametrize("form", FORMS, ids=str)
def test_dynamic_references_of_the_suite_keep_the_laws(form: Form) -> None:
    """What is valid under the declared schema goes there, is valid there, and comes back."""
    said = 0
    for group in json.loads((FOLDER / "tests/draft2020-12/dynamicRef.json").read_text(encoding="utf-8")):
        low = lookup({"$id": "suite", **bundled(group["schema"])}).lower(form.provider, strict=form.strict)
        judge = compile_schema(readable(low.schema))
        assert form.faults(low.schema) == []
        for test in group["tests"]:
            if test["valid"]:
                value = {"v": test["data"]}
                sent = low.encode(value)
                assert judge(sent) == ()
                assert canonical(low.decode(sent)) == canonical(value)
                said += 1
    assert said > 20
