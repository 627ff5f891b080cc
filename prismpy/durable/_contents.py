"""
Payloads that stay small: long texts of a JSON value are kept once, by content, and named in it.

Pictures and files are base64 in calls, results, events and histories, so the same
one would stand in the database several times for each step.
"""

import hashlib
import json
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, Final

from prismpy.errors import StateError
from prismpy.schema import JSON

from ._sql import Run, Sql

LONG: Final = 20_000
"""Characters beyond which a text is kept apart."""

_MARK: Final = "prismpy:content"

_KEEP: Final = "INSERT INTO prismpy_run_contents (id, content) VALUES (:id, :content) ON CONFLICT (id) DO NOTHING"


class Contents:
    """
    Texts by their SHA-256.

    Args:
        sql: The database.

        most: Characters of one text; more is refused.
    """

    def __init__(self, sql: Sql, most: int) -> None:
        self._sql = sql
        self._most = most

    def packed(self, value: JSON, run: Run | None = None) -> str:
        """
        Return a value as text, in ASCII, with names in the places of long texts, which are kept.

        Args:
            value: JSON.

            run: Of the transaction to keep them in; None for one of its own.

        Raises:
            StateError: if one is longer than is allowed.
        """
        texts: dict[str, str] = {}
        small = _mapped(value, lambda item: self._named(item, texts))
        if texts:
            rows = [{"id": id, "content": json.dumps(text)} for id, text in sorted(texts.items())]
            with self._sql.write() if run is None else nullcontext(run) as keep:
                keep(_KEEP, rows)
        return json.dumps(small, allow_nan=False)

    def _named(self, item: JSON, texts: dict[str, str]) -> JSON:
        if isinstance(item, dict) and _MARK in item:
            return {_MARK: "", "value": item}  # so that nobody can name a content that is not theirs
        if not isinstance(item, str) or len(item) <= LONG:
            return item
        if len(item) > self._most:
            msg = f"a text of {len(item):,} characters is too long to be kept; at most {self._most:,} are"
            raise StateError(msg)
        id = hashlib.sha256(item.encode("utf-8", "surrogatepass")).hexdigest()
        texts[id] = item
        return {_MARK: id}

    def unpacked(self, packed: str) -> Any:
        """
        Return the value that was packed.

        Raises:
            StateError: if a content is gone.
        """
        return _unmapped(json.loads(packed), self._text)

    def _text(self, id: str) -> str:
        rows = self._sql.read("SELECT content FROM prismpy_run_contents WHERE id = :id", id=id)
        if not rows:
            msg = f"content {id} is no longer in the database"
            raise StateError(msg)
        return str(json.loads(rows[0][0]))  # as JSON, since PostgreSQL takes no zero bytes


def _mapped(value: JSON, change: Callable[[JSON], JSON]) -> JSON:
    changed = change(value)
    if changed is not value:
        return changed
    if isinstance(value, dict):
        return {key: _mapped(item, change) for key, item in value.items()}
    return [_mapped(item, change) for item in value] if isinstance(value, list) else value


def _unmapped(value: JSON, text: Callable[[str], str]) -> JSON:
    if isinstance(value, list):
        return [_unmapped(item, text) for item in value]
    if not isinstance(value, dict):
        return value
    if _MARK in value:
        return text(value[_MARK]) if value[_MARK] else value["value"]
    return {key: _unmapped(item, text) for key, item in value.items()}
