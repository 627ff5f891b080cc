"""
From a question to the body of a request for Anthropic's messages.

Source: anthropic 2.14.0, `types/message_create_params.py` and what it names; guides "Structured outputs",
"Code execution tool", container reuse (read 2026-11).
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from prismpy.errors import DefinitionError
from prismpy.messages import AssistantMessage, Message, SystemMessage
from prismpy.schema import JSON

from ._anthropic_cache import mark
from ._anthropic_content import cite, is_blank
from ._anthropic_messages import write_messages
from ._provider_tools import provider_tool
from ._values import Ask, OutputForm

MAX_TOKENS: Final = 8192
"""
Tokens that a model may write where nobody says how many: the API demands a number.

It is the most that the SDK lets every model write unstreamed. A budget for thinking counts towards it, and is added.
"""


def write(ask: Ask, *, stream: bool) -> dict[str, JSON]:
    """
    Write a body.

    Raises:
        DefinitionError: if there is nothing to answer, or something is asked that this format cannot say.
    """
    options = dict(ask.options)
    cache, citing = options.pop("cache", None), options.pop("citations", False)
    messages = write_messages(ask.messages)
    if citing:
        cite(messages)
    if not messages:
        msg = "anthropic: no message has words, pictures or results; say something as a user first"
        raise DefinitionError(msg)
    body = {
        "model": ask.model,
        "max_tokens": _most(ask.max_tokens, options.get("thinking")),
        "messages": messages,
        **_known(ask),
        **({"stream": True} if stream else {}),
    }
    body |= {key: _merged(key, body.get(key), value) for key, value in options.items()}
    return mark(body if body.get("tools") else body | _used_before(messages), cache)


def _most(wanted: int | None, thinking: Any) -> int:
    if wanted is not None:  # zero only fills the cache
        return wanted
    budget = thinking.get("budget_tokens") if isinstance(thinking, Mapping) else None
    return MAX_TOKENS + int(budget or 0)


def _known(ask: Ask) -> dict[str, JSON]:
    """Write what is there to say, key by key."""
    tools = [*ask.tools, *(provider_tool(tool) for tool in ask.provider_tools)]
    found = {
        "system": [{"type": "text", "text": text} for text in _system(ask.messages)],
        "tools": tools,
        "tool_choice": _choice(ask) if tools else None,
        "output_config": ask.output and {"format": _form(ask.output)},
        "temperature": ask.temperature,
        "container": _container(ask.messages),
    }
    return {key: value for key, value in found.items() if value is not None and value != []}


def _used_before(messages: Iterable[Mapping[str, Any]]) -> dict[str, JSON]:
    """
    Declare the tools that were called before and are not offered any more; the model may call none of them.

    Source: error of the API, "Requests which include `tool_use` or `tool_result` blocks must define tools" (2026-11).
    """
    blocks = (block for message in messages for block in message["content"])
    names = dict.fromkeys(block["name"] for block in blocks if block.get("type") == "tool_use")
    if not names:
        return {}
    gone = {"description": "Not available any more.", "input_schema": {"type": "object", "properties": {}}}
    return {"tools": [{"name": name, **gone} for name in names], "tool_choice": {"type": "none"}}


def _system(messages: Iterable[Message]) -> Iterable[str]:
    return (each.text for each in messages if isinstance(each, SystemMessage) and not is_blank(each.text))


def _choice(ask: Ask) -> JSON:
    """Say which tool to call, and whether one at a time; None for what is the rule anyway."""
    words = {"auto": {"type": "auto"}, "any": {"type": "any"}, "none": {"type": "none"}}
    choice: JSON = words.get(ask.tool_choice, {"type": "tool", "name": ask.tool_choice})
    if ask.parallel_calls is False and ask.tool_choice != "none":
        return {**choice, "disable_parallel_tool_use": True}
    return None if ask.tool_choice == "auto" else choice


def _form(output: OutputForm) -> JSON:
    described = {"description": output.description} if output.description else {}
    return {"type": "json_schema", "schema": {**described, **output.schema}}


def _container(messages: Iterable[Message]) -> JSON:
    """Return the id of the container that was used last; None for none."""
    turns = [each for each in messages if isinstance(each, AssistantMessage) and each.dialect == "anthropic"]
    used = [turn.extra["container"]["id"] for turn in turns if turn.extra.get("container")]
    return used[-1] if used else None


def _merged(key: str, written: JSON, given: JSON) -> JSON:
    """Put what the app gives in the place of what was written; where both say a part, keep both parts."""
    if not isinstance(given, Mapping):
        return given
    if key == "output_config":
        return {**(written or {}), **given}
    return {"id": written, **given} if key == "container" and written else given
