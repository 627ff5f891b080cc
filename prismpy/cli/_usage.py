"""The mistakes of whoever types a command, as one exception."""

from prismpy.errors import PrismError


class UsageError(PrismError):
    """The command cannot do what it was asked to; the message is one line that says why."""


def words(error: BaseException) -> str:
    """Say an exception in one line: its class, and its text where it has one."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
