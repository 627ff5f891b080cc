"""Who serves models, where, and which environment variable holds the key: one row each."""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias
from urllib.parse import urlsplit

import attrs

from prismpy.errors import UnknownProviderError

Api: TypeAlias = Literal["openai-chat", "openai-responses", "anthropic"]
"""A wire format, and the SDK that carries it."""

_DIALECTS: Final[Mapping[Api, tuple[str, str]]] = {
    "openai-chat": ("openai", "openai-compatible"),
    "openai-responses": ("openai-responses", "openai-responses-compatible"),
    "anthropic": ("anthropic", "anthropic"),  # beyond functions it is told only what somebody set for a tool
}
"""What tools are exported to for servers that document all that the maker of an API does, and for others."""


@attrs.frozen
class Server:
    """One server."""

    name: str
    """As in `model("name:...")`."""

    base_url: str | None
    """Where it is; `{NAME}` stands for an environment variable. None for the SDK's own default."""

    keys: tuple[str, ...]
    """Environment variables that may hold the API key; the first one that is set wins."""

    api: Api = "openai-chat"

    needs_key: bool = True
    """Whether nothing can be asked without a key; servers on one's own machine seldom want one."""

    url_variable: str = ""
    """Environment variable that overrides `base_url`; "" for none."""

    domain: str = attrs.field(default="", kw_only=True)
    """End of the hosts by which it is recognised, where each customer has one; "" for the host of `base_url`."""

    responses: bool = attrs.field(default=False, kw_only=True)
    """Whether it speaks OpenAI's Responses API too, under `NAME-responses`."""

    is_whole: bool = attrs.field(default=False, kw_only=True)
    """Whether it documents of tools whatever the maker of the API does: text as it is, searches, options."""

    source: str = attrs.field(default="", kw_only=True)
    """Where the facts stand, with the month in which they were read."""

    @property
    def tool_dialect(self) -> str:
        """What tools are exported to, as in `tool.to(...)`."""
        whole, other = _DIALECTS[self.api]
        return whole if self.is_whole else other


COMPATIBLE: Final = Server(
    "compatible", None, ("OPENAI_API_KEY",), needs_key=False, source="openai 3.57.0, `_client.py` (2026-11)"
)
"""Any other server that speaks OpenAI's chat completions, at a `base_url` that no row has."""

COMPATIBLE_ANTHROPIC: Final = Server(
    "compatible",
    None,
    ("ANTHROPIC_API_KEY",),
    "anthropic",
    needs_key=False,
    source="anthropic 2.14.0, `_client.py` (2026-11)",
)
"""Any other server that speaks Anthropic's messages."""

_COMPATIBLE: Final = {"openai": COMPATIBLE, "anthropic": COMPATIBLE_ANTHROPIC}
"""By the names that, with a URL, say an API and no server."""

_ROWS: Final = {
    server.name: server
    for server in (
        Server(
            "openai",
            "https://api.openai.com/v1",
            ("OPENAI_API_KEY",),
            url_variable="OPENAI_BASE_URL",
            responses=True,
            is_whole=True,
            source="openai 3.57.0, `_client.py` (2026-11)",
        ),
        Server(
            "anthropic",
            "https://api.anthropic.com",
            ("ANTHROPIC_API_KEY",),
            "anthropic",
            url_variable="ANTHROPIC_BASE_URL",
            is_whole=True,
            source="anthropic 2.14.0, `_client.py` (2026-11)",
        ),
        Server(
            "azure",
            "{AZURE_OPENAI_ENDPOINT}/openai/v1/",
            ("AZURE_OPENAI_API_KEY",),
            domain=".openai.azure.com",
            responses=True,
            is_whole=True,
            source='learn.microsoft.com, Azure OpenAI, "API version lifecycle", v1 API; "Responses API"; '
            'REST reference, "Create response", tools (2026-11)',
        ),
        Server(
            "cerebras",
            "https://api.cerebras.ai/v1",
            ("CEREBRAS_API_KEY",),
            source='inference-docs.cerebras.ai, "OpenAI Compatibility" (2026-11)',
        ),
        Server(
            "databricks",
            "{DATABRICKS_HOST}/serving-endpoints",
            ("DATABRICKS_TOKEN",),
            domain=".azuredatabricks.net",
            source='docs.databricks.com, "Query foundation models", OpenAI client (2026-11)',
        ),
        Server(
            "deepseek",
            "https://api.deepseek.com",
            ("DEEPSEEK_API_KEY",),
            responses=True,
            source='api-docs.deepseek.com, "Your First API Call"; recordings of its Responses API (2026-11)',
        ),
        Server(
            "deepseek-anthropic",
            "https://api.deepseek.com/anthropic",
            ("DEEPSEEK_API_KEY",),
            "anthropic",
            source='api-docs.deepseek.com, "Using the Anthropic API" (2026-11)',
        ),
        Server(
            "gemini",
            "https://generativelanguage.googleapis.com/v1beta/openai/",
            ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
            source='ai.google.dev, Gemini API, "OpenAI compatibility" (2026-11)',
        ),
        Server(
            "groq",
            "https://api.groq.com/openai/v1",
            ("GROQ_API_KEY",),
            source='console.groq.com, "OpenAI Compatibility" (2026-11)',
        ),
        Server(
            "huggingface",
            "https://router.huggingface.co/v1",
            ("HF_TOKEN",),
            source='huggingface.co, Inference Providers, "OpenAI-Compatible API" (2026-11)',
        ),
        Server(
            "lmstudio",
            "http://localhost:1234/v1",
            ("LM_API_TOKEN",),
            needs_key=False,
            responses=True,
            source='lmstudio.ai, "OpenAI Compatible Endpoints" and "Authentication" (2026-11)',
        ),
        Server(
            "mistral",
            "https://api.mistral.ai/v1",
            ("MISTRAL_API_KEY",),
            source="docs.mistral.ai, API reference (2026-11)",
        ),
        Server(
            "ollama",
            "http://localhost:11434/v1",
            ("OLLAMA_API_KEY",),
            needs_key=False,
            url_variable="OLLAMA_BASE_URL",
            source='docs.ollama.com, "OpenAI compatibility" (2026-11)',
        ),
        Server(
            "openrouter",
            "https://openrouter.ai/api/v1",
            ("OPENROUTER_API_KEY",),
            responses=True,
            source='openrouter.ai/docs, "Quickstart"; "Responses API", beta (2026-11)',
        ),
        Server(
            "snowflake",
            "https://{SNOWFLAKE_ACCOUNT}.snowflakecomputing.com/api/v2/cortex/v1",
            ("SNOWFLAKE_PAT",),
            domain=".snowflakecomputing.com",
            source='docs.snowflake.com, "Cortex REST API", Chat Completions (2026-11)',
        ),
        Server(
            "vllm",
            "http://localhost:8000/v1",
            ("VLLM_API_KEY",),
            needs_key=False,
            source='docs.vllm.ai, "OpenAI-Compatible Server" (2026-11)',
        ),
        Server(
            "xai",
            "https://api.x.ai/v1",
            ("XAI_API_KEY",),
            responses=True,
            source='docs.x.ai, "REST API"; "Generate text", Responses API (2026-11)',
        ),
        Server(
            "zai",
            "https://api.z.ai/api/paas/v4",
            ("ZAI_API_KEY",),
            source='docs.z.ai, API reference, "Introduction" (2026-11)',
        ),
    )
}

RESPONSES: Final = "-responses"
"""What the name of a server ends with where its Responses API is meant."""

_TABLE: Final = _ROWS | {
    row.name + RESPONSES: attrs.evolve(row, api="openai-responses") for row in _ROWS.values() if row.responses
}
"""Rows by the names that `model` takes."""


def known_servers() -> tuple[str, ...]:
    """Return the names that `model` takes before the colon, sorted."""
    return tuple(sorted(_TABLE))


def server(name: str) -> Server:
    """
    Look a server up.

    Raises:
        UnknownProviderError: listing the known names.
    """
    try:
        return _TABLE[name]
    except KeyError:
        raise UnknownProviderError(name, known_servers()) from None


def server_at(base_url: str, api: Api) -> Server | None:
    """Return the server of an API whose host a URL has; None for an unknown one."""
    host = urlsplit(base_url).netloc
    return next((each for each in _TABLE.values() if each.api == api and _is_at(each, host)), None)


def _is_at(server: Server, host: str) -> bool:
    return host.endswith(server.domain) if server.domain else host == urlsplit(server.base_url or "").netloc


def row_of(name: str, base_url: object) -> Server:
    """
    Return the row of a server; where a URL comes with a name that only says an API, that of the URL's host.

    Raises:
        UnknownProviderError: if there is none of that name.
    """
    named = server(name)
    if named.name not in _COMPATIBLE or base_url is None:
        return named
    return server_at(str(base_url), named.api) or attrs.evolve(_COMPATIBLE[named.name], api=named.api)
