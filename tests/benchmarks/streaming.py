"""
What streaming a turn costs, as a share of what the bare SDK takes to iterate over the same stream in the same run.

    python tests/benchmarks/streaming.py
    python tests/benchmarks/streaming.py --rounds 20    more rounds, steadier medians

Every row reads one answer from a server on loopback: a call whose arguments come in 2,000 pieces. Ours makes events of
all of them, and the reply. A round times the bare SDK and ours in turn, sync and async, so that a machine that slows
down slows all of them; a figure is the median of the rounds. The last column is what the time of the bare SDK comes to
for one piece, in microseconds.
"""

import argparse
import asyncio
import json
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any, Final

import anthropic
import attrs
import openai

from prismpy import AnthropicModel, OpenAIModel, OpenAIResponsesModel, UserMessage
from prismpy.codecs import Ask, Reply, arguments_text
from tests.loopback import Answer, serving

PIECES: Final = 2000
TEXT: Final = json.dumps({"text": "x" * (4 * PIECES - 12)})


def pieces() -> Iterator[str]:
    """Cut the arguments."""
    return (TEXT[start : start + 4] for start in range(0, len(TEXT), 4))


def sse(events: Iterator[dict[str, Any]], last: str) -> str:
    """Write an event stream."""
    return "".join(f"{_named(event)}data: {json.dumps(event)}\n\n" for event in events) + last


def _named(event: dict[str, Any]) -> str:
    """Write the line that names an event, where the format has one."""
    return f"event: {event['type']}\n" if "type" in event else ""


# --- chat completions -------------------------------------------------------------------------------------------


def chat_stream() -> str:
    """Write a stream of chat completions as OpenAI sends it."""
    head = {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "m",
        "service_tier": "default",
        "system_fingerprint": "fp_1",
    }

    def event(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        return {**head, "choices": [choice], "usage": None, "obfuscation": "abcdefghij"}

    def events() -> Iterator[dict[str, Any]]:
        first = {"index": 0, "id": "call_1", "type": "function", "function": {"name": "write", "arguments": ""}}
        yield event({"role": "assistant", "content": None, "tool_calls": [first], "refusal": None})
        for piece in pieces():
            yield event({"tool_calls": [{"index": 0, "function": {"arguments": piece}}]})
        yield event({}, "tool_calls")
        yield {**head, "choices": [], "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}}

    return sse(events(), "data: [DONE]\n\n")


def chat_bare(url: str) -> Callable[[], None]:
    """Iterate with the SDK, sync."""
    client = openai.OpenAI(api_key="k", base_url=url)

    def iterate() -> None:
        for _ in client.chat.completions.create(model="m", messages=[], stream=True):
            pass

    return iterate


def chat_abare(url: str) -> Callable[[], Any]:
    """Iterate with the SDK, async."""
    client = openai.AsyncOpenAI(api_key="k", base_url=url)

    async def iterate() -> None:
        async for _ in await client.chat.completions.create(model="m", messages=[], stream=True):
            pass

    return iterate


# --- Responses --------------------------------------------------------------------------------------------------


def responses_stream() -> str:
    """Write a stream of the Responses API as OpenAI sends it."""
    call = {"id": "fc_1", "type": "function_call", "call_id": "call_1", "name": "write", "arguments": ""}
    whole = {**call, "arguments": TEXT, "status": "completed"}
    response: dict[str, Any] = {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "status": "in_progress",
        "model": "m",
        "output": [],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": None,
    }
    usage = {
        "input_tokens": 1,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 1,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 2,
    }
    place = {"item_id": "fc_1", "output_index": 0}

    def events() -> Iterator[dict[str, Any]]:
        yield {"type": "response.created", "response": response}
        yield {"type": "response.output_item.added", **place, "item": {**call, "status": "in_progress"}}
        for piece in pieces():
            delta = {**place, "delta": piece, "obfuscation": "abcdefghij"}
            yield {"type": "response.function_call_arguments.delta", **delta}
        yield {"type": "response.function_call_arguments.done", **place, "arguments": TEXT}
        yield {"type": "response.output_item.done", **place, "item": whole}
        done = {**response, "status": "completed", "output": [whole], "usage": usage}
        yield {"type": "response.completed", "response": done}

    return sse(({**event, "sequence_number": number} for number, event in enumerate(events())), "")


def responses_bare(url: str) -> Callable[[], None]:
    """Iterate with the SDK, sync."""
    client = openai.OpenAI(api_key="k", base_url=url)

    def iterate() -> None:
        for _ in client.responses.create(model="m", input=[], stream=True):
            pass

    return iterate


def responses_abare(url: str) -> Callable[[], Any]:
    """Iterate with the SDK, async."""
    client = openai.AsyncOpenAI(api_key="k", base_url=url)

    async def iterate() -> None:
        async for _ in await client.responses.create(model="m", input=[], stream=True):
            pass

    return iterate


# --- Anthropic's messages ---------------------------------------------------------------------------------------


def anthropic_stream() -> str:
    """Write a stream of messages as Anthropic sends it."""
    usage = {
        "input_tokens": 1,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
        "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 0},
        "output_tokens": 1,
        "service_tier": "standard",
    }
    message = {
        "model": "m",
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    call = {"type": "tool_use", "id": "toolu_1", "name": "write", "input": {}}

    def events() -> Iterator[dict[str, Any]]:
        yield {"type": "message_start", "message": message}
        yield {"type": "content_block_start", "index": 0, "content_block": call}
        for piece in pieces():
            delta = {"type": "input_json_delta", "partial_json": piece}
            yield {"type": "content_block_delta", "index": 0, "delta": delta}
        yield {"type": "content_block_stop", "index": 0}
        end = {"stop_reason": "tool_use", "stop_sequence": None}
        yield {"type": "message_delta", "delta": end, "usage": {"output_tokens": 9}}
        yield {"type": "message_stop"}

    return sse(events(), "")


def anthropic_bare(url: str) -> Callable[[], None]:
    """Iterate with the SDK, sync."""
    client = anthropic.Anthropic(api_key="k", base_url=url)

    def iterate() -> None:
        for _ in client.messages.create(model="m", max_tokens=9, messages=[], stream=True):
            pass

    return iterate


def anthropic_abare(url: str) -> Callable[[], Any]:
    """Iterate with the SDK, async."""
    client = anthropic.AsyncAnthropic(api_key="k", base_url=url)

    async def iterate() -> None:
        async for _ in await client.messages.create(model="m", max_tokens=9, messages=[], stream=True):
            pass

    return iterate


@attrs.frozen
class Format:
    """One wire format."""

    stream: Callable[[], str]
    bare: Callable[[str], Callable[[], None]]
    abare: Callable[[str], Callable[[], Any]]
    model: Callable[[str], Any]


FORMATS: Final = {
    "chat": Format(chat_stream, chat_bare, chat_abare, lambda url: OpenAIModel("m", "k", url)),
    "responses": Format(
        responses_stream, responses_bare, responses_abare, lambda url: OpenAIResponsesModel("m", "k", url)
    ),
    "anthropic": Format(anthropic_stream, anthropic_bare, anthropic_abare, lambda url: AnthropicModel("m", "k", url)),
}


# --- measuring --------------------------------------------------------------------------------------------------


def ours(model: Any) -> Callable[[], None]:
    """Stream with a model, sync."""

    def stream() -> None:
        checked([*model.stream(Ask("m", [UserMessage("hi")]))])

    return stream


def aours(model: Any) -> Callable[[], Any]:
    """Stream with a model, async."""

    async def stream() -> None:
        checked([each async for each in model.astream(Ask("m", [UserMessage("hi")]))])

    return stream


def checked(told: list[Any]) -> None:
    """Make sure that everything came."""
    *events, reply = told
    assert isinstance(reply, Reply)
    assert reply.failure is None
    assert arguments_text(reply.message.calls[0]) == TEXT
    assert len(events) >= PIECES


def seconds(work: Callable[[], Any]) -> float:
    """Return what one go takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def measured(form: Format, rounds: int) -> dict[str, tuple[float, float]]:
    """Return row to share of the bare SDK, and the bare SDK's microseconds a piece."""
    answer = Answer.sse(form.stream())
    with serving([answer] * (4 * (rounds + 1))) as loopback, asyncio.Runner() as runner:
        model = form.model(loopback.url)
        ways: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
            "sync": (form.bare(loopback.url), ours(model)),
            "async": (
                lambda go=form.abare(loopback.url): runner.run(go()),
                lambda go=aours(model): runner.run(go()),
            ),
        }
        times = {way: [(seconds(bare), seconds(own)) for _ in range(rounds + 1)] for way, (bare, own) in ways.items()}
    return {
        way: (
            statistics.median(own / bare for bare, own in found[1:]),
            statistics.median(bare for bare, _ in found[1:]) / PIECES * 1e6,
        )
        for way, found in times.items()
    }


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    print(f"{'format':<12}{'':<8}{'share':>8}{'bare µs':>10}")
    for name, form in FORMATS.items():
        for way, (share, bare) in measured(form, rounds).items():
            print(f"{name:<12}{way:<8}{share:>8.3f}{bare:>10.1f}")


if __name__ == "__main__":
    main()
