"""What drives a run where neither `drive` nor `adrive` does: an engine that stands around the model and the tools."""

from collections.abc import Callable

import attrs

from prismpy.fluent import Toolbox
from prismpy.providers import Model


@attrs.frozen(kw_only=True)
class Engine:
    """What is put in the places of a run's model, tools and clock. The run then is as repeatable as these are."""

    model: Callable[[Model], Model]
    """Puts something around the agent's model; `aask` is what is called."""

    toolbox: Callable[[Toolbox], Toolbox]
    """Puts something around its tools; `arun` is what is called, for one batch of calls at a time."""

    clock: Callable[[], float]
    """Seconds since 1970."""

    id: str
    """Of the run, which its events are named after."""

    told: int = 0
    """How many events the run has told before."""
