"""Laws 2 and 3 over real tools, their right calls, and schemas of all kinds, for every form."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from prismpy.lowering import dialect
from prismpy.lowering._lower import _lower
from prismpy.schema import MISSING, canonical, compile_schema, follow, upgrade
from tests.lowering.forms import DISTINCT, Form, readable
from tests.shared import corpus_tools, needs_shared, read_rows

pytestmark = needs_shared

forms = pytest.mark.parametrize("form", DISTINCT, ids=str)

STRICT = Counter({"anthropic": 3963})
"""Real tools that go strictly, where not all do: 32 have more optional properties or unions than a request may."""


@forms
def test_right_calls_get_there_and_back(form: Form) -> None:
    """Every real tool is told as its provider takes it; its right calls survive encoding, validation, and decoding."""
    low = {id_: tool.lower(form.provider, strict=form.strict) for id_, tool in corpus_tools().items()}
    judges: dict[str, Any] = {}
    outcomes: Counter[str] = Counter()
    for call in read_rows("corpora/calls.jsonl"):
        if call["valid"]:
            own = low[call["tool"]]
            judge = judges.setdefault(call["tool"], compile_schema(readable(own.schema)))
            sent = own.encode(call["arguments"])
            fine = not judge(sent) and canonical(own.decode(sent)) == canonical(call["arguments"])
            outcomes["fine" if fine else call["id"]] += 1

    assert outcomes == {"fine": 6077}
    assert len(low) == 3995
    if form.strict:
        assert sum(each.strict for each in low.values()) == STRICT.get(form.provider, 3995)
    assert [id_ for id_, each in low.items() if each.strict == form.strict and form.faults(each.schema)] == []


@forms
def test_valid_instances_get_there_and_back(form: Form) -> None:
    """So it is for configuration schemas, and those that stress one keyword."""
    outcomes: Counter[str] = Counter()
    for row in read_rows("corpora/schemas_bench.jsonl"):
        if not isinstance(row["schema"], dict) or row["schema"].get("type") != "object":
            continue
        low = _lower(json.dumps(row["schema"]), dialect(form.provider), form.strict)  # some are no tools
        outcomes["schemas"] += 1
        outcomes["faulty"] += low.strict == form.strict and form.faults(low.schema) != []
        instances = [test["data"] for test in row["tests"] if test["valid"] and isinstance(test["data"], dict)]
        if not instances:
            continue
        judge, declared = compile_schema(readable(low.schema)), compile_schema(upgrade(row["schema"])[0])
        for instance in instances:
            if not declared(instance):
                sent = low.encode(instance)
                fine = not judge(sent) and canonical(low.decode(sent)) == canonical(instance)
                outcomes["fine" if fine else row["id"]] += 1

    assert outcomes == {"schemas": 1622, "fine": 1728, "faulty": 0}


_STEP = re.compile(r'\.([^.\[\]"]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]')


def _seen_as(node: Any, document: Any, depth: int = 6) -> Iterator[Any]:
    """Give a schema, and what it refers to or says in `allOf`."""
    yield node
    if isinstance(node, dict) and depth:
        referred = follow(document, node["$ref"]) if isinstance(node.get("$ref"), str) else MISSING
        for inner in (*([] if referred is MISSING else [referred]), *node.get("allOf", ())):
            yield from _seen_as(inner, document, depth - 1)


def _is_there(path: str, document: Any) -> bool:
    nodes = [document]
    for name, place, odd in _STEP.findall(path.removeprefix("$")):
        key = int(place) if place else json.loads(odd) if odd else name
        views = [view for node in nodes for view in _seen_as(node, document)]
        nodes = [view[key] for view in views if isinstance(view, list) or (isinstance(view, dict) and key in view)]
        if key == "properties":  # one may be required that is not declared
            nodes += [dict.fromkeys(view.get("required", ()), True) for view in views if isinstance(view, dict)]
        if not nodes:
            return False
    return True


@forms
def test_every_change_tells_its_place(form: Form) -> None:
    """A JSON Path into the declared schema, or what that is in the words of the newest draft."""
    lost = []
    for id_, tool in corpus_tools().items():
        declared = tool.to("json-schema")
        upgraded = upgrade(declared)[0]
        for change in tool.lower(form.provider, strict=form.strict).changes:
            path = change.path
            if change.rule == "entries" and path.endswith(".additionalProperties"):  # which need not be said to be so
                path = path.removesuffix(".additionalProperties")
            if not _is_there(path, declared if change.rule == "upgraded" else upgraded):
                lost.append((id_, change.rule, change.path))

    assert lost == []
