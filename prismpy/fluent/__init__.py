"""What people type: `Tool` and its chains, the `tool` decorator, and `Toolbox`."""

from ._finder import by_told_names
from ._tool import FunctionTool, Tool, tool
from ._toolbox import Toolbox

__all__ = ["FunctionTool", "Tool", "Toolbox", "by_told_names", "tool"]
