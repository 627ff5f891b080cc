"""
What each provider calls things, as a table.

A row says how a tool is wrapped, which names it may have, and which further
options its request format documents. Read in 2026-11, from the places named in `source`.
"""

from collections.abc import Callable, Mapping
from typing import Final

import attrs

from prismpy.errors import DefinitionError, UnknownProviderError
from prismpy.schema import JSON
from prismpy.tools import ToolSpec

from . import _wraps
from ._names import Names
from ._option_rules import ANTHROPIC_OPTIONS, BEDROCK_OPTIONS, GEMINI_OPTIONS, MCP_OPTIONS, RESPONSES_OPTIONS, Rules
from ._subset import Request, Root, Subset
from ._subsets import (
    ANTHROPIC,
    ANTHROPIC_REQUEST,
    ANTHROPIC_ROOT,
    GEMINI,
    GEMINI_JSON,
    MINIMAL,
    OLLAMA,
    OPENAI,
    OPENAI_ROOT,
)


@attrs.frozen(eq=False)
class Dialect:
    """
    One provider's way to say a tool.

    Derive one with `attrs.evolve(dialect("openai"), name=..., ...)`, and make it known with `register_dialect`.
    """

    name: str
    """As in `tool.to(name)`."""

    wrap: Callable[[ToolSpec, JSON, Mapping[str, JSON]], JSON]
    """Builds the tool from the spec, its parameters as JSON Schema, and the options of this provider."""

    source: str
    """Where the facts of the row come from."""

    names: Names | None = None
    """Which names of tools it takes; None where any will do."""

    rules: Rules = Rules()
    """What `with_provider_options` may set."""

    wrap_text: Callable[[ToolSpec, JSON, Mapping[str, JSON]], JSON] | None = None
    """Builds a tool that takes a text as it is, from the spec, the text as JSON Schema and options; None: no such."""

    text_options: frozenset[str] = frozenset()
    """Those of its options that such a tool may have."""

    search: Mapping[str, JSON] | None = None
    """The provider's own tool that searches those with the option `defer_loading`; None where it has none."""

    lists_all: bool = False
    """Whether every tool is told at once, since nobody asks a second time."""

    plain: Subset | None = None
    """What it takes of JSON Schema; None where schemas go as they are, but for `root`."""

    strict: Subset | None = None
    """What it enforces of JSON Schema; None where there is no strict mode."""

    root: Root = Root()
    """What it demands of the outermost schema, strict or not."""

    request: Request = Request()
    """How much strictness one request may hold."""

    any_draft: bool = False
    """Whether schemas of older drafts go as they are; else they are said in the words of the newest."""

    @property
    def options(self) -> frozenset[str]:
        """What `with_provider_options` may set, the strict mode and groups aside."""
        return frozenset(self.rules.values)


_NAMES: Final = Names("a-zA-Z0-9_-", most=64)
"""OpenAI's and Anthropic's rule; Anthropic's newer pages say 128, which not every model of it takes yet."""

_GEMINI_NAMES: Final = Names("a-zA-Z0-9_.-", most=64, first="a-zA-Z_")
"""Colons and 128 characters are in newer pages only. Source: google-genai 3.6.1, and refusals (gemini-cli#7878)."""

_ROWS: Final = {
    dialect.name: dialect
    for dialect in (
        Dialect(
            "openai",
            _wraps.openai,
            source=(
                "openai 3.57.0: types/chat/chat_completion_function_tool_param.py, "
                "types/chat/chat_completion_custom_tool_param.py, types/shared_params"
            ),
            names=_NAMES,
            wrap_text=_wraps.openai_text,
            strict=OPENAI,
            root=OPENAI_ROOT,
        ),
        Dialect(
            "openai-responses",
            _wraps.openai_responses,
            source=(
                "openai 3.57.0: types/responses/function_tool_param.py, types/responses/custom_tool_param.py, "
                "types/responses/namespace_tool_param.py, types/responses/tool_search_tool_param.py; guides "
                "'Function calling', 'Strict mode', and 'Tool search' (gpt-5.4 and later)"
            ),
            names=_NAMES,
            rules=RESPONSES_OPTIONS,
            wrap_text=_wraps.openai_responses_text,
            text_options=frozenset({"allowed_callers", "async", "defer_loading"}),
            search={"type": "tool_search"},
            strict=OPENAI,
            root=OPENAI_ROOT,
        ),
        Dialect(
            "anthropic",
            _wraps.anthropic,
            source=(
                "anthropic 2.14.0: types/tool_param.py, types/tool_search_tool_bm25_20251119_param.py; API reference "
                "'Messages', tools.name; docs 'Tool search tool' (Sonnet 4, Opus 4, Haiku 4.5 and later)"
            ),
            names=_NAMES,
            rules=ANTHROPIC_OPTIONS,
            search={"type": "tool_search_tool_bm25_20251119", "name": "tool_search_tool_bm25"},
            strict=ANTHROPIC,
            root=ANTHROPIC_ROOT,
            request=ANTHROPIC_REQUEST,
        ),
        Dialect(
            "bedrock",
            _wraps.bedrock,
            source=(
                "botocore 1.44.8: bedrock-runtime 2023-09-30, Tool, ToolSpecification, ToolName, CachePointBlock; the "
                "models behind it are taken to demand what Anthropic's do"
            ),
            names=_NAMES,
            rules=BEDROCK_OPTIONS,
            strict=ANTHROPIC,
            root=ANTHROPIC_ROOT,
            request=ANTHROPIC_REQUEST,
        ),
        Dialect(
            "gemini",
            _wraps.gemini,
            source="google-genai 3.6.1: types.FunctionDeclaration, types.Schema",
            names=_GEMINI_NAMES,
            rules=GEMINI_OPTIONS,
            plain=GEMINI,
        ),
        Dialect(
            "gemini-json-schema",
            _wraps.gemini_json_schema,
            source="google-genai 3.6.1: types.FunctionDeclaration.parameters_json_schema",
            names=_GEMINI_NAMES,
            rules=GEMINI_OPTIONS,
            plain=GEMINI_JSON,
        ),
        Dialect(
            "mistral",
            _wraps.openai,
            source="mistralai 3.7.0: client/models/function.py; the rule for names is that of its OpenAPI description",
            names=_NAMES,
            strict=MINIMAL,
        ),
        Dialect(
            "ollama",
            _wraps.openai,
            source="ollama 0.6.3 (Python): _types.Tool",
            plain=OLLAMA,
        ),
        Dialect(
            "mcp",
            _wraps.mcp,
            source="Model Context Protocol, specification 2025-11-25, 'Tools', section 'Tool'",
            rules=MCP_OPTIONS,
            any_draft=True,
            lists_all=True,
        ),
        Dialect(
            "json-schema",
            _wraps.json_schema,
            source="JSON Schema 2020-12; the parameters as they are",
            any_draft=True,
            lists_all=True,
        ),
    )
}


def _compatible(row: Dialect) -> Dialect:
    """
    Derive what servers are told that speak as a provider does: functions, and nothing else that only it documents.

    Source: tools that take text are refused by microsoft/foundry-local (issue 1080), Ollama (ollama/ollama issue 17673)
    and all but OpenAI behind tensorzero/tensorzero (pull request 5088); xAI's "Tools", overview, and DeepSeek's pages
    know functions and tools of their own (read 2026-11).
    """
    return attrs.evolve(
        row,
        name=f"{row.name}-compatible",
        source=f"as `{row.name}`, for servers that speak as it does and document functions only",
        wrap_text=None,
        text_options=frozenset(),
        search=None,
        rules=Rules(),
    )


_TABLE: Final = _ROWS | {
    row.name: row for row in (_compatible(_ROWS["openai"]), _compatible(_ROWS["openai-responses"]))
}


def register_dialect(dialect: Dialect) -> None:
    """
    Make a dialect known by its name; one of that name is replaced.

    Raises:
        DefinitionError: if it has no name.
    """
    if not dialect.name:
        msg = "a dialect needs a name, by which to() knows it; give it one with attrs.evolve(dialect, name=...)"
        raise DefinitionError(msg)
    _TABLE[dialect.name] = dialect


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


def strict_providers() -> tuple[str, ...]:
    """Return the names of the providers that have a strict mode, sorted."""
    return tuple(name for name in known_providers() if _TABLE[name].strict is not None)


def known_providers() -> tuple[str, ...]:
    """Return the names that `to` takes, sorted."""
    return tuple(sorted(_TABLE))
