"""JSON from outside, read as what it should be: anything else counts as nothing."""

from collections.abc import Mapping
from typing import Any


def mapping(value: Any) -> Mapping[str, Any]:
    """Return an object; an empty one for what is none."""
    return value if isinstance(value, dict) else {}


def mappings(value: Any) -> list[Mapping[str, Any]]:
    """Return the objects in a list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def text(value: Any) -> str:
    """Return a text; "" for what is none."""
    return value if isinstance(value, str) else ""


def number(value: Any) -> int:
    """Return a whole number; 0 for what is none."""
    return value if isinstance(value, int) else 0


def key(value: Any) -> int | str | None:
    """Return what may number something; None for what may not."""
    return value if isinstance(value, int | str) else None
