"""What an app may lay down for an agent, or for one run of it."""

from collections.abc import Callable, Mapping
from typing import Any, cast

from prismpy.codecs import ToolChoice
from prismpy.execution import RunOptions
from prismpy.loop import Limits, RunState
from prismpy.lowering import Strict


class AgentOptions(RunOptions, total=False):
    """
    What `Agent` takes by name, and `run`, `stream` and their kin for one run.

    What it has from `RunOptions` holds for the tools that are run.
    """

    limits: Limits
    """What ends a run; by default `Limits(max_steps=...)` of the agent."""

    tool_choice: ToolChoice
    """For the first step: `auto`, `any`, `none` or the name of a tool. Afterwards the model is free."""

    output: Any
    """The form of the answer: a class with fields, any annotation, or a JSON Schema. None: prose."""

    strict: Strict
    """
    Whether tools are compiled to the provider's strict subset. By default `auto` where the provider is known to
    enforce one: each tool that loses nothing by it.
    """

    max_tokens: int | None
    """How many tokens the model may write in one step."""

    temperature: float | None
    parallel_calls: bool | None
    """Whether the model may call several tools in one step."""

    options: Mapping[str, Any]
    """Further keys of the requests, in the provider's words."""

    fallbacks: Mapping[str, Any]
    """
    Type of a provider tool to the tool of ours that takes its place where the provider does not have it, such as
    `{"web_search_20250305": my_search}`.
    """

    stop_when: Callable[[RunState], bool] | None
    """Looked at after each step with tools; ends the run when it says so."""


def run_options(options: AgentOptions) -> RunOptions:
    """Return those of the options that are for running tools."""
    own: Any = RunOptions()
    own.update({name: value for name, value in options.items() if name in RunOptions.__annotations__})
    return cast("RunOptions", own)
