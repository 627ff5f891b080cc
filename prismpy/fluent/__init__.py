"""What people type: `Tool` and its chains, the `tool` decorator, and `Toolbox`."""

from ._tool import FunctionTool, Tool, tool
from ._toolbox import Toolbox

__all__ = ["FunctionTool", "Tool", "Toolbox", "tool"]
