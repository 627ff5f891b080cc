"""
What each provider calls things, as a table.

A row says how a tool is wrapped, which names it may have, and which further
options its request format documents. Read in 2026-11, from the places named in `source`.
"""

from collections.abc import Callable, Mapping
from typing import Final

import attrs

from prismpy.errors import UnknownProviderError
from prismpy.schema import JSON
from prismpy.tools import ToolSpec

from ._names import Names


@attrs.frozen
class Dialect:
    """One provider's way to say a tool."""

    name: str
    """As in `tool.to(name)`."""

    wrap: Callable[[ToolSpec, JSON, Mapping[str, JSON]], JSON]
    """Builds the tool from the spec, its parameters as JSON Schema, and the options of this provider."""

    source: str
    """Where the facts of the row come from."""

    names: Names | None = None
    """Which names of tools it takes; None where any will do."""

    options: frozenset[str] = frozenset()
    """What `with_provider_options` may set."""

    wrap_text: Callable[[ToolSpec, JSON, Mapping[str, JSON]], JSON] | None = None
    """Builds a tool that takes a text as it is, from the spec, the text as JSON Schema and options; None: no such."""

    text_options: frozenset[str] = frozenset()
    """Those of `options` that such a tool may have."""

    search: Mapping[str, JSON] | None = None
    """The provider's own tool that searches those with the option `defer_loading`; None where it has none."""

    lists_all: bool = False
    """Whether every tool is told at once, since nobody asks a second time."""


def _described(spec: ToolSpec) -> dict[str, JSON]:
    return {"name": spec.name} | ({"description": spec.description} if spec.description else {})


def _with_properties(parameters: JSON) -> JSON:
    """Say `properties` even where there are none: some models refuse a tool without."""
    return parameters if "properties" in parameters else {**parameters, "properties": {}}


def _openai(spec: ToolSpec, parameters: JSON, options: Mapping[str, JSON]) -> JSON:
    return {"type": "function", "function": {**_described(spec), "parameters": _with_properties(parameters), **options}}


def _openai_responses(spec: ToolSpec, parameters: JSON, options: Mapping[str, JSON]) -> JSON:
    # strict is said, since this API takes it to be on where it is left out
    return {
        "type": "function",
        **_described(spec),
        "parameters": _with_properties(parameters),
        "strict": False,
        **options,
    }


def _openai_text(spec: ToolSpec, text: JSON, options: Mapping[str, JSON]) -> JSON:
    grammar = {"format": {"type": "grammar", "grammar": rule}} if (rule := _grammar(spec)) else {}
    return {"type": "custom", "custom": {**_described_with(spec, text), **grammar, **options}}


def _openai_responses_text(spec: ToolSpec, text: JSON, options: Mapping[str, JSON]) -> JSON:
    grammar = {"format": {"type": "grammar", **rule}} if (rule := _grammar(spec)) else {}
    return {"type": "custom", **_described_with(spec, text), **grammar, **options}


def _grammar(spec: ToolSpec) -> dict[str, JSON]:
    rule = spec.free_text
    return {"syntax": rule.syntax, "definition": rule.grammar} if rule is not None and rule.grammar else {}


def _described_with(spec: ToolSpec, text: JSON) -> dict[str, JSON]:
    """Say of the tool what was said of its text, for which there is no place of its own."""
    said = [spec.description, text.get("description")]
    return _described(attrs.evolve(spec, description="\n\n".join(filter(None, said))))


def _anthropic(spec: ToolSpec, parameters: JSON, options: Mapping[str, JSON]) -> JSON:
    return {**_described(spec), "input_schema": _with_properties(parameters), **options}


def _mcp(spec: ToolSpec, parameters: JSON, options: Mapping[str, JSON]) -> JSON:
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


def _json_schema(_spec: ToolSpec, parameters: JSON, _options: Mapping[str, JSON]) -> JSON:
    return parameters


_NAMES: Final = Names("a-zA-Z0-9_-", most=64)
"""OpenAI's and Anthropic's rule; Anthropic's newer pages say 128, which not every model of it takes yet."""

_TABLE: Final = {
    dialect.name: dialect
    for dialect in (
        Dialect(
            "openai",
            _openai,
            source=(
                "openai 3.57.0: types/chat/chat_completion_function_tool_param.py, "
                "types/chat/chat_completion_custom_tool_param.py, types/shared_params"
            ),
            names=_NAMES,
            wrap_text=_openai_text,
        ),
        Dialect(
            "openai-responses",
            _openai_responses,
            source=(
                "openai 3.57.0: types/responses/function_tool_param.py, types/responses/custom_tool_param.py, "
                "types/responses/namespace_tool_param.py, types/responses/tool_search_tool_param.py; guides "
                "'Function calling', 'Strict mode', and 'Tool search' (gpt-5.4 and later)"
            ),
            names=_NAMES,
            options=frozenset({"allowed_callers", "async", "defer_loading", "output_schema"}),
            wrap_text=_openai_responses_text,
            text_options=frozenset({"allowed_callers", "async", "defer_loading"}),
            search={"type": "tool_search"},
        ),
        Dialect(
            "anthropic",
            _anthropic,
            source=(
                "anthropic 2.14.0: types/tool_param.py, types/tool_search_tool_bm25_20251119_param.py; API reference "
                "'Messages', tools.name; docs 'Tool search tool' (Sonnet 4, Opus 4, Haiku 4.5 and later)"
            ),
            names=_NAMES,
            options=frozenset(
                {"allowed_callers", "cache_control", "defer_loading", "eager_input_streaming", "input_examples"}
            ),
            search={"type": "tool_search_tool_bm25_20251119", "name": "tool_search_tool_bm25"},
        ),
        Dialect(
            "mcp",
            _mcp,
            source="Model Context Protocol, specification 2025-11-25, 'Tools', section 'Tool'",
            options=frozenset({"_meta", "annotations", "execution", "icons", "outputSchema", "title"}),
            lists_all=True,
        ),
        Dialect("json-schema", _json_schema, source="JSON Schema 2020-12; the parameters as they are", lists_all=True),
    )
}


def dialect(name: str) -> Dialect:
    """
    Look a provider up.

    Raises:
        UnknownProviderError: listing the known names.
    """
    try:
        return _TABLE[name]
    except KeyError:
        raise UnknownProviderError(name, known_providers()) from None


def known_providers() -> tuple[str, ...]:
    """Return the names that `to` takes, sorted."""
    return tuple(sorted(_TABLE))
