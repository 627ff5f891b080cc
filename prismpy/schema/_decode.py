"""JSON text, read strictly: what two readers could understand differently is refused."""

import json
from collections.abc import Callable, Iterator
from typing import Final, Never

from ._json import JSON, MAX_DEPTH, cut, is_deep, step


class UnreadableError(ValueError):
    """
    A text is no JSON that everybody reads alike.

    Attributes:
        complaint: What is wrong, as the rest of a sentence: "are no valid JSON (...)".

        path: Where in the value, as in `Problem.path`; "" where the text as a whole is meant.
    """

    def __init__(self, complaint: str, path: str = "") -> None:
        super().__init__(complaint)
        self.complaint = complaint
        self.path = path


def decode(text: str) -> JSON:
    """
    Read JSON text.

    Raises:
        UnreadableError: for text that breaks the grammar, NaN and the infinities (numbers beyond the range of a double
            among them), a name that comes twice in one object, half a surrogate pair, integers with more digits than
            Python reads, and more than `MAX_DEPTH` levels.
    """
    try:
        value, end = _SCAN(text, 0) if text[:1] == "{" else ({}, -1)
        # most texts are one flat object: as many colons as names, so no name comes twice
        if end != len(text) or text.count(":") != len(value):
            value = _STRICT.decode(text)
    except UnreadableError:
        raise
    except json.JSONDecodeError as error:
        raise UnreadableError(f"are no valid JSON ({_why(error)})") from None
    except StopIteration as place:  # no value where one should be
        missing = json.JSONDecodeError("Expecting value", text, place.value)
        raise UnreadableError(f"are no valid JSON ({_why(missing)})") from None
    except RecursionError:
        raise UnreadableError(TOO_DEEP) from None
    except ValueError:
        raise UnreadableError(_TOO_LONG) from None
    if len(text) > _LONG and text.count("[") + text.count("{") > MAX_DEPTH and is_deep(value):
        raise UnreadableError(TOO_DEEP)
    if "\\" in text or not text.isascii():
        for path in _halves(value, ""):
            raise UnreadableError(_HALVED, path)
    return value


_LONG: Final = 2 * MAX_DEPTH
"""Characters that a text must exceed to be nested too deeply."""

TOO_DEEP: Final = f"are nested more than {MAX_DEPTH} levels deep"
_TOO_LONG: Final = "hold a number with too many digits"
_HALVED: Final = "hold half of a surrogate pair, which is no character"


def _why(error: json.JSONDecodeError) -> str:
    return f"{error.msg.lower().removesuffix(' at')} at line {error.lineno}, column {error.colno}"


# --- what the grammar lets through --------------------------------------------


def _refuse_constant(word: str) -> Never:
    raise UnreadableError(f"are no valid JSON ({word} is no JSON)")


def _finite(digits: str) -> float:
    value = float(digits)
    if value - value != 0:
        raise UnreadableError(f"hold the number {cut(digits, 40)}, which is too large")
    return value


def _distinct(pairs: list[tuple[str, JSON]]) -> dict[str, JSON]:
    value = dict(pairs)
    if len(value) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise UnreadableError(f"have the key {cut(json.dumps(twice))} twice")
    return value


_STRICT: Final = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite, object_pairs_hook=_distinct)
_DECODER: Final = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite)
_SCAN: Final[Callable[[str, int], tuple[JSON, int]]] = getattr(_DECODER, "scan_once", _DECODER.raw_decode)
"""Reads one value in less than half the time, since it does not look for names that come twice."""


def _halves(value: JSON, path: str) -> Iterator[str]:
    """Give the paths of texts that no UTF-8 can carry."""
    if isinstance(value, str):
        if not is_whole(value):
            yield path
        return
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        if isinstance(key, str) and not is_whole(key):
            yield path
        yield from _halves(inner, step(path, key))


def is_whole(text: str) -> bool:
    """Tell whether a text has no half of a surrogate pair, so that UTF-8 can carry it."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
