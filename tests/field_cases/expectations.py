"""
What the keys under `expect` mean.

An expectation gives what is wrong with the tools of a case: nothing, if all is
right. The header of the cases says what the keys mean. A key that stands in no
table here fails the test that meets it.
"""

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any, Final, TypeAlias

from jsonschema import Draft202012Validator

from prismpy import ToolResult, known_providers
from prismpy.schema import canonical
from tests.lowering import gemini_subset, openai_subset

from .made import Made, forms_of, outcomes

Misfits: TypeAlias = list[Any]


def _differs(found: Any, wanted: Any) -> Misfits:
    """Compare JSON: the order of keys is nothing, but 1 and true are different."""
    return [] if canonical(found) == canonical(wanted) else [{"found": found, "wanted": wanted}]


def subschemas(schema: Any) -> Iterator[dict[str, Any]]:
    """Give each schema within a schema, itself first; keys of `properties` and `$defs` are names, not keywords."""
    if isinstance(schema, dict):
        yield schema
        for key, value in schema.items():
            inner = value.values() if key in {"properties", "$defs"} else value if isinstance(value, list) else [value]
            for one in inner:
                yield from subschemas(one)


def _untitled(schema: Any) -> Any:
    schema = copy.deepcopy(schema)
    for one in subschemas(schema):
        one.pop("title", None)
    return schema


def _strict_calls(made: Made, calls: list[Any]) -> Misfits:
    """Run arguments as a strict provider sends them."""
    low = made.tool.lower("openai", strict=True)
    return [
        {"call": call, "found": result}
        for call in calls
        if str((result := made.tool.run(low.decode(call["arguments"]))).output.result) != call["returns"]
    ]


def _strict_all_the_same(made: Made, _: bool) -> Misfits:
    """
    Hold what was decided instead of what the cases say: that open objects cannot be strict.

    They are compiled to lists of entries, so they can, and no value is out of reach. Never is an open object closed.
    """
    low = made.tool.lower("openai", strict=True)
    values = [value for value in _OPEN_VALUES if Draft202012Validator(made.schema).is_valid(value)]
    reached = [value for value in values if low.strict and low.decode(low.encode(value)) == value]
    return [
        *openai_subset.faults(low.schema),
        *(["no value was tried"] if not values else []),
        *_differs(reached, values),
    ]


_OPEN_VALUES: Final = ({"tags": {"a": 1, "b": 2}}, {"tags": {}}, {"a": "x", "more": [1]}, {"more": None})

# --- Gemini -----------------------------------------------------------------------------------------------------------


def _gemini(made: Made) -> Any:
    return made.tool.to("gemini")["parameters"]


def _without(made: Made, texts: list[str]) -> Misfits:
    exported = json.dumps([made.tool.to("gemini"), made.tool.to("gemini-json-schema"), made.tool.to("ollama")])
    return [text for text in texts if text in exported]


def _lone(made: Made) -> Misfits:
    """Name what stands beside a union, and a description that is said nowhere."""
    schema = _gemini(made)
    beside = [one for one in subschemas(schema) if "anyOf" in one and len(one) > 1]
    said = [node["description"] for node in made.properties.values() if "description" in node]
    return beside + [text for text in said if text not in json.dumps(schema)]


# --- what the tool says -----------------------------------------------------------------------------------------


def _description(made: Made) -> str:
    text: str = made.tool.to("openai")["function"].get("description", "")
    return text


def _described(made: Made, wanted: dict[str, str]) -> Misfits:
    return _differs({name: made.properties[name].get("description") for name in wanted}, wanted)


def _described_with(made: Made, wanted: dict[str, list[str]]) -> Misfits:
    texts = {name: made.properties[name].get("description", "") for name in wanted}
    return [(name, texts[name], part) for name, parts in wanted.items() for part in parts if part not in texts[name]]


def _exports(made: Made) -> dict[str, str]:
    return {name: json.dumps(made.tool.to(name), allow_nan=False) for name in known_providers()}


def _valid(made: Made, values: list[Any], wanted: bool) -> Misfits:
    validator = Draft202012Validator(made.schema)
    return [value for value in values if validator.is_valid(value) is not wanted]


def is_sound(made: Made) -> Misfits:
    """Hold what every tool must be, whatever the case: a valid schema, the same for every provider."""
    Draft202012Validator.check_schema(made.schema)
    tool, anywhere = made.tool, made.schema
    parameters = {
        "openai": tool.to("openai")["function"]["parameters"],
        "openai-responses": tool.to("openai-responses")["parameters"],
        "anthropic": tool.to("anthropic")["input_schema"],
        "mcp": tool.to("mcp")["inputSchema"],
    }
    return [provider for provider, schema in parameters.items() if _differs(schema, anywhere)]


# --- what a call comes to -----------------------------------------------------------------------------------------


def _result(made: Made, check: Callable[[ToolResult], bool]) -> Misfits:
    """Check what each tool answers to a call without arguments."""
    return [result for tool in made.tools.values() for result in outcomes(tool, {}) if not check(result)]


def _mentions(text: str, words: list[str]) -> bool:
    return all(word in text for word in words)


_OF_A_CALL: Final[dict[str, Callable[[Made, ToolResult, Any], bool]]] = {
    "returns": lambda _, result, text: not result.is_error and str(result.output.result) == text,
    "returns_or_error": lambda _, result, text: result.is_error or str(result.output.result) == text,
    "received": lambda made, _, text: {repr(arguments) for arguments in made.received} == {text},
    "result_text": lambda _, result, text: not result.is_error and result.text == text,
    "error": lambda _, result, wanted: result.is_error is wanted,
    "mentions": lambda _, result, words: _mentions(result.text, words),
    "not_mentions": lambda _, result, words: not any(word in result.text for word in words),
}
"""Key of a call to the check of a result."""

_CALL: Final = {"subject", "arguments", "arguments_text"}
"""Keys that say what to call."""


def call_misfits(made: Made, call: dict[str, Any]) -> Misfits:
    """Make one call and give the results that are not what the case demands of it."""
    tool = made.tools[call["subject"]] if "subject" in call else made.tool
    checks = {key: _OF_A_CALL[key] for key in call.keys() - _CALL}
    return [
        {key: call[key], "found": result}
        for result in outcomes(tool, *forms_of(call))
        for key, check in checks.items()
        if not check(made, result, call[key])
    ]


# --- the table ----------------------------------------------------------------------------------------------------

EXPECTATIONS: Final[dict[str, Callable[[Made, Any], Misfits]]] = {
    "name": lambda made, name: _differs(made.tool.spec.name, name),
    "description": lambda made, text: _differs(_description(made), text),
    "description_contains": lambda made, texts: [text for text in texts if text not in _description(made)],
    "description_excludes": lambda made, texts: [text for text in texts if text in _description(made)],
    "param_descriptions": _described,
    "param_description_contains": _described_with,
    "property_names": lambda made, names: _differs(sorted(made.properties), sorted(names)),
    "property_names_exclude": lambda made, names: [name for name in names if name in made.properties],
    "required": lambda made, names: _differs(sorted(made.schema.get("required", [])), sorted(names)),
    "exact_properties": lambda made, wanted: _differs(
        {name: _untitled(made.properties[name]) for name in wanted}, wanted
    ),
    "exact_schema": lambda made, wanted: _differs(_untitled(made.schema), wanted),
    "must_have_key": lambda made, keys: [name for name, key in keys.items() if key not in made.properties[name]],
    "enum_is_array_if_present": lambda made, names: [
        name for name in names if not isinstance(made.properties[name].get("enum", []), list)
    ],
    "no_ref_siblings": lambda made, _: [one for one in subschemas(made.schema) if "$ref" in one and len(one) > 1],
    "no_keywords": lambda made, words: [one for one in subschemas(made.schema) if one.keys() & set(words)],
    "accepts": lambda made, values: _valid(made, values, wanted=True),
    "rejects": lambda made, values: _valid(made, values, wanted=False),
    "strict_every_object": lambda made, _: [
        one
        for one in subschemas(made.tool.lower("openai", strict=True).schema)
        if one.get("type") == "object"
        and (one["additionalProperties"] is not False or sorted(one["required"]) != sorted(one["properties"]))
    ],
    "strict_calls": _strict_calls,
    "no_lookaround_if_strict": lambda made, _: [
        one
        for one in subschemas(made.tool.lower("openai", strict=True).schema)
        if any(mark in one.get("pattern", "") for mark in ("(?=", "(?!", "(?<=", "(?<!"))
    ],
    "strict_possible": _strict_all_the_same,
    "gemini_types": lambda made, types: _differs(
        {name: node["type"] for name, node in _gemini(made)["properties"].items()}, types
    ),
    "gemini_anyof_alone": lambda made, _: _lone(made),
    "no_substring": _without,
    "every_node_typed": lambda made, _: gemini_subset.openapi_faults(_gemini(made)),
    "json_serializable": lambda made, _: [] if _exports(made) else ["nothing was exported"],
    "json_contains": lambda made, parts: [
        (part, provider, text) for part in parts for provider, text in _exports(made).items() if part not in text
    ],
    "result_json": lambda made, wanted: _result(made, lambda result: not _differs(json.loads(result.text), wanted)),
    "result_contains": lambda made, words: _result(made, lambda result: _mentions(result.text, words)),
    "answered": lambda made, _: _result(made, lambda result: not result.is_error and isinstance(result.text, str)),
    "not_text": lambda made, texts: _result(made, lambda result: result.text not in texts),
    "utf8_encodable": lambda made, _: _result(made, lambda result: bool(result.text.encode("utf-8"))),
    "not_error": lambda made, _: _result(made, lambda result: not result.is_error),
}
"""Key of `expect` to what it means; `calls` and `error` are read by the tests themselves."""
