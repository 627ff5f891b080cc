"""A model whose every answer is a durable step."""

from collections.abc import AsyncGenerator, Generator
from typing import Any, Final

import attrs

from prismpy.codecs import Ask, Reply
from prismpy.errors import DurableError, ProviderError
from prismpy.events import Event
from prismpy.providers import Model

from ._course import Course, in_words, told_error

_STEP: Final = "prismpy.model"

_FIELDS: Final = ("provider", "status", "code", "retry_after")
"""Of a `ProviderError`."""

_TRANSIENT: Final = frozenset({None, 408, 409, 425, 429})
"""HTTP status that another try may get over, beside all from 500 up; None where there was no answer at all."""

_SERVER: Final = 500
"""From here on it is the server's fault."""

_PAUSE: Final = 0.5
"""Seconds before the second try, where the provider does not say; each later pause is twice as long."""


@attrs.frozen(eq=False)
class DurableModel:
    """Asks a model, whose failures are values too; those that may pass are tried again after a durable pause."""

    inner: Model
    course: Course

    @property
    def provider(self) -> str:
        """Who runs it."""
        return self.inner.provider

    @property
    def model_name(self) -> str:
        """As its provider calls it."""
        return self.inner.model_name

    @property
    def dialect(self) -> str:
        """The wire format."""
        return self.inner.dialect

    @property
    def tool_dialect(self) -> str:
        """What tools are exported to."""
        return self.inner.tool_dialect

    async def aask(self, ask: Ask) -> Reply:
        """
        Ask, or return what was answered before.

        Raises:
            ProviderError: if the provider fails, and did so each time.

            DurableError: if the model raised anything else.
        """
        course = self.course
        await course.flush()
        attempt = 0
        while True:
            value = await course.run(course.reserve(), _STEP, lambda: self._answer(ask))
            pause = _pause(value, attempt)
            if pause is None or attempt >= course.services.retries:
                return _reply(value)
            await course.services.host.sleep(pause)
            attempt += 1

    async def _answer(self, ask: Ask) -> dict[str, Any]:
        try:
            reply = await self.inner.aask(ask)
        except ProviderError as error:
            return {"error": {"message": str(error), **{name: getattr(error, name) for name in _FIELDS}}}
        except Exception as error:  # noqa: BLE001  # kept as a value, raised on the other side
            return {"raised": told_error(error)}
        return {"reply": reply.to_dict()}

    # what a run that is asked whole does not call

    def ask(self, ask: Ask) -> Reply:
        """Ask once, outside of any step."""
        return self.inner.ask(ask)

    def stream(self, ask: Ask) -> Generator[Event | Reply]:
        """Ask once, outside of any step."""
        return self.inner.stream(ask)

    def astream(self, ask: Ask) -> AsyncGenerator[Event | Reply]:
        """Ask once, outside of any step."""
        return self.inner.astream(ask)


def _pause(value: dict[str, Any], attempt: int) -> float | None:
    """Return how many seconds to wait before another try; None where there is none to be made."""
    usual = _PAUSE * 2.0**attempt
    match value:
        case {"error": {"status": status, "retry_after": said}} if status in _TRANSIENT or status >= _SERVER:
            return usual if said is None else float(said)
        case {"reply": {"failure": dict()}}:
            return usual
        case _:
            return None


def _reply(value: dict[str, Any]) -> Reply:
    match value:
        case {"error": dict() as told}:
            raise ProviderError(told["message"], **{name: told[name] for name in _FIELDS})
        case {"raised": told}:
            msg = f"the model could not be asked ({in_words(told)})"
            raise DurableError(msg)
        case _:
            return Reply.from_dict(value["reply"])
