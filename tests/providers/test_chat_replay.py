"""Every recording of chat completions, through the real SDK against a loopback server: sync and async."""

from typing import Any

import pytest

from prismpy import OpenAIModel, ProviderError, UserMessage
from prismpy.codecs import Ask, Reply
from tests.codecs.chat import conversation, decoded, server_of
from tests.loopback import Answer, serving
from tests.providers.ways import aasked, asked, astreamed, streamed
from tests.recordings import Exchange, Recording, expected, recorded, told

EACH = recorded("openai-chat")
BOTH = pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])


def replayed(exchange: Exchange, model: Any, said: list[Any], *, is_async: bool) -> Reply:
    """Ask in the way in which the recording was asked."""
    ways = (streamed, astreamed) if exchange.streamed else (asked, aasked)
    return ways[is_async](model, Ask("m", said or [UserMessage("hi")]))


@EACH
@BOTH
def test_an_exchange_is_replayed(recording: Recording, is_async: bool) -> None:
    """The reply equals what was recorded; an HTTP error is raised with its status, code and wait."""
    known: list[Reply] = []
    for exchange in recording.exchanges:
        said = conversation(exchange, known) if exchange.request["body"] else []
        with serving([Answer.of(exchange)]) as loopback:
            model = OpenAIModel("m", "k", loopback.url, server=server_of(recording), max_retries=0)
            if not exchange.answered or recording.name == "openai-chat/not-a-completion":
                fails(exchange, model, said, is_async=is_async)
                continue
            reply = replayed(exchange, model, said, is_async=is_async)
        known.append(reply)

        assert told(reply) == expected(exchange)
        assert reply == decoded(model.codec, exchange)
        assert len(loopback.asked) == 1


def fails(exchange: Exchange, model: Any, said: list[Any], *, is_async: bool) -> None:
    """Hold the error against the recording."""
    with pytest.raises(ProviderError) as caught:
        replayed(exchange, model, said, is_async=is_async)
    error, sent = caught.value, exchange.response
    wait = sent["headers"].get("retry-after")

    assert error.status == sent["status"]
    assert error.retry_after == (None if wait is None else float(wait))
    body = (exchange.expect.get("error") or {}).get("message") or sent["body"].get("detail") or ""
    assert body in str(error)
