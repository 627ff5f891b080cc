"""Models by name: `model("groq:llama-3.3-70b-versatile")`."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from prismpy.errors import DefinitionError

from ._anthropic_model import AnthropicModel
from ._models import OpenAIModel
from ._responses_model import OpenAIResponsesModel
from ._servers import Api, known_servers, server
from ._wire import WireModel

_CLASSES: Final[Mapping[Api, Callable[..., WireModel]]] = {
    "anthropic": AnthropicModel,
    "openai-chat": OpenAIModel,
    "openai-responses": OpenAIResponsesModel,
}


def model(
    name: str, api_key: str | None = None, base_url: str | None = None, client: Any = None, **options: Any
) -> WireModel:
    """
    Return a model by the name of its server and its own.

    Args:
        name: `SERVER:NAME`, such as `openai:gpt-4.1`, `openai-responses:gpt-5` or
            `openrouter:anthropic/claude-haiku-4.5`.

        api_key: By default what the environment says, such as `GROQ_API_KEY`.

        base_url: Where the server is, where it is not in its usual place.

        client: A client of the SDK, used as it is.

        options: For the class of the client: `timeout`, `max_retries` …

    Raises:
        UnknownProviderError: if the server is none; it lists the known ones.

        DefinitionError: if the name has no colon, or there is no API key.
    """
    before, colon, after = name.partition(":")
    if not colon or not after:
        msg = f"model {name!r}: say SERVER:NAME, where SERVER is one of {', '.join(known_servers())}"
        raise DefinitionError(msg)
    row = server(before)
    return _CLASSES[row.api](after, api_key, base_url, client, server=before, **options)
