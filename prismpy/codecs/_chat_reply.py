"""From the body of a chat completion to a reply. Streams are put together first, and read here too."""

from collections.abc import Mapping
from typing import Any, Final

from prismpy.errors import ProviderError
from prismpy.messages import AssistantMessage

from ._chat_parts import read_parts
from ._chat_usage import finish_reason, read_usage
from ._loose import obj, objects, word
from ._values import Failure, Reply

DIALECT: Final = "openai"
"""Name of the format in `AssistantMessage.dialect`."""

_KEPT: Final = ("reasoning_content", "reasoning", "reasoning_details", "extra_content", "refusal")
"""Keys of a message that some server takes back."""


def read(body: Any, provider: str) -> Reply:
    """
    Read an answer.

    Raises:
        ProviderError: if it is none.
    """
    body = obj(body)
    choices = objects(body.get("choices"))
    if not choices:
        raise _no_answer(body, provider)
    choice = choices[0]
    message = obj(choice.get("message"))  # Azure's filter leaves it out
    parts = read_parts(message, body.get("citations"))
    raw = choice.get("finish_reason") if isinstance(choice.get("finish_reason"), str) else None
    failure = failure_of(body.get("error") or choice.get("error"))
    extra = {key: message[key] for key in _KEPT if message.get(key)}
    return Reply(
        AssistantMessage(parts, DIALECT, extra),
        finish_reason(raw, parts, failed=failure is not None),
        raw,
        read_usage(usage_in(body)),
        word(body.get("id")),
        word(body.get("model")),
        failure,
    )


def usage_in(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return where a body or a piece says what was used; Groq may say it in a place of its own."""
    return obj(body.get("usage")) or obj(obj(body.get("x_groq")).get("usage"))


def failure_of(error: Any) -> Failure | None:
    """Read an error that stands in an answer; None for none."""
    if not error:
        return None
    if not isinstance(error, dict):
        return Failure("error", str(error))
    code = error.get("code") or error.get("type") or "error"
    return Failure(str(code), str(error.get("message") or error), error)


def _no_answer(body: Mapping[str, Any], provider: str) -> ProviderError:
    failure = failure_of(body.get("error"))
    if failure is not None:
        msg = f"{provider}: {failure.message}"
        return ProviderError(msg, provider=provider, status=200, code=failure.code)
    msg = f"{provider}: the answer is no chat completion, it has no choices; check base_url and the model's name"
    return ProviderError(msg, provider=provider, status=200, code="bad_answer")
