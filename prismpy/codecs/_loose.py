"""JSON from outside, read as what it should be; what is something else reads as nothing."""

from collections.abc import Mapping
from typing import Any


def obj(value: Any) -> Mapping[str, Any]:
    """Return an object; an empty one for anything else."""
    return value if isinstance(value, Mapping) else {}


def objects(value: Any) -> list[Mapping[str, Any]]:
    """Return the objects of a list."""
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, list) else []


def word(value: Any) -> str:
    """Return a text; "" for anything else."""
    return value if isinstance(value, str) else ""


def count(value: Any) -> int:
    """Return a whole number; 0 for anything else."""
    return value if isinstance(value, int) else 0


def key(value: Any) -> int | str | None:
    """Return what may number something; None for what may not."""
    return value if isinstance(value, int | str) else None
