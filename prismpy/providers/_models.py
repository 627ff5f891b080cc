"""The models that people construct."""

from typing import Any

from ._address import placed
from ._codecs import spoken_by
from ._openai_client import OpenAISdk
from ._sdk import SdkTransport
from ._wire import WireModel


class OpenAIModel(WireModel):
    """
    A model behind OpenAI's chat completions, at OpenAI or at a server that speaks them too.

    Args:
        model_name: As its provider calls it.

        api_key: By default what the environment says, such as `OPENAI_API_KEY`.

        base_url: Where the server is, up to `/v1`. A server that prismpy knows is recognised by its host.

        client: An `OpenAI`, `AsyncOpenAI` or `AzureOpenAI` of the app's own, used as it is. Key and URL are its own.

        server: Name of a row of the table of servers, such as `groq`; its URL and key are then the default.

        options: For the class of the client: `timeout`, `max_retries`, `default_headers` …

    Raises:
        DefinitionError: if there is no API key.
    """

    def __init__(
        self,
        model_name: str,
        api_key: str | None = None,
        base_url: str | None = None,
        client: Any = None,
        *,
        server: str = "openai",
        **options: Any,
    ) -> None:
        row, given = placed(server, client, api_key, base_url, options)
        transport = SdkTransport(row.name, OpenAISdk("chat"), given, client)
        super().__init__(row.name, model_name, row.tool_dialect, spoken_by(row), transport)
