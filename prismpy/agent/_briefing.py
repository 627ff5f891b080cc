"""From what an app lays down to the brief of a run."""

from collections.abc import Iterable
from typing import Final

from prismpy.fluent import Toolbox
from prismpy.messages import ProviderTool
from prismpy.providers import Model

from ._brief import Brief, Settings
from ._fallbacks import placed
from ._options import AgentOptions
from ._output import output_for

_ENFORCING: Final = frozenset({"anthropic", "openai"})
"""Providers that enforce the schema of a strict tool. Source: their guides on structured outputs (read 2026-11)."""


def briefed(
    model: Model, toolbox: Toolbox, provider_tools: Iterable[ProviderTool], system: str, options: AgentOptions
) -> Brief:
    """
    Make the brief of a run.

    Args:
        model: Which is asked.

        toolbox: The app's tools. Those that stand in for a tool that this provider does not have are added.

        provider_tools: What the app wants of the provider.

        system: What the model is told to be.

        options: The agent's, with those of this run in their place.
    """
    strict = options.get("strict", "auto" if model.provider in _ENFORCING else False)
    wanted = options.get("output")
    parts = placed(model.dialect, provider_tools, options.get("fallbacks", {}), toolbox)
    toolbox = toolbox.with_tools(parts.added) if parts.added else toolbox
    return Brief(
        model=model,
        toolbox=toolbox,
        offer=toolbox.offer(model.tool_dialect, strict=strict, without=parts.answering),
        system=system,
        provider_tools=parts.sent,
        output=None if wanted is None else output_for(wanted, model.tool_dialect),
        settings=Settings(
            max_tokens=options.get("max_tokens"),
            temperature=options.get("temperature"),
            parallel_calls=options.get("parallel_calls"),
            options=options.get("options", {}),
        ),
    )
