"""Telling whether a part of a document accepts a value, and where its references lead."""

import json
from collections.abc import Callable
from functools import cache, cached_property
from typing import Any, TypeAlias

from prismpy.errors import DefinitionError
from prismpy.schema import JSON, compile_schema, map_subschemas

Judge: TypeAlias = Callable[[JSON], bool]
"""Tells whether a schema accepts a value."""


class Judges:
    """
    The judges of one document.

    Args:
        document: A schema of the newest draft, whole; the references of its parts lead into it.
    """

    def __init__(self, document: JSON) -> None:
        self._document = document
        self._made: dict[str, Judge] = {}

    def of(self, schema: JSON) -> Judge:
        """Prepare to tell whether a part of the document accepts a value; compiled when first asked, equals once."""
        key = json.dumps(schema, sort_keys=True)
        if key not in self._made:
            self._made[key] = _judge_of(lambda: self._alone(schema, key))
        return self._made[key]

    def _alone(self, schema: JSON, text: str) -> JSON:
        """Take a part of the document out of it, its references with it."""
        if not isinstance(schema, dict) or not any(word in text for word in ('"$ref"', '"$dynamicRef"')):
            return schema
        return {**_moved(schema), "$defs": self._moved_document}

    @cached_property
    def _moved_document(self) -> dict[str, JSON]:
        return {"document": _moved(self._document)}


def _moved(schema: JSON, _: str = "") -> JSON:
    """Let references start where the document has gone, under `$defs`; without those that lead nowhere for sure."""
    if isinstance(schema, dict) and "$dynamicRef" in schema:
        schema = {keyword: value for keyword, value in schema.items() if keyword != "$dynamicRef"}
    if isinstance(schema, dict) and isinstance(ref := schema.get("$ref"), str) and ref.startswith("#"):
        schema = {**schema, "$ref": f"#/$defs/document{ref.removeprefix('#')}"}
    return map_subschemas(schema, _moved)


def _judge_of(schema: Callable[[], JSON]) -> Judge:
    @cache
    def problems() -> Callable[[JSON], Any]:
        return compile_schema(schema())

    def accepts(value: JSON) -> bool:
        try:
            return not problems()(value)
        except DefinitionError:  # a reference that leads out of what a walk by position can see
            return False

    return accepts
