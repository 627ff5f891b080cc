"""
What an SDK raises, as ours.

Both SDKs are made by one generator, so their exceptions have the same attributes:
`status_code`, `response`, `body`. They are read here without importing either.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final

from prismpy.errors import ProviderError
from prismpy.events import ErrorEvent

ERROR_TYPES: Final = {
    None: "connection",
    401: "authentication",
    403: "permission",
    404: "not_found",
    408: "timeout",
    429: "rate_limit",
    503: "overloaded",
    529: "overloaded",
}
"""HTTP status to our word for it; None: there was no answer."""


FAILED: Final = 400
"""The least HTTP status of a request that failed."""

_SERVER_FAILED: Final = 500
_LEAST_SECRET: Final = 8  # shorter ones are stand-ins, such as those of servers that want no key


def error_type(status: int | None) -> str:
    """Return our word for what an HTTP status means."""
    return ERROR_TYPES.get(status, "server_error" if (status or 0) >= _SERVER_FAILED else "invalid_request")


def provider_error(error: Exception, provider: str, *, secret: str = "") -> ProviderError:
    """
    Say in our words what an SDK raised; raise the result `from` the exception.

    Args:
        error: The exception of the SDK, or of the HTTP library below it.

        provider: Who was asked.

        secret: The API key, which is cut out of the message.
    """
    response = getattr(error, "response", None)
    status = getattr(error, "status_code", None)
    told = _told(getattr(error, "body", None))
    message = _message(told) or str(error)
    where = f"{provider}: HTTP {status}" if status is not None else f"{provider}: {type(error).__name__}"
    return ProviderError(
        _without(f"{where}: {message}", secret),
        provider=provider,
        status=status,
        code=_code(told) or ("timeout" if "Timeout" in type(error).__name__ else error_type(status)),
        retry_after=retry_after(getattr(response, "headers", {})),
    )


def _told(body: Any) -> Mapping[str, Any]:
    """Return the object that names the error, which some providers wrap and others do not."""
    inner = body.get("error") if isinstance(body, dict) else None
    return inner if isinstance(inner, dict) else body if isinstance(body, dict) else {}


def _message(told: Mapping[str, Any]) -> str:
    """Return what went wrong, and what a router's upstream says of it."""
    upstream = told.get("metadata")
    raw = upstream.get("raw") if isinstance(upstream, dict) else None
    return ": ".join(str(text) for text in (told.get("message") or told.get("detail"), raw) if text)


def _code(told: Mapping[str, Any]) -> str:
    """Return the provider's word; "" for none, as which a number counts."""
    words = (told.get("code"), told.get("type"))
    return next((word for word in words if isinstance(word, str) and not word.isdigit()), "")


def _without(text: str, secret: str) -> str:
    return text.replace(secret, "[key]") if len(secret) >= _LEAST_SECRET else text


def retry_after(headers: Mapping[str, str]) -> float | None:
    """
    Return how many seconds a response asks to wait; None where it does not.

    Where it says both milliseconds and seconds, the longer wait is right: Azure may say 0 and 1.

    Source: RFC 9110, section 10.2.3; recording azure/chat-error-429-retry-after (read 2026-11).
    """
    said = headers.get("retry-after", "")
    found = (_number(headers.get("retry-after-ms", ""), 1000), _number(said, 1), _until(said))
    return max((max(0.0, wait) for wait in found if wait is not None), default=None)


def _number(said: str, unit: int) -> float | None:
    try:
        return float(said) / unit
    except ValueError:
        return None


def _until(date: str) -> float | None:
    try:
        return (parsedate_to_datetime(date) - datetime.now(UTC)).total_seconds()
    except (ValueError, TypeError):  # no date at all, or one without a time zone
        return None


def retried(provider: str, status: int | None, wait: float | None = None) -> ErrorEvent:
    """Tell that a try failed and another one was made."""
    what = "the connection failed" if status is None else f"HTTP {status}"
    event = {"status": status, "retry_after": wait}
    return ErrorEvent(error_type(status), f"{provider}: {what}; asked again", recoverable=True, metadata=event)
