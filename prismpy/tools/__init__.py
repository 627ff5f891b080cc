"""What a tool is, and how one is read off a callable."""

from ._complete import complete
from ._distinct import distinct
from ._given import needed_by
from ._kinds import hands_on_steps, is_async, is_steps
from ._root import root_of
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
from ._words import name_of, snake_case

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
    "distinct",
    "hands_on_steps",
    "is_async",
    "is_steps",
    "name_of",
    "needed_by",
    "root_of",
    "snake_case",
]
