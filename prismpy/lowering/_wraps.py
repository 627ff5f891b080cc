"""
How each provider wants a tool wrapped.

Every function builds the tool from the spec, under the name that the provider is
told, its parameters as lowered, and the options of the provider.
"""

from collections.abc import Mapping

import attrs

from prismpy.schema import JSON
from prismpy.tools import ToolSpec


def _described(spec: ToolSpec) -> dict[str, JSON]:
    return {"name": spec.name} | ({"description": spec.description} if spec.description else {})


def _with_properties(parameters: JSON) -> JSON:
    """Say `properties` even where there are none: some models refuse a tool without."""
    return parameters if "properties" in parameters else {**parameters, "properties": {}}


def openai(spec: ToolSpec, parameters: JSON, options: Mapping[str, JSON]) -> JSON:
    return {"type": "function", "function": {**_described(spec), "parameters": _with_properties(parameters), **options}}


def openai_responses(spec: ToolSpec, parameters: JSON, options: Mapping[str, JSON]) -> JSON:
    # strict is said, since this API takes it to be on where it is left out
    return {
        "type": "function",
        **_described(spec),
        "parameters": _with_properties(parameters),
        "strict": False,
        **options,
    }


def openai_text(spec: ToolSpec, text: JSON, options: Mapping[str, JSON]) -> JSON:
    grammar = {"format": {"type": "grammar", "grammar": rule}} if (rule := _grammar(spec)) else {}
    return {"type": "custom", "custom": {**_described_with(spec, text), **grammar, **options}}


def openai_responses_text(spec: ToolSpec, text: JSON, options: Mapping[str, JSON]) -> JSON:
    grammar = {"format": {"type": "grammar", **rule}} if (rule := _grammar(spec)) else {}
    return {"type": "custom", **_described_with(spec, text), **grammar, **options}


def _grammar(spec: ToolSpec) -> dict[str, JSON]:
    rule = spec.free_text
    return {"syntax": rule.syntax, "definition": rule.grammar} if rule is not None and rule.grammar else {}


def _described_with(spec: ToolSpec, text: JSON) -> dict[str, JSON]:
    """Say of the tool what was said of its text, for which there is no place of its own."""
    said = [spec.description, text.get("description")]
    return _described(attrs.evolve(spec, description="\n\n".join(filter(None, said))))


def anthropic(spec: ToolSpec, parameters: JSON, options: Mapping[str, JSON]) -> JSON:
    return {**_described(spec), "input_schema": _with_properties(parameters), **options}


def mcp(spec: ToolSpec, parameters: JSON, options: Mapping[str, JSON]) -> JSON:
    return {**_described(spec), "inputSchema": _with_object_properties(parameters), **options}


def _with_object_properties(parameters: JSON) -> JSON:
    """Say a property's `true` and `false` as objects, which the protocol's `{ [key: string]: object }` asks for."""
    if "properties" not in parameters:
        return parameters
    said: dict[bool, JSON] = {True: {}, False: {"not": {}}}
    properties = {
        name: dict(said[node]) if isinstance(node, bool) else node for name, node in parameters["properties"].items()
    }
    return {**parameters, "properties": properties}


def json_schema(_spec: ToolSpec, parameters: JSON, _options: Mapping[str, JSON]) -> JSON:
    return parameters


def bedrock(spec: ToolSpec, parameters: JSON, options: Mapping[str, JSON]) -> JSON:
    """Build a member of `toolConfig.tools`."""
    return {"toolSpec": {**_described(spec), "inputSchema": {"json": _with_properties(parameters)}, **options}}


def gemini(spec: ToolSpec, parameters: JSON, options: Mapping[str, JSON]) -> JSON:
    """Build a member of `functionDeclarations`."""
    return {**_described(spec), "parameters": _with_properties(parameters), **options}


def gemini_json_schema(spec: ToolSpec, parameters: JSON, options: Mapping[str, JSON]) -> JSON:
    """Build a member of `functionDeclarations`, with JSON Schema proper."""
    return {**_described(spec), "parametersJsonSchema": _with_properties(parameters), **options}
