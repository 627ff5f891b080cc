"""Runs as responses of a web server. The one file that imports starlette, when first used."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import TYPE_CHECKING

from prismpy.errors import ProviderError
from prismpy.events import SSE_HEADERS, sse
from prismpy.extras import needs

from ._run import Run

if TYPE_CHECKING:
    from starlette.responses import StreamingResponse


def event_stream_response(run: Run) -> "StreamingResponse":
    """
    Stream a run as Prism's server-sent events, for Starlette and FastAPI.

    Each event bears its id, which a browser names when it reconnects. A client
    that goes away ends the run, and leaves a valid conversation in `run.state`.

    Args:
        run: Not begun: what `agent.stream(...)` returned.

    Raises:
        NotInstalledError: if what `prismpy[web]` brings is not installed.
    """
    needs("a response of server-sent events", "web", "starlette")
    from starlette.responses import StreamingResponse

    return StreamingResponse(_texts(run), headers=SSE_HEADERS)


async def _texts(run: Run) -> AsyncIterator[str]:
    try:
        async with aclosing(aiter(run)) as events:
            async for event in events:
                yield sse(event, with_id=True)
    except ProviderError:
        return  # whoever reads the stream was told by an error event
