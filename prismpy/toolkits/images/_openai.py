"""
Pictures by the images API of OpenAI, or of a server that speaks it.

Source: openai 3.57.0, `types/image_generate_params.py`, `_exceptions.py` (read
2026-11).
"""

import binascii
import threading
from typing import Any, Final

from prismpy.errors import StoreError

from ._values import Picture, Wish, picture_of

_SIZES: Final = {"square": "1024x1024", "landscape": "1536x1024", "portrait": "1024x1536"}
"""Shape to a size that all models take."""

_REFUSALS: Final = {
    401: "it does not accept the key",
    403: "the key does not allow that",
    404: "it knows no such model, or speaks no images API",
    429: "it takes no more requests for now, or the account is used up",
}
"""HTTP status to what it means here. What OpenAI says to 401 has a part of the key in it."""


class OpenAIImages:
    """
    An `ImageMaker` over OpenAI's images API.

    Args:
        model: Name of the model.

        api_key: None for what stands in the environment's `OPENAI_API_KEY`.

        base_url: Of a server that speaks the same, such as `http://127.0.0.1:8000/v1`; None for OpenAI.

        patience: Seconds to wait for an answer, more than 0.

        retries: How often to ask again where a refusal may be for the moment only.
    """

    def __init__(
        self,
        *,
        model: str = "gpt-image-2.5-flare",
        api_key: str | None = None,
        base_url: str | None = None,
        patience: float = 180.0,
        retries: int = 2,
    ) -> None:
        self._model = model
        self._options: dict[str, Any] = {"api_key": api_key, "base_url": base_url}
        self._options |= {"timeout": patience, "max_retries": retries}
        self._lock = threading.Lock()
        self._opened: Any = None

    def make(self, wish: Wish) -> Picture:
        """Ask for a picture; see `ImageMaker.make`."""
        import openai

        try:
            answer = self._client().images.generate(
                model=self._model,
                prompt=wish.prompt,
                n=1,
                size=_SIZES[wish.shape],
                quality=wish.quality,
                background="transparent" if wish.transparent else "auto",
                output_format="png",
            )
            return picture_of(binascii.a2b_base64(answer.data[0].b64_json))
        except openai.APIStatusError as error:
            raise _failure(self._model, _REFUSALS.get(error.status_code) or _told(error)) from error
        except openai.APITimeoutError as error:
            raise _failure(self._model, "it does not answer in time") from error
        except openai.APIConnectionError as error:
            raise _failure(self._model, "it cannot be reached") from error
        except openai.OpenAIError as error:
            raise _failure(self._model, "there is no key; set OPENAI_API_KEY") from error
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            raise _failure(self._model, "its answer has no picture in it") from error

    def close(self) -> None:
        """Close the connection; the next use opens another."""
        with self._lock:
            if self._opened is not None:
                self._opened.close()
            self._opened = None

    def _client(self) -> Any:
        import openai

        with self._lock:
            if self._opened is None:
                self._opened = openai.OpenAI(**self._options)
            return self._opened


def _failure(model: str, reason: str) -> StoreError:
    return StoreError(f"{model} of the images API made no picture: {reason}")


def _told(error: Any) -> str:
    """Say what the API says, such as which words it does not take."""
    said = error.body.get("message") if isinstance(error.body, dict) else None
    told = f"it answers with status {error.status_code}"
    return f"{told} ({said[:300]})" if isinstance(said, str) else told
