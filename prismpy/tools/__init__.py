"""What a tool is, and how one is read off a callable."""

from ._complete import complete
from ._root import root_of
from ._signature import name_of, snake_case
from ._spec import Binding, FailureHandler, Fill, Handler, ToolSpec

__all__ = [
    "Binding",
    "FailureHandler",
    "Fill",
    "Handler",
    "ToolSpec",
    "complete",
    "name_of",
    "root_of",
    "snake_case",
]
