"""The models behind OpenAI's Responses API."""

from typing import Any

from ._address import placed
from ._background import BackgroundTransport
from ._codecs import spoken_by
from ._openai_client import OpenAISdk
from ._servers import RESPONSES
from ._wire import WireModel


class OpenAIResponsesModel(WireModel):
    """
    A model behind the Responses API, at OpenAI or at a server that speaks it too.

    A request with the option `background` is sent, and looked for until it is done; where its stream breaks off, it is
    taken up again.

    Args:
        model_name: As its provider calls it.

        api_key: By default what the environment says, such as `OPENAI_API_KEY`.

        base_url: Where the server is, up to `/v1`. A server that prismpy knows is recognised by its host.

        client: An `OpenAI`, `AsyncOpenAI` or `AzureOpenAI` of the app's own, used as it is. Key and URL are its own.

        server: Name of a row of the table of servers that speaks this API, such as `xai`; its URL and key are then the
            default.

        poll_seconds: Between two looks for an answer that is made in the background, where the provider does not say,
            and before its stream is taken up again.

        options: For the class of the client: `timeout`, `max_retries`, `default_headers` …

    Raises:
        UnknownProviderError: if no such server speaks this API.

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
        poll_seconds: float = 1.0,
        **options: Any,
    ) -> None:
        name = server.removesuffix(RESPONSES) + RESPONSES
        row, given = placed(name, client, api_key, base_url, options)
        sdk = OpenAISdk("responses")
        transport = BackgroundTransport(
            row.name,
            sdk,
            given,
            client,
            retrieving=sdk.retrieving,
            resuming=sdk.resuming,
            poll_seconds=poll_seconds,
        )
        super().__init__(row.name, model_name, row.tool_dialect, spoken_by(row), transport)
