"""
Real answers, written down once and replayed without a network.

A recording is a file of JSON lines, one exchange each: `{"body": ...}` as it was
sent, and `{"answer": ...}` or, for a stream, `{"pieces": [...]}` as it came.
Neither has headers, so no key is in it.
"""

import json
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import attrs

from prismpy.errors import DefinitionError
from prismpy.providers import Opened, Transport, WireModel
from prismpy.schema import JSON, differences, plain


def recording(model: WireModel, file: str | Path) -> WireModel:
    """
    Write down what a model is asked and answers, while it does.

    Args:
        model: A real one.

        file: Written anew; see `replaying`.
    """
    Path(file).write_text("", encoding="utf-8")
    return _with_transport(model, _Recorder(model.transport, Path(file)))


def replaying(model: WireModel, file: str | Path) -> WireModel:
    """
    Answer as a recording says, in order, without a network.

    Args:
        model: As the one that was recorded; any API key will do.

        file: What `recording` wrote.

    Raises:
        DefinitionError: when something else is asked than what was recorded, naming the first difference, or more.
    """
    lines = Path(file).read_text(encoding="utf-8").splitlines()
    return _with_transport(model, _Player([json.loads(line) for line in lines]))


def _with_transport(model: WireModel, transport: Transport) -> WireModel:
    return WireModel(model.provider, model.model_name, model.tool_dialect, model.codec, transport)


@attrs.frozen(eq=False)
class _Recorder:
    inner: Transport
    file: Path

    def send(self, body: Mapping[str, JSON]) -> Any:
        answer = self.inner.send(body)
        self._write(body, answer=answer)
        return answer

    async def asend(self, body: Mapping[str, JSON]) -> Any:
        answer = await self.inner.asend(body)
        self._write(body, answer=answer)
        return answer

    @contextmanager
    def stream(self, body: Mapping[str, JSON]) -> Iterator[Opened[Iterator[Mapping[str, Any]]]]:
        pieces: list[Any] = []

        def noted(came: Iterator[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
            for piece in came:
                pieces.append(piece)
                yield piece

        with self.inner.stream(body) as opened:
            yield attrs.evolve(opened, pieces=noted(opened.pieces))
        self._write(body, pieces=pieces)

    @asynccontextmanager
    async def astream(self, body: Mapping[str, JSON]) -> AsyncIterator[Opened[AsyncIterator[Mapping[str, Any]]]]:
        pieces: list[Any] = []

        async def noted(came: AsyncIterator[Mapping[str, Any]]) -> AsyncIterator[Mapping[str, Any]]:
            async for piece in came:
                pieces.append(piece)
                yield piece

        async with self.inner.astream(body) as opened:
            yield attrs.evolve(opened, pieces=noted(opened.pieces))
        self._write(body, pieces=pieces)

    def _write(self, body: Mapping[str, JSON], **came: Any) -> None:
        with self.file.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps({"body": plain(dict(body)), **came}, ensure_ascii=False) + "\n")

    def close(self) -> None:
        self.inner.close()

    async def aclose(self) -> None:
        await self.inner.aclose()


@attrs.frozen(eq=False)
class _Player:
    rest: list[dict[str, Any]]

    def send(self, body: Mapping[str, JSON]) -> Any:
        return self._next(body, "answer")

    async def asend(self, body: Mapping[str, JSON]) -> Any:
        return self._next(body, "answer")

    @contextmanager
    def stream(self, body: Mapping[str, JSON]) -> Iterator[Opened[Iterator[Mapping[str, Any]]]]:
        yield Opened(iter(self._next(body, "pieces")))

    @asynccontextmanager
    async def astream(self, body: Mapping[str, JSON]) -> AsyncIterator[Opened[AsyncIterator[Mapping[str, Any]]]]:
        came = self._next(body, "pieces")

        async def pieces() -> AsyncIterator[Mapping[str, Any]]:
            for piece in came:
                yield piece

        yield Opened(pieces())

    def _next(self, body: Mapping[str, JSON], kind: str) -> Any:
        if not self.rest:
            msg = "the recording has no exchange left; record again, or look why the model was asked once more"
            raise DefinitionError(msg)
        exchange = self.rest[0]
        found = differences(exchange["body"], plain(dict(body)))
        place = next((each.path for each in found if each.before != each.after), "")  # in whatever order keys stand
        if place or kind not in exchange:
            was = f"differs from the recorded one at {place}" if place else f"needs {kind!r}, which was not recorded"
            msg = f"the request {was}; record again, or look what changed"
            raise DefinitionError(msg)
        return self.rest.pop(0)[kind]

    def close(self) -> None:
        """Nothing is open."""

    async def aclose(self) -> None:
        """Nothing is open."""
