"""
What differs between the servers that speak OpenAI's chat completions: one row each.

What they answer is read by one tolerant decoder; the rows say what they must be sent. A recording is a file
of `../shared/recordings`, read 2026-11 as the documents were.
"""

import re
from collections.abc import Mapping
from typing import Any, Final, Literal

import attrs


@attrs.frozen
class ChatQuirks:
    """How one server wants to be asked. The defaults are what nearly all take."""

    goes_back: tuple[str, ...] = ()
    """Keys of a model's turn that it takes back, as they came: its thoughts, their signatures. Others refuse them."""

    stand_ins: Mapping[str, Any] = attrs.field(factory=dict, hash=False)
    """Keys that a turn with calls must have; their values where it has none, as when another provider wrote it."""

    call_stand_ins: Mapping[str, Any] = attrs.field(factory=dict, hash=False)
    """The same for the first call of a turn."""

    content_lists: bool = False
    """Whether a turn that came as a list of pieces goes back as one; elsewhere its words alone do."""

    call_id: re.Pattern[str] = re.compile(".{1,40}", re.DOTALL)
    """What it takes as the id of a call. OpenAI refuses more than 40 characters."""

    max_tokens: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    """The key that limits the answer."""

    stream_usage: bool = True
    """Whether the usage of a stream must be asked for."""

    any_tool: Literal["required", "any"] = "required"
    """Its word for a call of whichever tool."""

    json_schema: bool = True
    """Whether it holds an answer to a schema; otherwise it promises JSON, and the schema is said in words."""

    custom_tools: bool = False
    """Whether it knows tools that take free text."""

    documents: Literal["file", "document_url"] = "file"
    """How a file is written that is no text."""

    source: str = ""
    """Where that stands."""


_THOUGHTS: Final = ("reasoning_content", "reasoning", "reasoning_details")

_UNSIGNED: Final = {"extra_content": {"google": {"thought_signature": "skip_thought_signature_validator"}}}

CHAT_QUIRKS: Final = {
    "openai": ChatQuirks(
        goes_back=("refusal",),
        max_tokens="max_completion_tokens",
        custom_tools=True,
        source="API reference 'Create chat completion': max_tokens is deprecated; assistant message, refusal; tools",
    ),
    "azure": ChatQuirks(
        goes_back=("refusal",),
        max_tokens="max_completion_tokens",
        custom_tools=True,
        source="Azure OpenAI, 'Reasoning models': max_tokens is not supported",
    ),
    "cerebras": ChatQuirks(
        max_tokens="max_completion_tokens",
        source="API reference 'Chat completions'; hermes-agent issue 45655: reasoning_content in a turn is refused",
    ),
    "compatible": ChatQuirks(goes_back=_THOUGHTS, source="a server that sends thoughts can take them back"),
    "databricks": ChatQuirks(
        content_lists=True, source="docs 'Query reasoning models': content is a list of reasoning and text"
    ),
    "deepseek": ChatQuirks(
        goes_back=("reasoning_content",),
        stand_ins={"reasoning_content": ""},
        json_schema=False,
        source="guides 'Thinking Mode', tool calls, and 'JSON Output'; recording deepseek/reasoning-tool-loop; "
        "deepseek-harness discussion 739: a turn with calls needs the key though it be empty",
    ),
    "gemini": ChatQuirks(
        goes_back=("extra_content",),
        call_stand_ins=_UNSIGNED,
        source="guides 'OpenAI compatibility' and 'Thought signatures': what to send for turns of other models",
    ),
    "groq": ChatQuirks(
        goes_back=("reasoning",),
        max_tokens="max_completion_tokens",
        source="groq-python, chat_completion_assistant_message_param.py; API reference: max_tokens is deprecated",
    ),
    "lmstudio": ChatQuirks(goes_back=_THOUGHTS, source="it ignores keys that it does not know"),
    "mistral": ChatQuirks(
        content_lists=True,
        call_id=re.compile("[a-zA-Z0-9]{9}"),
        stream_usage=False,
        any_tool="any",
        documents="document_url",
        source="recordings mistral/reasoning-content-list, mistral/tool-call-stream-no-index (usage comes unasked); "
        "opencode issue 1680: ids of calls; docs 'Document QnA'",
    ),
    "ollama": ChatQuirks(goes_back=("reasoning",), source="recordings ollama/tool-call-stream, tool-steps-sequential"),
    "openrouter": ChatQuirks(
        goes_back=("reasoning_details",),
        source="docs 'Preserving reasoning'; recording openrouter/reasoning-details-tool-stream",
    ),
    "snowflake": ChatQuirks(
        max_tokens="max_completion_tokens", source="docs 'Cortex REST API', Chat Completions: max_completion_tokens"
    ),
    "vllm": ChatQuirks(goes_back=("reasoning",), source="docs 'Reasoning Outputs': it used to be reasoning_content"),
    "xai": ChatQuirks(goes_back=("reasoning_content",), source="recording xai/tool-call-stream"),
    "zai": ChatQuirks(
        goes_back=("reasoning_content",),
        json_schema=False,
        source="docs 'Thinking Mode', preserved thinking, and 'Structured Output': json_object",
    ),
}
"""By name of the server."""


def chat_quirks(server: str) -> ChatQuirks:
    """Look a server up; one that is not in the table has no quirks."""
    return CHAT_QUIRKS.get(server, ChatQuirks())
