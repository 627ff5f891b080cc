"""The mistakes of whoever types a command, as one exception."""

from prismpy.errors import PrismError
from prismpy.execution import words_of


class UsageError(PrismError):
    """The command cannot do what it was asked to; the message is one line that says why."""


def words(error: BaseException) -> str:
    """Say an exception in one line: its class, and its text where it has one."""
    return " ".join(words_of(error).split())
