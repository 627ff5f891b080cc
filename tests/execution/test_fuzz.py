"""
Arguments that went wrong on the way, thrown at real tools.

`PRISMPY_FUZZ=100000 pytest tests/execution/test_fuzz.py` runs longer than the suite does.
"""

import copy
import json
import os
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from jsonschema.validators import validator_for

from prismpy import Tool
from tests.shared import corpus_tools, needs_shared, read_rows
from tests.strategies import json_values

pytestmark = needs_shared

EXAMPLES = int(os.environ.get("PRISMPY_FUZZ", "300"))


@cache
def targets() -> list[tuple[Tool, list[dict[str, Any]], Any, Any]]:
    """Return tools with the arguments they got so far, a validator, and a right call."""
    found: list[tuple[Tool, list[dict[str, Any]], Any, Any]] = []
    for call in read_rows("corpora/calls.jsonl"):
        if call["valid"] and len(found) < 400 and len(json.dumps(call["arguments"])) > 40 * (len(found) % 5):
            got: list[dict[str, Any]] = []
            tool = copy.copy(corpus_tools()[call["tool"]]).using(lambda got=got, **given: got.append(given))
            schema = tool.to("json-schema")
            found.append((tool, got, validator_for(schema, Draft202012Validator)(schema), call["arguments"]))
    return found


ODD = st.one_of(
    json_values(),
    st.sampled_from([None, "", "null", "true", "5", "5.0", "-1e3", "[]", "{}", '["5"]', '{"a": null}', 5.0, 2**70, "\ud800"]),
)  # fmt: skip


@st.composite
def mutated(draw: st.DrawFn, value: Any) -> Any:
    """Change a value here and there: encode it, drop it, replace it, rename it, add to it."""
    match draw(st.sampled_from(["keep", "keep", "encode", "odd", "inside", "inside"])):
        case "encode":
            return json.dumps(value)
        case "odd":
            return draw(ODD)
        case "inside" if isinstance(value, dict):
            changed = {name: draw(mutated(item)) for name, item in value.items() if draw(st.integers(0, 9))}
            return {**changed, draw(st.text(max_size=5)): draw(ODD)} if draw(st.booleans()) else changed
        case "inside" if isinstance(value, list):
            return [draw(mutated(item)) for item in value[:5]]
        case _:
            return value


TEXTS = {
    "as it is": lambda text, at: text,
    "cut": lambda text, at: text[: at % (len(text) + 1)],
    "fenced": lambda text, at: f"```json\n{text}\n```",
    "encoded twice": lambda text, at: json.dumps(text),
    "a character gone": lambda text, at: text[: at % (len(text) + 1)] + text[at % (len(text) + 1) + 1 :],
    "single quotes": lambda text, at: text.replace('"', "'"),
    "a key twice": lambda text, at: text.replace("{", '{"a": 1, "a": 2, ', 1),
    "NaN": lambda text, at: text.replace(": ", ": NaN, ", 1),
    "bytes": lambda text, at: text.encode("utf-8", "surrogatepass"),
    "bytes cut": lambda text, at: text.encode("utf-8", "surrogatepass")[: at % (len(text) + 1)],
}


OF_THE_WHOLE = {"json", "minProperties", "maxProperties", "anyOf", "oneOf", "allOf", "not", "if", "dependentRequired"}
"""Rules that the arguments as a whole may break, so that there is no path to name."""


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_whatever_a_model_sends_is_run_or_refused(data: st.DataObject) -> None:
    """No exception escapes, every refusal names a path or what is wrong with the text, every call that runs is valid."""
    tool, got, validator, right = data.draw(st.sampled_from(targets()))
    arguments = data.draw(mutated(right))
    form = data.draw(st.sampled_from(["decoded", *TEXTS]))
    sent = (
        arguments
        if form == "decoded" and isinstance(arguments, dict)
        else TEXTS[form if form in TEXTS else "as it is"](
            json.dumps(arguments, ensure_ascii=data.draw(st.booleans())), data.draw(st.integers(0, 400))
        )
    )
    got.clear()
    result = tool.run(sent)

    assert result.text.encode()
    if result.is_error:
        assert got == []
        assert result.problems
        assert all(problem.path or problem.rule in OF_THE_WHOLE for problem in result.problems)
        assert all(str(problem).encode("utf-8", "replace").decode() in result.text for problem in result.problems)
    else:
        assert len(got) == 1
        assert validator.is_valid(_without_defaults(got[0], validator.schema))


def _without_defaults(arguments: dict[str, Any], schema: Any) -> dict[str, Any]:
    """Leave out what stands in for parameters that were not sent, as the author of the schema answers for that."""
    known = schema.get("properties", {})
    required = schema.get("required", [])
    return {
        name: value
        for name, value in arguments.items()
        if name in required or not (isinstance(known.get(name), dict) and "default" in known[name] and known[name]["default"] == value)
    }  # fmt: skip


@pytest.mark.parametrize("text", ["[" * 5000, '{"a":' * 5000, '"' * 999, "{" * 999, "\x00", "\ufeff{}", "{}" * 99])
def test_hostile_texts_are_refused(text: str) -> None:
    """Nothing of the kind reaches a handler or an exception."""
    result = Tool.from_schema("t", "", {"type": "object"}, lambda **_: "ran").run(text)

    assert (result.is_error, [problem.rule for problem in result.problems]) == (True, ["json"])
