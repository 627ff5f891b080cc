"""From a complete tool to what a provider takes."""

import re

from prismpy.errors import LoweringError
from prismpy.schema import JSON, emit, plain
from prismpy.tools import ToolSpec

from ._dialects import Dialect, dialect


def export(spec: ToolSpec, provider: str) -> dict[str, JSON]:
    """
    Write a tool as a provider takes it, its parameters as they were declared.

    Args:
        spec: A complete tool.

        provider: A name in the table of dialects.

    Returns:
        New containers: one element of the request's `tools`, or for `json-schema` the parameters alone.

    Raises:
        UnknownProviderError: if the provider is none.

        LoweringError: if the provider takes no tool of that name, or documents no such option.
    """
    target = dialect(provider)
    _check_name(spec, target)
    options = plain(dict(spec.provider_options.get(provider, {})))
    _check_options(spec, target, options)
    exported: dict[str, JSON] = target.wrap(spec, emit(spec.parameters), options)
    return exported


def _check_name(spec: ToolSpec, target: Dialect) -> None:
    if target.name_pattern and not re.fullmatch(target.name_pattern, spec.name):
        msg = f"tool {spec.name!r}: {target.name} takes names matching {target.name_pattern} only; rename it with as_()"
        raise LoweringError(msg, tool=spec.name, provider=target.name)


def _check_options(spec: ToolSpec, target: Dialect, options: JSON) -> None:
    for option in options:
        if option not in target.options:
            known = ", ".join(sorted(target.options)) or "none"
            msg = f"tool {spec.name!r}: {target.name} documents no tool option {option!r}; it documents {known}"
            raise LoweringError(msg, tool=spec.name, provider=target.name)
