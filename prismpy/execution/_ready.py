"""A call on its way to the handler."""

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from prismpy.messages import ToolCall
from prismpy.schema import JSON
from prismpy.tools import Handler, ToolSpec


@attrs.define(eq=False)  # freezing it would cost each call a tenth of its time
class Ready:
    """A call whose arguments are right and converted."""

    call: ToolCall
    spec: ToolSpec
    handler: Handler
    arguments: Mapping[str, JSON]
    """As the model sent them, after repairs."""

    repairs: tuple[str, ...]
    """What was repaired, one sentence each."""

    positional: Sequence[Any]
    """What the handler gets by place."""

    named: Mapping[str, Any]
    """What it gets by name; it shares no container with `arguments`."""

    is_over: bool = False
    """Whether the call was given up or has ended, so that nothing it yields is told any more."""

    def invoke(self) -> Any:
        """Run the handler; what it returns may be an awaitable."""
        return self.handler(*self.positional, **self.named)
