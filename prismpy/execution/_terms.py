"""What the app lays down for the calls it has run."""

from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeAlias

import attrs

from prismpy.messages import ToolCall

Approve: TypeAlias = Callable[[ToolCall], bool | Awaitable[bool]]
"""Decides whether a call of a tool that requires approval may run."""


@attrs.frozen
class Terms:
    """What holds for all calls of a run."""

    approve: Approve | None = None
    """Asked before each call of a tool that requires approval; without it such a call is refused."""

    provided: tuple[Any, ...] = attrs.field(default=(), converter=tuple[Any, ...])
    """What injected parameters are filled from."""


NO_TERMS: Final = Terms()
"""For a run about which the app says nothing."""
