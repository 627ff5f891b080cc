"""The time, as stores write it down."""

import datetime
from collections.abc import Callable
from typing import TypeAlias

Clock: TypeAlias = Callable[[], datetime.datetime]
"""Tells the time; a test hands in one of its own."""


def utc_now() -> datetime.datetime:
    """Return the time in UTC."""
    return datetime.datetime.now(datetime.UTC)
