"""What a tool is, and how one is read off a callable."""

from ._complete import complete
from ._root import root_of
from ._signature import name_of, snake_case
from ._spec import (
    CRASH_POLICIES,
    SYNTAXES,
    Binding,
    CrashPolicy,
    FailureHandler,
    Fill,
    FreeText,
    Handler,
    Syntax,
    ToolSpec,
)

__all__ = [
    "CRASH_POLICIES",
    "SYNTAXES",
    "Binding",
    "CrashPolicy",
    "FailureHandler",
    "Fill",
    "FreeText",
    "Handler",
    "Syntax",
    "ToolSpec",
    "complete",
    "name_of",
    "root_of",
    "snake_case",
]
