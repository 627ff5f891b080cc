"""The data beside the checkout: where it is, how it is read, and what a test says where it is not there."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from prismpy import Tool

SHARED = Path(__file__).resolve().parents[2] / "shared"
"""Field cases, recordings and corpora; see its README.md. Nothing may be written there."""

needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason=f"{SHARED} is not there; the data lies beside the checkout"
)
"""Marks a test that reads from `SHARED`."""


@cache
def read_json(path: str) -> Any:
    """Return the content of a JSON file, which callers must not change."""
    return json.loads((SHARED / path).read_text(encoding="utf-8"))


@cache
def read_rows(path: str) -> tuple[Any, ...]:
    """Return the rows of a JSON-lines file, which callers must not change."""
    with (SHARED / path).open(encoding="utf-8") as lines:
        return tuple(json.loads(line) for line in lines)


def tool_rows() -> tuple[Any, ...]:
    """Return the rows of the corpus of tools whose parameters are a valid JSON Schema."""
    return tuple(row for row in read_rows("corpora/tool_schemas.jsonl") if row["metaschema_valid"])


@cache
def corpus_tools() -> dict[str, Tool]:
    """Return those rows as tools without handlers, by their `id`. Making them takes seconds; change copies only."""
    return {row["id"]: tool_of(row) for row in tool_rows()}


def tool_of(row: Any) -> Tool:
    """Make a tool of a row of the corpus."""
    return Tool.from_schema(row["name"], row["description"], row["parameters"])
