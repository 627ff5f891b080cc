"""
From a question to the body of a request to the Responses API.

Reasoning goes back to the model: models that reason are asked for theirs in encrypted
form, so that a conversation can be taken up again whether or not OpenAI stored it.
Whether it stores is left to its own default, or to `options`.

Source: OpenAI API reference "Create a model response", guide "Reasoning models", section "Encrypted reasoning items";
docs.x.ai, "Encrypted thinking content" (read 2026-11).
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from prismpy.messages import AssistantMessage, Message, SystemMessage
from prismpy.schema import JSON

from ._responses_history import history, is_own
from ._responses_tools import Offered, about_tools
from ._values import Ask, OutputForm

ENCRYPTED_REASONING: Final = "reasoning.encrypted_content"

LAST: Final = "auto"
"""What `previous_response_id` may be beside an id: the last response in the conversation."""

_REASONING: Final = re.compile(
    r"(?:.*[/.:])?(?:o\d|gpt-(?:[5-9]|\d\d)|codex|grok-(?:[4-9]|\d\d))(?!.*(?:-chat|non-reasoning)).*"
)
"""
Names of models that can be asked for encrypted reasoning; others answer 400.

Source: OpenAI guide "Reasoning models"; openai/openai-python, `types/shared/responses_model.py`; docs.x.ai, "Models"
(read 2026-11).
"""


def write(ask: Ask, provider: str, *, stream: bool) -> dict[str, JSON]:
    """Write a body."""
    said, instructions = _without_instructions(ask.messages)
    first, state = _known(said, provider, ask.options)
    body: dict[str, JSON] = {
        "model": ask.model,
        **({"instructions": instructions} if instructions else {}),
        "input": history(said, provider, Offered.of(ask.tools), first),
        **about_tools(ask),
        **_limits(ask),
        **({"text": {"format": _format(ask.output)}} if ask.output is not None else {}),
        **({"include": [ENCRYPTED_REASONING]} if _REASONING.fullmatch(ask.model) else {}),
        **({"stream": True} if stream else {}),
    }
    return {**body, **_merged(body, ask.options), **state}


def _without_instructions(messages: Sequence[Message]) -> tuple[tuple[Message, ...], str]:
    """Take the system messages before all others out: the API has a key for them, which counts in each request."""
    count = next((i for i, message in enumerate(messages) if not isinstance(message, SystemMessage)), len(messages))
    texts = [message.text for message in messages[:count] if isinstance(message, SystemMessage)]
    return tuple(messages[count:]), "\n\n".join(texts)


def _known(messages: Sequence[Message], provider: str, options: Mapping[str, Any]) -> tuple[int, dict[str, JSON]]:
    """
    Return the index of the first message that the provider does not have, and what says which ones it has.

    It has what came up to a turn of the conversation that is named, or up to the response that is.
    """
    conversation = options.get("conversation")
    name = conversation.get("id") if isinstance(conversation, Mapping) else conversation
    wanted = options.get("previous_response_id")
    for index in range(len(messages) - 1, -1, -1):
        message = messages[index]
        extra = message.extra if isinstance(message, AssistantMessage) and is_own(message, provider) else {}
        response = extra.get("response_id")
        if response and wanted in {LAST, response}:
            return index + 1, {"previous_response_id": response}
        if name and extra.get("conversation") == name:
            return index + 1, {}
    return 0, {"previous_response_id": None} if wanted == LAST else {}


def _limits(ask: Ask) -> dict[str, JSON]:
    given = {"max_output_tokens": ask.max_tokens, "temperature": ask.temperature}
    return {key: value for key, value in given.items() if value is not None}


def _format(output: OutputForm) -> dict[str, JSON]:
    described = {"description": output.description} if output.description else {}
    return {
        "type": "json_schema",
        "name": output.name,
        **described,
        "schema": dict(output.schema),
        "strict": output.strict,
    }


def _merged(body: Mapping[str, JSON], options: Mapping[str, Any]) -> dict[str, JSON]:
    """Let options win, but add to what is included, and to `text` beside the form of the answer."""
    merged = dict(options)
    if "text" in body and isinstance(options.get("text"), Mapping):
        merged["text"] = {**body["text"], **options["text"]}
    if "include" in body and options.get("include"):
        merged["include"] = list(dict.fromkeys([*body["include"], *options["include"]]))
    return merged
