"""What all methods of the chain share: the draft that they swap, and how they refuse."""

from typing import Any, Self

from prismpy.errors import DefinitionError
from prismpy.schema import changed
from prismpy.tools import ToolSpec


class Draft:
    """A tool in the making. Whoever got the spec before keeps what it got."""

    # a class attribute too, so that subclasses need not call super().__init__();
    # named at length, since it shares its object with the attributes of every app's tools
    _tool_draft: ToolSpec = ToolSpec()

    def _mistake(self, complaint: str) -> DefinitionError:
        return DefinitionError(f"tool {self._tool_draft.name!r}: {complaint}", tool=self._tool_draft.name)

    def _tool_swap(self, **changes: Any) -> Self:
        self._tool_draft = changed(self._tool_draft, **changes)
        return self
